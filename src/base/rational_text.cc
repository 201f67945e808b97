// How rational numbers are read and written; their arithmetic is in rational.cc.
#include <charconv>
#include <cstdlib>
#include <ostream>

#include "base/error.h"
#include "base/integer.h"
#include "base/rational.h"
#include "base/text.h"

namespace speclab {
namespace {

/// Larger exponents are refused: the number would have too many digits to be useful.
constexpr int kMaxExponent = 4096;

[[noreturn]] void refuse(std::string_view text) {
  throw InputError("'" + abbreviate(text) +
                   "' is not a number; write a whole number, a decimal or a fraction such as 1/3");
}

Rational parse_decimal(std::string_view text, std::string_view whole) {
  int exponent = 0;
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    if (!power.empty() && power.front() == '+') power.remove_prefix(1);
    const auto [end, status] = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (status != std::errc{} || end != power.data() + power.size() || exponent < -kMaxExponent ||
        exponent > kMaxExponent) {
      refuse(whole);
    }
    text = text.substr(0, e);
  }
  const auto point = text.find('.');
  const std::string_view before = text.substr(0, point);
  const std::string_view after =
      point == std::string_view::npos ? std::string_view{} : text.substr(point + 1);
  if ((before.empty() && after.empty()) || (!before.empty() && !all_digits(before)) ||
      (!after.empty() && !all_digits(after))) {
    refuse(whole);
  }
  const Integer mantissa = Integer(std::string(before) + std::string(after));
  exponent -= static_cast<int>(after.size());
  const Integer scale = pow(Integer(10), static_cast<unsigned>(std::abs(exponent)));
  return exponent >= 0 ? Rational(mantissa * scale) : Rational(mantissa, scale);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Rational& value) { return out << to_text(value); }

Rational parse_rational(std::string_view text) {
  std::string_view body = text;
  const bool negative = !body.empty() && body.front() == '-';
  if (negative || (!body.empty() && body.front() == '+')) body.remove_prefix(1);
  Rational value;
  if (const auto slash = body.find('/'); slash != std::string_view::npos) {
    const std::string_view top = body.substr(0, slash);
    const std::string_view bottom = body.substr(slash + 1);
    if (!all_digits(top) || !all_digits(bottom)) refuse(text);
    const Integer denominator = Integer(bottom);
    if (denominator == 0) {
      throw InputError("'" + abbreviate(text) + "' divides by zero; give a denominator above 0");
    }
    value = Rational(Integer(top), denominator);
  } else {
    value = parse_decimal(body, text);
  }
  return negative ? -value : value;
}

std::string to_text(const Rational& value) {
  const std::string top = numerator(value).str();
  return denominator(value) == 1 ? top : top + "/" + denominator(value).str();
}

std::string list_text(std::span<const Rational> values) {
  std::string text;
  for (const Rational& value : values) text += (text.empty() ? "" : ",") + to_text(value);
  return text;
}

}  // namespace speclab
