#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rational.h"
#include "base/types.h"
#include "model/scaled_tail.h"
#include "system/read_file.h"

namespace speclab {

/// One possible state before position 1 and its probability.
struct Start {
  State state = 0;
  Rational probability;
};

/// A draft and a target model on one shared finite automaton.
///
/// A state determines both next-token laws. Of most pairs it is what the prefix says. A pair
/// *resets* where its draft has a state of its own that each iteration makes anew, as the features
/// of an iteration's first context are for prediction heads and block diffusion: its state is the
/// target's context and the draft's state, `next` moves both, and `roots` has the states in which
/// an iteration begins. Positions are counted from 1; a pair whose laws are given for finitely many
/// positions has a `length()` and is not defined beyond it. Implementations are immutable after
/// construction and safe to read from many threads.
class Pair {
 public:
  virtual ~Pair() = default;

  /// Number of tokens, V >= 1; tokens are 0..V-1.
  [[nodiscard]] virtual Token vocabulary() const = 0;

  /// Number of states; states are 0..states()-1.
  [[nodiscard]] virtual State states() const = 0;

  /// The state after `token` in `state`.
  [[nodiscard]] virtual State next(State state, Token token) const = 0;

  /// Writes both laws at `state`, each V long and summing to 1 (exactly, or within rounding).
  /// The rational rows of a double-valued pair are the doubles' exact values, renormalised.
  virtual void rows(State state, std::span<double> draft, std::span<double> target) const = 0;
  virtual void rows(State state, std::span<Rational> draft, std::span<Rational> target) const = 0;

  /// The target law at `state` as rows() writes it in doubles, where few tokens distinguish it from
  /// a multiple of the draft's. @param draft  that row
  [[nodiscard]] virtual std::optional<ScaledTarget> scaled_target(
      State /*state*/, std::span<const double> /*draft*/) const {
    return std::nullopt;
  }

  /// Whether `roots` of some state is more than the state itself.
  [[nodiscard]] virtual bool resets() const { return false; }

  /// The law of the state in which an iteration begins that follows `state`: one with the same
  /// target law, now and after any tokens. Probabilities sum to exactly 1; a root is its own root
  /// where only one is possible. More than one is possible where the draft draws what its verifier
  /// sees, such as a latent variable.
  [[nodiscard]] virtual std::vector<Start> roots(State state) const {
    return {{state, Rational(1)}};
  }

  /// The most tokens that one iteration can draft; empty where there is no limit.
  [[nodiscard]] virtual std::optional<int> longest_draft() const { return std::nullopt; }

  /// A representative of the states with this state's draft law: its rows and tables are made once.
  /// The draft of an n-gram pair has few contexts and many states.
  [[nodiscard]] virtual State draft_state(State state) const { return state; }

  /// The law of the state before position 1 (the prompt), in which the first iteration begins;
  /// probabilities sum to exactly 1.
  [[nodiscard]] virtual std::vector<Start> start() const { return {{0, Rational(1)}}; }

  /// The number of positions for which laws are given; empty where there is no end.
  [[nodiscard]] virtual std::optional<int> length() const { return std::nullopt; }

  /// The end-of-sequence token, if any. It is absorbing in both models.
  [[nodiscard]] virtual std::optional<Token> end_token() const { return std::nullopt; }

  /// Bytes stored for its laws where they are significant, such as a text's counts.
  [[nodiscard]] virtual std::size_t bytes() const { return 0; }

  /// True where one state serves every position (draws are i.i.d.).
  [[nodiscard]] bool memoryless() const { return states() == 1; }

  /// The canonical spec text: every parameter, in fixed order.
  [[nodiscard]] const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

  /// The files that the pair was made from, each read once; most families have none.
  [[nodiscard]] const std::vector<InputFile>& inputs() const { return inputs_; }
  void set_inputs(std::vector<InputFile> inputs) { inputs_ = std::move(inputs); }

 private:
  std::string name_;
  std::vector<InputFile> inputs_;
};

/// A pair whose laws are known exactly; its doubles are the nearest doubles.
class RationalPair : public Pair {
 public:
  using Pair::rows;
  void rows(State state, std::span<double> draft, std::span<double> target) const final;
};

/// A pair whose laws are known as doubles; its rationals are their exact values, renormalised.
class DoublePair : public Pair {
 public:
  using Pair::rows;
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const final;
};

/// Checks that a law written by a user has entries in [0, 1] that sum to exactly 1.
/// @throws InputError "WHERE: ..." naming the first entry or the sum that is wrong.
void check_law(std::span<const Rational> law, const std::string& where);

using PairPointer = std::shared_ptr<const Pair>;

}  // namespace speclab
