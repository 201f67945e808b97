#pragma once

#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "theory/likelihood_walk.h"

namespace speclab {

// Verifiers that decide token by token: at every drafted position the token is accepted and the
// iteration continues, or it is rejected, a correction is emitted and the iteration ends. Such a
// verifier is determined by its *step law* at each state, and everything about a run is a recursion
// over states. After gamma accepted tokens a bonus token is drawn from the target.

/// accepted[x] = P(x is drafted and accepted), corrected[x] = P(the draft is rejected and x emitted
/// instead). All entries together sum to 1.
template <class Real>
struct StepLaw {
  std::vector<Real> accepted;
  std::vector<Real> corrected;

  [[nodiscard]] Real rejection() const { return total(corrected); }
};

/// The step law at a state with these laws: a callable of (draft, target), or of (state, draft,
/// target) where it depends on more than the laws.
template <class Real>
class StepRule {
 public:
  using Law = std::span<const Real>;

  template <class Rule>
  requires std::is_invocable_v<const Rule&, State, Law, Law> StepRule(Rule rule)
      : rule_(std::move(rule)) {}

  template <class Rule>
  requires std::is_invocable_v<const Rule&, Law, Law> StepRule(Rule rule)
      : rule_([rule = std::move(rule)](State, Law draft, Law target) {
          return rule(draft, target);
        }) {}

  StepLaw<Real> operator()(State state, Law draft, Law target) const {
    return rule_(state, draft, target);
  }

