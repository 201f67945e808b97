#pragma once

#include <map>
#include <utility>
#include <vector>

#include "optimum/acceptance_proof.h"

namespace speclab {

/// One of several iterations in the best of their class, with the proof that there is none better.
struct IterationOptimum {
  Rational tokens;        ///< the most E[N(i)], i being this iteration and those after it
  AcceptanceProof proof;  ///< of this iteration's gains, see find_iterations
};

/// The most tokens that a class emits in several iterations.
struct IterationsOptimum {
  std::vector<Rational> tokens;  ///< [i - 1]: the most E[N(i)], averaged over the pair's starts
  /// By the iterations left, this one included, and the state in which it begins.
  std::map<std::pair<int, State>, IterationOptimum> steps;
};

/// The largest E[N(i)], i = 1 .. iterations, over plug-and-play verifiers (sun2025 Definition 1) of
/// K drafts of gamma tokens, which may differ between iterations: the object of sun2025 Theorem 2.
///
/// The plain target follows each iteration, so that later ones depend on its last state alone. With
/// V_i(s) = max E[N(i)] from state s, V_0 = 0, and s(v) the state after the prefix v,
///   V_i(s) = 1 + E_{y~t} V_{i-1}(next(s, y)) + max sum_v gain(v) B(v)
///   gain(v) = 1 + E_{y~t} V_{i-1}(next(s(v), y)) - V_{i-1}(s(v))
/// the maximum being over the masses B of one iteration (acceptance_proof.h): a gain is what it
/// adds to accept v's last token instead of stopping before the one after it. Each maximum is
/// proved by its prices and attained by its masses, both checked.
///
/// Worked example: toy pair, gamma = 2, one draft: 20/9, 40/9, 20/3, block's.
///
/// @throws UsageError for an unbounded gamma or no draft; InputError where the pair ends before the
/// iterations do, has an end-of-sequence token, or makes the draft's state anew; LimitError where a
/// program is too large
IterationsOptimum find_iterations(const Rows<Rational>& rows, int gamma, int drafts,
                                  int iterations);

}  // namespace speclab
