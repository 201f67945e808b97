#pragma once

#include <cmath>
#include <vector>

#include "theory/likelihood_walk.h"
#include "theory/yin2024.h"

namespace speclab {

// "SpecTr-GBV" (lin2026), K i.i.d. drafts verified as blocks.

/// One term of equation (5) over the draft probability: r [1 - (1 - min(1, 1/r))^K] at the ratio
/// r = T/D of a path, i.e. r for r <= 1 and r [1 - (1 - 1/r)^K] above.
template <class Real>
Real bound_term(const Real& ratio, int drafts) {
  if (!(ratio > 1)) return ratio;
  if constexpr (std::is_same_v<Real, double>) {
    return -ratio * std::expm1(drafts * std::log1p(-1 / ratio));
  } else {
    return ratio * (1 - power<Real>(1 - 1 / ratio, drafts));
  }
}

/// tail[i] = sum over x^i of T [1 - (1 - min(D/T, 1))^K], i = 0..gamma: the terms of equation (5).
/// spectr-coupled attains their sum, and at K = 1 it is greedy_tail. Lemma 5.1 calls it a bound on
/// E[tau] and Theorem 5.3 states that spectr-gbv attains it. For K >= 2 the printed algorithm does
/// not; some lossless verifiers exceed it; and the lemma's own class of couplings, for which it is
/// a bound at gamma = 1, exceeds it at gamma = 2. Worked example: toy pair, K = 2, gamma = 1: 1,
/// 5/6.
template <class Real>
std::vector<Real> spectr_gbv_tail(const Rows<Real>& rows, const Measure<Real>& start, int drafts,
                                  int gamma, Budget& budget) {
  return walk_sums(LikelihoodWalk<Real>(rows, start, false, budget), gamma,
                   [&](const Real& r) { return bound_term(r, drafts); });
}

}  // namespace speclab
