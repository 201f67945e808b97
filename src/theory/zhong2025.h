#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "model/pass_rates.h"
#include "theory/yin2024.h"

namespace speclab {

// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025). The paper writes q for the draft and p for the target. A token with d <= t is
// acceptable; the low-complexity verifier passes it with probability tp, any other with fp.

/// The rates of a verifier; fp is one rate, or one per token (tokens beyond the list have the last
/// rate).
template <class Real>
struct VerifierRates {
  std::vector<Real> fp;
  Real tp;

  [[nodiscard]] const Real& fp_of(std::size_t x) const { return fp[std::min(x, fp.size() - 1)]; }

  /// Probability that the verifier passes token x.
  [[nodiscard]] const Real& pass(const Real& draft, const Real& target, std::size_t x) const {
    return draft > target ? fp_of(x) : tp;
  }

  /// The rates at a state: the same at every state.
  [[nodiscard]] const VerifierRates& at(State) const { return *this; }

  /// Whether all unacceptable tokens pass with one rate, as the theorems assume.
  [[nodiscard]] bool by_class() const {
    for (const Real& rate : fp) {
      if (!(rate == fp[0])) return false;
    }
    return true;
  }
};

/// The rates of a file: they depend on the state and the token, and not on the target. `rates` must
/// outlive the object.
template <class Real>
struct FileRates {
  const PairPassRates& rates;

  /// The rates at one state, with the interface of VerifierRates.
  struct AtState {
    const PairPassRates& rates;
    State state;

    [[nodiscard]] Real fp_of(std::size_t x) const {
      return rates.rate<Real>(state, static_cast<Token>(x));
    }
    [[nodiscard]] Real pass(const Real&, const Real&, std::size_t x) const { return fp_of(x); }
  };

  [[nodiscard]] AtState at(State state) const { return {rates, state}; }
};

/// The law of one emitted token, split into draft tokens that are kept (passed by the verifier or
/// by the target) and corrections. With rates by class the sum is (1 - fp) t + fp d (Theorem 3.1,
/// equation (2)); with a rate a token it is t + fp_x (d - t)+ - (sum of fp (d - t)+) [t - d]+ / TV.
/// `rates` are those at one state: VerifierRates or FileRates::AtState.
template <class Real, class Rates>
StepLaw<Real> sprinter_step(std::span<const Real> draft, std::span<const Real> target,
                            const Rates& rates) {
  std::vector<Real> kept, weights;
  Sum<Real> rejected;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const Real excess = positive_part<Real>(draft[x] - target[x]);
    kept.push_back(lesser<Real>(draft[x], target[x]) + rates.fp_of(x) * excess);
    rejected += (1 - rates.fp_of(x)) * excess;
    weights.push_back(positive_part<Real>(target[x] - draft[x]));
  }
  // [t - d]+ has mass zero only where d = t, where rejections are rounding errors.
  std::vector<Real> none(weights.size(), Real(0));
  auto law = step_law(kept, std::move(weights), rejected.value());
  return law ? *std::move(law) : StepLaw<Real>{std::move(kept), std::move(none)};
}

/// Theorem 3.1: TV of the emitted token from the target, fp TV(d, t); with one rate per token it is
/// the sum of fp_x [d - t]+, the rates weighted by (d - t)+.
template <class Real, class Rates>
Real sprinter_tv(std::span<const Real> draft, std::span<const Real> target, const Rates& rates) {
  Sum<Real> sum;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    sum += rates.fp_of(x) * positive_part<Real>(draft[x] - target[x]);
  }
  return sum.value();
}

/// Theorem A.4: 1 - (1 - fp) TV(d, t), the probability that a drafted token is kept.
template <class Real>
Real sprinter_acceptance(const Real& tv, const Real& fp) {
  return 1 - (1 - fp) * tv;
}

/// rho, the probability that the verifier passes a drafted token: a tp + (1 - a) fp with a = P_d(d
/// <= t) where rates are by class.
template <class Real, class Rates>
Real passing(std::span<const Real> draft, std::span<const Real> target, const Rates& rates) {
  Sum<Real> sum;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    sum += draft[x] * rates.pass(draft[x], target[x], x);
  }
  return min_one<Real>(sum.value());
}

/// tail[i] = P(N >= i), i = 0..length, of the number N of consecutive tokens that the verifier
/// passes, for any pair: sum over drafted paths of prod d pass, by a recursion over states. With r
/// acceptable tokens and none after them it is Theorem 3.3's law, with i.i.d. labels rho^i.
template <class Real, class Rates>
std::vector<Real> passed_tail(const Rows<Real>& rows, const Measure<Real>& start,
                              const Rates& rates, int length, Budget& budget) {
  const auto rule = [&](State state, std::span<const Real> draft, std::span<const Real> target) {
    const auto& here = rates.at(state);
    StepLaw<Real> law;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      law.accepted.push_back(draft[x] * here.pass(draft[x], target[x], x));
    }
    return law;
  };
  return stepwise_tail<Real>(rows, start, rule, length, budget);
}

