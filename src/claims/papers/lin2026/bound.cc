// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what it says of its bound, equation (5), over all
// couplings and all verifiers.
#include "claims/engine/one_iteration.h"
#include "claims/engine/optimum.h"
#include "claims/papers/lin2026/drafts.h"

namespace speclab {
namespace lin2026_bound {
namespace {

Comparisons best_coupling(const Instance& instance) {
  const auto best =
      certify(position_program(instance.rows->draft(0), instance.rows->target(0), instance.drafts));
  return {{"E[tau] of the best coupling of i.i.d. drafts against equation (5)",
           best.attained.value_or(Rational(0)), Order::at_most,
           printed_bound(instance, instance.drafts)}};
}

Comparisons below_bound(const Instance& instance, std::string_view verifier) {
  return {{fmt::format("E[tau] of {} against equation (5)", verifier),
           mean_accepted(verifier, instance, instance.drafts), Order::at_most,
           printed_bound(instance, instance.drafts)}};
}
Comparisons slot_block_below(const Instance& at) { return below_bound(at, "slot-block"); }
Comparisons rrs_below(const Instance& at) { return below_bound(at, "rrs"); }
Comparisons kseq_below(const Instance& at) { return below_bound(at, "kseq"); }

constexpr ClaimRow kOptimal{
    .id = "lin2026.optimal",
    .source = "lin2026 abstract, section 1",
    .statement = "no verifier of K i.i.d. drafts attains more than equation (5)",
    .hypotheses = "K >= 2; lossless verifiers",
    .recorded = ClaimVerdict::refuted,
    .check = best_coupling,
    .places = {SearchSpace{
                   .tokens = 2, .gammas = 1, .least_drafts = 2, .drafts = 3, .denominator = 4},
               Place(kSeveralDrafts).with(slot_block_below)},
    .bites = {{{"lin2026.equation5", Fault::doubled}}},
};

constexpr SearchSpace kOnePosition{
    .tokens = 3, .gammas = 1, .least_drafts = 2, .drafts = 3, .denominator = {5, 6, 8}};

/// Verifiers older than the paper.
constexpr ClaimRow kExisting{
    .id = "lin2026.optimal.existing",
    .source = "lin2026 abstract, section 1",
    .statement = "E[tau] of rrs(K), kseq(K) <= equation (5)",
    .hypotheses = "K >= 2, one position",
    .recorded = ClaimVerdict::refuted,
    .check = rrs_below,
    .places = {kOnePosition, Place(kOnePosition).with(kseq_below),
               NamedPair{"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 1, 2}},
    .bites = {{{"lin2026.equation5", Fault::doubled}}},
};

constexpr BatteryShape kBound{.tokens = 3, .gammas = 3, .drafts = 4, .random = {4, 12, 40}};

/// Bound(K + 1) against Bound(K).
Comparisons next_bound(const Instance& instance, Order order, std::string_view where = "") {
  return {{fmt::format("Bound(K + 1) against Bound(K){}", where),
           ingredient("lin2026.remark5.2.next", printed_bound(instance, instance.drafts + 1)),
           order, printed_bound(instance, instance.drafts)}};
}

constexpr ClaimRow kMonotone{
    .id = "lin2026.remark5.2.monotone",
    .source = "lin2026 Remark 5.2, monotonicity",
    .statement = "Bound(K1) >= Bound(K2) for K1 > K2",
    .hypotheses = "any pair",
    .check = [](const Instance& instance) { return next_bound(instance, Order::at_least); },
    .places = {kBound},
    .bites = {{{"lin2026.remark5.2.next", Fault::lowered}}},
};

/// Strictly where some path is drafted too rarely, and not at all elsewhere.
Comparisons strict_where_underdrafted(const Instance& instance) {
  bool underdrafted = false;
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      underdrafted = underdrafted || (path.draft > 0 && path.draft < path.target);
    }
  }
  return underdrafted ? next_bound(instance, Order::above, ", a path with 0 < D < T")
                      : next_bound(instance, Order::equal, ", no path with 0 < D < T");
}

constexpr ClaimRow kStrict{
    .id = "lin2026.remark5.2.strict",
    .source = "lin2026 Remark 5.2, monotonicity",
    .statement = "Bound(K1) > Bound(K2) for K1 > K2",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return next_bound(instance, Order::above); },
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = 4}},
    .correction = {"if and only if some path of at most L tokens has 0 < D < T",
                   strict_where_underdrafted,
                   {SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = {4, 6, 8}},
                    kBound}},
    .bites = {{{"lin2026.remark5.2.next", Fault::lowered},
               {"lin2026.remark5.2.next", Fault::raised}}},
};

