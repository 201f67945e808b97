#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "theory/stepwise.h"

namespace speclab {

// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024).
// The paper writes p for the draft and q for the target.

/// P(R_n = 1), n = 1..T: R_n indicates that a correction emits position n.
template <class Real>
struct Rejections {
  std::vector<Real> probability;

  /// E[N_rej], all T positions.
  [[nodiscard]] Real expected() const { return sum(probability.size()); }

  /// E[target calls] = 1 + E[sum over n < T of R_n]: a call follows every rejection except one at
  /// the horizon. (The paper equates calls and rejections.)
  [[nodiscard]] Real target_calls() const {
    return 1 + sum(probability.empty() ? 0 : probability.size() - 1);
  }

 private:
  [[nodiscard]] Real sum(std::size_t count) const {
    return total(std::span(probability).first(count));
  }
};

/// Theorem 1: P(R_n = 1) = E over x_{1:n-1} ~ target of TV(d_n, t_n), for token verification with
/// drafts to the horizon, by forward recursion over states.
template <class Real>
Rejections<Real> token_rejections(const Rows<Real>& rows, const Measure<Real>& start, int horizon,
                                  Budget& budget) {
  Rejections<Real> result;
  Layers<Real> layers(rows, start, budget);
  for (int n = 1; n <= horizon; ++n) {
    Sum<Real> rejected;
    layers.advance(2.0, n, [&](State state, const Real& mass, Measure<Real>& after) {
      const auto target = rows.target(state);
      rejected += mass * total_variation<Real>(rows.draft(state), target);
      if (n == horizon) return;
      for (std::size_t x = 0; x < target.size(); ++x) {
        if (target[x] > 0) after[rows.next(state, static_cast<Token>(x))] += mass * target[x];
      }
    });
    result.probability.push_back(rejected.value());
  }
  return result;
}

/// The limit M -> infinity of batches.
inline constexpr int kManyBatches = kUnbounded;

/// The weights (prod_m r_m) t^{M+1}(x) of Theorem 3, and zero once some r_m is zero: the rest
/// of the target after M rejected drafts. Computed without division: U_1 = t and U_{m+1} = [U_m -
/// |U_m| d]+, where |U_m| = r_1 ... r_{m-1} is the sum of U_m.
/// With M = kManyBatches it is the limit, t(x) where d(x) = 0 and 0 elsewhere.
template <class Real>
std::vector<Real> remaining_target(std::span<const Real> draft, std::span<const Real> target,
                                   int batches) {
  std::vector<Real> left(target.begin(), target.end());
  if (batches == kManyBatches) {
    for (std::size_t x = 0; x < left.size(); ++x) {
      if (draft[x] > 0) left[x] = Real(0);
    }
    return left;
  }
  Real mass(1);
  for (int m = 1; m <= batches && mass > 0; ++m) {
    Sum<Real> next;
    for (std::size_t x = 0; x < left.size(); ++x) {
      left[x] = positive_part<Real>(left[x] - mass * draft[x]);
      next += left[x];
    }
    if (next.value() == mass) break;  // the rest has no mass on the draft's support
    mass = next.value();
  }
  return left;
}

/// Theorem 3 by the recursion of equation (22), for Algorithm 4 (repaired) with M drafts to the
/// horizon:
///   f(x_{1:n}) = h(x_n) t(x_{1:n-1}) - (h(x_n) - prod_m r_m t^{M+1}(x_n)) f(x_{1:n-1}),
///   P(R_n = 1) = E_{t}[TV(t, d)] - sum over x_{1:n-1} of f (TV(t, d) - prod_m r_m),
/// h = [t - d]+, and f(x_0) = 1 because position 1 is a root (the paper does not define it). Both
/// are linear in f, so that contexts in one state are summed. M = kManyBatches gives the limit.
/// Cost: horizon * states reached * vocabulary * (M + 2) steps.
template <class Real>
Rejections<Real> batch_rejections(const Rows<Real>& rows, const Measure<Real>& start, int batches,
                                  int horizon, Budget& budget) {
  Rejections<Real> result;
  const double width = batches == kManyBatches ? 3.0 : batches + 2.0;
  using Masses = std::array<Real, 2>;  // target probability of the contexts, and their f
  Measure<Masses> first(rows.pair().states());
  for (const auto& [state, mass] : start.entries()) first[state] = {mass, mass};
  Layers<Real, Masses> layers(rows, std::move(first), budget);
  for (int n = 1; n <= horizon; ++n) {
    Sum<Real> rejected;
    layers.advance(width, n, [&](State state, const Masses& masses, Measure<Masses>& after) {
      const auto& [reached, f] = masses;
      const auto draft = rows.draft(state);
      const auto target = rows.target(state);
      const std::vector<Real> left = remaining_target(draft, target, batches);
      Sum<Real> tv, product;
      for (std::size_t x = 0; x < left.size(); ++x) {
        const Real h = positive_part<Real>(target[x] - draft[x]);
        tv += h;
        product += left[x];
        if (n == horizon || !(target[x] > 0)) continue;
        auto& [next_reached, next_f] = after[rows.next(state, static_cast<Token>(x))];
        next_reached += reached * target[x];
        next_f += h * reached - (h - left[x]) * f;
      }
      rejected += tv.value() * reached - (tv.value() - product.value()) * f;
    });
    result.probability.push_back(positive_part<Real>(rejected.value()));
  }
  return result;
}

/// tail[i] = P(tau >= i) of one iteration of batch(M), i = 0..gamma: the root accepts t - U (the
/// target minus remaining_target), every later token min(d, t) (equations (18) and (19)).
template <class Real>
std::vector<Real> batch_tail(const Rows<Real>& rows, const Measure<Real>& start, int batches,
                             int gamma, Budget& budget) {
  Measure<Real> accepted(rows.pair().states());
  Sum<Real> first;
  for (const auto& [state, mass] : start.entries()) {
    const auto target = rows.target(state);
    const auto left = remaining_target(rows.draft(state), target, batches);
    budget.spend<Real>(static_cast<double>(left.size()) * (batches + 2.0));
    for (std::size_t x = 0; x < left.size(); ++x) {
      const Real share = mass * positive_part<Real>(target[x] - left[x]);
      if (!(share > 0)) continue;
      first += share;
      accepted[rows.next(state, static_cast<Token>(x))] += share;
    }
  }
  std::vector<Real> tail = stepwise_tail<Real>(rows, accepted, token_step<Real>, gamma - 1, budget);
  tail[0] = first.value();
  tail.insert(tail.begin(), Real(1));
  return tail;
}

/// Batch improvement TV(t, d) - prod_m r_m of one token (section 3.2) for Bernoulli laws, `draft` =
/// u >= `target` = v the probabilities of one token: (u - v) (1 - u^{M-1}).
template <class Real>
Real bernoulli_improvement(const Real& draft, const Real& target, int batches) {
  return (draft - target) * (1 - power<Real>(draft, batches - 1));
}

/// The same for a draft uniform on n tokens and a target uniform on n/ratio of them, ratio >= 1:
/// (1 - 1/r) - (1 - 1/r)^M.
template <class Real>
Real uniform_improvement(const Real& ratio, int batches) {
  const Real miss = 1 - 1 / ratio;
  return miss - power<Real>(miss, batches);
}

/// That ratio where both laws are uniform on some tokens, the target's among the draft's; empty
/// where they are not.
template <class Real>
std::optional<Real> uniform_ratio(std::span<const Real> draft, std::span<const Real> target) {
  int drafted = 0, wanted = 0;
  for (const Real& entry : draft) drafted += entry > 0 ? 1 : 0;
  for (const Real& entry : target) wanted += entry > 0 ? 1 : 0;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const bool uniform = (!(draft[x] > 0) || draft[x] == Real(1) / drafted) &&
                         (!(target[x] > 0) || target[x] == Real(1) / wanted) &&
                         (draft[x] > 0 || !(target[x] > 0));
    if (!uniform) return std::nullopt;
  }
  return Real(drafted) / wanted;
}