/// Theorem 3.3, equation (3): E[N] when exactly the first r >= 1 drafted tokens are acceptable,
///   (tp - tp^r) / (1 - tp) + tp^r / (1 - fp) = tp + ... + tp^{r-1} + tp^r / (1 - fp), fp < 1.
template <class Real>
Real expected_passed(const Real& fp, const Real& tp, int acceptable) {
  Sum<Real> sum;
  Real term(1);
  for (int i = 1; i < acceptable; ++i) {
    term *= tp;
    sum += term;
  }
  sum += power<Real>(tp, acceptable) / (1 - fp);
  // With r = 0 the printed quotient (tp - 1) / (1 - tp) is -1.
  return acceptable == 0 ? Real(sum.value() - 1) : sum.value();
}

/// Theorem 3.3: P(N = i).
template <class Real>
Real passed_probability(const Real& fp, const Real& tp, int acceptable, int i) {
  if (i < acceptable) return power<Real>(tp, i) * (1 - tp);
  return power<Real>(tp, acceptable) * power<Real>(fp, i - acceptable) * (1 - fp);
}

/// Theorem 3.4, equation (4): E[T_stop] = s [(1 - tp^r) / (1 - tp) + tp^r / (1 - fp)], fp < 1; it
/// is s (E[N] + 1), s the time of a drafted token: t_d as printed, t_d + t_v with the verifier's
/// call.
template <class Real>
Real expected_stopping_time(const Real& fp, const Real& tp, int acceptable, const Real& step) {
  return step * (expected_passed(fp, tp, acceptable) + 1);
}

/// The expected number of tokens drafted until the verifier's first "no" or the window's end, from
/// the tail of N: sum of P(N >= i) over i < window, the window being tail.size() - 1. Without a
/// window it is E[N] + 1, and t_d + t_v times it is Theorem 3.4's stopping time.
template <class Real>
Real expected_drafted(const std::vector<Real>& tail) {
  return total(std::span(tail).first(tail.size() - 1));
}

/// i.i.d. labels: E[N] = rho / (1 - rho), rho < 1, without horizon.
template <class Real>
Real expected_passed_iid(const Real& rho) {
  return rho / (1 - rho);
}

/// i.i.d. labels: E[T_stop] = s / (1 - rho), rho < 1, s as above.
template <class Real>
Real expected_stopping_time_iid(const Real& rho, const Real& step) {
  return step / (1 - rho);
}

/// Equation (5): FLOPs of one run of speculative decoding, gamma (F_d + F_t). The target's call of
/// a run that draws a bonus token returns one row more.
template <class Real>
Real speculative_flops(int gamma, const Real& draft, const Real& target) {
  return Real(gamma) * (draft + target);
}

/// Equation (6): FLOPs of one run of SPRINTER that drafts gamma tokens and ends with a "no",
/// gamma (F_d + F_v) + F_t.
template <class Real>
Real sprinter_flops(int gamma, const Real& draft, const Real& verifier, const Real& target) {
  return Real(gamma) * (draft + verifier) + target;
}

/// Table 3 with F(n) = n F(1): FLOPs of Medusa for gamma tokens, K F_d(gamma) + F_t(nodes), with K
/// = `heads` and a draft tree of `nodes` nodes.
template <class Real>
Real medusa_flops(int gamma, int heads, int nodes, const Real& draft, const Real& target) {
  return Real(heads * gamma) * draft + Real(nodes) * target;
}

/// Table 3 with F(n) = n F(1): FLOPs of Eagle2, F_t(nodes) + depth F_d(nodes / depth).
template <class Real>
Real eagle2_flops(int nodes, int depth, const Real& draft, const Real& target) {
  return Real(nodes) * target + Real(depth) * (Real(nodes) / depth * draft);
}

/// Expectations over a decode of T tokens.
template <class Real>
struct SprinterCounts {
  Real rejections;  ///< corrections: sum over positions of (1 - fp) TV in expectation
  Real calls;       ///< "no"s of the verifier: sum over positions of 1 - rho in expectation
};

/// Forward recursion over states under the emitted law; a "no" at a position depends on the context
/// only through its state. Each position is drafted once, however runs are cut.
template <class Real, class Rates>
SprinterCounts<Real> sprinter_counts(const Rows<Real>& rows, const Measure<Real>& start,
                                     const Rates& rates, int horizon, Budget& budget) {
  Sum<Real> rejections, calls;
  Layers<Real> layers(rows, start, budget);
  for (int n = 1; n <= horizon; ++n) {
    layers.advance(6.0, n, [&](State state, const Real& mass, Measure<Real>& after) {
      const auto draft = rows.draft(state);
      const auto target = rows.target(state);
      const auto& here = rates.at(state);
      const StepLaw<Real> law = sprinter_step(draft, target, here);
      rejections += mass * law.rejection();
      calls += mass * (1 - passing(draft, target, here));
      if (n == horizon) return;
      for (std::size_t x = 0; x < draft.size(); ++x) {
        const Real emitted = law.accepted[x] + law.corrected[x];
        if (emitted > 0) after[rows.next(state, static_cast<Token>(x))] += mass * emitted;
      }
    });
  }
  return {rejections.value(), calls.value()};
}

}  // namespace speclab
