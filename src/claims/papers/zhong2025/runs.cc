// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): how many tokens a run lets pass and how long it takes.
#include "claims/papers/zhong2025/runs.h"

#include "answer/costs.h"
#include "claims/engine/ingredient.h"

namespace speclab {
namespace zhong2025_runs {
namespace {

std::vector<Rates> run_rates() {
  return {{Rational(0), Rational(1, 2)},
          {Rational(1, 10), Rational(9, 10)},
          {Rational(1, 2), Rational(1, 3)},
          {Rational(3, 4), Rational(0)}};
}

Comparisons theorem33_law(const Instance& instance) {
  Comparisons says;
  const int acceptable = acceptable_of(instance);
  for (const Rates& rates : run_rates()) {
    const Run run(instance, rates);
    for (int i = 0; i < instance.gamma; ++i) {
      says.equal(run.law.at(static_cast<std::size_t>(i)),
                 ingredient("zhong2025.theorem3.3.law",
                            passed_probability<Rational>(rates.fp, rates.tp, acceptable, i)),
                 "P(N = {}) of {}, r = {}", i, rates.verifier(), acceptable);
    }
  }
  return says;
}

constexpr std::string_view kFirst =
    "the first r drafted tokens acceptable, all others not; i.i.d. verdicts; fp < 1, tp < 1";

constexpr ClaimRow kLaw{
    .id = "zhong2025.theorem3.3.law",
    .source = "zhong2025 Theorem 3.3, first part",
    .statement = "P(N = i) = tp^i (1 - tp) for i < r, tp^r fp^(i-r) (1 - fp) for i >= r",
    .hypotheses = kFirst,
    .check = theorem33_law,
    .places = {kRuns},
    .bites = {halved("zhong2025.theorem3.3.law"), replaced("sprinter", "sprinter(fp=1/3,tp=1/5)")},
};

/// The printed right-hand sides at tp < 1.
Rational equation3(const Rates& rates, int acceptable) {
  const Rational reach = power<Rational>(rates.tp, acceptable);
  return ingredient("zhong2025.equation3",
                    (rates.tp - reach) / (1 - rates.tp) + reach / (1 - rates.fp));
}
Rational equation4(const Rates& rates, int acceptable, const Rational& step) {
  const Rational reach = power<Rational>(rates.tp, acceptable);
  return ingredient("zhong2025.equation4",
                    (1 - reach) * step / (1 - rates.tp) + reach * step / (1 - rates.fp));
}

Comparisons theorem33_mean(const Instance& instance) {
  Comparisons says;
  const int acceptable = acceptable_of(instance);
  for (const Rates& rates : run_rates()) {
    const Run run(instance, rates);
    const std::size_t last = run.tail.size() - 1;
    says.equal(run.tail[last] * run.tail[last - 2], power<Rational>(run.tail[last - 1], 2),
               "P(N >= gamma) P(N >= gamma - 2) of {} against P(N >= gamma - 1)^2",
               rates.verifier());
    says.equal(run.passed(), equation3(rates, acceptable),
               "E[N] of {}, r = {}, against equation (3)", rates.verifier(), acceptable);
  }
  return says;
}

constexpr ClaimRow kMean{
    .id = "zhong2025.theorem3.3.mean",
    .source = "zhong2025 Theorem 3.3, equation (3)",
    .statement = "E[N] = (tp - tp^r) / (1 - tp) + tp^r / (1 - fp)",
    .hypotheses = "as for the law; N does not count the last token; at tp = 1 it is 0/0",
    .check = theorem33_mean,
    .places = {kRuns},
    .bites = {raised("zhong2025.equation3"), replaced("sprinter", "sprinter(fp=1/3,tp=1/5)")},
};

/// E[calls of the low-complexity verifier] of a run: one for each token that it emits.
Rational verified(const Instance& instance, const Rates& rates, const Run& run) {
  return ingredient("zhong2025.verified",
                    Rational(expected_tokens(rates.verifier(), instance, 1).front() +
                             run.tail.back() / (1 - run.step())));
}

/// A run drafts, and has verified, every token that passes and the one that does not.
Comparisons theorem34(const Instance& instance) {
  Comparisons says;
  const int acceptable = acceptable_of(instance);
  const Rational draft(1, 10);
  for (const Rates& rates : run_rates()) {
    const Run run(instance, rates);
    for (const Rational& verify : {Rational(0), Rational(1, 100), draft}) {
      const Rational step = draft + verify;
      says.equal(draft * run.drafted() + verify * verified(instance, rates, run),
                 equation4(rates, acceptable, step),
                 "E[T_stop] of {}, r = {}, t_d = 1/10, t_v = {}, against equation (4) with t_d + "
                 "t_v",
                 rates.verifier(), acceptable, to_text(verify));
    }
  }
  return says;
}

constexpr ClaimRow kTheorem34{
    .id = "zhong2025.theorem3.4",
    .source = "zhong2025 Theorem 3.4, equation (4)",
    .statement = "E[T_stop] = t_d (1 - tp^r) / (1 - tp) + t_d tp^r / (1 - fp)",
    .hypotheses =
        "as for Theorem 3.3; t_v = 0 (appendix A.3), or t_d + t_v for t_d, as each drafted token "
        "is verified too; at tp = 1 it is 0/0",
    .check = theorem34,
    .places = {kRuns},
    .bites = {halved("zhong2025.equation4"), zeroed("zhong2025.verified"),
              replaced("sprinter", "sprinter(fp=1/3,tp=1/5)")},
};

/// The cost model's own time of a run cut at gamma, in doubles, against the same by the enumerated
/// law of N.
Comparisons modelled_time(const Instance& instance) {
  Comparisons says;
  for (const Rates& rates : run_rates()) {
    Answer answer = exact_answer(rates.verifier(), instance);
    CostModel costs;
    costs.draft = 0.125;
    costs.verifier = 0.0625;
    add_costs(answer, costs);
    const Run run(instance, rates);
    Rational steps(0);
    for (std::size_t i = 0; i + 1 < run.tail.size(); ++i) steps += run.tail[i];
    const Rational wanted = ingredient("zhong2025.modelled-time", steps * Rational(3, 16));
    const Rational shown = exact(answer.find(QuantityId::time_to_stop)->number);
    says.at_most(
        abs(Rational(shown - wanted)), exact(0x1p-40),
        "modelled time to stop of {}, t_d = 1/8, t_v = 1/16, less (t_d + t_v) E[drafted tokens]",
        rates.verifier());
    for (const Prediction& form : answer.predictions) {
      if (form.claim != "zhong2025.theorem3.4") continue;
      says.at_most(abs(Rational(exact(form.value) - wanted)), exact(0x1p-40),
                   "closed form zhong2025.theorem3.4 of {}, less the same", rates.verifier());
    }
  }
  return says;
}

constexpr ClaimRow kModelledTime{
    .id = "zhong2025.theorem3.4.modelled",
    .source = "zhong2025 Theorem 3.4, with t_d + t_v: the cost model and its closed form",
    .statement = "the modelled time of a run is (t_d + t_v) E[drafted tokens], cut at gamma",
    .hypotheses = "as for Theorem 3.3; doubles, to 2^-40",
    .check = modelled_time,
    .places = {kRuns},
    .bites = {raised("zhong2025.modelled-time"), zeroed("zhong2025.modelled-time")},
};

/// A sequence that comes as near to `limit` as the slope says, always from below.
void approach(Comparisons& says, const std::string& what, const Rational& limit,
              const Rational& value, const Rational& room) {
  says.at_most(value, limit, "{} against its limit", what);
  says.at_least(value + room, limit, "{} and the room left", what);
}

/// The paper's perfect verifier has tp = 1, where equations (3) and (4) are 0/0.
Comparisons perfect_limit(const Instance& instance) {
  Comparisons says;
  const int r = acceptable_of(instance);
  for (const Rational& fp : {Rational(0), Rational(1, 2), Rational(9, 10)}) {
    const Run run(instance, {fp, Rational(1)});
    const Rational limit = ingredient("zhong2025.equation3.limit", r - 1 + 1 / (1 - fp));
    says.equal(run.passed(), limit,
               "E[N] of sprinter(fp={},tp=1), r = {}, against r - 1 + 1 / (1 - fp)", to_text(fp),
               r);
    says.equal(run.drafted(), limit + 1,
               "E[drafted tokens] of sprinter(fp={},tp=1), r = {}, against r + 1 / (1 - fp)",
               to_text(fp), r);
    // Both sums have a slope of at most r (r - 1) / 2 + r / (1 - fp) in tp.
    const Rational slope = Rational(r * (r - 1), 2) + r / (1 - fp);
    for (const long part : {10, 1000, 100000}) {
      const Rates near{fp, 1 - Rational(1, part)};
      approach(says, fmt::format("equation (3) at tp = 1 - 1/{}, r = {}", part, r), limit,
               equation3(near, r), slope / part);
      approach(says, fmt::format("equation (4) at tp = 1 - 1/{}, r = {}", part, r), limit + 1,
               equation4(near, r, Rational(1)), slope / part);
    }
  }
  return says;
}

constexpr ClaimRow kPerfect{
    .id = "zhong2025.theorem3.3.perfect",
    .source = "zhong2025 Theorems 3.3, 3.4 with the perfect verifier of section 3.1",
    .statement =
        "tp -> 1: equation (3) tends to r - 1 + 1 / (1 - fp) and equation (4) to t_d (r + 1 / (1 - "
        "fp)), the values at tp = 1",
    .hypotheses = "the first r drafted tokens acceptable, all others not; fp < 1",
    .check = perfect_limit,
    .places = {kRuns},
    .bites = {raised("zhong2025.equation3.limit"), lowered("zhong2025.equation3"),
              lowered("zhong2025.equation4"), replaced("sprinter", "sprinter(fp=1/3,tp=1/5)")},
};

/// Memoryless pairs: every drafted token passes with rho = a tp + (1 - a) fp.
Comparisons iid_labels(const Instance& instance) {
  Comparisons says;
  if (!instance.pair().memoryless()) return says;
  const auto draft = instance.draft();
  const auto target = instance.target();
  Rational acceptable(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (!(draft[x] > target[x])) acceptable += draft[x];
  }
  for (const Rates& rates : class_rates()) {
    const Rational rho =
        ingredient("zhong2025.iid-labels.rho", acceptable * rates.tp + (1 - acceptable) * rates.fp);
    const Run run(instance, rates);
    for (std::size_t i = 1; i < run.tail.size(); ++i) {
      says.equal(run.tail[i], power<Rational>(rho, static_cast<int>(i)),
                 "P(N >= {}) of {} against rho^{}", i, rates.verifier(), i);
    }
    if (rho == 1 || run.step() == 1) continue;
    says.equal(run.passed(),
               ingredient("zhong2025.iid-labels.mean", expected_passed_iid<Rational>(rho)),
               "E[N] of {} against rho / (1 - rho)", rates.verifier());
  }
  return says;
}

constexpr ClaimRow kIidLabels{
    .id = "zhong2025.iid-labels",
    .source = "zhong2025 Theorems 3.3, 3.4 with i.i.d. labels",
    .statement =
        "P(N >= i) = rho^i, E[N] = rho / (1 - rho), rho = a tp + (1 - a) fp, a = P_d(d <= t)",
    .hypotheses = "memoryless pairs, error rates by class",
    .check = iid_labels,
    .places = everywhere(3),
    .bites = {halved("zhong2025.iid-labels.rho"), raised("zhong2025.iid-labels.mean"),
              replaced("sprinter", "sprinter(fp=1/3,tp=1/5)")},
};

constexpr ClaimRow kClaims[] = {kLaw, kMean, kTheorem34, kModelledTime, kPerfect, kIidLabels};

}  // namespace
}  // namespace zhong2025_runs

Claims zhong2025_runs_claims() { return zhong2025_runs::kClaims; }

}  // namespace speclab
