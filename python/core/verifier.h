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
#include "simulate/checked_sampler.h"
#include "verifiers/choices.h"
#include "verifiers/contract.h"
#include "verifiers/info.h"

namespace speclab::python {

/// What one run of a verifier may ask of its view and its choices, their types taken out. Called
/// with the interpreter's lock.
///
/// The enumerator runs every path of decisions twice, the second time on the outcomes of the first:
/// where the two differ, the function has randomness of its own, and no probability of its results
/// is exact.
class Session {
 public:
  enum class Use { draft, choose, correct, accept };

  virtual ~Session() = default;
  [[nodiscard]] virtual Token vocabulary() const = 0;
  [[nodiscard]] virtual pybind11::object draft_row(State node) const = 0;
  [[nodiscard]] virtual pybind11::object target_row(State node) const = 0;
  [[nodiscard]] virtual State next(State node, Token x) const = 0;
  virtual bool accept(pybind11::handle probability) = 0;
  virtual Token draw(Use use, pybind11::handle law) = 0;

  /// Decisions return the recorded outcomes from the first on.
  void replay() {
    replaying_ = true;
    differs_ = false;
    at_ = 0;
  }
  /// Whether a replayed run asked for another decision than the recorded one.
  [[nodiscard]] bool differs() const { return differs_; }
  /// Whether a replayed run that returned asked for others, or for fewer.
  [[nodiscard]] bool did_another_thing() const { return differs_ || at_ != recorded(); }

 protected:
  [[nodiscard]] virtual std::size_t recorded() const = 0;

  bool replaying_ = false;
  bool differs_ = false;
  std::size_t at_ = 0;  ///< replayed decisions
};

/// What a Python verifier said of one iteration.
struct Said {
  int accepted = 0;
  std::vector<Token> tokens;
  bool undefined = false;  ///< its correction's law had no weight

  bool operator==(const Said&) const = default;
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

  /// Runs it again on the decisions that `session` recorded.
  /// @param said  the result of the first run
  /// @throws ContractError with the line to change, where it does something else
  void run_again(Session& session, State root, Window window, const Said& said) const;

 private:
  [[nodiscard]] std::string line_of_randomness(Session& session, State root, Window window) const;

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
  static constexpr bool kThrowsToCaller = true;  ///< what the function raises is Python's
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
    const Real value = from_python<Real>(probability, "choices.accept: the probability");
    return decide(Use::accept, {value}, [&] { return choices_.accept(value) ? 1 : 0; }) != 0;
  }
  Token draw(Use use, pybind11::handle law) override {
    const char* const name = use == Use::draft    ? "draft"
                             : use == Use::choose ? "choose"
                                                  : "correct";
    const std::vector<Real> weights =
        weights_from_python<Real>(law, vocabulary(), "choices." + std::string(name) + ": the law");
    return decide(use, weights, [&] {
      const DenseLaw<Real> dense{std::vector<Real>(weights)};
      return use == Use::draft    ? choices_.draft(dense)
             : use == Use::choose ? choices_.choose(dense)
                                  : choices_.correct(dense);
    });
  }

 private:
  struct Decision {
    Use use;
    std::vector<Real> weights;
    Token outcome;
  };

  template <class Decide>
  Token decide(Use use, std::vector<Real> weights, const Decide& made) {
    if (!replaying_) {
      const Token outcome = made();
      decisions_.push_back({use, std::move(weights), outcome});
      return outcome;
    }
    const bool same =
        at_ < decisions_.size() && decisions_[at_].use == use && decisions_[at_].weights == weights;
    if (!same) {
      differs_ = true;
      throw ContractError("a run on the same outcomes makes another decision here");
    }
    return decisions_[at_++].outcome;
  }
  [[nodiscard]] std::size_t recorded() const override { return decisions_.size(); }

  template <class Entry>
  [[nodiscard]] std::vector<Real> row(const Entry& entry) const {
    std::vector<Real> made;
    for (Token x = 0; x < vocabulary(); ++x) made.push_back(entry(x));
    return made;
  }

  const View& view_;
  Choices& choices_;
  std::vector<Decision> decisions_;
};

template <class View, class Choices>
void PythonVerifier::operator()(const View& view, const typename View::Node& root, Window window,
                                Choices& choices, Iteration<View>& out) const {
  const pybind11::gil_scoped_acquire lock;
  SessionOf<View, Choices> session(view, choices);
  Said said = function->run(session, root, window);
  // The sampler draws its outcomes: a run of it is checked nowhere.
  if constexpr (!std::is_same_v<Choices, CheckedSampler>) {
    function->run_again(session, root, window, said);
  }
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
