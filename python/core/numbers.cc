#include "numbers.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <optional>

#include "base/error.h"
#include "base/text.h"

namespace py = pybind11;

namespace speclab::python {
namespace {

std::string shown(py::handle value) { return abbreviate(py::repr(value).cast<std::string>()); }

py::object whole_to_python(const std::string& digits) {
  return py::reinterpret_steal<py::object>(PyLong_FromString(digits.c_str(), nullptr, 10));
}

/// The value of an int that is short.
std::optional<std::int64_t> short_int(const py::object& number) {
  if (!PyLong_CheckExact(number.ptr())) return std::nullopt;
  int overflow = 0;
  const std::int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) return std::nullopt;
  return value;
}

/// numerator / denominator of an int, a Fraction or a NumPy integer, and the exact value of a
/// float.
Rational exact_from_python(py::handle number, const std::string& what) {
  try {
    py::object above, below;
    if (py::hasattr(number, "denominator")) {
      above = number.attr("numerator");
      below = number.attr("denominator");
    } else {
      const py::tuple ratio = number.attr("as_integer_ratio")();
      above = ratio[0];
      below = ratio[1];
    }
    const auto short_above = short_int(above), short_below = short_int(below);
    if (short_above && short_below && *short_below > 0) return Rational(*short_above, *short_below);
    return parse_rational(py::str(above).cast<std::string>() + "/" +
                          py::str(below).cast<std::string>());
  } catch (const py::error_already_set&) {
    throw InputError(what + " is " + shown(number) + "; give a finite number or a Fraction");
  }
}

}  // namespace

py::object to_python(double value) { return py::float_(value); }

py::object to_python(const Rational& value) {
  static const py::object* const fraction =
      new py::object(py::module_::import("fractions").attr("Fraction"));
  const std::string text = to_text(value);
  const auto slash = text.find('/');
  if (slash == std::string::npos) return (*fraction)(whole_to_python(text));
  return (*fraction)(whole_to_python(text.substr(0, slash)),
                     whole_to_python(text.substr(slash + 1)));
}

py::object row_to_python(const std::vector<double>& row) {
  return py::array_t<double>(static_cast<py::ssize_t>(row.size()), row.data());
}

py::object row_to_python(const std::vector<Rational>& row) {
  static const py::object* const empty = new py::object(py::module_::import("numpy").attr("empty"));
  py::object array = (*empty)(row.size(), py::arg("dtype") = "O");
  for (std::size_t i = 0; i < row.size(); ++i) array[py::int_(i)] = to_python(row[i]);
  return array;
}

template <>
Rational from_python<Rational>(py::handle number, const std::string& what) {
  return exact_from_python(number, what);
}

template <>
double from_python<double>(py::handle number, const std::string& what) {
  const double value = PyFloat_AsDouble(number.ptr());
  const bool failed = PyErr_Occurred() != nullptr;
  if (!failed && std::isfinite(value)) return value;
  PyErr_Clear();
  throw InputError(what + " is " + shown(number) + "; give a finite number");
}

template <class Real>
std::vector<Real> weights_from_python(py::handle law, Token vocabulary, const std::string& what) {
  if (!py::isinstance<py::sequence>(law) && !py::isinstance<py::array>(law)) {
    throw InputError(what + " is " + shown(law) + "; give an array of weights");
  }
  std::vector<Real> weights;
  for (const py::handle entry : law) {
    weights.push_back(from_python<Real>(entry, what + ": a weight"));
    if (weights.back() < 0) {
      throw InputError(what + " has the weight " + shown(entry) + "; give weights of 0 or more");
    }
  }
  if (weights.size() != static_cast<std::size_t>(vocabulary)) {
    throw InputError(
        fmt::format("{} has {} weights; give {}, one a token", what, weights.size(), vocabulary));
  }
  return weights;
}

template std::vector<double> weights_from_python(py::handle, Token, const std::string&);
template std::vector<Rational> weights_from_python(py::handle, Token, const std::string&);

}  // namespace speclab::python
