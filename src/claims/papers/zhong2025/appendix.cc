// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): which drafted tokens stay, Algorithm 2 and the Pareto line.
#include "claims/battery/small_pairs.h"
#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/vocabulary.h"
#include "claims/papers/zhong2025/rates.h"

namespace speclab {
namespace zhong2025_appendix {
namespace {

/// P(a drafted token stays), the one that the target checks included: over T positions, each
/// drafted once.
Comparisons theorem_a4(const Instance& instance) {
  Comparisons says;
  for (const Rates& rates : class_rates()) {
    says.equal(1 - exact_answer(rates.verifier(), instance, 1).fraction(QuantityId::rejections),
               ingredient("zhong2025.theoremA.4.formula",
                          sprinter_acceptance<Rational>(distance_at_start(instance), rates.fp)),
               "P(the drafted token stays) of {} against 1 - (1 - fp) TV(d, t)", rates.verifier());
    const int horizon = beyond_window(instance);
    Rational rejected(0);
    const auto contexts = reached_by(rates.verifier(), instance, horizon);
    if (contexts.empty()) continue;
    for (const Reached& context : contexts) {
      rejected += context.probability *
                  (1 - ingredient("zhong2025.theoremA.4.formula",
                                  sprinter_acceptance<Rational>(
                                      distance_at(instance, context.state), rates.fp)));
    }
    says.equal(exact_answer(rates.verifier(), instance, horizon).fraction(QuantityId::rejections),
               rejected,
               "E[tokens replaced] in {} tokens of {} against the sum of (1 - fp) TV(d, t) over "
               "the contexts reached",
               horizon, rates.verifier());
  }
  return says;
}

constexpr ClaimRow kTheoremA4{
    .id = "zhong2025.theoremA.4",
    .source = "zhong2025 Theorem A.4, equation (34)",
    .statement = "P(a drafted token stays) = 1 - (1 - fp) TV(d, t), at every position",
    .hypotheses = kByClass,
    .check = theorem_a4,
    .places = kDecoded,
    .bites = {lowered("zhong2025.theoremA.4.formula"),
              replaced("sprinter", "sprinter(fp=1/3,tp=1)")},
};

/// P(the first drafted token at a context stays), context by context.
std::vector<Rational> stays(std::string_view verifier, const Instance& instance,
                            const std::vector<State>& contexts) {
  Instance one = instance;
  one.gamma = 1;
  Decoding decoding(verifier, one, {.corrections = false});
  std::vector<Rational> kept;
  for (const State state : contexts) {
    kept.emplace_back(1);
    for (const BlockOutcome& outcome : decoding.outcomes(state)) {
      if (outcome.ending == Ending::correction) kept.back() -= outcome.weight;
    }
  }
  return kept;
}

/// The states at which the next token may be drafted, up to gamma tokens on.
std::vector<State> contexts_of(const Instance& instance) {
  std::vector<State> states;
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
      states.push_back(path.state);
    }
  }
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
  return states;
}

Comparisons remark_a6(const Instance& instance) {
  Comparisons says;
  const auto contexts = contexts_of(instance);
  const auto token = stays("token", instance, contexts);
  for (const Rates& rates : class_rates()) {
    const auto sprinter = stays(rates.verifier(), instance, contexts);
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      says.add(ingredient("zhong2025.remarkA.6.stays", sprinter[i]),
               rates.fp == 0 ? Order::equal : Order::at_least, token[i],
               "P(the drafted token stays) of {} at a context against token", rates.verifier());
    }
  }
  return says;
}

constexpr ClaimRow kRemarkA6{
    .id = "zhong2025.remarkA.6",
    .source = "zhong2025 Remarks A.5, A.6",
    .statement = "P(a drafted token stays) >= that of speculative decoding, equal at fp = 0",
    .hypotheses = "error rates that depend on the token's class only; both in the same context",
    .check = remark_a6,
    .places = everywhere(2),
    .bites = {lowered("zhong2025.remarkA.6.stays"), halved("zhong2025.remarkA.6.stays")},
};

