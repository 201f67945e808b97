#pragma once

#include <algorithm>
#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "theory/yin2024.h"

namespace speclab {

// Several i.i.d. drafts of one token:
// - Miao et al., "SpecInfer" (2023): recursive rejection sampling.
// - Sun, Suresh, Ro, Beirami, Jain, Yu: "SpecTr" (2023): k-sequential selection.
// - Hu et al., "Towards Optimal Multi-draft Speculative Decoding" (2025): the best acceptance.

/// The step law of recursive rejection sampling with k drafts: the token follows the target, and
/// the correction follows the residual after k rejections. Acceptance is 1 - r_1 ... r_k.
template <class Real>
StepLaw<Real> rrs_step(std::span<const Real> draft, std::span<const Real> target, int k) {
  StepLaw<Real> law;
  law.corrected = remaining_target(draft, target, k);
  for (std::size_t x = 0; x < target.size(); ++x) {
    law.accepted.push_back(positive_part<Real>(target[x] - law.corrected[x]));
  }
  return law;
}

/// The step law of naive-tree's root: the token rule on the first of k drafts, whose correction may
/// be another draft: P(accept) = sum of min(d, t) + [t - d]+ (1 - (1 - d)^(k-1)).
/// Worked example: toy pair, k = 2: 2/3 + 1/3 1/3 = 7/9.
template <class Real>
StepLaw<Real> naive_tree_step(std::span<const Real> draft, std::span<const Real> target, int k) {
  StepLaw<Real> law;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const Real excess = positive_part<Real>(target[x] - draft[x]);
    const Real none = power<Real>(1 - draft[x], k - 1);
    law.accepted.push_back(lesser<Real>(draft[x], target[x]) + excess * (1 - none));
    law.corrected.push_back(excess * none);
  }
  return law;
}

/// The sum over x != best of min(t(x), d(x) / (1 - d(best))): what a draw from the rest of d beside
/// one token has in common with t. 0 where nothing is left.
template <class Real>
Real overlap_of_rest(std::span<const Real> draft, std::span<const Real> target, std::size_t best) {
  const Real others = 1 - draft[best];
  Sum<Real> sum;
  for (std::size_t x = 0; x < draft.size() && others > 0; ++x) {
    if (x != best) sum += lesser<Real>(target[x], draft[x] / others);
  }
  return sum.value();
}

/// P(accept) of SpecHub's root: t(a) + the sum over i != a of min(t(i), d(i) / (1 - d(a))), a the
/// likeliest token of d: every draft set has a and, with d(i) / (1 - d(a)), i. Of equal likeliest
/// tokens the lowest. Worked example: toy pair: 1/3 + min(2/3, 1) = 1.
template <class Real>
Real spechub_acceptance(std::span<const Real> draft, std::span<const Real> target) {
  const auto hub =
      static_cast<std::size_t>(std::max_element(draft.begin(), draft.end()) - draft.begin());
  return target[hub] + overlap_of_rest(draft, target, hub);
}

/// beta(rho) = sum of min(d, t / rho) (SpecTr, Algorithm 2).
template <class Real>
Real kseq_beta(std::span<const Real> draft, std::span<const Real> target, const Real& rho) {
  Sum<Real> sum;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    sum += lesser<Real>(draft[x], target[x] / rho);
  }
  return sum.value();
}

/// 1 - (1 - beta)^k, the acceptance of k tries.
template <class Real>
Real accepted_once(const Real& beta, int k) {
  return 1 - power<Real>(1 - beta, k);
}

/// 1 - (1 - beta)^k - rho beta: decreasing in rho, >= 0 at rho = 1 and <= 0 at rho = k.
template <class Real>
Real kseq_excess(std::span<const Real> draft, std::span<const Real> target, const Real& rho,
                 int k) {
  const Real beta = kseq_beta(draft, target, rho);
  return accepted_once(beta, k) - rho * beta;
}

