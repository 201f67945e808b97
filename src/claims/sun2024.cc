// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024).
#include "theory/sun2024.h"

#include <fmt/format.h>

#include "claims/one_iteration.h"
#include "claims/optimum.h"

namespace speclab {
namespace {

/// sum_{i=1..gamma} sum_x min(D(x^i), T(x^i)), averaged over the starts.
Rational sum_of_minima(const Instance& instance) {
  Budget budget;
  return expectation(
      greedy_tail(*instance.rows, start_law(*instance.rows), instance.gamma, budget));
}

/// The certified optimum over all couplings, averaged over the starts.
Rational best_coupling(const Instance& instance) {
  Rational bound(0);
  for (const Start& start : instance.pair().start()) {
    bound += start.probability * certify(coupling_program(instance, start.state)).bound;
  }
  return bound;
}

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};

Comparisons theorem1(const Instance& instance) {
  const Rational greedy = accepted("greedy-block", instance);
  Comparisons comparisons{{"E[tau] of greedy-block against sum min(D, T)", greedy, Order::equal,
                           sum_of_minima(instance)}};
  if (kSmall.keeps(instance)) {
    comparisons.push_back({"E[tau] of greedy-block against the certified optimum of couplings",
                           greedy, Order::at_least, best_coupling(instance)});
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
};

Comparisons lemma1(const Instance& instance) {
  return {{"certified optimum over all couplings against sum min(D, T)", best_coupling(instance),
           Order::at_most, sum_of_minima(instance)}};
}

constexpr ClaimRow kLemma1{
    .id = "sun2024.lemma1",
    .source = "sun2024 Lemma 1",
    .statement =
        "max over couplings of E[common prefix] <= sum_{i=1..gamma} sum_x min(D(x^i), T(x^i))",
    .hypotheses = "couplings of X ~ D^gamma and Y ~ T^gamma",
    .check = lemma1,
    .places = {Place(kBattery).only(kSmall)},
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
};

constexpr ClaimRow kLemma5{
    .id = "sun2024.lemma5",
    .source = "sun2024 Lemma 5",
    .statement = "P(X^i = x^i, tau >= i) = min(D(x^i), T(x^i)) for greedy-block",
    .hypotheses = "any pair, any gamma",
    .check = greedy_reach,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 60}}},
};

std::vector<Rational> token_tail_of(const Instance& instance) {
  Budget budget;
  return token_tail(*instance.rows, start_law(*instance.rows), instance.gamma, budget);
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
           accepted(verifier, instance), Order::equal, sum(draft, target, instance.gamma, first)}};
}

/// The general sum over all paths, where the enumerator would take too long.
Comparisons section31_general(const Instance& instance, const Rational& general, BernoulliSum sum) {
  const auto [draft, target] = parameters(instance);
  return {{"the sum over all paths against the sum of section 3.1", general, Order::equal,
           sum(draft, target, instance.gamma, FirstTerm::corrected)}};
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
};

Comparisons strictly_better(const Instance& instance) {
  if (!bernoulli(instance)) return {};
  const auto [draft, target] = parameters(instance);
  if (draft == target) return {};
  return {{"E[tau] of greedy-block against token", accepted("greedy-block", instance), Order::above,
           accepted("token", instance)}};
}

constexpr Filter kOverlapping{"the laws have a token in common", [](const Instance& instance) {
                                if (!bernoulli(instance)) return false;
                                const auto [draft, target] = parameters(instance);
                                return abs(draft - target) != 1;
                              }};
constexpr Filter kInterior{"0 < d < 1 and 0 < t < 1", [](const Instance& instance) {
                             if (!bernoulli(instance)) return false;
                             const auto [draft, target] = parameters(instance);
                             return draft * (1 - draft) != 0 && target * (1 - target) != 0;
                           }};
constexpr SearchSpace kFromGamma1{.tokens = 2, .least_gamma = 1, .gammas = 3, .denominator = 6};
constexpr SearchSpace kFromGamma2{.tokens = 2, .least_gamma = 2, .gammas = 3, .denominator = 6};
constexpr SearchSpace kInteriorLaws{
    .tokens = 2, .least_gamma = 2, .gammas = 3, .denominator = {6, 8, 12}};

constexpr ClaimRow kStrictness{
    .id = "sun2024.section3.1.strictness",
    .source = "sun2024 section 3.1, last paragraph",
    .statement = "E[tau] of greedy-block > E[tau] of token as long as d != t",
    .hypotheses = "Bernoulli laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = strictly_better,
    .places = {kFromGamma1, Place(kFromGamma1).only(kOverlapping), kFromGamma2,
               Place(kFromGamma2).only(kOverlapping)},
    .correction = {"for gamma >= 2 and 0 < d < 1, 0 < t < 1",
                   strictly_better,
                   {Place(kInteriorLaws).only(kInterior)}},
};

/// By how much greedy-block is ahead of token.
Rational gap_of(const Instance& instance) {
  return accepted("greedy-block", instance) - accepted("token", instance);
}

/// The gap between greedy-block and token does not shrink with gamma.
Comparisons gap(const Instance& instance) {
  Instance longer = instance;
  ++longer.gamma;
  return {{"gap of E[tau] at gamma + 1 against gamma", gap_of(longer), Order::at_least,
           gap_of(instance)}};
}

constexpr ClaimRow kGap{
    .id = "sun2024.section3.1.gap",
    .source = "sun2024 section 3.1, last paragraph",
    .statement = "E[tau] of greedy-block - E[tau] of token does not shrink as gamma grows",
    .hypotheses = "Bernoulli laws",
    .check = gap,
    .places = {SearchSpace{.tokens = 2, .gammas = 3, .denominator = {4, 6, 10}}},
};

constexpr ClaimRow kClaims[] = {kTheorem1,    kLemma1,      kLemma2,     kLemma5, kTheorem2,
                                kTokenSumRow, kBlockSumRow, kStrictness, kGap};

}  // namespace

Claims sun2024_claims() { return kClaims; }

}  // namespace speclab
