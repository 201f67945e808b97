// Several i.i.d. drafts, position by position: SpecTr (2023), SpecInfer (2023) and the optimum.
#include "theory/multi_draft.h"

#include <fmt/format.h>

#include <array>

#include "claims/examination.h"
#include "claims/optimum.h"
#include "claims/registry.h"
#include "claims/simulated.h"

namespace speclab {
namespace {

/// A verifier's spec text with K drafts.
std::string with_drafts(std::string_view name, int drafts) {
  return fmt::format("{}(K={})", name, drafts);
}

Statement lossless(std::string_view name) {
  return [name](const Instance& instance) -> std::vector<Compared> {
    const int horizon = instance.gamma + 1;
    const auto result = exact_result(with_drafts(name, instance.drafts), instance, horizon);
    return {{fmt::format("TV of the first {} tokens to the target's", horizon),
             result.decode->tv_to_target, Order::equal, Rational(0)}};
  };
}

ClaimResult rrs_lossless(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 2, .drafts = 3, .random = context.size(2, 6, 20)},
                    lossless("rrs"));
  simulate_output_law(examination, "rrs(K=3)",
                      make_instance("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, 3), 3);
  return examination.finish();
}

ClaimResult kseq_lossless(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 1, .drafts = 3, .random = context.size(2, 6, 20)},
                    lossless("kseq"));
  simulate_output_law(examination, "kseq(K=3)",
                      make_instance("iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, 3), 3);
  return examination.finish();
}

/// P(tau >= 1) of one position.
Rational one_position(std::string_view name, const Instance& instance) {
  return exact_result(with_drafts(name, instance.drafts), instance).expected_accepted;
}

/// The laws of one position; statements about one position are held on memoryless pairs.
std::span<const Rational> draft_of(const Instance& instance) { return instance.rows->draft(0); }
std::span<const Rational> target_of(const Instance& instance) { return instance.rows->target(0); }

Certificate best_position(const Instance& instance) {
  return certify(position_program(draft_of(instance), target_of(instance), instance.drafts));
}

constexpr BatteryShape kPositions{
    .tokens = 4, .gammas = 1, .drafts = 4, .random = 0, .contexts = false};

ClaimResult rrs_acceptance(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    const auto left = remaining_target(draft_of(instance), target_of(instance), instance.drafts);
    Rational missed(0);
    for (const Rational& mass : left) missed += mass;
    return {{"P(accept) of rrs against 1 - r_1 ... r_K", one_position("rrs", instance),
             Order::equal, 1 - missed}};
  };
  examination.check(kPositions, statement);
  examination.search({.tokens = 3, .gammas = 1, .drafts = 3, .denominator = context.size(3, 4, 6)},
                     statement);
  return examination.finish();
}

/// P_acc = 1 - (1 - beta(rho))^k at the rho that the verifier uses, and the root's equation at it
/// to the last bits of a double.
ClaimResult kseq_acceptance_claim(const ClaimContext& context) {
  Examination examination(context);
  const Rational rounding = exact(0x1p-38);
  const Statement statement = [&](const Instance& instance) -> std::vector<Compared> {
    const Rational found = one_position("kseq", instance);
    const Rational at_root =
        kseq_acceptance(draft_of(instance), target_of(instance), instance.drafts);
    const Rational rho = kseq_rho(draft_of(instance), target_of(instance), instance.drafts);
    const Rational gap = found > at_root ? Rational(found - at_root) : Rational(at_root - found);
    const Rational excess =
        abs(kseq_excess(draft_of(instance), target_of(instance), rho, instance.drafts));
    const Rational beta = kseq_beta(draft_of(instance), target_of(instance), rho);
    std::vector<Compared> comparisons{
        {"|P(accept) of kseq - (1 - (1 - beta(rho*))^K)|", gap, Order::at_most, rounding}};
    // At rho* = 1 the left side may be below rho beta already.
    if (rho > 1 && beta > 0) {
      comparisons.push_back(
          {"|1 - (1 - beta)^K - rho beta| at rho*", excess, Order::at_most, rounding});
    }
    return comparisons;
  };
  examination.check(kPositions, statement);
  return examination.finish();
}

/// Held against the certified optimum, at a rho above rho* by at most a few parts in 2^40; where
/// that falls short by less than this, at the root from below too.
ClaimResult kseq_guarantee(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    const int k = instance.drafts;
    const Rational share = 1 - power<Rational>(1 - Rational(1, k), k);
    return {{"P(accept) of kseq against (1 - (1 - 1/K)^K) times the certified optimum",
             one_position("kseq", instance), Order::at_least,
             share * best_position(instance).bound}};
  };
  examination.check(kPositions, statement);
  examination.search({.tokens = 3, .gammas = 1, .drafts = 3, .denominator = context.size(3, 4, 6)},
                     statement);
  return examination.finish();
}

