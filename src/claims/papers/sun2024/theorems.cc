// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024).
#include "theory/sun2024.h"

#include <fmt/format.h>

#include "claims/engine/ingredient.h"
#include "claims/engine/optimum.h"
#include "claims/engine/outcomes.h"

namespace speclab {
namespace sun2024 {
namespace {

/// sum_{i=1..gamma} sum_x min(D(x^i), T(x^i)), averaged over the starts.
Rational sum_of_minima(const Instance& instance) {
  Budget budget;
  return ingredient(
      "sun2024.theorem1.formula",
      expectation(greedy_tail(*instance.rows, start_law(*instance.rows), instance.gamma, budget)));
}

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};

Comparisons theorem1(const Instance& instance) {
  const Rational greedy = accepted("greedy-block", instance);
  Comparisons comparisons{{"E[tau] of greedy-block against sum min(D, T)", greedy, Order::equal,
                           sum_of_minima(instance)}};
  if (kSmall.keeps(instance)) {
    comparisons.push_back({"E[tau] of greedy-block against the certified optimum of couplings",
                           greedy, Order::equal, best_coupling(instance)});
  }
  return comparisons;
}

constexpr ClaimRow kTheorem1{
    .id = "sun2024.theorem1",
    .source = "sun2024 Theorem 1, equation (6)",
    .statement = "E[tau] of greedy-block = max over couplings of E[common prefix] = sum min(D, T)",
    .hypotheses = "full information: couplings of X ~ D^gamma and Y ~ T^gamma",
    .check = theorem1,
    .places = {kBattery},
    .bites = {{{"greedy-block", Fault::replaced, "block"},
               {"sun2024.theorem1.formula", Fault::raised},
               {"coupling-program.reward", Fault::zeroed},
               {"coupling-program.reward", Fault::halved}}},
    .proofs = {{{.verifier = "greedy-block", .property = "predicts:sun2024.theorem1"}}},
};

Comparisons lemma1(const Instance& instance) {
  return {{"certified optimum over all couplings against sum min(D, T)", best_coupling(instance),
           Order::equal, sum_of_minima(instance)}};
}

constexpr ClaimRow kLemma1{
    .id = "sun2024.lemma1",
    .source = "sun2024 Lemma 1",
    .statement =
        "max over couplings of E[common prefix] <= sum_{i=1..gamma} sum_x min(D(x^i), T(x^i)), = "
        "for the best",
    .hypotheses = "couplings of X ~ D^gamma and Y ~ T^gamma",
    .check = lemma1,
    .places = {Place(kBattery).only(kSmall)},
    .bites = {{{"coupling-program.reward", Fault::zeroed},
               {"coupling-program.reward", Fault::halved},
               {"sun2024.theorem1.formula", Fault::lowered}}},
};

/// Decodes with the modified target carried from iteration to iteration follow the target's law.
Comparisons lemma2(const Instance& instance) {
  const int horizon = instance.gamma + 2;
  return {{fmt::format("TV of the first {} tokens to the target's", horizon),
           exact_answer("greedy-block", instance, horizon).fraction(QuantityId::tv_to_target),
           Order::equal, Rational(0)}};
}

constexpr ClaimRow kLemma2{
    .id = "sun2024.lemma2",
    .source = "sun2024 Lemma 2",
    .statement = "the output of decoding with greedy-block and its carry has the target's law",
    .hypotheses = "the modified target is carried on",
    .check = lemma2,
    .places = {Place(kBattery).only(kSmall)},
    .simulated = {{{.verifier = "greedy-block", .at = {kToy, 3}, .horizon = 5}}},
    .bites = {{{"greedy-block", Fault::replaced, "wrong-no-carry"},
               {"greedy-block", Fault::replaced, "wrong-flat-carry"}}},
};

constexpr ClaimRow kLemma5{
    .id = "sun2024.lemma5",
    .source = "sun2024 Lemma 5",
    .statement = "P(X^i = x^i, tau >= i) = min(D(x^i), T(x^i)) for greedy-block",
    .hypotheses = "any pair, any gamma",
    .check = greedy_reach,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 60}}},
    .bites = {{{"greedy-block", Fault::replaced, "block"},
               {"greedy-block", Fault::replaced, "token"}}},
};

std::vector<Rational> token_tail_of(const Instance& instance) {
  Budget budget;
  return ingredient("sun2024.theorem2.formula",
                    token_tail(*instance.rows, start_law(*instance.rows), instance.gamma, budget));
}

Comparisons theorem2(const Instance& instance) {
  return {{"E[tau] of token against the sum of products", accepted("token", instance), Order::equal,
           expectation(token_tail_of(instance))}};
}

constexpr ClaimRow kTheorem2{
    .id = "sun2024.theorem2",
    .source = "sun2024 Theorem 2, equation (7)",
    .statement = "E[tau] of token = sum_{i=1..gamma} sum_x prod_{j<=i} min(d(x_j), t(x_j))",
    .hypotheses = "any pair, any gamma",
    .check = theorem2,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 60}}},
    .simulated = {{{.verifier = "token", .at = {kToy, 3}, .tail = token_tail_of}}},
    .bites = {{{"sun2024.theorem2.formula", Fault::halved}, {"token", Fault::replaced, "block"}}},
    .proofs = {{{.verifier = "token", .property = "predicts:sun2024.theorem2", .gamma = 3},
                {.verifier = "token",
                 .property = "predicts:sun2024.theorem2",
                 .contexts = Contexts::tree}}},
};

