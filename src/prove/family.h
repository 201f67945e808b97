#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"
#include "model/pair.h"
#include "model/rows.h"
#include "prove/contexts.h"
#include "prove/number.h"

namespace speclab {

struct AutomatonState;

/// An iteration of which a theorem speaks.
struct ProofRun {
  State start;  ///< the context that it begins in
  int gamma;
};

/// All pairs of one size. A law of V tokens has V - 1 parameters, the probabilities of all tokens
/// but the last, which has the rest; zeros are allowed. States are the prefixes of up to gamma
/// tokens, shorter ones first, then by tokens (the child of s by x is s V + x + 1), or one.
///
/// Of Contexts::step there are four states: at kForced the draft gives the last token with
/// probability 1, and the target that token and token 0 alone; any two laws at kNode after it, and
/// any two at kLater after that, the last context that may be asked for; at kOther, after another
/// first token, both models give the last token.
class AllPairs {
 public:
  static constexpr State kForced = 0, kNode = 1, kLater = 2, kOther = 3;  ///< of Contexts::step
  static constexpr int kStepGamma = 2;

  /// @throws LimitError beyond kMostParameters parameters; InputError for a size below 1
  /// @pre gamma is kStepGamma of Contexts::step
  AllPairs(Contexts contexts, Token vocabulary, int gamma);

  [[nodiscard]] Contexts contexts() const { return contexts_; }
  [[nodiscard]] Token vocabulary() const { return vocabulary_; }
  [[nodiscard]] int gamma() const { return gamma_; }
  /// Whether theorems are about every draft length, by induction.
  [[nodiscard]] bool every_gamma() const { return contexts_ == Contexts::step; }
  /// "all iid pairs of 2 tokens", "all pairs of 2 tokens".
  [[nodiscard]] std::string text() const;
  /// The iterations whose outcomes theorems compare: from the prompt, and of Contexts::step from
  /// kNode, with one draft, and from kForced, with two.
  [[nodiscard]] std::vector<ProofRun> runs() const;
  [[nodiscard]] State states() const { return states_; }
  [[nodiscard]] State next(State state, Token token) const;
  [[nodiscard]] std::size_t parameters() const { return std::size_t{2} * states_ * free(); }
  /// The parameter of a token other than the last; the draft's law or the target's.
  [[nodiscard]] std::size_t parameter(State state, bool target, Token token) const;
  /// Whether the parameter stands for 0 in every pair of the family.
  [[nodiscard]] bool absent(std::size_t parameter) const {
    const State state = state_of(parameter);
    return contexts_ == Contexts::step &&
           (state == kOther ||
            (state == kForced && parameter != this->parameter(kForced, true, 0)));
  }
  /// "draft(1)[0]": of token 0 after the prefix 1.
  [[nodiscard]] std::string parameter_name(std::size_t parameter) const;

  /// The conditions that every probability is at least 0. Enters the probabilities and, as the
  /// first factors, the differences t(x) - d(x) into the table.
  [[nodiscard]] Conditions domain(Factors& factors) const;
  /// The conditions that are without loss of generality where the names of tokens and contexts do
  /// not matter: in every context t(x) - d(x) does not increase with x. One condition a polynomial.
  [[nodiscard]] Conditions ordered(Factors& factors) const;
  /// Conditions, after those of the domain or the order (`always`) about the contexts whose
  /// probabilities occur in them.
  [[nodiscard]] Conditions with_domain(std::span<const Condition> conditions,
                                       std::span<const Condition> always,
                                       const Factors& factors) const;
  /// The context of a parameter.
  [[nodiscard]] State state_of(std::size_t parameter) const {
    return static_cast<State>(parameter / (2 * free()));
  }
  /// Parameters of one law.
  [[nodiscard]] std::size_t free() const { return static_cast<std::size_t>(vocabulary_) - 1; }

  /// The laws at a point with the prompt at `start`, as the JSON object of file(PATH).
  [[nodiscard]] std::string pair_object(std::span<const Rational> point, State start = 0) const;
  /// The same pair as spec text: iid(...), or automaton(...) with a state for each context, which a
  /// prefix of gamma tokens keeps.
  [[nodiscard]] std::string pair_text(std::span<const Rational> point, State start = 0) const;

 private:
  [[nodiscard]] Polynomial probability(State state, bool target, Token token) const;
  /// t(x) - d(x)
  [[nodiscard]] Polynomial gap(State state, Token token) const {
    return probability(state, true, token) - probability(state, false, token);
  }
  [[nodiscard]] std::string prefix(State state) const;
  [[nodiscard]] std::vector<Rational> law(std::span<const Rational> point, State state,
                                          bool target) const;
  [[nodiscard]] std::vector<AutomatonState> automaton(std::span<const Rational> point) const;

  Contexts contexts_;
  Token vocabulary_;
  int gamma_;
  State states_;
};

/// The laws of a family in the prover's arithmetic, of the run that is current when it is made.
template <>
class Rows<Number> {
 public:
  explicit Rows(const AllPairs& family);
  [[nodiscard]] Token vocabulary() const { return family_->vocabulary(); }
  /// The counterpart of a pair, with as many states.
  [[nodiscard]] const AllPairs& pair() const { return *family_; }
  [[nodiscard]] State next(State state, Token token) const { return family_->next(state, token); }
  [[nodiscard]] std::span<const Number> draft(State state) const { return row(state, 0); }
  [[nodiscard]] std::span<const Number> target(State state) const { return row(state, 1); }

 private:
  [[nodiscard]] std::span<const Number> row(State state, std::size_t model) const;

  const AllPairs* family_;
  std::vector<Number> rows_;
};

}  // namespace speclab
