// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): what a run costs, and from the appendix which drafted tokens
// stay and Algorithm 2.
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

constexpr Family kEqualModels{
    .text = "equal models on one and on two tokens, gamma 1..4/6/8",
    .make =
        [](Effort effort) {
          std::vector<Instance> instances;
          for (int gamma = 1; gamma <= Sized(4, 6, 8).at(effort); ++gamma) {
            instances.push_back(make_instance("iid(draft=[1/2,1/2],target=[1/2,1/2])", gamma));
            instances.push_back(make_instance("iid(draft=[1],target=[1])", gamma));
          }
          return instances;
        },
};

/// Equation (5): each call of the target scores the gamma tokens of its window.
Rational counted_speculative(const Instance& instance, const Costs& cost) {
  const auto run = decode_of("token", instance, instance.gamma);
  return run.fraction(QuantityId::draft_steps) * cost.draft +
         run.fraction(QuantityId::target_calls) * instance.gamma * cost.target;
}

/// Equation (6): each drafted token is one call of the cheap verifier.
Rational counted_sprinter(const Instance& instance, const Costs& cost) {
  const auto run = decode_of("sprinter(fp=0,tp=1)", instance, instance.gamma);
  return run.fraction(QuantityId::draft_steps) * (cost.draft + cost.verifier) +
         run.fraction(QuantityId::target_calls) * cost.target;
}

Comparisons equation5(const Instance& instance) {
  Comparisons comparisons;
  for (const Costs& cost : costs()) {
    comparisons.push_back(
        {"FLOPs counted in a decode of gamma tokens by token against gamma F_d + gamma F_t",
         counted_speculative(instance, cost), Order::equal,
         speculative_flops<Rational>(instance.gamma, cost.draft, cost.target)});
  }
  return comparisons;
}

constexpr ClaimRow kEquation5{
    .id = "zhong2025.equation5",
    .source = "zhong2025 equation (5)",
    .statement = "FLOPs of one run of speculative decoding = gamma F_d + gamma F_t",
    .hypotheses = "all gamma drafts accepted",
    .check = equation5,
    .places = {kEqualModels},
};

Comparisons equation6(const Instance& instance) {
  Comparisons comparisons;
  for (const Costs& cost : costs()) {
    comparisons.push_back(
        {"FLOPs counted in a decode of gamma tokens by sprinter against gamma F_d + gamma F_v + "
         "F_t",
         counted_sprinter(instance, cost), Order::equal,
         sprinter_flops<Rational>(instance.gamma, cost.draft, cost.verifier, cost.target)});
  }
  return comparisons;
}

constexpr ClaimRow kEquation6{
    .id = "zhong2025.equation6",
    .source = "zhong2025 equation (6)",
    .statement = "FLOPs of one run of SPRINTER = gamma F_d + gamma F_v + F_t",
    .hypotheses = "a perfect verifier, gamma tokens drafted",
    .check = equation6,
    .places = {kEqualModels},
};

/// The printed savings leave out the verifier's own gamma F_v.
Comparisons savings(const Instance& instance) {
  Comparisons comparisons;
  for (const Costs& cost : costs()) {
    comparisons.push_back({"FLOPs saved by sprinter against (gamma - 1) F_t",
                           counted_speculative(instance, cost) - counted_sprinter(instance, cost),
                           Order::equal, (instance.gamma - 1) * cost.target});
  }
  return comparisons;
}

Comparisons savings_corrected(const Instance& instance) {
  Comparisons comparisons;
  for (const Costs& cost : costs()) {
    comparisons.push_back({"FLOPs saved by sprinter against (gamma - 1) F_t - gamma F_v",
                           counted_speculative(instance, cost) - counted_sprinter(instance, cost),
                           Order::equal,
                           (instance.gamma - 1) * cost.target - instance.gamma * cost.verifier});
  }
  return comparisons;
}

constexpr ClaimRow kSavings{
    .id = "zhong2025.savings",
    .source = "zhong2025 appendix A.8",
    .statement = "the computational savings are (gamma - 1) F_t",
    .hypotheses = "as for equations (5) and (6)",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = savings,
    .places = {kEqualModels},
    .correction = {"less gamma F_v, the verifier's own work: (gamma - 1) F_t - gamma F_v",
                   savings_corrected,
                   {}},
};

/// P(a drafted token stays), the one that the target checks included.
Comparisons theorem_a4(const Instance& instance) {
  Comparisons comparisons;
  for (const Rates& rates : class_rates()) {
    comparisons.push_back(
        {fmt::format("P(the drafted token stays) of {} against 1 - (1 - fp) TV(d, t)",
                     rates.verifier()),
         1 - decode_of(rates.verifier(), instance).fraction(QuantityId::rejections), Order::equal,
         sprinter_acceptance<Rational>(distance_at_start(instance), rates.fp)});
  }
  return comparisons;
}

constexpr ClaimRow kTheoremA4{
    .id = "zhong2025.theoremA.4",
    .source = "zhong2025 Theorem A.4, equation (34)",
    .statement = "P(a drafted token stays) = 1 - (1 - fp) TV(d, t)",
    .hypotheses = kByClass,
    .check = theorem_a4,
    .places = everywhere(),
};

Comparisons remark_a6(const Instance& instance) {
  Comparisons comparisons;
  const Rational rejected = decode_of("token", instance).fraction(QuantityId::rejections);
  for (const Rates& rates : class_rates()) {
    comparisons.push_back(
        {fmt::format("P(the drafted token stays) of {} against token", rates.verifier()),
         1 - decode_of(rates.verifier(), instance).fraction(QuantityId::rejections),
         rates.fp == 0 ? Order::equal : Order::at_least, 1 - rejected});
  }
  return comparisons;
}

constexpr ClaimRow kRemarkA6{
    .id = "zhong2025.remarkA.6",
    .source = "zhong2025 Remarks A.5, A.6",
    .statement = "P(a drafted token stays) >= that of speculative decoding, equal at fp = 0",
    .hypotheses = kByClass,
    .check = remark_a6,
    .places = everywhere(),
};

Comparisons algorithm2(const Instance& instance) {
  return {{"TV of one token of sprinter-printed(fp=0,tp=1) to the target's",
           decode_of("sprinter-printed(fp=0,tp=1)", instance).fraction(QuantityId::tv_to_target),
           Order::equal, Rational(0)}};
}

constexpr ClaimRow kAlgorithm2{
    .id = "zhong2025.algorithm2",
    .source = "zhong2025 Algorithm 2",
    .statement =
        "the output of Algorithm 2 as printed with a perfect verifier has the target's law",
    .hypotheses = "fp = 0, tp = 1",
    .recorded = ClaimVerdict::refuted,
    .check = algorithm2,
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 4}, NamedPair{kToy}},
};

constexpr ClaimRow kClaims[] = {kEquation5, kEquation6, kSavings,
                                kTheoremA4, kRemarkA6,  kAlgorithm2};

}  // namespace

Claims zhong2025_appendix_claims() { return kClaims; }

}  // namespace speclab
