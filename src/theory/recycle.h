#pragma once

#include <algorithm>
#include <vector>

#include "base/power.h"
#include "theory/multi_draft.h"

namespace speclab {

// One position of rules over k i.i.d. drafts whose correction is accepted where it is one of the
// drafts. With r(y) the mass of the corrections y and s(y) the probability that y is among the
// drafts of a set that nothing was accepted of, P(accept) grows by the sum of r s.

/// P(y is among n drafts), each y with this probability.
template <class Real>
Real drafted_once(const Real& probability, int n) {
  return accepted_once<Real>(min_one<Real>(probability), n);
}

/// Of k-sequential selection at rho >= rho*: r = t - m P / beta, where m = min(d, t / rho), beta
/// its mass and P = 1 - (1 - beta)^k; a refused draft is y with probability (d - m) / (1 - beta).
/// At a draft that can be refused m = t / rho, so that r = t (1 - P / (rho beta)), which is 0 at
/// rho*. Worked example: d = (1/2, 1/4, 1/4), t = (1/5, 1/2, 3/10), k = rho = 2: 3/4 without, 33/40
/// with.
template <class Real>
StepLaw<Real> recycled_kseq_step(std::span<const Real> draft, std::span<const Real> target,
                                 const Real& rho, int k) {
  const Real beta = kseq_beta(draft, target, rho);
  const Real share = beta > 0 ? Real(accepted_once(beta, k) / beta) : Real(0);
  StepLaw<Real> law;
  for (std::size_t y = 0; y < draft.size(); ++y) {
    const Real kept = lesser<Real>(draft[y], target[y] / rho);
    const Real rest = positive_part<Real>(target[y] - share * kept);
    const Real again = beta < 1 ? Real((draft[y] - kept) / (1 - beta)) : Real(0);
    law.corrected.push_back(rest * (1 - drafted_once<Real>(again, k)));
    law.accepted.push_back(target[y] - law.corrected.back());
  }
  return law;
}

/// Of path selection: x is selected with s(x) = (F + d(x))^k - F^k, F the draft mass of what is
/// less preferred (smaller t/d, of equal ones the larger token), and refused with [s - t]+; r = [t
/// - s]+. Of the sets that select x, ((F + d(x) - d(y))^k - (F - d(y))^k) / s(x) have no y, where y
/// is less preferred than x; a more preferred y is in none. Worked example: d = (1/2, 1/2), t =
/// (3/5, 2/5), k = 2: s = (3/4, 1/4), 17/20 without; 1 of mass 3/20 is in 2/3 of the sets that
/// select 0: 19/20.
template <class Real>
StepLaw<Real> recycled_path_step(std::span<const Real> draft, std::span<const Real> target, int k) {
  std::vector<std::size_t> order;  // the least preferred first
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (draft[x] > 0) order.push_back(x);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    const Real left = target[x] * draft[y];
    const Real right = target[y] * draft[x];
    return left == right ? x > y : left < right;
  });
  std::vector<Real> selected(draft.size(), Real(0)), less(draft.size(), Real(0));
  Real below(0);
  for (const std::size_t x : order) {
    less[x] = below;
    below += draft[x];
    selected[x] = power<Real>(below, k) - power<Real>(less[x], k);
  }
  StepLaw<Real> law;
  Sum<Real> refused;
  for (std::size_t y = 0; y < draft.size(); ++y) {
    law.corrected.push_back(positive_part<Real>(target[y] - selected[y]));
    refused += law.corrected.back();
  }
  for (std::size_t j = 0; j < order.size(); ++j) {
    const std::size_t y = order[j];
    Sum<Real> among;  // P(a set is refused and has y)
    for (std::size_t i = j + 1; i < order.size(); ++i) {
      const std::size_t x = order[i];
      const Real excess = positive_part<Real>(selected[x] - target[x]);
      if (!(excess > 0)) continue;
      const Real rest = less[x] - draft[y];
      const Real none = power<Real>(rest + draft[x], k) - power<Real>(rest, k);
      among += excess * (1 - none / selected[x]);
    }
    if (refused.value() > 0) law.corrected[y] *= 1 - among.value() / refused.value();
  }
  for (std::size_t y = 0; y < draft.size(); ++y) {
    law.accepted.push_back(positive_part<Real>(target[y] - law.corrected[y]));
  }
  return law;
}

}  // namespace speclab
