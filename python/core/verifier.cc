#include "verifier.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <deque>
#include <map>
#include <mutex>
#include <regex>

#include "answer/instantiate.h"
#include "base/error.h"
#include "base/text.h"

namespace py = pybind11;

namespace speclab::python {
namespace {

/// What Python holds of a session: nothing once the run is over, whoever kept it.
struct Held {
  Session* session = nullptr;
  [[nodiscard]] Session& get() const {
    if (session == nullptr) {
      throw ContractError("a view and its choices are of one iteration; do not keep them");
    }
    return *session;
  }
};

struct PyView {
  std::shared_ptr<Held> held;
};
struct PyChoices {
  std::shared_ptr<Held> held;
};

/// A verifier's row with the texts that it points to; they live as long as the process.
struct Defined {
  std::string name, prose, source;
  VerifierRow row;
};

struct Book {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const PythonFunction>> functions;
  std::deque<Defined> rows;
};

/// Never destroyed: its functions would outlive the interpreter.
Book& book() {
  static Book* const made = new Book;
  return *made;
}

Token check_token(const Session& session, py::handle value, const std::string& name) {
  try {
    const auto token = value.cast<long long>();
    if (token >= 0 && token < session.vocabulary()) return static_cast<Token>(token);
  } catch (const py::cast_error&) {
  }
  throw ContractError(fmt::format("{}: {} is no token; they are 0 to {}", name,
                                  abbreviate(py::repr(value).cast<std::string>()),
                                  session.vocabulary() - 1));
}

}  // namespace

PythonFunction::~PythonFunction() {
  const py::gil_scoped_acquire lock;
  function_ = py::function();
}

Said PythonFunction::run(Session& session, State root, Window window) const {
  const auto held = std::make_shared<Held>(Held{&session});
  const auto over = std::unique_ptr<Held, void (*)(Held*)>(
      held.get(), [](Held* used) { used->session = nullptr; });
  const py::object result = function_(PyView{held}, root, window, PyChoices{held});
  py::object accepted, tokens;
  try {
    const auto parts = result.cast<std::pair<py::object, py::object>>();
    accepted = parts.first;
    tokens = parts.second;
  } catch (const py::cast_error&) {
    throw ContractError(fmt::format("{}: returned {}; return (accepted, tokens)", name_,
                                    abbreviate(py::repr(result).cast<std::string>())));
  }
  Said said;
  for (const py::handle value : tokens) {
    if (said.undefined) throw ContractError(name_ + ": a token follows an undefined one");
    // What choices.correct() gives where its law has no weight.
    said.undefined = py::isinstance<py::int_>(value) && value.equal(py::int_(kUndefined));
    if (!said.undefined) said.tokens.push_back(check_token(session, value, name_));
  }
  try {
    said.accepted = accepted.cast<int>();
  } catch (const py::cast_error&) {
    throw ContractError(fmt::format("{}: accepted is {}; give a whole number", name_,
                                    abbreviate(py::repr(accepted).cast<std::string>())));
  }
  const auto emitted = static_cast<long long>(said.tokens.size()) + (said.undefined ? 1 : 0);
  if (said.accepted < 0 || said.accepted > window.drafts ||
      (emitted != said.accepted && emitted != said.accepted + 1) ||
      (emitted == said.accepted && (window.bonus || said.accepted < window.drafts)) ||
      (emitted > window.drafts && !window.bonus)) {
    throw ContractError(fmt::format(
        "{}: {} accepted and {} tokens in a window of {} drafts {} a bonus; emit the accepted "
        "tokens, then the correction, or the bonus where window.bonus is true",
        name_, said.accepted, emitted, window.drafts, window.bonus ? "and" : "without"));
  }
  return said;
}

void PythonFunction::run_again(Session& session, State root, Window window,
                               const Said& said) const {
  session.replay();
  bool same = false;
  try {
    same = run(session, root, window) == said && !session.did_another_thing();
  } catch (const std::exception&) {
    if (!session.differs()) throw;
  }
  if (same) return;
  throw ContractError(
      fmt::format("{}: it has randomness of its own{}: run twice on the same outcomes of choices, "
                  "it did two things; make this decision by choices.accept or choices.choose",
                  name_, line_of_randomness(session, root, window)));
}

std::string PythonFunction::line_of_randomness(Session& session, State root, Window window) const {
  const py::cpp_function replay([&] {
    session.replay();
    run(session, root, window);
  });
  const py::object find = py::module_::import("speclab._verifiers").attr("line_of_randomness");
  const auto line = find(function_, replay).cast<std::string>();
  return line.empty() ? "" : ", in " + line;
}

void define_verifier(const std::string& name, py::function function, const std::string& prose,
                     const std::string& source, VerifierKind kind, int drafts) {
  const std::regex word("[a-z][a-z0-9.-]*", std::regex::icase);
  if (!std::regex_match(name, word)) {
    throw InputError("'" + abbreviate(name) +
                     "' is no name of a verifier; give one word of letters, digits, '-' and '.'");
  }
  auto made = std::make_shared<const PythonFunction>(name, std::move(function), drafts);
  Book& all = book();
  const std::lock_guard lock(all.mutex);
  if (!all.functions.contains(name)) {
    Defined& row = all.rows.emplace_back(Defined{name, prose, source, {}});
    row.row = verifier_row<PythonVerifier, Made::foreign>();
    row.row.name = row.row.example = row.name;
    row.row.prose = row.prose;
    row.row.source = row.source;
    row.row.kind = kind;
    try {
      add_verifier(row.row);
    } catch (...) {
      all.rows.pop_back();
      throw;
    }
  }
  all.functions[name] = std::move(made);
}

std::shared_ptr<const PythonFunction> find_function(const std::string& name) {
  Book& all = book();
  const std::lock_guard lock(all.mutex);
  const auto found = all.functions.find(name);
  if (found == all.functions.end()) {
    throw InputError("there is no Python verifier '" + abbreviate(name) + "'; define it first");
  }
  return found->second;
}

void bind_verifier(py::module_& module) {
  py::class_<Window>(module, "Window", "How long one iteration may be.")
      .def_readonly("drafts", &Window::drafts, "Tokens to draft, at most gamma.")
      .def_readonly("bonus", &Window::bonus, "Whether a token may follow when all are accepted.");
  py::class_<PyView>(module, "View", "The pair, as a verifier sees it. A node is a context.")
      .def_property_readonly(
          "vocabulary", [](const PyView& view) { return view.held->get().vocabulary(); },
          "Number of tokens V.")
      .def(
          "draft", [](const PyView& view, State node) { return view.held->get().draft_row(node); },
          py::arg("node"), "The draft's law at a node: array [V] of float or Fraction.")
      .def(
          "target",
          [](const PyView& view, State node) { return view.held->get().target_row(node); },
          py::arg("node"), "The target's law at a node: array [V] of float or Fraction.")
      .def(
          "next",
          [](const PyView& view, State node, py::handle token) {
            const Session& session = view.held->get();
            return session.next(node, check_token(session, token, "view.next"));
          },
          py::arg("node"), py::arg("token"), "The node after a token.");
  const auto draw = [](Session::Use use) {
    return [use](const PyChoices& choices, const py::object& law) {
      return choices.held->get().draw(use, law);
    };
  };
  py::class_<PyChoices>(module, "Choices", "Every random decision of a verifier.")
      .def("draft", draw(Session::Use::draft), py::arg("law"), "A drafted token from weights [V].")
      .def(
          "accept",
          [](const PyChoices& choices, const py::object& probability) {
            return choices.held->get().accept(probability);
          },
          py::arg("probability"), "A coin, its probability in [0, 1]: min(1, ratio).")
      .def("choose", draw(Session::Use::choose), py::arg("law"),
           "A coin with many sides: which of several tokens to accept, from weights [V].")
      .def("correct", draw(Session::Use::correct), py::arg("law"),
           "The correction or bonus token from weights [V], an iteration's last decision; "
           "UNDEFINED (-1) where the law has no weight.");
  module.def("define_verifier",
             [](const std::string& name, py::function function, const std::string& prose,
                const std::string& source, bool lossless, int drafts) {
               define_verifier(name, std::move(function), prose, source,
                               lossless ? VerifierKind::lossless : VerifierKind::biased, drafts);
             });
}

}  // namespace speclab::python
