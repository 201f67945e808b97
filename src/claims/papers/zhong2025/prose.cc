// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): what the text and the figures say beyond the theorems.
#include "claims/engine/ingredient.h"
#include "claims/papers/zhong2025/runs.h"

namespace speclab {
namespace zhong2025_prose {
namespace {

/// The r of the paper's Figures 5 and 6.
constexpr Family kFive{.text = "5 acceptable tokens first, then none, gamma 8", .make = [](Effort) {
                         return std::vector<Instance>{acceptable_first(5, false, 8)};
                       }};

/// Figures 5, 6: what passes beyond r is geometric, tp^r fp / (1 - fp), and so are the draft steps
/// that it takes; for fp <= 1/2 both are at most 1.
Comparisons figure5(const Instance& instance) {
  Comparisons says;
  const int r = acceptable_of(instance);
  for (const Rational& tp : {Rational(0), Rational(1, 3), Rational(9, 10), Rational(1)}) {
    const Run none(instance, {Rational(0), tp});
    for (const Rational& fp : {Rational(1, 10), Rational(1, 2)}) {
      const Rates rates{fp, tp};
      const Run run(instance, rates);
      const std::string of = fmt::format("of {}, r = {}", rates.verifier(), r);
      const Rational passed = ingredient("zhong2025.figure5.passed", run.passed_beyond(r));
      const Rational time = ingredient("zhong2025.figure5.time", run.drafted() - none.drafted());
      const Rational series = power<Rational>(tp, r) * fp / (1 - fp);
      says.equal(passed, series, "E[unacceptable tokens passed] {}, against tp^r fp / (1 - fp)",
                 of);
      says.equal(time, series, "E[T_stop] / t_d {}, less that at fp = 0, against the same", of);
      says.at_most(passed, 1, "E[unacceptable tokens passed] {}", of);
      says.at_most(time, 1, "E[T_stop] / t_d {}, less that at fp = 0", of);
    }
  }
  return says;
}

constexpr ClaimRow kFigure5{
    .id = "zhong2025.figure5",
    .source = "zhong2025 Figures 5, 6",
    .statement = "fp <= 1/2: E[unacceptable tokens passed] <= 1, E[T_stop] grows by at most t_d",
    .hypotheses =
        "the first r drafted tokens acceptable, all others not; the verifier's own time neglected",
    .check = figure5,
    .places = {kRuns, kFive},
    // Both bounds are attained at fp = 1/2, tp = 1.
    .bites = {zeroed("zhong2025.figure5.passed"), raised("zhong2025.figure5.passed"),
              lowered("zhong2025.figure5.time"), replaced("sprinter", "sprinter(fp=3/5,tp=1)")},
};

/// E[T_stop] / t_d, enumerated.
Rational stopping(const Instance& instance, const Rational& fp, const Rational& tp) {
  return Run(instance, {fp, tp}).drafted();
}

Comparisons grows_with_tp(const Instance& instance) {
  Comparisons says;
  if (acceptable_of(instance) == 0) return says;
  for (const Rational& fp : {Rational(0), Rational(1, 2), Rational(9, 10)}) {
    for (int third = 1; third <= 3; ++third) {
      says.above(
          ingredient("zhong2025.section3.1.later", stopping(instance, fp, Rational(third, 3))),
          stopping(instance, fp, Rational(third - 1, 3)),
          "E[T_stop] / t_d at fp = {}, tp = {}/3 against tp = {}/3", to_text(fp), third, third - 1);
    }
  }
  return says;
}

constexpr ClaimRow kGrows{
    .id = "zhong2025.section3.1.tp",
    .source = "zhong2025 section 3.1, after Theorem 3.4",
    .statement = "E[T_stop] increases as tp increases",
    .hypotheses = "the first r >= 1 drafted tokens acceptable, all others not; fp < 1",
    .check = grows_with_tp,
    .places = {kRuns},
    .bites = {halved("zhong2025.section3.1.later"),
              replaced("sprinter", "sprinter(fp=1/3,tp=1/5)")},
};

/// What fp adds to E[T_stop] against what tp adds from 0 on.
Comparisons marginal(const Instance& instance) {
  Comparisons says;
  const int r = acceptable_of(instance);
  if (r == 0) return says;
  for (const Rational& fp : {Rational(1, 10), Rational(1, 2)}) {
    for (const Rational& tp : {Rational(1, 2), Rational(1)}) {
      const Rational without = stopping(instance, Rational(0), tp);
      const Rational added =
          ingredient("zhong2025.section3.1.by-fp", stopping(instance, fp, tp) - without);
      says.equal(added, power<Rational>(tp, r) * fp / (1 - fp),
                 "E[T_stop] / t_d, r = {}, tp = {}: what fp = {} adds, against tp^r fp / (1 - fp)",
                 r, to_text(tp), to_text(fp));
      says.at_most(
          added, without - stopping(instance, Rational(0), Rational(0)),
          "E[T_stop] / t_d, r = {}: fp = {} against 0 at tp = {}, and tp = {} against 0 at fp = 0",
          r, to_text(fp), to_text(tp), to_text(tp));
    }
  }
  return says;
}

constexpr ClaimRow kMarginal{
    .id = "zhong2025.section3.1.marginal",
    .source = "zhong2025 section 3.1, after Theorem 3.4",
    .statement = "E[T_stop] depends on fp marginally compared to tp: fp adds at most what tp adds",
    .hypotheses =
        "the first r >= 1 drafted tokens acceptable, all others not; fp <= 1/2, the largest of "
        "Figure 6: at r = 5, tp = 1, fp = 9/10 adds 9 draft steps, tp adds 5",
    .check = marginal,
    .places = {kRuns, kFive},
    .bites = {zeroed("zhong2025.section3.1.by-fp"), raised("zhong2025.section3.1.by-fp"),
              replaced("sprinter", "sprinter(fp=1/3,tp=1/5)")},
};

/// The ideal verifier of section 3.2 for a threshold: it passes x where d(x) <= lambda t(x).
struct IdealRates {
  Rational fp;  ///< P_d(passed | d > t)
  Rational tp;  ///< P_d(passed | d <= t)
};

/// @pre memoryless, and both kinds of tokens are drafted
IdealRates ideal_rates(const Instance& instance, const Rational& lambda) {
  const auto draft = instance.draft();
  const auto target = instance.target();
  Rational all[2]{};
  Rational passed[2]{};
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const std::size_t acceptable = draft[x] > target[x] ? 0 : 1;
    all[acceptable] += draft[x];
    if (draft[x] <= lambda * target[x]) passed[acceptable] += draft[x];
  }
  return {ingredient("zhong2025.section3.2.fp", Rational(passed[0] / all[0])),
          ingredient("zhong2025.section3.2.tp", Rational(passed[1] / all[1]))};
}

/// A threshold that every token with t > 0 meets, and the share of those among d > t.
Rational largest_ratio(const Instance& instance) {
  Rational largest(4);
  for (std::size_t x = 0; x < instance.draft().size(); ++x) {
    const Rational& target = instance.target()[x];
    if (target > 0) largest = std::max<Rational>(largest, instance.draft()[x] / target);
  }
  return largest;
}
Rational share_in_reach(const Instance& instance) {
  Rational met(0), all(0);
  for (std::size_t x = 0; x < instance.draft().size(); ++x) {
    const Rational& draft = instance.draft()[x];
    const Rational& target = instance.target()[x];
    if (draft > target) all += draft;
    if (draft > target && target > 0) met += draft;
  }
  return met / all;
}

bool drafts_both_kinds(const Instance& instance) {
  if (!instance.pair().memoryless()) return false;
  const auto draft = instance.draft();
  const auto target = instance.target();
  bool acceptable = false;
  bool other = false;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    (draft[x] > target[x] ? other : acceptable) |= draft[x] > 0;
  }
  return acceptable && other;
}

/// Along growing thresholds; `tp` is how the true-positive rate is said to move.
Comparisons thresholds(const Instance& instance, Order tp) {
  Comparisons says;
  if (!drafts_both_kinds(instance)) return says;
  const IdealRates perfect = ideal_rates(instance, 1);
  says.equal(perfect.fp, Rational(0), "fp at lambda = 1");
  says.equal(perfect.tp, Rational(1), "tp at lambda = 1");
  const std::vector<Rational> lambdas = ingredient(
      "zhong2025.section3.2.lambdas",
      std::vector<Rational>{Rational(0), Rational(1, 4), Rational(1, 2), Rational(1),
                            Rational(6, 5), Rational(3, 2), Rational(4), largest_ratio(instance)});
  // A verifier that stops at lambda = 1 moves neither rate, and does not pass.
  says.equal(ideal_rates(instance, lambdas.back()).fp, share_in_reach(instance),
             "fp at lambda = {}, beyond every d/t, against P_d(t > 0 | d > t)",
             to_text(lambdas.back()));
  for (std::size_t i = 1; i < lambdas.size(); ++i) {
    const IdealRates before = ideal_rates(instance, lambdas[i - 1]);
    const IdealRates after = ideal_rates(instance, lambdas[i]);
    const std::string step =
        fmt::format("at lambda = {} against {}", to_text(lambdas[i]), to_text(lambdas[i - 1]));
    says.at_least(after.fp, before.fp, "fp {}", step);
    says.add(after.tp, tp, before.tp, "tp {}", step);
  }
  return says;
}

constexpr ClaimRow kLambda{
    .id = "zhong2025.section3.2.lambda",
    .source = "zhong2025 section 3.2",
    .statement = "a larger lambda accepts more draft tokens: it raises fp or lowers tp",
    .hypotheses = "the verifier that passes x where d(x) / t(x) <= lambda; memoryless pairs",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return thresholds(instance, Order::at_most); },
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {4, 5, 6}}, NamedPair{kToy}},
    .correction = {"it lowers neither fp nor tp, and from some lambda on fp is P_d(t > 0 | d > t)",
                   [](const Instance& instance) { return thresholds(instance, Order::at_least); },
                   {}},
    .bites = {raised("zhong2025.section3.2.tp"), raised("zhong2025.section3.2.fp"),
              levelled("zhong2025.section3.2.lambdas")},
};

constexpr ClaimRow kClaims[] = {kFigure5, kGrows, kMarginal, kLambda};

}  // namespace
}  // namespace zhong2025_prose

Claims zhong2025_prose_claims() { return zhong2025_prose::kClaims; }

}  // namespace speclab