// Section 4: verifiers that accept more than speculative decoding.

/// The law from which biased(eps, residual) corrects.
enum class Residual {
  optimal,   ///< [t - b d]+, an optimum of objective (1) (Decoding-OPT)
  target,    ///< t (Decoding-UNO)
  draft,     ///< d
  standard,  ///< [t - d]+
};

/// P(reject) = 1 - sum of b d at one position (Theorem 5), b d = min(d, t + eps).
template <class Real>
Real biased_rejection(std::span<const Real> draft, std::span<const Real> target, const Real& eps) {
  Sum<Real> rejected;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    rejected += positive_part<Real>(draft[x] - target[x] - eps);
  }
  return rejected.value();
}

/// The step law of biased(eps, residual): b(x) = min(1, (t(x) + eps) / d(x)), so that b d = min(d,
/// t + eps). Empty where a correction is needed from a law of mass zero.
template <class Real>
std::optional<StepLaw<Real>> biased_step(std::span<const Real> draft, std::span<const Real> target,
                                         const Real& eps, Residual residual) {
  std::vector<Real> accepted, weights;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    accepted.push_back(lesser<Real>(draft[x], target[x] + eps));
    switch (residual) {
      case Residual::optimal:
        weights.push_back(positive_part<Real>(target[x] - accepted.back()));
        break;
      case Residual::target:
        weights.push_back(target[x]);
        break;
      case Residual::draft:
        weights.push_back(draft[x]);
        break;
      case Residual::standard:
        weights.push_back(positive_part<Real>(target[x] - draft[x]));
        break;
    }
  }
  return step_law(std::move(accepted), std::move(weights), biased_rejection(draft, target, eps));
}

/// Loss*_TV(b) = (1/2) sum |t - b d| - (1/2) sum (1 - b) d, the least TV distance of the emitted
/// token from the target over all laws of the correction (Theorem 4).
template <class Real>
Real least_loss(std::span<const Real> draft, std::span<const Real> target, const Real& eps) {
  Sum<Real> loss;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const Real accepted = lesser<Real>(draft[x], target[x] + eps);
    const Real gap = target[x] - accepted;
    loss += (gap < 0 ? Real(-gap) : gap) - (draft[x] - accepted);
  }
  return positive_part<Real>(loss.value() / 2);
}

}  // namespace speclab
