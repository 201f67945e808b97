// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what sections 3.2 and 3.3 say of the older verifiers.
#include "claims/engine/outcomes.h"
#include "claims/papers/lin2026/drafts.h"
#include "claims/papers/rules/kseq_at.h"

namespace speclab {
namespace lin2026_sections {
namespace {

// --- Section 3.2: K-SEQ.

/// rho = K, where the root's equation is not met.
Comparisons residual_elsewhere(const Instance& instance) {
  const Rational rho(instance.drafts);
  if (!(excess_at(instance, rho) < 0)) return {};
  return {
      {fmt::format("TV of one token of K-SEQ with the printed residual at rho={}", to_text(rho)),
       ingredient("lin2026.printed-residual.distance",
                  distance_of_one(PrintedKseqAt{instance.drafts, rho}, instance)),
       Order::equal, Rational(0)}};
}

/// rho* where it is a fraction of a small denominator.
Comparisons residual_at_root(const Instance& instance) {
  for (int below = 1; below <= instance.depth; ++below) {
    for (int above = below; above <= instance.drafts * below; ++above) {
      const Rational rho(above, below);
      if (excess_at(instance, rho) != 0) continue;
      return {{fmt::format("TV of one token of K-SEQ with the printed residual at rho*={}",
                           to_text(rho)),
               ingredient("lin2026.printed-residual.distance-at-root",
                          distance_of_one(PrintedKseqAt{instance.drafts, rho}, instance)),
               Order::equal, Rational(0)}};
    }
  }
  return {};
}

constexpr SearchSpace kPositions{
    .tokens = {2, 3, 3}, .gammas = 1, .least_drafts = 2, .drafts = 3, .denominator = {4, 4, 6}};

constexpr ClaimRow kResidual{
    .id = "lin2026.section3.2.residual",
    .source = "lin2026 section 3.2, K-SEQ",
    .statement =
        "K-SEQ with the residual (t - rho min(d, t/rho)) / (1 - rho beta) emits the "
        "target's law",
    .hypotheses = "one position, rho* < rho <= K, where sun2023's own residual emits it",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = residual_elsewhere,
    .places = {kPositions},
    .correction = {"at rho = rho* exactly, which no floating-point root is",
                   residual_at_root,
                   {kPositions}},
    .depth = {6, 8, 12},
    .bites = {{{"lin2026.printed-residual.distance", Fault::zeroed},
               {"lin2026.printed-residual.distance-at-root", Fault::raised}}},
};

// --- Section 3.3: greedy block verification.

/// P(x^i is in the output | it is drafted), path by path, against a function of nu_i = T/D.
Comparisons retained(const Instance& instance, bool clamped) {
  Comparisons comparisons;
  for (const Start& start : instance.pair().start()) {
    const auto reach = reach_of("greedy-block", instance, start.state);
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty() || path.draft == 0) continue;
      const Rational nu = ingredient("lin2026.nu", path.target / path.draft);
      comparisons.push_back({fmt::format("P({} accepted | drafted) against {}",
                                         path_text(path.tokens), clamped ? "min(1, nu)" : "nu"),
                             reach.at(path.tokens) / path.draft, Order::equal,
                             clamped ? lesser<Rational>(Rational(1), nu) : nu});
    }
  }
  return comparisons;
}

constexpr ClaimRow kNu{
    .id = "lin2026.section3.3.nu",
    .source = "lin2026 section 3.3, of nu_i = T/D",
    .statement = "nu_i is the probability that the sub-block x^i is retained in the final output",
    .hypotheses = "greedy-block, given that x^i is drafted",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return retained(at, false); },
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4}},
    .correction = {"it is min(1, nu_i); nu_i itself can exceed 1",
                   [](const Instance& at) { return retained(at, true); }, kOneDraft},
    .bites = {{{"lin2026.nu", Fault::halved}, {"lin2026.nu", Fault::raised}}},
};

constexpr ClaimRow kClaims[] = {kResidual, kNu};

}  // namespace
}  // namespace lin2026_sections

Claims lin2026_sections_claims() { return lin2026_sections::kClaims; }

}  // namespace speclab
