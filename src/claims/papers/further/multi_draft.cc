// Several i.i.d. drafts, position by position: SpecTr (2023), SpecInfer (2023) and the optimum.
#include "theory/multi_draft.h"

#include <fmt/format.h>

#include "claims/engine/optimum.h"
#include "claims/papers/lin2026/drafts.h"
#include "claims/papers/rules/kseq_at.h"
#include "claims/papers/rules/rules.h"

namespace speclab {
namespace multi_draft {
namespace {

/// A pair on which several drafts matter.
constexpr NamedPair kThreeDrafts{"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, 3};

Comparisons lossless(const Instance& instance, std::string_view name) {
  const int horizon = instance.gamma + 1;
  const auto result = exact_answer(with_drafts(name, instance.drafts), instance, horizon);
  return {{fmt::format("TV of the first {} tokens to the target's", horizon),
           result.fraction(QuantityId::tv_to_target), Order::equal, Rational(0)}};
}

constexpr ClaimRow kRrsLossless{
    .id = "miao2023.lossless",
    .source = "Miao et al. 2023 (SpecInfer), Theorem 4.2",
    .statement = "the output of decoding with rrs(K) has the target's law",
    .hypotheses = "any pair, any gamma, any K",
    .check = [](const Instance& instance) { return lossless(instance, "rrs"); },
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 6, 20}}},
    .simulated = {{{.verifier = "rrs(K=3)", .at = kThreeDrafts, .horizon = 3}}},
    .bites = {{{"rrs", Fault::replaced, "wrong-without-replacement"},
               {"rrs", Fault::replaced, "spectr-gbv"}}},
    .proofs = {{{.verifier = "rrs(K=2)"}, {.verifier = "rrs(K=2)", .vocabulary = 3, .gamma = 1}}},
};

/// At rho = K, half way to it from rho*, and a little above rho*: one token.
Comparisons lossless_at_rho(const Instance& instance) {
  const Rational most(instance.drafts);
  const Rational least =
      kseq_rho(instance.rows->draft(0), instance.rows->target(0), instance.drafts);
  Comparisons comparisons;
  for (const Rational& share : {Rational(1, 1000), Rational(1, 2), Rational(1)}) {
    const Rational rho = least + share * (most - least);
    comparisons.push_back({fmt::format("TV of one token at rho* + {} (K - rho*)", to_text(share)),
                           ingredient("sun2023.lossless.distance",
                                      distance_of_one(KseqAt{instance.drafts, rho}, instance)),
                           Order::equal, Rational(0)});
  }
  return comparisons;
}

constexpr ClaimRow kKseqLossless{
    .id = "sun2023.lossless",
    .source = "Sun et al. 2023 (SpecTr), Theorem 3",
    .statement = "the output of decoding with kseq(K) has the target's law for every rho >= rho*",
    .hypotheses = "any pair, any gamma, any K",
    .check = [](const Instance& instance) { return lossless(instance, "kseq"); },
    .places = {BatteryShape{.tokens = 3, .gammas = 1, .drafts = 3, .random = {2, 6, 20}},
               Place(BatteryShape{.tokens = 3,
                                  .gammas = 1,
                                  .least_drafts = 2,
                                  .drafts = 3,
                                  .random = 0,
                                  .contexts = false})
                   .with(lossless_at_rho)},
    .simulated = {{{.verifier = "kseq(K=3)", .at = kThreeDrafts, .horizon = 3}}},
    .bites = {{{"kseq", Fault::replaced, "wrong-without-replacement"},
               {"sun2023.lossless.distance", Fault::raised}}},
};

// Statements about one position are held on memoryless pairs.

/// P(tau >= 1).
Rational one_position(std::string_view name, const Instance& instance) {
  return mean_accepted(name, instance, instance.drafts);
}

std::span<const Rational> draft_of(const Instance& instance) { return instance.rows->draft(0); }
std::span<const Rational> target_of(const Instance& instance) { return instance.rows->target(0); }

/// The certified bound of the linear program over all couplings, and what a coupling attains.
Certificate best_position(const Instance& instance) {
  Certificate best =
      certify(position_program(draft_of(instance), target_of(instance), instance.drafts));
  best.bound = ingredient("position_program.worth", best.bound);
  if (best.attained) best.attained = ingredient("position_program.attained", *best.attained);
  return best;
}

/// alpha*(K) by its formula.
Rational formula_of(const Instance& instance) {
  return ingredient("hu2025.formula",
                    best_acceptance(draft_of(instance), target_of(instance), instance.drafts));
}

constexpr BatteryShape kPositions{
    .tokens = 4, .gammas = 1, .drafts = 4, .random = 0, .contexts = false};
constexpr Places kAllPositions{
    kPositions, SearchSpace{.tokens = 3, .gammas = 1, .drafts = 3, .denominator = {3, 4, 6}}};

Comparisons rrs_acceptance(const Instance& instance) {
  const auto left = remaining_target(draft_of(instance), target_of(instance), instance.drafts);
  Rational missed(0);
  for (const Rational& mass : left) missed += mass;
  return {{"P(accept) of rrs against 1 - r_1 ... r_K", one_position("rrs", instance), Order::equal,
           ingredient("miao2023.acceptance.formula", 1 - missed)}};
}

constexpr ClaimRow kRrsAcceptance{
    .id = "miao2023.acceptance",
    .source = "Miao et al. 2023 (SpecInfer), multi-step sampling",
    .statement = "P(accept) of rrs(K) = 1 - r_1 ... r_K, r_m = sum [t^m - d]+",
    .hypotheses = "one position",
    .check = rrs_acceptance,
    .places = kAllPositions,
    .bites = {{{"miao2023.acceptance.formula", Fault::lowered},
               {"rrs", Fault::replaced, "kseq"},
               {"rrs", Fault::replaced, "rrs(K=4)"}}},
};

/// Is rrs with two drafts or more never behind block verification of one?
Comparisons rrs_against_block(const Instance& instance) {
  return {{"E[tau] of rrs against block", mean_accepted("rrs", instance, instance.drafts),
           Order::at_least, accepted("block", instance)}};
}

constexpr ClaimRow kRrsAboveBlock{
    .id = "miao2023.above-block",
    .source = "rrs(K) of SpecInfer against sun2025 Algorithm 2",
    .statement = "E[tau] of rrs(K) >= E[tau] of block of one draft, K >= 2",
    .hypotheses = "same pair, same gamma",
    .recorded = ClaimVerdict::refuted,
    .check = rrs_against_block,
    .places = {SearchSpace{
        .tokens = 2, .gammas = {3, 3, 4}, .least_drafts = 2, .drafts = 2, .denominator = 6}},
    .bites = {{{"block", Fault::replaced, "token"}, {"rrs", Fault::replaced, "slot-block"}}},
};

/// P_acc = 1 - (1 - beta(rho))^k at the rho that the verifier uses, and the root's equation at it
/// to the last bits of a double.
Comparisons kseq_acceptance_at_root(const Instance& instance) {
  const Rational rounding = exact(0x1p-38);
  const Rational found = one_position("kseq", instance);
  const Rational at_root =
      ingredient("sun2023.acceptance.formula",
                 kseq_acceptance(draft_of(instance), target_of(instance), instance.drafts));
  const Rational rho = kseq_rho(draft_of(instance), target_of(instance), instance.drafts);
  const Rational gap = found > at_root ? Rational(found - at_root) : Rational(at_root - found);
  const Rational excess =
      abs(ingredient("sun2023.acceptance.excess",
                     kseq_excess(draft_of(instance), target_of(instance), rho, instance.drafts)));
  const Rational beta = kseq_beta(draft_of(instance), target_of(instance), rho);
  Comparisons comparisons{
      {"|P(accept) of kseq - (1 - (1 - beta(rho*))^K)|", gap, Order::at_most, rounding}};
  // At rho* = 1 the left side may be below rho beta already.
  if (rho > 1 && beta > 0) {
    comparisons.push_back(
        {"|1 - (1 - beta)^K - rho beta| at rho*", excess, Order::at_most, rounding});
  }
  return comparisons;
}

constexpr ClaimRow kKseqAcceptance{
    .id = "sun2023.acceptance",
    .source = "Sun et al. 2023 (SpecTr), Algorithm 2",
    .statement = "P(accept) of kseq(K) = 1 - (1 - beta(rho*))^K = rho* beta(rho*)",
    .hypotheses = "one position",
    .check = kseq_acceptance_at_root,
    .places = {kPositions},
    .bites = {{{"sun2023.acceptance.formula", Fault::lowered},
               {"sun2023.acceptance.excess", Fault::raised},
               {"kseq", Fault::replaced, "rrs"},
               {"kseq", Fault::replaced, "kseq(K=4)"}}},
};

/// Held against the certified optimum, at a rho above rho* by at most a few parts in 2^40; where
/// that falls short by less than this, at the root from below too.
Comparisons kseq_guarantee(const Instance& instance) {
  const int k = instance.drafts;
  const Rational share =
      ingredient("sun2023.guarantee.share", 1 - power<Rational>(1 - Rational(1, k), k));
  return {{"P(accept) of kseq against (1 - (1 - 1/K)^K) times the certified optimum",
           one_position("kseq", instance), Order::at_least, share * best_position(instance).bound}};
}

constexpr ClaimRow kKseqGuarantee{
    .id = "sun2023.guarantee",
    .source = "Sun et al. 2023 (SpecTr), Theorem 3",
    .statement = "P(accept) of kseq(K) >= (1 - (1 - 1/K)^K) alpha*(K)",
    .hypotheses = "one position",
    .check = kseq_guarantee,
    .places = kAllPositions,
    .bites = {{{"sun2023.guarantee.share", Fault::raised},
               {"position_program.worth", Fault::doubled}}},
};

/// The formula against the linear program from both sides: the certified bound and a coupling that
/// attains it.
Comparisons optimum(const Instance& instance) {
  const Rational formula = formula_of(instance);
  const Certificate certificate = best_position(instance);
  return {{"certified optimum over all couplings against the formula", certificate.bound,
           Order::equal, formula},
          {"a coupling's acceptance against the formula",
           certificate.attained.value_or(Rational(-1)), Order::equal, formula}};
}

constexpr ClaimRow kOptimum{
    .id = "hu2025.optimum",
    .source = "Hu et al. 2025; Sun et al. 2023 (SpecTr), optimal transport",
    .statement = "max over couplings P(Y in {X_1..X_K}) = alpha*(K) = 1 + min_H (t(H) - d(H)^K)",
    .hypotheses = "one position; H runs over prefixes of the tokens sorted by t/d",
    .check = optimum,
    .places = kAllPositions,
    .bites = {{{"hu2025.formula", Fault::constant},
               {"hu2025.formula", Fault::raised},
               {"position_program.worth", Fault::halved},
               {"position_program.attained", Fault::zeroed}}},
};

/// No verifier of one position accepts more than alpha*.
Comparisons below_optimum(const Instance& instance) {
  Comparisons comparisons;
  const Rational best = formula_of(instance);
  for (const char* name : {"rrs", "kseq", "slot-block"}) {
    comparisons.push_back({fmt::format("P(accept) of {} against alpha*", name),
                           one_position(name, instance), Order::at_most, best});
  }
  return comparisons;
}

constexpr ClaimRow kBound{
    .id = "hu2025.bound",
    .source = "Hu et al. 2025",
    .statement = "P(accept) of rrs(K), kseq(K), slot-block(K) <= alpha*(K)",
    .hypotheses = "one position",
    .check = below_optimum,
    .places = {kPositions},
    .bites = {{{"hu2025.formula", Fault::lowered}, {"kseq", Fault::replaced, "kseq(K=4)"}}},
};

constexpr ClaimRow kClaims[] = {kRrsLossless,    kRrsAcceptance, kRrsAboveBlock, kKseqLossless,
                                kKseqAcceptance, kKseqGuarantee, kOptimum,       kBound};

}  // namespace
}  // namespace multi_draft

Claims multi_draft_claims() { return multi_draft::kClaims; }

}  // namespace speclab
