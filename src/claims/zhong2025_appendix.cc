// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): what a run costs, and from the appendix which drafted tokens
// stay and Algorithm 2.
#include <array>

#include "claims/registry.h"
#include "claims/zhong2025_rates.h"

namespace speclab {
namespace {

/// What a run of gamma accepted tokens costs, counted from a decode with nothing to reject.
struct Costs {
  Rational draft;
  Rational verifier;
  Rational target;
};

std::vector<Costs> costs() {
  return {{Rational(1), Rational(1, 10), Rational(10)}, {Rational(3), Rational(1, 2), Rational(7)}};
}

std::vector<Instance> equal_models(const ClaimContext& context) {
  std::vector<Instance> instances;
  for (int gamma = 1; gamma <= context.size(4, 6, 8); ++gamma) {
    instances.push_back(make_instance("iid(draft=[1/2,1/2],target=[1/2,1/2])", gamma));
    instances.push_back(make_instance("iid(draft=[1],target=[1])", gamma));
  }
  return instances;
}

/// Equation (5): each call of the target scores the gamma tokens of its window.
Rational counted_speculative(const Instance& instance, const Costs& cost) {
  const auto run = decode_of("token", instance, instance.gamma);
  return run.draft_steps * cost.draft + run.target_calls * instance.gamma * cost.target;
}

/// Equation (6): each drafted token is one call of the cheap verifier.
Rational counted_sprinter(const Instance& instance, const Costs& cost) {
  const auto run = decode_of("sprinter(fp=0,tp=1)", instance, instance.gamma);
  return run.draft_steps * (cost.draft + cost.verifier) + run.target_calls * cost.target;
}

ClaimResult equation5(const ClaimContext& context) {
  Examination examination(context);
  examination.check(equal_models(context), [](const Instance& instance) {
    std::vector<Compared> comparisons;
    for (const Costs& cost : costs()) {
      comparisons.push_back(
          {"FLOPs counted in a decode of gamma tokens by token against gamma F_d + gamma F_t",
           counted_speculative(instance, cost), Order::equal,
           speculative_flops<Rational>(instance.gamma, cost.draft, cost.target)});
    }
    return comparisons;
  });
  return examination.finish();
}

ClaimResult equation6(const ClaimContext& context) {
  Examination examination(context);
  examination.check(equal_models(context), [](const Instance& instance) {
    std::vector<Compared> comparisons;
    for (const Costs& cost : costs()) {
      comparisons.push_back(
          {"FLOPs counted in a decode of gamma tokens by sprinter against gamma F_d + gamma F_v + "
           "F_t",
           counted_sprinter(instance, cost), Order::equal,
           sprinter_flops<Rational>(instance.gamma, cost.draft, cost.verifier, cost.target)});
    }
    return comparisons;
  });
  return examination.finish();
}

/// The savings leave out the verifier's own gamma F_v.
Statement savings(bool corrected) {
  return [corrected](const Instance& instance) {
    std::vector<Compared> comparisons;
    for (const Costs& cost : costs()) {
      const Rational printed = (instance.gamma - 1) * cost.target;
      comparisons.push_back(
          {fmt::format("FLOPs saved by sprinter against (gamma - 1) F_t{}",
                       corrected ? " - gamma F_v" : ""),
           counted_speculative(instance, cost) - counted_sprinter(instance, cost), Order::equal,
           corrected ? Rational(printed - instance.gamma * cost.verifier) : printed});
    }
    return comparisons;
  };
}

ClaimResult savings_claim(const ClaimContext& context) {
  Examination examination(context);
  examination.check(equal_models(context), savings(false));
  examination.check(equal_models(context), savings(true), Reading::corrected);
  return examination.finish();
}

/// P(a drafted token stays), the one that the target checks included.
ClaimResult theorem_a4(const ClaimContext& context) {
  return holds_everywhere(context, [](const Instance& instance) {
    std::vector<Compared> comparisons;
    for (const Rates& rates : class_rates()) {
      comparisons.push_back({fmt::format("P(the drafted token stays) of {} against 1 - (1 - fp) "
                                         "TV(d, t)",
                                         rates.verifier()),
                             1 - decode_of(rates.verifier(), instance).rejections, Order::equal,
                             sprinter_acceptance<Rational>(distance_at_start(instance), rates.fp)});
    }
    return comparisons;
  });
}

ClaimResult remark_a6(const ClaimContext& context) {
  return holds_everywhere(context, [](const Instance& instance) {
    std::vector<Compared> comparisons;
    const Rational rejected = decode_of("token", instance).rejections;
    for (const Rates& rates : class_rates()) {
      comparisons.push_back(
          {fmt::format("P(the drafted token stays) of {} against token", rates.verifier()),
           1 - decode_of(rates.verifier(), instance).rejections,
           rates.fp == 0 ? Order::equal : Order::at_least, 1 - rejected});
    }
    return comparisons;
  });
}

ClaimResult algorithm2(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    return {{"TV of one token of sprinter-printed(fp=0,tp=1) to the target's",
             decode_of("sprinter-printed(fp=0,tp=1)", instance).tv_to_target, Order::equal,
             Rational(0)}};
  };
  examination.search({.tokens = 2, .gammas = 1, .denominator = 4}, statement);
  examination.check({make_instance("iid(draft=[2/3,1/3],target=[1/3,2/3])")}, statement);
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;

constexpr std::array kClaims{
    ClaimRow{"zhong2025.equation5", "zhong2025 equation (5)",
             "FLOPs of one run of speculative decoding = gamma F_d + gamma F_t",
             "all gamma drafts accepted", kHolds, "", equation5},
    ClaimRow{"zhong2025.equation6", "zhong2025 equation (6)",
             "FLOPs of one run of SPRINTER = gamma F_d + gamma F_v + F_t",
             "a perfect verifier, gamma tokens drafted", kHolds, "", equation6},
    ClaimRow{"zhong2025.savings", "zhong2025 appendix A.8",
             "the computational savings are (gamma - 1) F_t", "as for equations (5) and (6)",
             kCorrected, "less gamma F_v, the verifier's own work: (gamma - 1) F_t - gamma F_v",
             savings_claim},
    ClaimRow{"zhong2025.theoremA.4", "zhong2025 Theorem A.4, equation (34)",
             "P(a drafted token stays) = 1 - (1 - fp) TV(d, t)", kByClass, kHolds, "", theorem_a4},
    ClaimRow{"zhong2025.remarkA.6", "zhong2025 Remarks A.5, A.6",
             "P(a drafted token stays) >= that of speculative decoding, equal at fp = 0", kByClass,
             kHolds, "", remark_a6},
    ClaimRow{"zhong2025.algorithm2", "zhong2025 Algorithm 2",
             "the output of Algorithm 2 as printed with a perfect verifier has the target's law",
             "fp = 0, tp = 1", kRefuted, "", algorithm2},
};

}  // namespace

std::span<const ClaimRow> zhong2025_appendix_claims() { return kClaims; }

}  // namespace speclab
