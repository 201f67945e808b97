// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// sections 2 and 3: speculative decoding's rejections and runtime. The class of Algorithm 2 and its
// lower bound are in class.cc, the figures' chains in figures.cc, batches in
// batches.cc, section 4 in bias.cc.
#include <fmt/format.h>

#include <algorithm>

#include "claims/papers/yin2024/decodes.h"

namespace speclab {
namespace yin2024 {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};

Comparisons theorem1(const Instance& instance) {
  return {{"E[N_rej] of token, T = gamma, against sum of E TV",
           decode_to_horizon("token", instance).fraction(QuantityId::rejections), Order::equal,
           tv_along_target(instance).expected()}};
}

constexpr ClaimRow kTheorem1{
    .id = "yin2024.theorem1.rejections",
    .source = "yin2024 Theorem 1, first part",
    .statement = "E[N_rej] of token = sum_{n=1..T} E_{x ~ t}[TV(d_n, t_n)(. | x_{1:n-1})]",
    .hypotheses = "gamma = inf, any pair, any T",
    .check = theorem1,
    .places = {kBattery},
    .bites = {{{"yin2024.theorem1.formula", Fault::raised},
               {"token", Fault::replaced, "wrong-no-draft-law"},
               {"token", Fault::replaced, "block"}}},
};

constexpr ClaimRow kLossless{
    .id = "yin2024.theorem1.lossless",
    .source = "yin2024 Theorem 1, second part",
    .statement = "the output of speculative decoding (token) has the target's law",
    .hypotheses = "gamma = inf, any pair, any T",
    .check = [](const Instance& instance) { return emits_target(instance, "token"); },
    .places = {kBattery},
    .simulated = {{{.verifier = "token", .at = {kToy, 3}, .horizon = 3}}},
    .bites = {{{"token", Fault::replaced, "wrong-token-zero"}}},
    .proofs = {{{.verifier = "token", .gamma = 3},
                {.verifier = "token", .contexts = Contexts::tree},
                {.verifier = "token", .vocabulary = 3}}},
};

/// The three indications after Theorem 1, where they speak of this instance.
Comparisons extremes(const Instance& instance) {
  const auto terms = tv_along_target(instance).probability;
  const bool none = std::all_of(terms.begin(), terms.end(), [](const auto& p) { return p == 0; });
  const bool all = std::all_of(terms.begin(), terms.end(), [](const auto& p) { return p == 1; });
  if (!none && !all) return {};
  const auto run = decode_to_horizon("token", instance);
  const Rational tokens(instance.gamma);
  const Rational rate = tokens / run.fraction(QuantityId::target_calls);
  return {{"E[N_rej] of token, T = gamma, against 0 or T", run.fraction(QuantityId::rejections),
           Order::equal, all ? tokens : Rational(0)},
          {"T / E[target calls] against T or 1", ingredient("yin2024.acceleration", rate),
           Order::equal, all ? Rational(1) : tokens}};
}

constexpr Filter kNoEnd{"no end-of-sequence token", [](const Instance& instance) {
                          return !instance.pair().end_token().has_value();
                        }};

constexpr ClaimRow kExtremes{
    .id = "yin2024.theorem1.extremes",
    .source = "yin2024 section 3, indications 1 and 2 after Theorem 1",
    .statement =
        "E[TV_n] = 0 for all n: no token is rejected, acceleration T; E[TV_n] = 1 for all "
        "n: all are, acceleration 1",
    .hypotheses = "gamma = inf; acceleration = T / E[target calls]",
    .check = extremes,
    .places = {Place(kBattery).only(kNoEnd)},
    .bites = {{{"token", Fault::replaced, "wrong-always-accept"},
               {"yin2024.acceleration", Fault::raised}}},
};

/// T / E[target calls] against a formula's.
Comparisons acceleration(const Instance& instance, const Rational& calls, std::string_view text) {
  const auto run = decode_to_horizon("token", instance);
  const Rational rate = Rational(instance.gamma) / run.fraction(QuantityId::target_calls);
  return {{fmt::format("T / E[target calls] of token, T = gamma, against {}", text),
           ingredient("yin2024.acceleration", rate), Order::equal,
           Rational(instance.gamma) / calls}};
}

Comparisons remark2(const Instance& instance) {
  const Rational expected = tv_along_target(instance).expected();
  if (expected == 0) return {};
  return acceleration(instance, expected, "T / sum of E TV");
}

/// With the first call; and 1 / TV, Leviathan's K = inf, in the limit of a memoryless pair.
Comparisons remark2_corrected(const Instance& instance) {
  const auto terms = tv_along_target(instance);
  Comparisons comparisons =
      acceleration(instance, terms.target_calls(), "T / (1 + sum over n < T of E TV_n)");
  const Rational tv = terms.probability.front();
  if (instance.pair().memoryless() && tv > 0) {
    const Rational short_of = 1 / tv - comparisons.front().left;
    comparisons.push_back({"1 / TV less T / E[target calls] of token, against (1 - TV) / (T TV^2)",
                           short_of, Order::at_most, (1 - tv) / (instance.gamma * tv * tv)});
    comparisons.push_back({"the same against 0", short_of, Order::at_least, Rational(0)});
  }
  return comparisons;
}

constexpr ClaimRow kRemark2{
    .id = "yin2024.remark2",
    .source = "yin2024 section 3, indication 3 after Theorem 1, Remark 2",
    .statement =
        "the acceleration T / E[target calls] of token is T / sum_{n=1..T} E[TV_n], which "
        "is Leviathan's 1 / TV where TV is the same at every n",
    .hypotheses = "gamma = inf, sum of E[TV_n] > 0",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = remark2,
    .places = {Place(SearchSpace{.tokens = 2, .gammas = 2, .denominator = 3})},
    .correction = {"T / (1 + sum_{n<T} E[TV_n]); 1 / TV is its limit T -> inf, at most (1 - TV) / "
                   "(T TV^2) above it",
                   remark2_corrected,
                   {Place(kBattery).only(kNoEnd),
                    SearchSpace{.tokens = 2, .gammas = {4, 6, 8}, .denominator = 4}}},
    .bites = {{{"yin2024.acceleration", Fault::raised},
               {"yin2024.theorem1.formula", Fault::doubled}}},
};

Comparisons calls_are_rejections(const Instance& instance) {
  const auto run = decode_to_horizon("token", instance);
  return {{"E[target calls] of token, T = gamma, against E[N_rej]",
           run.fraction(QuantityId::target_calls), Order::equal,
           run.fraction(QuantityId::rejections)}};
}

Comparisons calls_follow_rejections(const Instance& instance) {
  // A run that ends at an end-of-sequence token makes no further call.
  if (instance.pair().end_token()) return {};
  Comparisons comparisons{
      {"E[target calls] of token, T = gamma, against 1 + E[sum over n < T of R_n]",
       decode_to_horizon("token", instance).fraction(QuantityId::target_calls), Order::equal,
       tv_along_target(instance).target_calls()}};
  if (instance.gamma > 1) {
    Instance shorter = instance;
    --shorter.gamma;
    comparisons.push_back(
        {"the same against 1 + E[N_rej] of T - 1 tokens of batch(M=2)",
         ingredient("yin2024.batch-calls",
                    decode_to_horizon("batch(M=2)", instance).fraction(QuantityId::target_calls)),
         Order::equal,
         1 + decode_to_horizon("batch(M=2)", shorter).fraction(QuantityId::rejections)});
  }
  return comparisons;
}

constexpr ClaimRow kInferenceTime{
    .id = "yin2024.inference-time",
    .source = "yin2024 sections 2.1 and 3.2",
    .statement = "inference time = # oracle calls = # rejections: E[target calls] = E[N_rej]",
    .hypotheses = "gamma = inf",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = calls_are_rejections,
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 3},
               SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = 2, .denominator = 3}},
    .correction = {"E[target calls] = 1 + E[sum_{n<T} R_n] without an end-of-sequence token: the "
                   "first call follows no rejection, and no call follows one at the horizon",
                   calls_follow_rejections,
                   {kBattery}},
    .bites = {{{"yin2024.theorem1.formula", Fault::raised},
               {"yin2024.batch-calls", Fault::raised}}},
};

constexpr ClaimRow kClaims[] = {kTheorem1, kLossless, kExtremes, kRemark2, kInferenceTime};

}  // namespace
}  // namespace yin2024

Claims yin2024_claims() { return yin2024::kClaims; }

}  // namespace speclab
