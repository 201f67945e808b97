// Lin, Sheng, Cai, Zhou: "SpecTr-GBV: Multi-Draft Block Verification Accelerating Speculative
// Decoding" (2026): what it says of its algorithm.
#include "claims/lin2026_drafts.h"
#include "claims/one_iteration.h"
#include "verifiers/spectr_gbv.h"

namespace speclab {
namespace {

constexpr Filter kDefined{"no 0/0 is possible", [](const Instance& instance) {
                            return exact_answer(with_drafts("spectr-gbv", instance.drafts),
                                                instance)
                                       .fraction(QuantityId::iteration_undefined) == 0;
                          }};

/// Where statements with K >= 2 are held; violations are looked for twice: anywhere, and where the
/// printed algorithm leaves nothing undefined.
constexpr Places kSeveral{kSeveralDrafts,
                          Place(kSeveralDrafts).only(kDefined),
                          NamedPair{"iid(draft=[1/2,1/2],target=[1/2,1/2])", 1, 3},
                          NamedPair{kToy, 1, 2},
                          NamedPair{"iid(draft=[1/2,1/2],target=[3/4,1/4])", 1, 2},
                          NamedPair{kToy, 2, 2}};

constexpr std::string_view kPrinted = "spectr-gbv(K) as printed, K >= 2";
constexpr std::string_view kPrintedOne = "spectr-gbv(1) as printed";

/// P(a draft begins with x^i and x^i is accepted), path by path.
Comparisons accepted_paths(const Instance& instance) {
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    std::map<TokenPath, Rational> reach;
    each_iteration(SpectrGbv{instance.drafts}, instance, start.state, false,
                   [&](const auto& out, const Rational& weight) {
                     for (int i = 1; i <= out.accepted; ++i) {
                       reach[TokenPath(out.tokens.begin(), out.tokens.begin() + i)] += weight;
                     }
                   });
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty()) continue;
      // T [1 - (1 - min(D / T, 1))^K], 0 where T is 0.
      const Rational term =
          path.draft > 0 ? Rational(path.draft *
                                    bound_term<Rational>(path.target / path.draft, instance.drafts))
                         : Rational(0);
      comparisons.push_back({fmt::format("P({} accepted) against T [1 - (1 - min(D/T, 1))^K]",
                                         path_text(path.tokens)),
                             reach[path.tokens], Order::equal, term});
    }
  }
  return comparisons;
}

constexpr ClaimRow kLemmaA1{
    .id = "lin2026.lemmaA.1",
    .source = "lin2026 Lemma A.1",
    .statement = "P(some draft begins with x^i and x^i is accepted) = T [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = accepted_paths,
    .places = kSeveral,
};

constexpr ClaimRow kLemmaA1One{
    .id = "lin2026.lemmaA.1.single-draft",
    .source = "lin2026 Lemma A.1 at K = 1",
    .statement = "P(the draft begins with x^i and x^i is accepted) = min(D, T)",
    .hypotheses = kPrintedOne,
    .check = accepted_paths,
    .places = kOneDraft,
};

/// @param beyond  how many tokens after the first gamma
Comparisons output_law(const Instance& instance, int beyond) {
  const int horizon = instance.gamma + beyond;
  return {{fmt::format("TV of {} tokens of spectr-gbv to the target's", horizon),
           exact_answer(with_drafts("spectr-gbv", instance.drafts), instance, horizon)
               .fraction(QuantityId::tv_to_target),
           Order::equal, Rational(0)}};
}

constexpr ClaimRow kTheorem42{
    .id = "lin2026.theorem4.2",
    .source = "lin2026 Theorem 4.2",
    .statement = "the output of decoding with spectr-gbv(K) has the target's law",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = [](const Instance& instance) { return output_law(instance, 0); },
    .places = kSeveral,
};

constexpr ClaimRow kTheorem42One{
    .id = "lin2026.theorem4.2.single-draft",
    .source = "lin2026 Theorem 4.2 at K = 1",
    .statement = "the output of decoding with spectr-gbv(1) has the target's law",
    .hypotheses = kPrintedOne,
    .check = [](const Instance& instance) -> Comparisons {
      if (instance.pair().vocabulary() > 2 && instance.gamma > 1) return {};
      return output_law(instance, 2);
    },
    .places = kOneDraft,
};

Comparisons attains_bound(const Instance& instance) {
  return {{"E[tau] of spectr-gbv against equation (5)",
           mean_accepted("spectr-gbv", instance, instance.drafts), Order::equal,
           printed_bound(instance, instance.drafts)}};
}

constexpr ClaimRow kTheorem53{
    .id = "lin2026.theorem5.3",
    .source = "lin2026 Theorem 5.3, equation (6)",
    .statement = "E[tau] = sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = attains_bound,
    .places = kSeveral,
};

constexpr ClaimRow kSingleDraft{
    .id = "lin2026.single-draft",
    .source = "lin2026 section 3.3, Remark 5.2",
    .statement = "spectr-gbv(1) accepts as greedy-block does: the same law of tau",
    .hypotheses = "any pair",
    .check = [](const Instance& at) { return same_tau_of_one(at, "spectr-gbv", "greedy-block"); },
    .places = kOneDraft,
};

Comparisons grows(const Instance& instance) {
  return {{"E[tau] of spectr-gbv against K = 1",
           mean_accepted("spectr-gbv", instance, instance.drafts), Order::at_least,
           mean_accepted("spectr-gbv", instance, 1)}};
}

constexpr ClaimRow kGrowth{
    .id = "lin2026.growth",
    .source = "lin2026 section 1, contributions",
    .statement = "E[tau] of spectr-gbv(K) >= E[tau] of spectr-gbv(1)",
    .hypotheses = kPrinted,
    .recorded = ClaimVerdict::refuted,
    .check = grows,
    .places = kSeveral,
};

constexpr ClaimRow kClaims[] = {kLemmaA1,   kLemmaA1One,  kTheorem42, kTheorem42One,
                                kTheorem53, kSingleDraft, kGrowth};

}  // namespace

Claims lin2026_claims() { return kClaims; }

}  // namespace speclab
