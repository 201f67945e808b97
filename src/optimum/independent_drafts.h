#pragma once

#include <cstddef>

#include "model/rows.h"

namespace speclab {

/// What is known of the largest E[tau] over the class of lin2026's equation (1): couplings of K
/// drafts, each ~ D and independent of each other, with y ~ T, under which P(X_1 .. X_K | y) is the
/// product of P(X_k | y); the K kernels need not be alike.
///
/// The class is not convex, so that no linear program bounds it. Known of it:
/// - Where the output is one of two blocks, at most one draft looks at y: for events A, B of two
///   drafts (P(A|y) - P(A|y')) (P(B|y) - P(B|y')) T(y) T(y') = 0, their covariance. The best such
///   member is a linear program's.
/// - One draft alone: every coupling is a member.
/// - gamma = 1: P(X_k = y | y) <= min(1, d/t), so that equation (5) is a bound (Lemma 5.1).
struct IndependentOptimum {
  Rational attained;     ///< E[tau] of a member
  Rational bound;        ///< of every member, as far as the above goes; else gamma
  std::size_t rows = 0;  ///< of the largest program
  std::size_t columns = 0;
};

/// Members are improved one kernel at a time, the others held: a linear program each.
/// @throws LimitError beyond `most` pairs of a draft and an output
IndependentOptimum independent_optimum(const Rows<Rational>& rows, State start, int gamma,
                                       int drafts, std::size_t most);

}  // namespace speclab
