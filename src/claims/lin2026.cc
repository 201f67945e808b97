// Lin, Sheng, Cai, Zhou: "SpecTr-GBV: Multi-Draft Block Verification Accelerating Speculative
// Decoding" (2026): what it says of its algorithm.
#include <array>

#include "claims/lin2026_drafts.h"
#include "claims/one_iteration.h"
#include "claims/registry.h"
#include "verifiers/spectr_gbv.h"

namespace speclab {
namespace {

/// The printed algorithm where it leaves nothing undefined.
bool defined(const Instance& instance) {
  return exact_result(with_drafts("spectr-gbv", instance.drafts), instance).undefined_mass == 0;
}

Statement where_defined(const Statement& statement) {
  return [statement](const Instance& instance) {
    return defined(instance) ? statement(instance) : std::vector<Compared>{};
  };
}

/// Holds a statement with K >= 2, where it is looked for twice: anywhere, and where the printed
/// algorithm leaves nothing undefined.
ClaimResult of_several(const ClaimContext& context, const Statement& statement) {
  Examination examination(context);
  const SearchSpace space = several_drafts(context);
  examination.search(space, statement);
  examination.search(space, where_defined(statement));
  examination.check(
      {make_instance("iid(draft=[1/2,1/2],target=[1/2,1/2])", 1, 3), make_instance(kToy, 1, 2),
       make_instance("iid(draft=[1/2,1/2],target=[3/4,1/4])", 1, 2), make_instance(kToy, 2, 2)},
      statement);
  return examination.finish();
}

/// P(a draft begins with x^i and x^i is accepted), path by path.
std::vector<Compared> accepted_paths(const Instance& instance) {
  std::vector<Compared> comparisons;
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

Statement output_law(int beyond) {
  return [beyond](const Instance& instance) -> std::vector<Compared> {
    const int horizon = instance.gamma + beyond;
    if (instance.pair().vocabulary() > 2 && instance.gamma > 1 && beyond > 1) return {};
    return {{fmt::format("TV of {} tokens of spectr-gbv to the target's", horizon),
             exact_result(with_drafts("spectr-gbv", instance.drafts), instance, horizon)
                 .decode->tv_to_target,
             Order::equal, Rational(0)}};
  };
}

std::vector<Compared> attains_bound(const Instance& instance) {
  return {{"E[tau] of spectr-gbv against equation (5)",
           mean_accepted("spectr-gbv", instance, instance.drafts), Order::equal,
           printed_bound(instance, instance.drafts)}};
}

std::vector<Compared> grows(const Instance& instance) {
  return {{"E[tau] of spectr-gbv against K = 1",
           mean_accepted("spectr-gbv", instance, instance.drafts), Order::at_least,
           mean_accepted("spectr-gbv", instance, 1)}};
}

ClaimResult lemma_a1(const ClaimContext& context) { return of_several(context, accepted_paths); }
ClaimResult lemma_a1_one(const ClaimContext& context) { return of_one(context, accepted_paths); }
ClaimResult theorem42(const ClaimContext& context) { return of_several(context, output_law(0)); }
ClaimResult theorem42_one(const ClaimContext& context) { return of_one(context, output_law(2)); }
ClaimResult theorem53(const ClaimContext& context) { return of_several(context, attains_bound); }
ClaimResult theorem53_one(const ClaimContext& context) { return of_one(context, attains_bound); }
ClaimResult growth(const ClaimContext& context) { return of_several(context, grows); }

ClaimResult single_draft(const ClaimContext& context) {
  return same_tau_of_one(context, "spectr-gbv", "greedy-block");
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;

constexpr std::array kClaims{
    ClaimRow{"lin2026.lemmaA.1", "lin2026 Lemma A.1",
             "P(some draft begins with x^i and x^i is accepted) = T [1 - (1 - min(D/T, 1))^K]",
             "spectr-gbv(K) as printed, K >= 2", kRefuted, "", lemma_a1},
    ClaimRow{"lin2026.lemmaA.1.single-draft", "lin2026 Lemma A.1 at K = 1",
             "P(the draft begins with x^i and x^i is accepted) = min(D, T)",
             "spectr-gbv(1) as printed", kHolds, "", lemma_a1_one},
    ClaimRow{"lin2026.theorem4.2", "lin2026 Theorem 4.2",
             "the output of decoding with spectr-gbv(K) has the target's law",
             "spectr-gbv(K) as printed, K >= 2", kRefuted, "", theorem42},
    ClaimRow{"lin2026.theorem4.2.single-draft", "lin2026 Theorem 4.2 at K = 1",
             "the output of decoding with spectr-gbv(1) has the target's law",
             "spectr-gbv(1) as printed", kHolds, "", theorem42_one},
    ClaimRow{"lin2026.theorem5.3", "lin2026 Theorem 5.3, equation (6)",
             "E[tau] = sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K]",
             "spectr-gbv(K) as printed, K >= 2", kRefuted, "", theorem53},
    ClaimRow{"lin2026.theorem5.3.single-draft", "lin2026 Theorem 5.3 at K = 1",
             "E[tau] = sum_{i=1..L} sum_x min(D, T)", "spectr-gbv(1) as printed", kHolds, "",
             theorem53_one},
    ClaimRow{"lin2026.single-draft", "lin2026 section 3.3, Remark 5.2",
             "spectr-gbv(1) accepts as greedy-block does: the same law of tau", "any pair", kHolds,
             "", single_draft},
    ClaimRow{"lin2026.growth", "lin2026 section 1, contributions",
             "E[tau] of spectr-gbv(K) >= E[tau] of spectr-gbv(1)",
             "spectr-gbv(K) as printed, K >= 2", kRefuted, "", growth},
};

}  // namespace

std::span<const ClaimRow> lin2026_claims() { return kClaims; }

}  // namespace speclab
