#pragma once

#include <cstddef>

#include "model/rows.h"

namespace speclab {

/// Bounds on the largest E[tau] over the class of lin2026's equation (1): couplings of K
/// drafts, each ~ D and independent of each other, with y ~ T, under which P(X_1 .. X_K | y) is the
/// product of P(X_k | y); the K kernels may differ.
///
/// The class is not convex, so that no linear program bounds it. Known facts:
/// - Where the output is one of two blocks, at most one draft depends on y: for events A, B of two
///   drafts (P(A|y) - P(A|y')) (P(B|y) - P(B|y')) T(y) T(y') = 0, their covariance. The best such
///   member is a linear program's.
/// - K = 1: every coupling is a member.
/// - gamma = 1: P(X_k = y | y) <= min(1, d/t), so that equation (5) is a bound (Lemma 5.1).
struct IndependentOptimum {
  Rational attained;     ///< E[tau] of some member
  Rational bound;        ///< on every member by the facts above; otherwise gamma
  std::size_t rows = 0;  ///< rows of the largest program
  std::size_t columns = 0;
};

/// Improves members one kernel at a time with the others fixed, by a linear program each.
/// @throws LimitError beyond `most` pairs of a draft and an output
IndependentOptimum independent_optimum(const Rows<Rational>& rows, State start, int gamma,
                                       int drafts, std::size_t most);

}  // namespace speclab