/// rho*, the least rho in [1, k] with 1 - (1 - beta(rho))^k <= rho beta(rho), to the last bits of a
/// double.
inline double kseq_rho(std::span<const double> draft, std::span<const double> target, int k) {
  const auto excess = [&](double rho) { return kseq_excess(draft, target, rho, k); };
  double low = 1, high = k;
  if (!(excess(low) > 0)) return low;
  if (!(excess(high) < 0)) return high;
  std::uintmax_t steps = 200;
  const auto bracket = boost::math::tools::toms748_solve(
      excess, low, high, boost::math::tools::eps_tolerance<double>(53), steps);
  return bracket.second;
}

/// A rational rho >= rho*, above it by a few units in the last place of a double; every such rho is
/// lossless.
inline Rational kseq_rho(std::span<const Rational> draft, std::span<const Rational> target, int k) {
  std::vector<double> near_draft, near_target;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    near_draft.push_back(to_double(draft[x]));
    near_target.push_back(to_double(target[x]));
  }
  const double near =
      kseq_rho(std::span<const double>(near_draft), std::span<const double>(near_target), k);
  const auto wider = [](double step) { return step > 0 ? 2 * step : 0x1p-52; };
  for (double step = 0; step < 1; step = wider(step)) {
    const double rho = std::min(near * (1 + step), static_cast<double>(k));
    if (kseq_excess(draft, target, exact(rho), k) <= 0) return exact(rho);
  }
  return Rational(k);
}

/// P_acc = 1 - (1 - beta(rho*))^k of k-sequential selection. As rho* is usually irrational,
/// rationals use kseq_rho's slightly larger rho.
template <class Real>
Real kseq_acceptance(std::span<const Real> draft, std::span<const Real> target, int k) {
  return accepted_once(kseq_beta(draft, target, kseq_rho(draft, target, k)), k);
}

/// The step law of k-sequential selection: min(d, t / rho) P_acc / beta(rho) is accepted, the rest
/// of the target is the correction.
template <class Real>
StepLaw<Real> kseq_step(std::span<const Real> draft, std::span<const Real> target, int k) {
  StepLaw<Real> law;
  const Real rho = kseq_rho(draft, target, k);
  const Real beta = kseq_beta(draft, target, rho);
  const Real scale = beta > 0 ? Real(accepted_once(beta, k) / beta) : Real(0);
  for (std::size_t x = 0; x < target.size(); ++x) {
    law.accepted.push_back(
        lesser<Real>(target[x], scale * lesser<Real>(draft[x], target[x] / rho)));
    law.corrected.push_back(target[x] - law.accepted.back());
  }
  return law;
}

/// [s - 1][x] = P(x is accepted, and s of the k drafts have it there and go on), s = 1..k.
template <class Real>
using Survivors = std::vector<std::vector<Real>>;

/// Adds `mass` times the law of 1 + Bin(n, a) + Bin(m, b) to the token x.
template <class Real>
void add_survivors(Survivors<Real>& to, std::size_t x, const Real& mass, int n, const Real& a,
                   int m, const Real& b) {
  std::vector<Real> law{mass};
  const auto toss = [&law](int tosses, const Real& head) {
    for (; tosses > 0; --tosses) {
      law.push_back(Real(0));
      for (std::size_t s = law.size(); s-- > 0;) {
        law[s] = law[s] * (1 - head) + (s > 0 ? Real(law[s - 1] * head) : Real(0));
      }
    }
  };
  toss(n, a);
  toss(m, b);
  for (std::size_t s = 0; s < law.size(); ++s) to[s][x] += law[s];
}

/// Of recursive rejection sampling: draft m is accepted against t^m as x with min(d, t^m)(x), after
/// m - 1 rejections; of the drafts after it, those with x go on, of those before it none, as a
/// rejected token has no weight in any later t^m.
template <class Real>
Survivors<Real> rrs_survivors(std::span<const Real> draft, std::span<const Real> target, int k) {
  Survivors<Real> going(static_cast<std::size_t>(k), std::vector<Real>(draft.size(), Real(0)));
  for (int m = 1; m <= k; ++m) {
    // (r_1 .. r_{m-1}) t^m, whose sum is that product.
    const std::vector<Real> left = remaining_target(draft, target, m - 1);
    const Real reached = total(left);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      const Real here = lesser<Real>(reached * draft[x], left[x]);
      if (here > 0) add_survivors<Real>(going, x, here, k - m, draft[x], 0, Real(0));
    }
  }
  return going;
}

