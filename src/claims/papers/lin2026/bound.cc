// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): what it says of its bound,
// equation (5), over all couplings and all verifiers.
#include <algorithm>

#include "claims/engine/optimum.h"
#include "claims/papers/lin2026/drafts.h"

namespace speclab {
namespace lin2026_bound {
namespace {

Comparisons best_coupling_of_position(const Instance& at) {
  const auto best = certify(position_program(at, at.drafts));
  return {{"E[tau] of the best coupling of i.i.d. drafts against equation (5)",
           best.attained.value_or(Rational(0)), Order::at_most, kEquation5(at)}};
}

constexpr Check kSlotBlockBelow = at_most(tau("slot-block(K={K})"), kEquation5);
constexpr Check kKseqBelow = at_most(tau("kseq(K={K})"), kEquation5);

constexpr ClaimRow kOptimal{
    .id = "lin2026.optimal",
    .source = "lin2026 abstract, section 1",
    .statement = "no verifier of K i.i.d. drafts attains more than equation (5)",
    .hypotheses = "K >= 2; lossless verifiers",
    .recorded = ClaimVerdict::refuted,
    .check = best_coupling_of_position,
    .places = {SearchSpace{
                   .tokens = 2, .gammas = 1, .least_drafts = 2, .drafts = 3, .denominator = 4},
               Place(kSeveralDrafts).with(kSlotBlockBelow)},
    .bites = {{doubled("lin2026.equation5")}},
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
    .check = at_most(tau("rrs(K={K})"), kEquation5),
    .places = {kOnePosition, Place(kOnePosition).with(kKseqBelow),
               NamedPair{"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 1, 2}},
    .bites = {{doubled("lin2026.equation5")}},
};

/// The optimum of one position with K + 1 drafts, over all couplings, and equation (5) with as
/// many.
Comparisons one_draft_more(const Instance& at, Order order) {
  const auto best = [&](int drafts) {
    return certify(position_program(at, drafts)).attained.value_or(Rational(0));
  };
  Comparisons says;
  says.add(ingredient("lin2026.section1.next", best(at.drafts + 1)), order,
           ingredient("lin2026.section1.best", best(at.drafts)),
           "E[tau] of the best coupling of K + 1 i.i.d. drafts against K, K = {}", at.drafts);
  says.add(kNextBound(at), order, kEquation5(at), "equation (5) with K + 1 drafts against K = {}",
           at.drafts);
  return says;
}

constexpr ClaimRow kGrows{
    .id = "lin2026.section1.growth",
    .source = "lin2026 section 1: \"this optimal expected number increases\"",
    .statement = "the optimal E[tau] of K i.i.d. drafts increases with K",
    .hypotheses =
        "one position: the optimum over all couplings, and equation (5), which the paper takes for "
        "the optimum",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return one_draft_more(at, Order::above); },
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .drafts = 3, .denominator = 4}},
    .correction = {"it never decreases; it stays where no draft more can help, as at d = t",
                   [](const Instance& at) { return one_draft_more(at, Order::at_least); },
                   {SearchSpace{.tokens = 3, .gammas = 1, .drafts = 2, .denominator = {3, 4, 6}}}},
    .bites = {{lowered("lin2026.section1.next"), raised("lin2026.section1.best")}},
};

constexpr BatteryShape kBound{.tokens = 3, .gammas = 3, .drafts = 4, .random = {4, 12, 40}};

constexpr ClaimRow kMonotone{
    .id = "lin2026.remark5.2.monotone",
    .source = "lin2026 Remark 5.2, monotonicity",
    .statement = "Bound(K1) >= Bound(K2) for K1 > K2",
    .hypotheses = "any pair",
    .check = at_least(kNextBound, kEquation5),
    .places = {kBound},
    .bites = {{lowered("lin2026.remark5.2.next")}},
};

/// Calls visit(start, path) for the paths of at most gamma tokens that both
/// models take.
template <class Visit>
void each_common_path(const Instance& at, const Visit& visit) {
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& path : drafted_paths(at, start.state)) {
      if (path.target > 0) visit(start, path);
    }
  }
}

