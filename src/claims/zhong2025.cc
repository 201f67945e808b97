// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): the law of the emitted tokens.
#include <map>

#include "claims/one_iteration.h"
#include "claims/zhong2025_rates.h"

namespace speclab {
namespace {

/// The joint law of T = gamma tokens against the product of (1 - fp) t + fp d along the way.
Comparisons emitted_law(const Instance& instance) {
  Comparisons comparisons;
  const auto starts = instance.pair().start();
  if (starts.size() != 1) return comparisons;
  const Rows<Rational>& rows = *instance.rows;
  for (const Rates& rates : class_rates()) {
    const auto run = decode_of(rates.verifier(), instance, instance.gamma, true);
    std::map<TokenPath, Rational> emitted;
    for (const auto& found : run.found.find(QuantityId::output_law)->values) {
      emitted[found.index] = found.value.fraction.value();
    }
    for (const PathLaws& path : paths_from(rows, starts.front().state, instance.gamma)) {
      if (static_cast<int>(path.tokens.size()) != instance.gamma) continue;
      Rational product(1);
      State state = starts.front().state;
      for (const Token x : path.tokens) {
        const auto at = static_cast<std::size_t>(x);
        product *= (1 - rates.fp) * rows.target(state)[at] + rates.fp * rows.draft(state)[at];
        state = rows.next(state, x);
      }
      comparisons.push_back(
          {fmt::format("P({}) of {}, T = gamma, against the product of (1 - fp) t + fp d",
                       path_text(path.tokens), rates.verifier()),
           emitted[path.tokens], Order::equal, product});
    }
  }
  return comparisons;
}

constexpr ClaimRow kLaw{
    .id = "zhong2025.theorem3.1.law",
    .source = "zhong2025 Theorem 3.1, equation (2)",
    .statement = "P(token x) = (1 - fp) t(x) + fp d(x), token after token",
    .hypotheses = kByClass,
    .check = emitted_law,
    .places = everywhere(2),
};

Comparisons emitted_distance(const Instance& instance) {
  Comparisons comparisons;
  for (const Rates& rates : class_rates()) {
    comparisons.push_back(
        {fmt::format("TV of one token of {} against fp TV(d, t)", rates.verifier()),
         decode_of(rates.verifier(), instance).fraction(QuantityId::tv_to_target), Order::equal,
         rates.fp * distance_at_start(instance)});
  }
  return comparisons;
}

constexpr ClaimRow kDistance{
    .id = "zhong2025.theorem3.1.tv",
    .source = "zhong2025 Theorem 3.1, second part",
    .statement = "TV(law of a token, t) = fp TV(d, t)",
    .hypotheses = kByClass,
    .check = emitted_distance,
    .places = everywhere(),
};

/// Verifiers that pass the unacceptable token `passed` and no other, and one that passes each with
/// a rate of its own. The last rate of a list goes for all later tokens.
std::vector<std::vector<Rational>> token_rates(std::size_t tokens) {
  std::vector<std::vector<Rational>> lists;
  for (std::size_t passed = 0; passed < tokens; ++passed) {
    lists.emplace_back(tokens, Rational(0));
    lists.back()[passed] = 1;
  }
  lists.emplace_back();
  for (std::size_t x = 0; x < tokens; ++x) {
    lists.back().emplace_back(1, static_cast<long>(x) + 2);
  }
  return lists;
}

std::string token_verifier(const std::vector<Rational>& fp) {
  std::string text;
  for (const Rational& rate : fp) text += (text.empty() ? "" : ",") + to_text(rate);
  return fmt::format("sprinter(fp=[{}],tp=1)", text);
}

/// The law over which the tokens' rates are averaged, up to a factor.
using Weight = Rational (*)(const Rational& draft, const Rational& target);
Rational drafted(const Rational& draft, const Rational&) { return draft; }
Rational too_often(const Rational& draft, const Rational& target) { return draft - target; }

/// One token's TV against TV(d, t) times the verifier's false-positive rate, the probability that
/// it passes an unacceptable token: the mean of the rates of those with d > t under `weight`.
Comparisons token_dependent(const Instance& instance, Weight weight) {
  Comparisons comparisons;
  if (!instance.pair().memoryless()) return comparisons;
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  const Rational tv = total_variation(draft, target);
  if (tv == 0) return comparisons;
  for (const auto& fp : token_rates(draft.size())) {
    Rational passed(0);
    Rational all(0);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (!(draft[x] > target[x])) continue;
      const Rational mass = weight(draft[x], target[x]);
      passed += mass * fp[x];
      all += mass;
    }
    comparisons.push_back(
        {fmt::format("TV of one token of {} against fp TV(d, t), fp = {}", token_verifier(fp),
                     to_text(passed / all)),
         decode_of(token_verifier(fp), instance).fraction(QuantityId::tv_to_target), Order::equal,
         passed / all * tv});
  }
  return comparisons;
}

constexpr ClaimRow kTokenRates{
    .id = "zhong2025.theorem3.1.token-rates",
    .source = "zhong2025 Theorem 3.1",
    .statement = "TV(law of a token, t) = fp TV(d, t), fp = P(passed | d(x) > t(x))",
    .hypotheses = "error rates that depend on the token",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return token_dependent(instance, drafted); },
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = 4},
               NamedPair{"iid(draft=[1/2,1/2,0],target=[1/4,3/8,3/8])"}},
    .correction = {"fp = the mean of the tokens' rates under the law proportional to [d - t]+",
                   [](const Instance& instance) { return token_dependent(instance, too_often); },
                   {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 6}},
                    BatteryShape{.tokens = 4, .gammas = 1, .random = 0, .contexts = false}}},
};

/// A verifier without false positives leaves the target's law as it is.
Comparisons no_false_positives(const Instance& instance) {
  Comparisons comparisons;
  const int horizon = instance.gamma + 1;
  for (const char* name : {"sprinter(fp=0,tp=1)", "sprinter(fp=0,tp=1/2)"}) {
    comparisons.push_back({fmt::format("TV of {} tokens of {} to the target's", horizon, name),
                           decode_of(name, instance, horizon).fraction(QuantityId::tv_to_target),
                           Order::equal, Rational(0)});
  }
  return comparisons;
}

constexpr ClaimRow kRemark32{
    .id = "zhong2025.remark3.2",
    .source = "zhong2025 Remark 3.2",
    .statement = "fp = 0: the output of decoding with sprinter has the target's law",
    .hypotheses = "any tp",
    .check = no_false_positives,
    .places = {BatteryShape{.tokens = 3, .gammas = 2, .random = {4, 12, 40}}},
    .simulated = {{{.verifier = "sprinter(fp=0,tp=1/2)", .at = {kToy, 3}, .horizon = 3}}},
};

constexpr ClaimRow kClaims[] = {kLaw, kDistance, kTokenRates, kRemark32};

}  // namespace

Claims zhong2025_claims() { return kClaims; }

}  // namespace speclab