/// SPRINTER goes where the draft leads, and there more may be rejected: after token 0 the laws are
/// disjoint for good, after token 1 equal; the target never takes token 0.
constexpr Family kLedAstray{
    .text = "d=[1/2,1/2], t=[0,1]; disjoint after token 0, equal after token 1; gamma 2, 3",
    .make =
        [](Effort) {
          const std::vector<Rational> even{Rational(1, 2), Rational(1, 2)};
          const std::vector<Rational> zero{Rational(1), Rational(0)};
          const std::vector<Rational> one{Rational(0), Rational(1)};
          const ListedLaws drafts{{{}, even}, {{0}, zero}, {{1}, even}};
          const ListedLaws targets{{{}, one}, {{0}, one}, {{1}, even}};
          std::vector<Instance> instances;
          for (const int gamma : {2, 3}) {
            instances.push_back(listed_tree(drafts, targets, gamma));
          }
          return instances;
        },
};

/// @param most  horizon
Comparisons fewer_replaced(const Instance& instance, int most) {
  Comparisons says;
  const int horizon = std::min(instance.gamma, most);
  const Rational token = exact_answer("token", instance, horizon).fraction(QuantityId::rejections);
  for (const Rates& rates : {Rates{Rational(1, 4), Rational(1)}, {Rational(1, 2), Rational(1)}}) {
    says.at_most(
        ingredient(
            "zhong2025.remarkA.6.replaced",
            exact_answer(rates.verifier(), instance, horizon).fraction(QuantityId::rejections)),
        token, "E[tokens replaced] in {} tokens of {} against token", horizon, rates.verifier());
  }
  return says;
}

constexpr ClaimRow kRemarkA6Decode{
    .id = "zhong2025.remarkA.6.decode",
    .source = "this project, after zhong2025 Remark A.6: over a decode of T tokens",
    .statement = "more drafted tokens stay in T tokens than under speculative decoding",
    .hypotheses = "each decode in the contexts that it reaches itself",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return fewer_replaced(instance, instance.gamma); },
    .places = {kLedAstray, BatteryShape{.tokens = 3, .gammas = 2, .random = {2, 6, 20}}},
    .correction = {"for T <= 2, or in one context (zhong2025.remarkA.6)",
                   [](const Instance& instance) { return fewer_replaced(instance, 2); },
                   {}},
    .bites = {raised("zhong2025.remarkA.6.replaced"), replaced("sprinter", "sprinter(fp=1,tp=1)")},
};

constexpr ClaimRow kAlgorithm2{
    .id = "zhong2025.algorithm2",
    .source = "zhong2025 Algorithm 2",
    .statement =
        "the output of Algorithm 2 as printed with a perfect verifier has the target's law",
    .hypotheses =
        "fp = 0, tp = 1; q_{r+1} is undefined in the listing and its row of the target one place "
        "late: both are taken at the last token's own place",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("sprinter-printed(fp=0,tp=1)", kOneToken),
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 4}, NamedPair{kToy}},
    .correction = {"sprinter, which is Algorithm 1 and appendix A.1: the last token is accepted or "
                   "redrawn",
                   lossless("sprinter(fp=0,tp=1)", kOneToken),
                   {},
                   Amends::by_replacement},
    .bites = {replaced("sprinter-printed", "sprinter"), replaced("sprinter", "sprinter-printed")},
};

constexpr ClaimRow kAlgorithm2Kept{
    .id = "zhong2025.algorithm2.kept",
    .source = "zhong2025 Algorithm 2, read as if x_r stayed and p_{r+1} were the row after it",
    .statement =
        "with x_r kept and t the token after it, the output of Algorithm 2 with a perfect verifier "
        "has the target's law",
    .hypotheses = "fp = 0, tp = 1; one context, where q_{r+1} is d",
    .recorded = ClaimVerdict::refuted,
    .check = lossless("sprinter-kept(fp=0,tp=1)", kOneToken),
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 4, .memoryless = true},
               NamedPair{kToy}},
    .bites = {replaced("sprinter-kept", "sprinter")},
};