/// Whether some path has 0 < D < T.
bool underdrafted(const Instance& at) {
  bool found = false;
  each_common_path(
      at, [&](const Start&, const PathLaws& path) { found = found || path.draft < path.target; });
  return found;
}

constexpr ClaimRow kStrict{
    .id = "lin2026.remark5.2.strict",
    .source = "lin2026 Remark 5.2, monotonicity",
    .statement = "Bound(K1) > Bound(K2) for K1 > K2",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = above(kNextBound, kEquation5),
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = 4}},
    .correction = {"if and only if some path of at most L tokens has 0 < D < T",
                   above(kNextBound, kEquation5).where(underdrafted) &&
                       equal(kNextBound, kEquation5).where([](const Instance& at) {
                         return !underdrafted(at);
                       }),
                   {SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = {4, 6, 8}},
                    kBound}},
    .bites = {{lowered("lin2026.remark5.2.next"), raised("lin2026.remark5.2.next")}},
};

/// `limit` - Bound(K) as K grows: at least 0, and at most limit (1 - u)^K, u
/// the least min(1, D/T) that is not 0.
Comparisons approaches(const Instance& at, std::string_view name, const Rational& limit) {
  Rational least(1);
  each_common_path(at, [&](const Start&, const PathLaws& path) {
    least = lesser<Rational>(least, path.draft / path.target);
  });
  Comparisons says;
  for (const int drafts : {8, 64, 512}) {
    const Rational left = limit - printed_bound(at, drafts);
    says.at_least(left, 0, "{} - Bound({})", name, drafts);
    says.at_most(left, limit * power<Rational>(1 - least, drafts),
                 "{} - Bound({}) against its rest", name, drafts);
  }
  return says;
}

Comparisons limit_is_reach(const Instance& at) {
  Rational sum(0);
  each_common_path(at, [&](const Start& start, const PathLaws& path) {
    sum += start.probability * path.target;
  });
  return approaches(at, "sum of T over paths with D > 0",
                    ingredient("lin2026.remark5.2.reach", sum));
}

constexpr ClaimRow kLimit{
    .id = "lin2026.remark5.2.limit",
    .source = "lin2026 Remark 5.2, convergence",
    .statement = "Bound(K) -> L as K -> inf",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return approaches(at, "gamma", Rational(at.gamma)); },
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4},
               NamedPair{"iid(draft=[1,0],target=[1/2,1/2])"}},
    .correction =
        {"Bound(K) -> sum_{i=1..L} P_T(D(x^i) > 0), which is L where supp t lies within supp d",
         limit_is_reach,
         {SearchSpace{.tokens = 3, .gammas = 1, .denominator = 4},
          SearchSpace{.tokens = 2, .gammas = 2, .denominator = 4}}},
    .bites = {{halved("lin2026.equation5"), raised("lin2026.remark5.2.reach"),
               lowered("lin2026.remark5.2.reach")}},
};

constexpr NamedForm kMinima{"sum of min(D, T)", "lin2026.minima", [](const Instance& at) {
                              Rational sum(0);
                              each_common_path(at, [&](const Start& start, const PathLaws& path) {
                                sum += start.probability * lesser(path.draft, path.target);
                              });
                              return sum;
                            }};

constexpr ClaimRow kConsistency{
    .id = "lin2026.remark5.2.consistency",
    .source = "lin2026 Remark 5.2, consistency",
    .statement = "Bound(1) = sum_{i=1..L} sum_x min(D, T)",
    .hypotheses = "any pair",
    .check = equal(kEquation5, kMinima),
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 40}}},
    .bites = {{raised("lin2026.equation5"), halved("lin2026.equation5")}},
};

constexpr ClaimRow kClaims[] = {kOptimal, kExisting, kGrows,      kMonotone,
                                kStrict,  kLimit,    kConsistency};

}  // namespace
}  // namespace lin2026_bound

Claims lin2026_bound_claims() { return lin2026_bound::kClaims; }

}  // namespace speclab
