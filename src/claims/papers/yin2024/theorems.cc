// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// sections 2 and 3: speculative decoding's rejections and runtime. The class of Algorithm 2 and its
// lower bound are in class.cc, the figures' chains in figures.cc, batches in batches.cc, section 4
// in bias.cc.
#include <algorithm>

#include "claims/papers/yin2024/decodes.h"
#include "theory/measure.h"

namespace speclab {
namespace yin2024 {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};

constexpr ClaimRow kTheorem1{
    .id = "yin2024.theorem1.rejections",
    .source = "yin2024 Theorem 1, first part",
    .statement = "E[N_rej] of token = sum_{n=1..T} E_{x ~ t}[TV(d_n, t_n)(. | x_{1:n-1})]",
    .hypotheses = "gamma = inf, any pair, any T",
    .check = equal(rejections("token"), kTvSum),
    .places = {kBattery},
    .bites = {{raised("yin2024.theorem1.formula"), replaced("token", "wrong-no-draft-law"),
               replaced("token", "block")}},
};

constexpr ClaimRow kLossless{
    .id = "yin2024.theorem1.lossless",
    .source = "yin2024 Theorem 1, second part",
    .statement = "the output of speculative decoding (token) has the target's law",
    .hypotheses = "gamma = inf, any pair, any T",
    .check = lossless("token", kToGamma),
    .places = {kBattery},
    .simulated = {{{.verifier = "token", .at = {kToy, 3}, .horizon = 3}}},
    .bites = {{replaced("token", "wrong-token-zero")}},
    .proofs = {{{.verifier = "token", .gamma = 3},
                {.verifier = "token", .contexts = Contexts::tree},
                {.verifier = "token", .contexts = Contexts::step, .vocabulary = 3}}},
};

/// Whether E TV_n is 0 at every n, or 1 at every n.
bool extreme(const Instance& at) {
  const auto terms = tv_along_target(at);
  const Rational& first = terms.front();
  if (first != 0 && first != 1) return false;
  return std::all_of(terms.begin(), terms.end(), [&](const Rational& p) { return p == first; });
}

constexpr ClaimRow kExtremes{
    .id = "yin2024.theorem1.extremes",
    .source = "yin2024 section 3, indications 1 and 2 after Theorem 1",
    .statement =
        "E[TV_n] = 0 for all n: no token is rejected, acceleration T; E[TV_n] = 1 for all n: all "
        "are, acceleration 1",
    .hypotheses = "gamma = inf; acceleration = T / E[target calls]",
    .check =
        (equal(rejections("token"), kTvSum) && equal(calls("token"), kCallsSum)).where(extreme),
    .places = {Place(kBattery).only(kNoEnd)},
    .bites = {{replaced("token", "wrong-always-accept"), raised("yin2024.acceleration")}},
};

/// T / E[N_rej] of a decode; and Leviathan's tokens a run at K = inf, to which T / E[target calls]
/// rises.
Comparisons like_leviathan(const Instance& at) {
  const Rational tv = total_variation(at.target(), at.draft());
  if (tv == 0) return {};
  const Answer decode = exact_answer("token", at, at.gamma);
  Comparisons says;
  says.equal(ingredient("yin2024.remark2.rate",
                        Rational(at.gamma / decode.fraction(QuantityId::rejections))),
             1 / tv, "T / E[N_rej] of token against 1 / TV");
  const Rational short_of =
      ingredient("yin2024.remark2.short",
                 Rational(1 / tv - at.gamma / decode.fraction(QuantityId::target_calls)));
  says.at_most(short_of, (1 - tv) / (at.gamma * tv * tv),
               "1 / TV less T / E[target calls] of token, against (1 - TV) / (T TV^2)");
  says.at_least(short_of, 0, "the same against 0");
  return says;
}

constexpr ClaimRow kRemark2{
    .id = "yin2024.remark2",
    .source = "yin2024 Remark 2",
    .statement =
        "T / sum_{n=1..T} E[TV_n] = 1 / TV, Leviathan's number of tokens a run at K = inf, which "
        "is the limit T -> inf of T / E[target calls] of token",
    .hypotheses = "gamma = inf; TV_n = TV > 0 for all n: checked without context",
    .check = like_leviathan,
    .places = {SearchSpace{.tokens = 2, .gammas = {4, 6, 8}, .denominator = 4, .memoryless = true},
               BatteryShape{.tokens = 3, .gammas = 3, .contexts = false}},
    .bites = {{raised("yin2024.remark2.rate"), lowered("yin2024.remark2.short"),
               replaced("token", "wrong-no-draft-law")}},
};

constexpr ClaimRow kAcceleration{
    .id = "yin2024.acceleration",
    .source = "yin2024 section 3, indication 3 after Theorem 1",
    .statement = "the acceleration T / E[target calls] of token is T / sum_{n=1..T} E[TV_n]",
    .hypotheses = "gamma = inf, sum of E[TV_n] > 0",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = equal(calls("token"), kTvSum).where([](const Instance& at) { return kTvSum(at) > 0; }),
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 3}},
    .correction = {"T / (1 + sum_{n<T} E[TV_n]): the first call follows no rejection, and no call "
                   "follows one at the horizon",
                   equal(calls("token"), kCallsSum),
                   {Place(kBattery).only(kNoEnd)}},
    .bites = {{raised("yin2024.acceleration"), doubled("yin2024.theorem1.formula")}},
};

constexpr NamedForm kBatchCalls{
    "1 + E[N_rej] of T - 1 tokens of batch(M=2)", "yin2024.batch-calls", [](const Instance& at) {
      return Rational(
          1 + exact_answer("batch(M=2)", at, at.gamma - 1).fraction(QuantityId::rejections));
    }};

constexpr ClaimRow kInferenceTime{
    .id = "yin2024.inference-time",
    .source = "yin2024 sections 2.2 and 3.2",
    .statement = "inference time = # oracle calls = # rejections: E[target calls] = E[N_rej]",
    .hypotheses = "gamma = inf",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = equal(calls("token"), rejections("token")),
    .places = {SearchSpace{.tokens = 2, .gammas = 2, .denominator = 3},
               SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = 2, .denominator = 3}},
    .correction = {"E[target calls] = 1 + E[sum_{n<T} R_n] without an end-of-sequence token: the "
                   "first call follows no rejection, and no call follows one at the horizon",
                   equal(calls("token"), kCallsSum).where(kNoEnd.keeps) &&
                       equal(calls("batch(M=2)"), kBatchCalls).where([](const Instance& at) {
                         return at.gamma > 1 && kNoEnd.keeps(at);
                       }),
                   {kBattery}},
    .bites = {{raised("yin2024.theorem1.formula"), raised("yin2024.batch-calls")}},
};

constexpr ClaimRow kClaims[] = {kTheorem1,     kLossless, kExtremes,
                                kAcceleration, kRemark2,  kInferenceTime};

}  // namespace
}  // namespace yin2024

Claims yin2024_claims() { return yin2024::kClaims; }

}  // namespace speclab
