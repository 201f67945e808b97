#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <tuple>

#include "answer/answer.h"
#include "answer/bench.h"
// The optima themselves: those of a class with their plans, the programs that they are checked by,
// and the front of rejections and bias.
#include "optimum/bias_front.h"
#include "optimum/explicit_programs.h"
#include "optimum/optimum.h"

namespace speclab {

/// The most elementary steps of a closed form (see theory/budget.h) that an optimum beside an
/// answer may take.
inline constexpr double kMostOptimumSteps = 1e6;

/// The most prefixes of its program, those of all distinct starts together.
inline constexpr std::size_t kMostOptimumPrefixes = 20;

/// A view of an answer: how much of the optimum its verifier reaches. The optimum is the largest
/// E[accepted tokens] of the first iteration over all couplings of as many drafts, each drawn from
/// the draft's law on its own, with an output of the target's law (VerifierClass::coupling). Asking
/// for it runs no trial again.
///
/// Where it is known and cheap, so that it is never noticed beside the question:
/// - one draft, or one drafted token: the closed forms sum of min(D, T) (sun2024 Theorem 1) and
///   alpha*(K), within kMostOptimumSteps;
/// - K drafts of several tokens: the program of optimum/optimum.h, within kMostOptimumPrefixes
///   prefixes that both models can take and as many tokens; certified in rationals, in doubles
///   within about 1e-9.
/// Beyond that there is none.
///
/// Worked example: toy pair, K = 2: 8/9 at gamma = 1, 134/81 at gamma = 2.
class Optima {
 public:
  explicit Optima(Bench& bench) : bench_(bench) {}

  /// Adds share_of_optimum: E[accepted] over the optimum. Nothing is added where
  /// - the optimum is not known, see above;
  /// - E[accepted] was not found, or the iteration has no drafts or no finite length;
  /// - the verifier is not lossless by its kind: the optimum bounds no other, not even one that is
  ///   lossless at some of its parameters;
  /// - its drafts are not paths of the draft's law, each on its own: trees with shared prefixes,
  ///   draws without replacement and the likeliest tokens have optima of their own.
  /// Where no verifier accepts anything the share is a 0/0: missing, with a note.
  void add_share(Answer& answer);

  /// The optimum of the question's class, if it is known; made once.
  std::optional<Value> optimum(const Question& question);

 private:
  using Key = std::tuple<PairPointer, int, int, Arithmetic>;  ///< pair, gamma, K

  Bench& bench_;
  std::map<Key, std::optional<Value>> known_;
};

}  // namespace speclab