/// Of k-sequential selection: draft m is accepted as x with min(d, t / rho)(x) after m - 1
/// rejections, each of which was x with its share of what is rejected; all drafts with x go on.
template <class Real>
Survivors<Real> kseq_survivors(std::span<const Real> draft, std::span<const Real> target, int k) {
  Survivors<Real> going(static_cast<std::size_t>(k), std::vector<Real>(draft.size(), Real(0)));
  const Real rho = kseq_rho(draft, target, k);
  const Real rejected = positive_part<Real>(1 - kseq_beta(draft, target, rho));
  Real reached(1);
  for (int m = 1; m <= k && reached > 0; ++m, reached *= rejected) {
    for (std::size_t x = 0; x < draft.size(); ++x) {
      const Real kept = lesser<Real>(draft[x], target[x] / rho);
      if (!(kept > 0)) continue;
      const Real again = m > 1 ? Real((draft[x] - kept) / rejected) : Real(0);
      add_survivors<Real>(going, x, Real(reached * kept), m - 1, again, k - m, draft[x]);
    }
  }
  return going;
}

/// A token, or a set of blocks with one likelihood ratio: its draft and target probability.
template <class Real>
struct Outcome {
  Real draft;
  Real target;
};

/// alpha*(k) = 1 + min over H of [t(H) - d(H)^k], H running over the prefixes of the outcomes
/// sorted by t/d (empty set included): the largest probability with which any coupling of k i.i.d.
/// drafts and the target makes one draft agree with the target. Worked example: toy pair, k = 2: H
/// = {token 0} gives 1 + 1/3 - 4/9 = 8/9.
template <class Real>
Real best_acceptance(const std::vector<Outcome<Real>>& outcomes, int k) {
  // A token without draft probability contributes to t(H) only. Quotients sort what products of
  // two small doubles, which are 0, would not.
  std::vector<std::pair<Real, std::size_t>> order;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].draft > 0) order.emplace_back(outcomes[i].target / outcomes[i].draft, i);
  }
  std::sort(order.begin(), order.end());
  Sum<Real> draft, target;
  Real least(0);
  for (const auto& [ratio, i] : order) {
    draft += outcomes[i].draft;
    target += outcomes[i].target;
    least = lesser<Real>(least, target.value() - power<Real>(min_one<Real>(draft.value()), k));
  }
  return 1 + least;
}

/// alpha*(k) of one position.
template <class Real>
Real best_acceptance(std::span<const Real> draft, std::span<const Real> target, int k) {
  std::vector<Outcome<Real>> outcomes;
  for (std::size_t x = 0; x < draft.size(); ++x) outcomes.push_back({draft[x], target[x]});
  return best_acceptance(outcomes, k);
}

/// bound[i] = alpha*(k) of the joint laws of i tokens, i = 0..gamma: no lossless verifier of k
/// i.i.d. drafts has a larger P(tau >= i), since its first i emitted tokens follow the target's
/// joint law and agree with a draft where tau >= i. At k = 1 it is greedy_tail.
template <class Real>
std::vector<Real> best_tail(const Rows<Real>& rows, State start, int k, int gamma, Budget& budget) {
  std::vector<Real> bound{Real(1)};
  LikelihoodWalk<Real> walk(rows, point_law(rows, start), false, budget);
  for (int i = 1; i <= gamma; ++i) {
    walk.advance();
    std::vector<Outcome<Real>> outcomes{{walk.lost(), Real(0)}};
    for (const auto& point : walk.points()) {
      outcomes.push_back({point.mass, Real(point.mass * point.ratio)});
    }
    budget.spend<Real>(static_cast<double>(outcomes.size()));
    bound.push_back(best_acceptance(outcomes, k));
  }
  return bound;
}

}  // namespace speclab
