#pragma once

#include <array>
#include <span>
#include <vector>

#include "claims/engine/paths.h"

namespace speclab {

// yin2024's recursion for batches of drafts, equation (22), path by path and with its divisions as
// printed: what theory/yin2024.h computes over states is checked against this.

/// One context of Theorem 3, with its divisions as printed: t^1 = t, r_m = TV(t^m, d), t^{m+1} =
/// [t^m - d]+ / r_m.
struct BatchStep {
  Rational tv;
  Rational product{1};         ///< r_1 ... r_M
  std::vector<Rational> last;  ///< t^{M+1}; anything where the product is 0
};

BatchStep batch_step(std::span<const Rational> draft, std::span<const Rational> target, int many);

/// A path and its f by equation (22).
struct Weighed {
  State start;
  TokenPath tokens;
  State state;      ///< after the tokens
  Rational target;  ///< t(x_{1:n})
  Rational f;
};

/// f of every path of 0..T tokens that the target takes, T = gamma, parents before children, from
/// f(x_0) = 1: position 1 is a root, as a position after a rejection is.
std::vector<Weighed> equation22(const Instance& instance, int many);

/// What more than M drafts can still change: a bound on the probability that decodes with M and
/// with any larger number of drafts differ, the M drafts being the same. They part at a root only,
/// where M drafts are rejected and a later one is accepted, which has probability |U_M| - |U_M'| <=
/// sum over d(x) > 0 of t(x) (1 - d(x))^M, U_M being what is left of the target (U_{m+1} = [U_m -
/// |U_m| d]+ <= (1 - d) U_m); T roots at most. So f_M of a path is within this of its limit,
/// E[N_rej] within T times this.
Rational rest_after(const Instance& instance, int many);

/// The numbers of drafts along which a limit is taken.
inline constexpr std::array kGrowing{2, 8, 24};

}  // namespace speclab
