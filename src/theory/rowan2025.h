#pragma once

#include <cmath>
#include <map>
#include <set>
#include <span>
#include <vector>

#include "theory/multi_draft.h"

namespace speclab {

// Rowan, Phan, Khisti: "List-Level Distribution Coupling with Applications to Speculative Decoding
// and Lossy Compression" (2025): K drafts X_k = argmin E_k / d over clocks of their own, and Y =
// argmin over v of min_k E_k(v) / t(v).

/// g_y = sum over v of max(d(v) t(y) / d(y), t(v)), d(y) > 0: where the clock of y is the first to
/// ring for the target at time m, it is the draft's too with probability e^(-m (g_y - 1)).
template <class Real>
Real gls_rate(std::span<const Real> draft, std::span<const Real> target, std::size_t y) {
  const Real ratio = target[y] / draft[y];
  Sum<Real> sum;
  for (std::size_t v = 0; v < draft.size(); ++v) {
    const Real by_draft = ratio * draft[v];
    sum += by_draft < target[v] ? target[v] : by_draft;
  }
  return sum.value();
}

/// The list matching lemma, in the form derived here: P(Y in {X_1 .. X_K}) >= sum over y of
///   K / sum over v of max(K t(v)/t(y), d(v)/d(y) + (K - 1) t(v)/t(y)),
/// the probability that the draft with the least clock proposes Y itself. It is exact at K = 1.
/// Worked example: toy pair, K = 2: g = 1 and 2, 2 (1/3)/2 + 2 (2/3)/3 = 7/9.
template <class Real>
Real list_matching_bound(std::span<const Real> draft, std::span<const Real> target, int k) {
  Sum<Real> sum;
  for (std::size_t y = 0; y < draft.size(); ++y) {
    if (!(draft[y] > 0)) continue;
    sum += k * target[y] / (k - 1 + gls_rate(draft, target, y));
  }
  return sum.value();
}

/// P(Y in {X_1 .. X_K}) of poisson-list: given Y = y, the arrivals before it in draft time number
/// a Poisson variable of mean m (g_y - 1), m ~ Exp(1), so that K or more have probability (1 -
/// 1/g_y)^K.
/// Worked example: toy pair, K = 2: g = 1 and 2, 1/3 + (2/3) (3/4) = 5/6.
template <class Real>
Real poisson_acceptance(std::span<const Real> draft, std::span<const Real> target, int k) {
  Sum<Real> sum;
  for (std::size_t y = 0; y < draft.size(); ++y) {
    if (!(draft[y] > 0)) continue;
    sum += target[y] * accepted_once<Real>(Real(1 / gls_rate(draft, target, y)), k);
  }
  return sum.value();
}

/// A lower bound on it, in the form of the Poisson matching lemma (Li and Anantharam 2021): the sum
/// over y of t(y) (1 - (1 + d(y)/t(y))^-K), as g_y <= 1 + t(y)/d(y).
/// Worked example: toy pair, K = 2: (1/3) (1 - 1/9) + (2/3) (1 - 4/9) = 2/3.
template <class Real>
Real poisson_matching_bound(std::span<const Real> draft, std::span<const Real> target, int k) {
  Sum<Real> sum;
  for (std::size_t y = 0; y < draft.size(); ++y) {
    if (!(target[y] > 0)) continue;
    sum += target[y] * accepted_once<Real>(Real(draft[y] / (target[y] + draft[y])), k);
  }
  return sum.value();
}

/// A sum of exponentials of the time m: by rate, the coefficient.
template <class Real>
using Exponentials = std::map<Real, Real>;

template <class Real>
Exponentials<Real> product(const Exponentials<Real>& a, const Exponentials<Real>& b) {
  Exponentials<Real> result;
  for (const auto& [rate, weight] : a) {
    for (const auto& [other, share] : b) {
      result.try_emplace(Real(rate + other), Real(0)).first->second += weight * share;
    }
  }
  return result;
}

/// The integral over m >= 0 of a sum of exponentials times e^(-rate m).
template <class Real>
Real integral(const Exponentials<Real>& terms, const Real& rate) {
  Sum<Real> sum;
  for (const auto& [own, weight] : terms) sum += weight / (own + rate);
  return sum.value();
}

/// h(m) = P(a draft proposes x, and none of its clocks has rung for the target by m) = d(x) times
/// the integral over a >= m t(x)/d(x), the time of the draft's x, of exp(-sum over v of max(a d(v),
/// m t(v))): in a = m s the exponent is piecewise linear, with bends where s is a t(v)/d(v).
template <class Real>
Exponentials<Real> quiet_and_proposed(std::span<const Real> draft, std::span<const Real> target,
                                      std::size_t x) {
  const Real from = target[x] / draft[x];
  std::set<Real> bends;
  for (std::size_t v = 0; v < draft.size(); ++v) {
    if (draft[v] > 0 && !(target[v] / draft[v] < from)) bends.insert(target[v] / draft[v]);
  }
  Exponentials<Real> terms;
  Real before(0);  // the reciprocal of the slope up to the bend
  for (const Real& s : bends) {
    Sum<Real> slope, rate;
    for (std::size_t v = 0; v < draft.size(); ++v) {
      const bool by_draft = draft[v] > 0 && !(s < target[v] / draft[v]);
      if (by_draft) slope += draft[v];
      rate += by_draft ? Real(s * draft[v]) : target[v];
    }
    const Real after = 1 / slope.value();
    terms[rate.value()] += draft[x] * (after - before);
    before = after;
  }
  return terms;
}

/// P(Y = x, and s of the n drafts propose it): of Gumbel list sampling over n drafts and `idle`
/// more, whose tokens nobody sees. With l = e^-m - h the density at m is that the draft of the
/// least clock proposes x or not, t(x) e^(-m g_x) or t(x) (e^-m - e^(-m g_x)), times h^a l^b of the
/// others; of an idle draft t(x) e^-m.
template <class Real>
Survivors<Real> gls_survivors(std::span<const Real> draft, std::span<const Real> target, int n,
                              int idle) {
  Survivors<Real> going(static_cast<std::size_t>(n), std::vector<Real>(draft.size(), Real(0)));
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (!(draft[x] > 0) || !(target[x] > 0)) continue;
    const Exponentials<Real> proposed = quiet_and_proposed(draft, target, x);
    Exponentials<Real> other{{Real(1), Real(1)}};
    for (const auto& [rate, weight] : proposed) other[rate] -= weight;
    const Real own = gls_rate(draft, target, x) + idle;
    // The probabilities that s of all are chosen, over the orders of choosing them.
    const auto chosen = [](int of, int s) {
      Real ways(1);
      for (int i = 0; i < s; ++i) ways = ways * (of - i) / (i + 1);
      return ways;
    };
    const auto powers = [&](int with, int without) {
      Exponentials<Real> all{{Real(0), Real(1)}};
      for (int i = 0; i < with; ++i) all = product(all, proposed);
      for (int i = 0; i < without; ++i) all = product(all, other);
      return all;
    };
    for (int s = 1; s <= n; ++s) {
      const Real winner = n * chosen(n - 1, s - 1) * integral(powers(s - 1, n - s), own);
      Real another(0), unseen(0);
      if (s < n) {
        const Exponentials<Real> rest = powers(s, n - 1 - s);
        another = n * chosen(n - 1, s) * (integral(rest, Real(idle + 1)) - integral(rest, own));
      }
      if (idle > 0) unseen = idle * chosen(n, s) * integral(powers(s, n - s), Real(idle));
      going[static_cast<std::size_t>(s) - 1][x] = target[x] * (winner + another + unseen);
    }
  }
  return going;
}

/// The elementary steps of gls_survivors: V tokens, n numbers of survivors, products of n sums of
/// at most V + 1 exponentials, V^2 steps a sum.
inline double gls_work(std::size_t vocabulary, int n) {
  const auto width = static_cast<double>(vocabulary);
  return width * (width * width + n * n * std::pow(width + 1, n));
}

/// Of the setting's list sampling: (draft, target, number of drafts) -> Survivors, which spends its
/// work. @param inquiry  see inquiry.h
template <class Real, class Inquiry>
auto list_survivors(Inquiry& inquiry) {
  const int drafts = inquiry.count("K");
  const bool all = inquiry.parameters().word("clocks", {"active", "all"}, "active") == "all";
  return [&inquiry, drafts, all](std::span<const Real> draft, std::span<const Real> target, int k) {
    inquiry.spend(gls_work(draft.size(), k));
    return gls_survivors<Real>(draft, target, k, all ? drafts - k : 0);
  };
}

}  // namespace speclab