/// Two Bernoulli laws, as section 3.1 has them.
bool bernoulli(const Instance& instance) {
  return instance.pair().vocabulary() == 2 && instance.pair().memoryless();
}

/// The probability of token 1 in both laws. @pre bernoulli(instance)
std::pair<Rational, Rational> parameters(const Instance& instance) {
  return {instance.rows->draft(0)[1], instance.rows->target(0)[1]};
}

constexpr auto kTokenSum = bernoulli_token_accepted<Rational>;
constexpr auto kBlockSum = bernoulli_block_accepted<Rational>;
using BernoulliSum = decltype(kTokenSum);

Comparisons section31(const Instance& instance, std::string_view verifier, BernoulliSum sum,
                      FirstTerm first) {
  if (!bernoulli(instance)) return {};
  const auto [draft, target] = parameters(instance);
  return {{fmt::format("E[tau] of {} against the sum of section 3.1", verifier),
           accepted(verifier, instance), Order::equal,
           ingredient("sun2024.section3.1.sum", sum(draft, target, instance.gamma, first))}};
}

/// The general sum over all paths, where the enumerator would take too long.
Comparisons section31_general(const Instance& instance, const Rational& general, BernoulliSum sum) {
  const auto [draft, target] = parameters(instance);
  return {{"the sum over all paths against the sum of section 3.1", general, Order::equal,
           ingredient("sun2024.section3.1.sum",
                      sum(draft, target, instance.gamma, FirstTerm::corrected))}};
}

constexpr SearchSpace kBernoulli{.tokens = 2, .gammas = 3, .denominator = {4, 6, 12}};
constexpr Places kSumsPrinted{kBernoulli,
                              BatteryShape{.tokens = 2, .gammas = 1, .contexts = false}};
constexpr BatteryShape kLonger{.tokens = 2, .gammas = 4, .contexts = false};

constexpr Family kFigure2{
    .text = "Figure 2's laws: bernoulli(draft=1/4, 1/2, 2/3, 9/10; target=3/4), gamma 8, 16",
    .make =
        [](Effort) {
          std::vector<Instance> figure;
          for (const char* draft : {"1/4", "1/2", "2/3", "9/10"}) {
            for (const int gamma : {8, 16}) {
              figure.push_back(
                  make_instance(fmt::format("bernoulli(draft={},target=3/4)", draft), gamma));
            }
          }
          return figure;
        },
};

constexpr std::string_view kFromOne =
    "the sum starts at i = 1: the term of i = 0 counts a token that is never drafted";

Comparisons token_sum(const Instance& instance) {
  return section31(instance, "token", kTokenSum, FirstTerm::as_printed);
}
Comparisons token_sum_corrected(const Instance& instance) {
  return section31(instance, "token", kTokenSum, FirstTerm::corrected);
}
Comparisons token_sum_general(const Instance& instance) {
  return section31_general(instance, expectation(token_tail_of(instance)), kTokenSum);
}

constexpr ClaimRow kTokenSumRow{
    .id = "sun2024.section3.1.token-sum",
    .source = "sun2024 section 3.1, first sum",
    .statement = "E[tau] of token = sum_{i=0..gamma} (1 - TV(d, t))^i",
    .hypotheses = "Bernoulli laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = token_sum,
    .places = kSumsPrinted,
    .correction = {kFromOne,
                   token_sum_corrected,
                   {kBernoulli, kLonger,
                    Place(kFigure2).with(token_sum_general, Method::closed_form)}},
    .bites = {{{"sun2024.section3.1.sum", Fault::lowered}, {"token", Fault::replaced, "block"}}},
};

Comparisons block_sum(const Instance& instance) {
  return section31(instance, "greedy-block", kBlockSum, FirstTerm::as_printed);
}
Comparisons block_sum_corrected(const Instance& instance) {
  return section31(instance, "greedy-block", kBlockSum, FirstTerm::corrected);
}
Comparisons block_sum_general(const Instance& instance) {
  return section31_general(instance, sum_of_minima(instance), kBlockSum);
}

constexpr ClaimRow kBlockSumRow{
    .id = "sun2024.section3.1.block-sum",
    .source = "sun2024 section 3.1, second sum",
    .statement = "E[tau] of greedy-block = sum_{i=0..gamma} (1 - TV(Bin(i,d), Bin(i,t)))",
    .hypotheses = "Bernoulli laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = block_sum,
    .places = kSumsPrinted,
    .correction = {kFromOne,
                   block_sum_corrected,
                   {kBernoulli, kLonger,
                    Place(kFigure2).with(block_sum_general, Method::closed_form)}},
    .bites = {{{"sun2024.section3.1.sum", Fault::lowered},
               {"sun2024.theorem1.formula", Fault::halved},
               {"greedy-block", Fault::replaced, "block"}}},
};

constexpr ClaimRow kClaims[] = {kTheorem1, kLemma1,      kLemma2,     kLemma5,
                                kTheorem2, kTokenSumRow, kBlockSumRow};

}  // namespace
}  // namespace sun2024

Claims sun2024_claims() { return sun2024::kClaims; }

}  // namespace speclab