/// The sum of T over the paths of at most gamma tokens with D > 0, and the least min(1, D/T) among
/// those with T > 0: what is reached in the end, and how fast.
struct Reach {
  Rational sum{0};
  Rational least{1};
};

Reach reach_of(const Instance& instance) {
  Reach reach;
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty() || path.draft == 0 || path.target == 0) continue;
      reach.sum += start.probability * path.target;
      reach.least = lesser<Rational>(reach.least, path.draft / path.target);
    }
  }
  return reach;
}

/// `limit` - Bound(K) as K grows: at least 0, and at most limit (1 - u)^K, u the least min(1, D/T)
/// that is not 0.
Comparisons approaches(const Instance& instance, std::string_view name, const Rational& limit) {
  const Reach reach = reach_of(instance);
  Comparisons comparisons;
  for (const int drafts : {8, 64, 512}) {
    const Rational left = limit - printed_bound(instance, drafts);
    comparisons.push_back(
        {fmt::format("{} - Bound({})", name, drafts), left, Order::at_least, Rational(0)});
    comparisons.push_back({fmt::format("{} - Bound({}) against its rest", name, drafts), left,
                           Order::at_most, limit * power<Rational>(1 - reach.least, drafts)});
  }
  return comparisons;
}

Comparisons limit_is_length(const Instance& instance) {
  return approaches(instance, "gamma", Rational(instance.gamma));
}

Comparisons limit_is_reach(const Instance& instance) {
  return approaches(instance, "sum of T over paths with D > 0",
                    ingredient("lin2026.remark5.2.reach", reach_of(instance).sum));
}

constexpr ClaimRow kLimit{
    .id = "lin2026.remark5.2.limit",
    .source = "lin2026 Remark 5.2, convergence",
    .statement = "Bound(K) -> L as K -> inf",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = limit_is_length,
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4},
               NamedPair{"iid(draft=[1,0],target=[1/2,1/2])"}},
    .correction =
        {"Bound(K) -> sum_{i=1..L} P_T(D(x^i) > 0), which is L where supp t lies within supp d",
         limit_is_reach,
         {SearchSpace{.tokens = 3, .gammas = 1, .denominator = 4},
          SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4}}},
    .bites = {{{"lin2026.equation5", Fault::halved},
               {"lin2026.remark5.2.reach", Fault::raised},
               {"lin2026.remark5.2.reach", Fault::lowered}}},
};

Comparisons consistency(const Instance& instance) {
  Rational minima(0);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      if (path.tokens.empty()) continue;
      minima += start.probability * lesser(path.draft, path.target);
    }
  }
  return {{"Bound(1) against sum of min(D, T)", printed_bound(instance, 1), Order::equal, minima}};
}

constexpr ClaimRow kConsistency{
    .id = "lin2026.remark5.2.consistency",
    .source = "lin2026 Remark 5.2, consistency",
    .statement = "Bound(1) = sum_{i=1..L} sum_x min(D, T)",
    .hypotheses = "any pair",
    .check = consistency,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 40}}},
    .bites = {{{"lin2026.equation5", Fault::raised}, {"lin2026.equation5", Fault::halved}}},
};

constexpr ClaimRow kClaims[] = {kOptimal, kExisting, kMonotone, kStrict, kLimit, kConsistency};

}  // namespace
}  // namespace lin2026_bound

Claims lin2026_bound_claims() { return lin2026_bound::kClaims; }

}  // namespace speclab
