#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "numbers.h"
#include "verifiers/choices.h"
#include "verifiers/contract.h"
#include "verifiers/info.h"

namespace speclab::python {

/// What one run of a verifier may ask of its view and its choices, their types taken out. Called
/// with the interpreter's lock.
class Session {
 public:
  enum class Use { draft, choose, correct };

  virtual ~Session() = default;
  [[nodiscard]] virtual Token vocabulary() const = 0;
  [[nodiscard]] virtual pybind11::object draft_row(State node) const = 0;
  [[nodiscard]] virtual pybind11::object target_row(State node) const = 0;
  [[nodiscard]] virtual State next(State node, Token x) const = 0;
  virtual bool accept(pybind11::handle probability) = 0;
  virtual Token draw(Use use, pybind11::handle law) = 0;
};

/// What a Python verifier said of one iteration.
struct Said {
  int accepted = 0;
  std::vector<Token> tokens;
  bool undefined = false;  ///< its correction's law had no weight
};

/// A Python function under a name of the registry.
class PythonFunction {
 public:
  PythonFunction(std::string name, pybind11::function function, int drafts)
      : name_(std::move(name)), function_(std::move(function)), drafts_(drafts) {}
  PythonFunction(const PythonFunction&) = delete;
  PythonFunction& operator=(const PythonFunction&) = delete;
  ~PythonFunction();

  [[nodiscard]] int drafts() const { return drafts_; }

  /// function(view, root, window, choices) -> (accepted, tokens)
  /// @throws ContractError where it returns anything else or breaks the contract of choices.h
  Said run(Session& session, State root, Window window) const;

 private:
  std::string name_;
  pybind11::function function_;
  int drafts_;
};

/// Adds a verifier to the registry, or gives the Python verifier of this name another function.
/// @throws InputError where the name is no word or one of speclab's own verifiers has it
void define_verifier(const std::string& name, pybind11::function function, const std::string& prose,
                     const std::string& source, VerifierKind kind, int drafts);

/// The function that was defined last under this name. @throws InputError where there is none
std::shared_ptr<const PythonFunction> find_function(const std::string& name);

/// The program of every verifier that is written in Python (verifiers/program.h).
struct PythonVerifier {
  std::shared_ptr<const PythonFunction> function;
  int drafts = 1;

  static constexpr VerifierInfo kInfo{.name = "python",
                                      .parameters = "",
                                      .prose = "a function of Python",
                                      .source = "",
                                      .kind = VerifierKind::lossless,
                                      .example = "python"};
  static constexpr bool kCarries = false;
  static constexpr std::string_view kNoProof =
      "a verifier written in Python computes with numbers; write it in C++ for a proof";
  static constexpr std::string_view kNoPaths =
      "a verifier written in Python does not run along recorded paths; write it in C++";
  static PythonVerifier read(SpecReader& spec) {
    auto function = find_function(spec.canonical());
    const int drafts = function->drafts();
    return {std::move(function), drafts};
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const;
};

template <class View, class Choices>
class SessionOf final : public Session {
 public:
  using Real = typename View::Real;
  static_assert(std::is_same_v<typename View::Node, State>);

  SessionOf(const View& view, Choices& choices) : view_(view), choices_(choices) {}

  [[nodiscard]] Token vocabulary() const override { return view_.vocabulary(); }
  [[nodiscard]] pybind11::object draft_row(State node) const override {
    const auto laws = view_.at(node);
    return row_to_python(row([&](Token x) { return Real(laws.draft(x)); }));
  }
  [[nodiscard]] pybind11::object target_row(State node) const override {
    const auto laws = view_.at(node);
    return row_to_python(row([&](Token x) { return Real(laws.target(x)); }));
  }
  [[nodiscard]] State next(State node, Token x) const override { return view_.next(node, x); }
  bool accept(pybind11::handle probability) override {
    return choices_.accept(from_python<Real>(probability, "choices.accept: the probability"));
  }
  Token draw(Use use, pybind11::handle law) override {
    const auto weights = [&](const char* what) {
      return DenseLaw<Real>(weights_from_python<Real>(law, vocabulary(), what));
    };
    switch (use) {
      case Use::draft:
        return choices_.draft(weights("choices.draft: the law"));
      case Use::choose:
        return choices_.choose(weights("choices.choose: the law"));
      case Use::correct:
        break;
    }
    return choices_.correct(weights("choices.correct: the law"));
  }

 private:
  template <class Entry>
  [[nodiscard]] std::vector<Real> row(const Entry& entry) const {
    std::vector<Real> made;
    for (Token x = 0; x < vocabulary(); ++x) made.push_back(entry(x));
    return made;
  }

  const View& view_;
  Choices& choices_;
};

template <class View, class Choices>
void PythonVerifier::operator()(const View& view, const typename View::Node& root, Window window,
                                Choices& choices, Iteration<View>& out) const {
  const pybind11::gil_scoped_acquire lock;
  SessionOf<View, Choices> session(view, choices);
  Said said = function->run(session, root, window);
  auto node = root;
  for (const Token x : said.tokens) node = view.next(node, x);
  out.accepted = said.accepted;
  out.node = node;
  if (said.undefined) {
    out.ending = Ending::undefined;
  } else if (said.tokens.size() == static_cast<std::size_t>(said.accepted)) {
    out.ending = Ending::horizon;
  } else {
    out.ending = said.accepted == window.drafts ? Ending::bonus : Ending::correction;
  }
  out.tokens = std::move(said.tokens);
}

/// Classes View, Choices and Window, and define_verifier.
void bind_verifier(pybind11::module_& module);

}  // namespace speclab::python
