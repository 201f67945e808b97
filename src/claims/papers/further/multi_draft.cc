// Several i.i.d. drafts, position by position: SpecTr (2023), SpecInfer (2023) and the optimum.
#include "theory/multi_draft.h"

#include "claims/engine/optimum.h"
#include "claims/papers/rules/rules.h"

namespace speclab {
namespace multi_draft {
namespace {

/// A pair on which several drafts matter.
constexpr NamedPair kThreeDrafts{"iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, 3};

constexpr Horizon kNextToken{1, 1};

constexpr ClaimRow kRrsLossless{
    .id = "miao2023.lossless",
    .source = "Miao et al. 2023 (SpecInfer), Theorem 4.2",
    .statement = "the output of decoding with rrs(K) has the target's law",
    .hypotheses = "any pair, any gamma, any K",
    .check = lossless("rrs(K={K})", kNextToken),
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .drafts = 3, .random = {2, 6, 20}}},
    .simulated = {{{.verifier = "rrs(K=3)", .at = kThreeDrafts, .horizon = 3}}},
    .bites = {{replaced("rrs", "wrong-without-replacement"), replaced("rrs", "spectr-gbv")}},
    .proofs = {{{.verifier = "rrs(K=2)"}, {.verifier = "rrs(K=2)", .vocabulary = 3, .gamma = 1}}},
};

/// One token at rho = K, half way to it from rho*, and a little above rho*.
constexpr Check kAtRho = lossless("kseq-at(K={K},share=1)", kOneToken) &&
                         lossless("kseq-at(K={K},share=1/2)", kOneToken) &&
                         lossless("kseq-at(K={K},share=1/1000)", kOneToken);

constexpr ClaimRow kKseqLossless{
    .id = "sun2023.lossless",
    .source = "Sun et al. 2023 (SpecTr), Theorem 3",
    .statement = "the output of decoding with kseq(K) has the target's law for every rho >= rho*",
    .hypotheses = "any pair, any gamma, any K",
    .check = lossless("kseq(K={K})", kNextToken),
    .places = {BatteryShape{.tokens = 3, .gammas = 1, .drafts = 3, .random = {2, 6, 20}},
               Place(BatteryShape{.tokens = 3,
                                  .gammas = 1,
                                  .least_drafts = 2,
                                  .drafts = 3,
                                  .random = 0,
                                  .contexts = false})
                   .with(kAtRho)},
    .simulated = {{{.verifier = "kseq(K=3)", .at = kThreeDrafts, .horizon = 3}}},
    .bites = {{replaced("kseq", "wrong-without-replacement"),
               replaced("kseq-at", "spectr-gbv(K=2)")}},
};

// Statements about one position are checked on memoryless pairs.

/// The linear program over all couplings: its certified bound, and what a coupling attains.
Certificate best_position(const Instance& at) { return certify(position_program(at, at.drafts)); }

constexpr NamedForm kBest{"alpha*", "hu2025.formula", [](const Instance& at) {
                            return best_acceptance(at.draft(), at.target(), at.drafts);
                          }};
constexpr NamedForm kCertified{"the certified optimum over all couplings", "position_program.worth",
                               [](const Instance& at) { return best_position(at).bound; }};
constexpr NamedForm kAttained{
    "what a coupling attains", "position_program.attained",
    [](const Instance& at) { return best_position(at).attained.value_or(Rational(-1)); }};

constexpr BatteryShape kPositions{
    .tokens = 4, .gammas = 1, .drafts = 4, .random = 0, .contexts = false};
constexpr Places kAllPositions{
    kPositions, SearchSpace{.tokens = 3, .gammas = 1, .drafts = 3, .denominator = {3, 4, 6}}};

constexpr NamedForm kOneTried{
    "1 - r_1 ... r_K", "miao2023.acceptance.formula", [](const Instance& at) {
      Rational accepted(1);
      for (const Rational& mass : remaining_target(at.draft(), at.target(), at.drafts)) {
        accepted -= mass;
      }
      return accepted;
    }};

constexpr ClaimRow kRrsAcceptance{
    .id = "miao2023.acceptance",
    .source = "Miao et al. 2023 (SpecInfer), multi-step sampling",
    .statement = "P(accept) of rrs(K) = 1 - r_1 ... r_K, r_m = sum [t^m - d]+",
    .hypotheses = "one position",
    .check = equal(tau("rrs(K={K})"), kOneTried),
    .places = kAllPositions,
    .bites = {{lowered("miao2023.acceptance.formula"), replaced("rrs", "kseq"),
               replaced("rrs", "rrs(K=4)")}},
};

constexpr ClaimRow kRrsAboveBlock{
    .id = "miao2023.above-block",
    .source = "this project: rrs(K) of SpecInfer against sun2025 Algorithm 2",
    .statement = "E[tau] of rrs(K) >= E[tau] of block of one draft, K >= 2",
    .hypotheses = "same pair, same gamma",
    .recorded = ClaimVerdict::refuted,
    .check = at_least(tau("rrs(K={K})"), tau("block")),
    .places = {SearchSpace{
        .tokens = 2, .gammas = {3, 3, 4}, .least_drafts = 2, .drafts = 2, .denominator = 6}},
    .bites = {{replaced("block", "token"), replaced("rrs", "slot-block")}},
};

/// P_acc = 1 - (1 - beta(rho))^k at the rho that the verifier uses, and the root's equation at it
/// to the last bits of a double.
Comparisons kseq_acceptance_at_root(const Instance& instance) {
  const Rational rounding = exact(0x1p-38);
  const Rational found = accepted(verifier_text("kseq(K={K})", instance), instance);
  const Rational at_root =
      ingredient("sun2023.acceptance.formula",
                 kseq_acceptance(instance.draft(), instance.target(), instance.drafts));
  const Rational rho = kseq_rho(instance.draft(), instance.target(), instance.drafts);
  const Rational gap = abs(Rational(found - at_root));
  const Rational excess =
      abs(ingredient("sun2023.acceptance.excess",
                     kseq_excess(instance.draft(), instance.target(), rho, instance.drafts)));
  const Rational beta = kseq_beta(instance.draft(), instance.target(), rho);
  Comparisons says{
      {"|P(accept) of kseq - (1 - (1 - beta(rho*))^K)|", gap, Order::at_most, rounding}};
  // At rho* = 1 the left side may be below rho beta already.
  if (rho > 1 && beta > 0) {
    says.at_most(excess, rounding, "|1 - (1 - beta)^K - rho beta| at rho*");
  }
  return says;
}

constexpr ClaimRow kKseqAcceptance{
    .id = "sun2023.acceptance",
    .source = "Sun et al. 2023 (SpecTr), Algorithm 2",
    .statement = "P(accept) of kseq(K) = 1 - (1 - beta(rho*))^K = rho* beta(rho*)",
    .hypotheses = "one position",
    .check = kseq_acceptance_at_root,
    .places = {kPositions},
    .bites = {{lowered("sun2023.acceptance.formula"), raised("sun2023.acceptance.excess"),
               replaced("kseq", "rrs"), replaced("kseq", "kseq(K=4)")}},
};

/// The certified optimum, at a rho above rho* by at most a few parts in 2^40; where kseq falls
/// short by less than this, at the root from below too.
constexpr NamedForm kGuaranteed{
    "(1 - (1 - 1/K)^K) times the certified optimum", "sun2023.guarantee", [](const Instance& at) {
      return Rational((1 - power<Rational>(1 - Rational(1, at.drafts), at.drafts)) *
                      best_position(at).bound);
    }};

constexpr ClaimRow kKseqGuarantee{
    .id = "sun2023.guarantee",
    .source = "Sun et al. 2023 (SpecTr), Theorem 3",
    .statement = "P(accept) of kseq(K) >= (1 - (1 - 1/K)^K) alpha*(K)",
    .hypotheses = "one position",
    .check = at_least(tau("kseq(K={K})"), kGuaranteed),
    .places = kAllPositions,
    .bites = {{raised("sun2023.guarantee"), doubled("sun2023.guarantee")}},
};

constexpr ClaimRow kOptimum{
    .id = "hu2025.optimum",
    .source = "Hu et al. 2025; Sun et al. 2023 (SpecTr), optimal transport",
    .statement = "max over couplings P(Y in {X_1..X_K}) = alpha*(K) = 1 + min_H (t(H) - d(H)^K)",
    .hypotheses = "one position; H runs over prefixes of the tokens sorted by t/d",
    .check = equal(kCertified, kBest) && equal(kAttained, kBest),
    .places = kAllPositions,
    .bites = {{constant("hu2025.formula"), raised("hu2025.formula"),
               halved("position_program.worth"), zeroed("position_program.attained")}},
};

constexpr ClaimRow kBound{
    .id = "hu2025.bound",
    .source = "Hu et al. 2025",
    .statement = "P(accept) of rrs(K), kseq(K), slot-block(K) <= alpha*(K)",
    .hypotheses = "one position",
    .check = at_most(tau("rrs(K={K})"), kBest) && at_most(tau("kseq(K={K})"), kBest) &&
             at_most(tau("slot-block(K={K})"), kBest),
    .places = {kPositions},
    .bites = {{lowered("hu2025.formula"), replaced("kseq", "kseq(K=4)")}},
};

constexpr ClaimRow kClaims[] = {kRrsLossless,    kRrsAcceptance, kRrsAboveBlock, kKseqLossless,
                                kKseqAcceptance, kKseqGuarantee, kOptimum,       kBound};

}  // namespace
}  // namespace multi_draft

Claims multi_draft_claims() { return multi_draft::kClaims; }

}  // namespace speclab
