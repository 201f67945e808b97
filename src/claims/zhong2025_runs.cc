// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): how many tokens a run lets pass and how long it takes.
#include <memory>

#include "claims/one_iteration.h"
#include "claims/zhong2025_rates.h"
#include "model/listed_tree.h"

namespace speclab {
namespace {

/// Two pairs whose first r drafted tokens are acceptable and all others are not, whatever is
/// drafted: afterwards the target keeps a share of its mass for a token that is never drafted.
Instance acceptable_first(int acceptable, bool even) {
  const std::vector<Rational> draft = even
                                          ? std::vector<Rational>{Rational(1, 2), Rational(1, 2), 0}
                                          : std::vector<Rational>{Rational(1), 0, 0};
  const std::vector<Rational> target =
      even ? std::vector<Rational>{Rational(1, 4), Rational(3, 8), Rational(3, 8)}
           : std::vector<Rational>{Rational(2, 3), 0, Rational(1, 3)};
  ListedLaws drafts;
  ListedLaws targets;
  std::vector<TokenPath> level{{}};
  for (int i = 0; i <= acceptable; ++i) {
    std::vector<TokenPath> longer;
    for (const TokenPath& path : level) {
      drafts[path] = draft;
      targets[path] = i < acceptable ? draft : target;
      for (Token x = 0; x < 3; ++x) {
        longer.push_back(path);
        longer.back().push_back(x);
      }
    }
    level = std::move(longer);
  }
  return name_instance(
      std::make_shared<ListedTreePair>(3, drafts, targets),
      fmt::format("{} acceptable tokens, then draft={}", acceptable,
                  even ? "[1/2,1/2,0], target=[1/4,3/8,3/8]" : "[1,0,0], target=[2/3,0,1/3]"),
      acceptable + 3);
}

constexpr Family kRuns{
    .text = "two pairs with r acceptable tokens first, then none: r = 0..3/4/5, gamma r + 3",
    .make =
        [](Effort effort) {
          std::vector<Instance> instances;
          for (int acceptable = 0; acceptable <= Sized(3, 4, 5).at(effort); ++acceptable) {
            instances.push_back(acceptable_first(acceptable, false));
            // Longer runs of the pair whose draft branches are left to the other.
            if (acceptable <= 2) instances.push_back(acceptable_first(acceptable, true));
          }
          return instances;
        },
};

/// r: how many of the first tokens are acceptable whatever they are. @pre an instance of kRuns
int acceptable_of(const Instance& instance) {
  State state = instance.pair().start().front().state;
  int acceptable = 0;
  const auto equal = [&] {
    const auto draft = instance.rows->draft(state);
    return std::equal(draft.begin(), draft.end(), instance.rows->target(state).begin());
  };
  for (; equal(); ++acceptable) state = instance.rows->next(state, 0);
  return acceptable;
}

std::vector<Rates> run_rates() {
  return {{Rational(0), Rational(1, 2)},
          {Rational(1, 10), Rational(9, 10)},
          {Rational(1, 2), Rational(1, 3)},
          {Rational(3, 4), Rational(0)}};
}

/// P(N = i) of an iteration with room for gamma tokens; N >= gamma is one cell.
std::vector<Rational> passed_law(const Instance& instance, const Rates& rates) {
  return exact_answer(rates.verifier(), instance).fractions(QuantityId::accepted_law);
}

/// Beyond the room of gamma >= r tokens: sum over i > gamma of P(N >= i), each term of which is
/// tp^r fp^(i - r) by the first part of Theorem 3.3.
Rational beyond_room(const Instance& instance, int acceptable, const Rates& rates) {
  return power<Rational>(rates.tp, acceptable) *
         power<Rational>(rates.fp, instance.gamma + 1 - acceptable) / (1 - rates.fp);
}

/// E[min(N, gamma)].
Rational expected_in_room(const std::vector<Rational>& law) {
  Rational sum(0);
  for (std::size_t i = 0; i < law.size(); ++i) sum += static_cast<long>(i) * law[i];
  return sum;
}

Comparisons theorem33_law(const Instance& instance) {
  Comparisons comparisons;
  const int acceptable = acceptable_of(instance);
  for (const Rates& rates : run_rates()) {
    const auto law = passed_law(instance, rates);
    for (int i = 0; i < instance.gamma; ++i) {
      comparisons.push_back(
          {fmt::format("P(N = {}) of {}, r = {}", i, rates.verifier(), acceptable),
           law.at(static_cast<std::size_t>(i)), Order::equal,
           passed_probability<Rational>(rates.fp, rates.tp, acceptable, i)});
    }
  }
  return comparisons;
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
};

Comparisons theorem33_mean(const Instance& instance) {
  Comparisons comparisons;
  const int acceptable = acceptable_of(instance);
  for (const Rates& rates : run_rates()) {
    const Rational reach = power<Rational>(rates.tp, acceptable);
    const Rational printed = (rates.tp - reach) / (1 - rates.tp) + reach / (1 - rates.fp);
    comparisons.push_back(
        {fmt::format("E[N] of {}, r = {}, against equation (3)", rates.verifier(), acceptable),
         expected_in_room(passed_law(instance, rates)) + beyond_room(instance, acceptable, rates),
         Order::equal, printed});
  }
  return comparisons;
}

constexpr ClaimRow kMean{
    .id = "zhong2025.theorem3.3.mean",
    .source = "zhong2025 Theorem 3.3, equation (3)",
    .statement = "E[N] = (tp - tp^r) / (1 - tp) + tp^r / (1 - fp)",
    .hypotheses = "as for the law; N does not count the last token",
    .check = theorem33_mean,
    .places = {kRuns},
};

/// A run drafts every token that passes and the one that does not.
Comparisons theorem34(const Instance& instance) {
  Comparisons comparisons;
  const int acceptable = acceptable_of(instance);
  const Rational step(1, 10);
  for (const Rates& rates : run_rates()) {
    const Rational reach = power<Rational>(rates.tp, acceptable);
    const Rational printed = (1 - reach) * step / (1 - rates.tp) + reach * step / (1 - rates.fp);
    const auto law = passed_law(instance, rates);
    const Rational drafted = expected_in_room(law) + (1 - law.back()) +  // the room's own steps
                             beyond_room(instance, acceptable, rates) +
                             reach * power<Rational>(rates.fp, instance.gamma - acceptable);
    comparisons.push_back(
        {fmt::format("t_d E[drafted tokens of a run] of {}, r = {}, t_d = 1/10, against equation "
                     "(4)",
                     rates.verifier(), acceptable),
         step * drafted, Order::equal, printed});
  }
  return comparisons;
}

constexpr ClaimRow kTheorem34{
    .id = "zhong2025.theorem3.4",
    .source = "zhong2025 Theorem 3.4, equation (4)",
    .statement = "E[T_stop] = t_d (1 - tp^r) / (1 - tp) + t_d tp^r / (1 - fp)",
    .hypotheses = "as for Theorem 3.3; the time of drafting alone",
    .check = theorem34,
    .places = {kRuns},
};

/// Figures 5, 6: fp <= 1/2 adds at most one unacceptable token, and at most t_d of time.
Comparisons figure5(const Instance& instance) {
  Comparisons comparisons;
  const int acceptable = acceptable_of(instance);
  for (const Rates& rates : run_rates()) {
    if (rates.fp > Rational(1, 2)) continue;
    Rational unacceptable(0);
    const auto law = passed_law(instance, rates);
    for (int i = acceptable + 1; i <= instance.gamma; ++i) {
      unacceptable += Rational(i - acceptable) * law.at(static_cast<std::size_t>(i));
    }
    comparisons.push_back(
        {fmt::format("E[unacceptable tokens passed] of {}, r = {}", rates.verifier(), acceptable),
         unacceptable + beyond_room(instance, acceptable, rates), Order::at_most, Rational(1)});
  }
  return comparisons;
}

constexpr ClaimRow kFigure5{
    .id = "zhong2025.figure5",
    .source = "zhong2025 Figures 5, 6",
    .statement = "fp <= 1/2: E[unacceptable tokens passed] <= 1, E[T_stop] grows by at most t_d",
    .hypotheses = kFirst,
    .check = figure5,
    .places = {kRuns},
};

/// Memoryless pairs: every drafted token passes with rho = a tp + (1 - a) fp.
Comparisons iid_labels(const Instance& instance) {
  Comparisons comparisons;
  if (!instance.pair().memoryless()) return comparisons;
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  Rational acceptable(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (!(draft[x] > target[x])) acceptable += draft[x];
  }
  for (const Rates& rates : class_rates()) {
    const Rational rho = acceptable * rates.tp + (1 - acceptable) * rates.fp;
    const auto law = passed_law(instance, rates);
    Rational tail(1);
    for (int i = 1; i <= instance.gamma; ++i) {
      tail -= law.at(static_cast<std::size_t>(i) - 1);
      comparisons.push_back({fmt::format("P(N >= {}) of {} against rho^{}", i, rates.verifier(), i),
                             tail, Order::equal, power<Rational>(rho, i)});
    }
    if (rho == 1) continue;
    // Beyond the room every tail is rho times the one before.
    comparisons.push_back(
        {fmt::format("E[N] of {} against rho / (1 - rho)", rates.verifier()),
         expected_in_room(law) + power<Rational>(rho, instance.gamma + 1) / (1 - rho), Order::equal,
         expected_passed_iid<Rational>(rho)});
  }
  return comparisons;
}

constexpr ClaimRow kIidLabels{
    .id = "zhong2025.iid-labels",
    .source = "zhong2025 Theorems 3.3, 3.4 with i.i.d. labels",
    .statement =
        "P(N >= i) = rho^i, E[N] = rho / (1 - rho), rho = a tp + (1 - a) fp, a = P_d(d <= t)",
    .hypotheses = "memoryless pairs, error rates by class",
    .check = iid_labels,
    .places = everywhere(3),
};

constexpr ClaimRow kClaims[] = {kLaw, kMean, kTheorem34, kFigure5, kIidLabels};

}  // namespace

Claims zhong2025_runs_claims() { return kClaims; }

}  // namespace speclab
