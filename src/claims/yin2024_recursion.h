#pragma once

#include <span>
#include <vector>

#include "claims/one_iteration.h"

namespace speclab {

// yin2024's recursion for batches of drafts, equation (22), path by path and with its divisions as
// printed: what theory/yin2024.h computes over states is held against this.

/// One context of Theorem 3, with its divisions as printed: t^1 = t, r_m = TV(t^m, d), t^{m+1} =
/// [t^m - d]+ / r_m. Where some r_m is 0 the product is 0 and `last` has no say.
struct BatchStep {
  Rational tv;
  Rational product{1};         ///< r_1 ... r_M
  std::vector<Rational> last;  ///< t^{M+1}
};

/// @param many  M, or kManyBatches for the limit
BatchStep batch_step(std::span<const Rational> draft, std::span<const Rational> target, int many);

/// A path and its f by equation (22).
struct Weighed {
  TokenPath tokens;
  State state;
  Rational target;  ///< t(x_{1:n})
  Rational f;
  Rational h_rest;  ///< h(x_n) (t(x_{1:n-1}) - f(x_{1:n-1})), what Proposition 1 says f_inf is
};

/// f of every path of 0..T tokens, T = gamma, parents before children, from f(x_0) = `first`.
/// @param many  M, or kManyBatches for f_inf
std::vector<Weighed> equation22(const Instance& instance, int many, const Rational& first);

/// Theorem 3's sum: E[N_rej] of batch(M), T = gamma, from f(x_0) = `first`.
Rational theorem3_sum(const Instance& instance, int many, const Rational& first);

/// Whether every token of the target has a chance in the draft, at every state.
bool covered(const Instance& instance);
inline constexpr Filter kCovered{"supp t lies within supp d", covered};

}  // namespace speclab