/// P(x is drawn after a rejection), d(x) <= t(x), by the second line of equation (13).
Comparisons equation13(const Instance& instance, int sign) {
  Comparisons says;
  const auto draft = instance.draft();
  const auto target = instance.target();
  Rational rejected(0), acceptable(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    (draft[x] > target[x] ? rejected : acceptable) += target[x] - draft[x];
  }
  if (acceptable == 0) return says;
  for (const Rates& rates : class_rates()) {
    std::vector<Rational> corrected(draft.size());
    Decoding decoding(rates.verifier(), instance);
    for (const BlockOutcome& outcome : decoding.outcomes(instance.start())) {
      if (outcome.ending != Ending::correction) continue;
      corrected[static_cast<std::size_t>(outcome.tokens.front())] += outcome.weight;
    }
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (draft[x] > target[x]) continue;
      says.equal(
          corrected[x],
          ingredient("zhong2025.equation13", Rational((1 - rates.fp) * (target[x] - draft[x]) *
                                                      sign * rejected / acceptable)),
          "P({} after a rejection) of {} against the second line", x, rates.verifier());
    }
  }
  return says;
}

constexpr ClaimRow kEquation13{
    .id = "zhong2025.equation13",
    .source = "zhong2025 equation (13), second line",
    .statement =
        "P(x is drawn after a rejection) = (1 - fp) (t - d)(x) sum_{d > t} (t - d) / sum_{d <= t} "
        "(t - d)",
    .hypotheses = "one token of a memoryless pair, d(x) <= t(x), d != t; rates by class",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return equation13(at, 1); },
    .places = {SearchSpace{.tokens = 2, .gammas = 1, .denominator = 4, .memoryless = true},
               NamedPair{kToy}},
    .correction =
        {"with d - t for t - d in the numerator: the quotient is 1, as the third line has it",
         [](const Instance& at) { return equation13(at, -1); },
         {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}, .memoryless = true}}},
    .bites = {raised("zhong2025.equation13"), zeroed("zhong2025.equation13")},
};

/// What SPRINTER adds to the distance it takes off the rejections.
Comparisons pareto(const Instance& instance) {
  Comparisons says;
  const Rational distance = distance_at_start(instance);
  std::vector<std::string> verifiers;
  for (const Rates& rates : class_rates()) verifiers.push_back(rates.verifier());
  for (const auto& fp : token_rates(static_cast<std::size_t>(instance.pair().vocabulary()))) {
    verifiers.push_back(token_verifier(fp));
  }
  for (const std::string& verifier : verifiers) {
    const Answer run = exact_answer(verifier, instance, 1);
    says.equal(run.fraction(QuantityId::rejections) + run.fraction(QuantityId::tv_to_target),
               ingredient("zhong2025.pareto.distance", distance),
               "P(replaced) + TV of one token of {} against TV(d, t)", verifier);
  }
  return says;
}

constexpr ClaimRow kPareto{
    .id = "zhong2025.pareto",
    .source = "zhong2025 Theorems 3.1 and A.4 with yin2024 Theorem 5",
    .statement =
        "SPRINTER is on the Pareto line: P(replaced) + TV(law, t) = (1 - fp) TV + fp TV = TV(d, t)",
    .hypotheses = "one token; any error rates",
    .check = pareto,
    .places = everywhere(),
    .bites = {halved("zhong2025.pareto.distance"), replaced("sprinter", "sprinter-printed")},
};

constexpr ClaimRow kClaims[] = {kTheoremA4,      kRemarkA6,   kRemarkA6Decode, kAlgorithm2,
                                kAlgorithm2Kept, kEquation13, kPareto};

}  // namespace
}  // namespace zhong2025_appendix

Claims zhong2025_appendix_claims() { return zhong2025_appendix::kClaims; }

}  // namespace speclab