/// The formula against the linear program from both sides: the certified bound and a coupling that
/// attains it.
ClaimResult optimum(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    const Rational formula =
        best_acceptance(draft_of(instance), target_of(instance), instance.drafts);
    const Certificate certificate = best_position(instance);
    return {{"certified optimum over all couplings against the formula", certificate.bound,
             Order::equal, formula},
            {"a coupling's acceptance against the formula",
             certificate.attained.value_or(Rational(-1)), Order::equal, formula}};
  };
  examination.check(kPositions, statement);
  examination.search({.tokens = 3, .gammas = 1, .drafts = 3, .denominator = context.size(3, 4, 6)},
                     statement);
  return examination.finish();
}

/// Is rrs with two drafts or more never behind block verification of one?
ClaimResult rrs_against_block(const ClaimContext& context) {
  Examination examination(context);
  examination.search(
      {.tokens = 2,
       .gammas = context.size(3, 3, 4),
       .least_drafts = 2,
       .drafts = 2,
       .denominator = 6},
      [](const Instance& instance) -> std::vector<Compared> {
        return {{"E[tau] of rrs against block",
                 exact_result(with_drafts("rrs", instance.drafts), instance).expected_accepted,
                 Order::at_least, exact_result("block", instance).expected_accepted}};
      });
  return examination.finish();
}

/// No verifier of one position accepts more than alpha*.
ClaimResult below_optimum(const ClaimContext& context) {
  Examination examination(context);
  examination.check(kPositions, [](const Instance& instance) {
    std::vector<Compared> comparisons;
    const Rational best = best_acceptance(draft_of(instance), target_of(instance), instance.drafts);
    for (const char* name : {"rrs", "kseq", "slot-block"}) {
      comparisons.push_back({fmt::format("P(accept) of {} against alpha*", name),
                             one_position(name, instance), Order::at_most, best});
    }
    return comparisons;
  });
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;

constexpr std::array kClaims{
    ClaimRow{"miao2023.lossless", "Miao et al. 2023 (SpecInfer), Theorem 4.2",
             "the output of decoding with rrs(K) has the target's law",
             "any pair, any gamma, any K", kHolds, "", rrs_lossless},
    ClaimRow{"miao2023.acceptance", "Miao et al. 2023 (SpecInfer), multi-step sampling",
             "P(accept) of rrs(K) = 1 - r_1 ... r_K, r_m = sum [t^m - d]+", "one position", kHolds,
             "", rrs_acceptance},
    ClaimRow{"miao2023.above-block", "rrs(K) of SpecInfer against sun2025 Algorithm 2",
             "E[tau] of rrs(K) >= E[tau] of block of one draft, K >= 2", "same pair, same gamma",
             kRefuted, "", rrs_against_block},
    ClaimRow{"sun2023.lossless", "Sun et al. 2023 (SpecTr), Theorem 3",
             "the output of decoding with kseq(K) has the target's law for every rho >= rho*",
             "any pair, any gamma, any K", kHolds, "", kseq_lossless},
    ClaimRow{"sun2023.acceptance", "Sun et al. 2023 (SpecTr), Algorithm 2",
             "P(accept) of kseq(K) = 1 - (1 - beta(rho*))^K = rho* beta(rho*)", "one position",
             kHolds, "", kseq_acceptance_claim},
    ClaimRow{"sun2023.guarantee", "Sun et al. 2023 (SpecTr), Theorem 3",
             "P(accept) of kseq(K) >= (1 - (1 - 1/K)^K) alpha*(K)", "one position", kHolds, "",
             kseq_guarantee},
    ClaimRow{"hu2025.optimum", "Hu et al. 2025; Sun et al. 2023 (SpecTr), optimal transport",
             "max over couplings P(Y in {X_1..X_K}) = alpha*(K) = 1 + min_H (t(H) - d(H)^K)",
             "one position; H runs over prefixes of the tokens sorted by t/d", kHolds, "", optimum},
    ClaimRow{"hu2025.bound", "Hu et al. 2025",
             "P(accept) of rrs(K), kseq(K), slot-block(K) <= alpha*(K)", "one position", kHolds, "",
             below_optimum},
};

}  // namespace

std::span<const ClaimRow> multi_draft_claims() { return kClaims; }

}  // namespace speclab