 private:
  std::function<StepLaw<Real>(State, Law, Law)> rule_;
};

/// The step law that accepts with `accepted`, and with the remaining probability `rejection`
/// corrects from the law proportional to `residual`, whatever was rejected. Empty where a
/// correction is needed from a residual of mass zero (a 0/0). In doubles a rejection probability
/// below 1e-12 with a residual of mass zero is treated as rounding.
template <class Real>
std::optional<StepLaw<Real>> step_law(std::vector<Real> accepted, std::vector<Real> residual,
                                      const Real& rejection) {
  const Real mass = total(residual);
  if (mass > 0) {
    for (Real& weight : residual) weight = weight * rejection / mass;
  } else if (std::is_same_v<Real, double> ? rejection > Real(1e-12) : rejection > 0) {
    return std::nullopt;
  }
  return StepLaw<Real>{std::move(accepted), std::move(residual)};
}

/// tail[i] = P(tau >= i), i = 0..gamma, in one iteration.
/// Worked example (token verification): toy pair d = (2/3, 1/3), t = (1/3, 2/3): 1, 2/3, 4/9, ...
template <class Real>
std::vector<Real> stepwise_tail(const Rows<Real>& rows, const Measure<Real>& start,
                                const StepRule<Real>& rule, int gamma, Budget& budget) {
  std::vector<Real> tail{Real(1)};
  Layers<Real> layers(rows, start, budget);
  for (int i = 1; i <= gamma; ++i) {
    Sum<Real> kept;
    layers.advance(3.0, i, [&](State state, const Real& mass, Measure<Real>& after) {
      const StepLaw<Real> law = rule(state, rows.draft(state), rows.target(state));
      for (std::size_t x = 0; x < law.accepted.size(); ++x) {
        if (!(law.accepted[x] > 0)) continue;
        const Real share = mass * law.accepted[x];
        kept += share;
        after[rows.next(state, static_cast<Token>(x))] += share;
      }
    });
    tail.push_back(kept.value());
  }
  return tail;
}

/// Expectations of a whole decode.
template <class Real>
struct DecodeCounts {
  Real rejections;  ///< positions emitted by a correction
  Real calls;       ///< iterations: 1 + those that end before position T
};

/// Runs the decode of T tokens with drafts of gamma tokens (kUnbounded: to the horizon).
template <class Real>
DecodeCounts<Real> stepwise_counts(const Rows<Real>& rows, const Measure<Real>& start,
                                   const StepRule<Real>& rule, int gamma, int horizon,
                                   Budget& budget) {
  // masses[j] = P(the context after n tokens is the state, j of them in this iteration). An
  // unbounded iteration needs no j.
  const bool bounded = gamma < horizon;
  const auto width = static_cast<std::size_t>(bounded ? gamma + 1 : 1);
  using Masses = std::vector<Real>;
  Measure<Masses> first(rows.pair().states());
  const auto place = [&](Measure<Masses>& where, State state, std::size_t j, const Real& mass) {
    Masses& masses = where[state];
    if (masses.empty()) masses.assign(width, Real(0));
    masses[j] += mass;
  };
  for (const auto& [state, mass] : start.entries()) place(first, state, 0, mass);
  Sum<Real> rejections, calls;
  calls += Real(1);
  Layers<Real, Masses> layers(rows, std::move(first), budget);
  for (int n = 1; n <= horizon; ++n) {
    const double steps = 3.0 + static_cast<double>(width);
    layers.advance(steps, n, [&](State state, const Masses& masses, Measure<Masses>& after) {
      const auto target = rows.target(state);
      const StepLaw<Real> law = rule(state, rows.draft(state), target);
      const Real rejection = law.rejection();
      for (std::size_t j = 0; j < width; ++j) {
        const Real& mass = masses[j];
        if (!(mass > 0)) continue;
        const bool bonus = bounded && j + 1 == width;
        const Real ends = bonus ? mass : Real(mass * rejection);
        if (!bonus) rejections += ends;
        if (n < horizon) calls += ends;
        for (std::size_t x = 0; x < target.size(); ++x) {
          const State next = rows.next(state, static_cast<Token>(x));
          const Real& ending = bonus ? target[x] : law.corrected[x];
          if (ending > 0) place(after, next, 0, mass * ending);
          if (!bonus && law.accepted[x] > 0) {
            place(after, next, bounded ? j + 1 : 0, mass * law.accepted[x]);
          }
        }
      }
    });
  }
  return {rejections.value(), calls.value()};
}

/// tokens[i] = E[N(i+1)], the expected number of tokens after i+1 iterations of gamma drafts.
template <class Real>
std::vector<Real> stepwise_tokens(const Rows<Real>& rows, const Measure<Real>& start,
                                  const StepRule<Real>& rule, int gamma, int iterations,
                                  Budget& budget) {
  std::vector<Real> tokens;
  Sum<Real> total;
  Measure<Real> contexts = start;
  for (int i = 0; i < iterations; ++i) {
    Layers<Real> layers(rows, contexts, budget);
    contexts.clear();
    for (int j = 0; j <= gamma; ++j) {
      layers.advance(4.0, j, [&](State state, const Real& mass, Measure<Real>& after) {
        total += mass;  // one more token, accepted or the last
        const auto target = rows.target(state);
        if (j == gamma) {
          for (std::size_t x = 0; x < target.size(); ++x) {
            if (target[x] > 0) {
              contexts[rows.next(state, static_cast<Token>(x))] += mass * target[x];
            }
          }
          return;
        }
        const StepLaw<Real> law = rule(state, rows.draft(state), target);
        for (std::size_t x = 0; x < target.size(); ++x) {
          const State next = rows.next(state, static_cast<Token>(x));
          if (law.corrected[x] > 0) contexts[next] += mass * law.corrected[x];
          if (law.accepted[x] > 0) after[next] += mass * law.accepted[x];
        }
      });
    }
    tokens.push_back(total.value());
  }
  return tokens;
}

/// TV distance of the joint law of T emitted tokens from the target's, when every token follows
/// the step law (drafts that reach the horizon). Sums over all paths, merged where state and
/// likelihood ratio agree.
template <class Real>
Real stepwise_tv(const Rows<Real>& rows, const Measure<Real>& start, const StepRule<Real>& rule,
                 int horizon, Budget& budget) {
  std::vector<Real> emitted;
  const auto laws = [&](State state) {
    const auto target = rows.target(state);
    StepLaw<Real> law = rule(state, rows.draft(state), target);
    for (std::size_t x = 0; x < target.size(); ++x) law.accepted[x] += law.corrected[x];
    emitted = std::move(law.accepted);
    return typename LikelihoodWalk<Real>::TwoLaws{std::span<const Real>(emitted), target};
  };
  LikelihoodWalk<Real> walk(rows, start, laws, false, budget);
  const auto overlap = walk_sums(walk, horizon, [](const Real& r) { return min_one<Real>(r); });
  return positive_part<Real>(1 - overlap.back());
}

/// Token verification: accepts min(draft, target), corrects from [target - draft]+.
template <class Real>
StepLaw<Real> token_step(std::span<const Real> draft, std::span<const Real> target) {
  StepLaw<Real> law;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    law.accepted.push_back(lesser<Real>(draft[x], target[x]));
    law.corrected.push_back(positive_part<Real>(target[x] - draft[x]));
  }
  return law;
}

}  // namespace speclab
