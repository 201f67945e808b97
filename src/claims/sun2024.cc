// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024).
#include "theory/sun2024.h"

#include <fmt/format.h>

#include <array>

#include "claims/examination.h"
#include "claims/optimum.h"
#include "claims/registry.h"
#include "claims/simulated.h"

namespace speclab {
namespace {

constexpr std::string_view kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

Rational accepted(std::string_view verifier, const Instance& instance) {
  return exact_result(verifier, instance).expected_accepted;
}

/// sum_{i=1..gamma} sum_x min(D(x^i), T(x^i)), averaged over the starts.
Rational sum_of_minima(const Instance& instance) {
  Budget budget;
  return expectation(
      greedy_tail(*instance.rows, start_law(*instance.rows), instance.gamma, budget));
}

bool small(const Instance& instance) {
  return instance.pair().vocabulary() <= 2 || instance.gamma <= 2;
}

/// The certified optimum over all couplings, averaged over the starts.
Rational best_coupling(const Instance& instance) {
  Rational bound(0);
  for (const Start& start : instance.pair().start()) {
    bound += start.probability * certify(coupling_program(instance, start.state)).bound;
  }
  return bound;
}

ClaimResult theorem1(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40)},
      [](const Instance& instance) -> std::vector<Compared> {
        const Rational greedy = accepted("greedy-block", instance);
        std::vector<Compared> comparisons{{"E[tau] of greedy-block against sum min(D, T)", greedy,
                                           Order::equal, sum_of_minima(instance)}};
        if (small(instance)) {
          comparisons.push_back(
              {"E[tau] of greedy-block against the certified optimum of couplings", greedy,
               Order::at_least, best_coupling(instance)});
        }
        return comparisons;
      });
  return examination.finish();
}

ClaimResult lemma1(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40)},
                    [](const Instance& instance) -> std::vector<Compared> {
                      if (!small(instance)) return {};
                      return {{"certified optimum over all couplings against sum min(D, T)",
                               best_coupling(instance), Order::at_most, sum_of_minima(instance)}};
                    });
  return examination.finish();
}

/// Decodes with the modified target carried from iteration to iteration follow the target's law.
ClaimResult lemma2(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40)},
                    [](const Instance& instance) -> std::vector<Compared> {
                      if (!small(instance)) return {};
                      const int horizon = instance.gamma + 2;
                      return {{fmt::format("TV of the first {} tokens to the target's", horizon),
                               exact_result("greedy-block", instance, horizon).decode->tv_to_target,
                               Order::equal, Rational(0)}};
                    });
  simulate_output_law(examination, "greedy-block", make_instance(kToy, 3), 5);
  return examination.finish();
}

ClaimResult theorem2(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 12, 60)},
                    [](const Instance& instance) -> std::vector<Compared> {
                      Budget budget;
                      const auto tail = token_tail(*instance.rows, start_law(*instance.rows),
                                                   instance.gamma, budget);
                      return {{"E[tau] of token against the sum of products",
                               accepted("token", instance), Order::equal, expectation(tail)}};
                    });
  const Instance toy = make_instance(kToy, 3);
  Budget budget;
  simulate_accepted_law(
      examination, "token", toy,
      law_of_tail(token_tail(*toy.rows, start_law(*toy.rows), toy.gamma, budget)));
  return examination.finish();
}

/// The probability of token 1 in both laws of a memoryless pair on two tokens.
std::pair<Rational, Rational> bernoulli(const Instance& instance) {
  return {instance.rows->draft(0)[1], instance.rows->target(0)[1]};
}

using BernoulliSum = Rational (*)(const Rational&, const Rational&, int, FirstTerm);

Statement bernoulli_statement(const std::string& verifier, BernoulliSum sum, FirstTerm first) {
  return [=](const Instance& instance) -> std::vector<Compared> {
    if (instance.pair().vocabulary() != 2 || !instance.pair().memoryless()) return {};
    const auto [draft, target] = bernoulli(instance);
    return {{fmt::format("E[tau] of {} against the sum of section 3.1", verifier),
             accepted(verifier, instance), Order::equal,
             sum(draft, target, instance.gamma, first)}};
  };
}

/// The general sum of minima, or of products of minima, on a Bernoulli pair.
Rational general_sum(const Instance& instance, std::string_view verifier) {
  Budget budget;
  const auto start = start_law(*instance.rows);
  return expectation(verifier == "token"
                         ? token_tail(*instance.rows, start, instance.gamma, budget)
                         : greedy_tail(*instance.rows, start, instance.gamma, budget));
}

ClaimResult bernoulli_sum(const ClaimContext& context, std::string verifier, BernoulliSum sum,
                          bool corrected) {
  Examination examination(context);
  const SearchSpace space{.tokens = 2, .gammas = 3, .denominator = context.size(4, 6, 12)};
  examination.search(space, bernoulli_statement(verifier, sum, FirstTerm::as_printed));
  examination.check({.tokens = 2, .gammas = 1, .contexts = false},
                    bernoulli_statement(verifier, sum, FirstTerm::as_printed));
  if (corrected) {
    const Statement statement = bernoulli_statement(verifier, sum, FirstTerm::corrected);
    examination.search(space, statement, Reading::corrected);
    examination.check({.tokens = 2, .gammas = 4, .contexts = false}, statement, Reading::corrected);
    // Figure 2's laws, too long for the enumerator.
    std::vector<Instance> figure;
    for (const char* draft : {"1/4", "1/2", "2/3", "9/10"}) {
      for (const int gamma : {8, 16}) {
        figure.push_back(
            make_instance(fmt::format("bernoulli(draft={},target=3/4)", draft), gamma));
      }
    }
    examination.check(
        figure,
        [&](const Instance& instance) -> std::vector<Compared> {
          const auto [draft, target] = bernoulli(instance);
          return {{"the sum over all paths against the sum of section 3.1",
                   general_sum(instance, verifier), Order::equal,
                   sum(draft, target, instance.gamma, FirstTerm::corrected)}};
        },
        Reading::corrected, Method::closed_form);
  }
  return examination.finish();
}

ClaimResult token_sum(const ClaimContext& context) {
  return bernoulli_sum(context, "token", bernoulli_token_accepted<Rational>, false);
}
ClaimResult block_sum(const ClaimContext& context) {
  return bernoulli_sum(context, "greedy-block", bernoulli_block_accepted<Rational>, false);
}
ClaimResult token_sum_corrected(const ClaimContext& context) {
  return bernoulli_sum(context, "token", bernoulli_token_accepted<Rational>, true);
}
ClaimResult block_sum_corrected(const ClaimContext& context) {
  return bernoulli_sum(context, "greedy-block", bernoulli_block_accepted<Rational>, true);
}

/// Strictly better on every pair of Bernoulli laws that differ; `interior`: only where both give
/// both tokens a chance, `overlapping`: only where the laws have a token in common.
Statement strict_statement(bool overlapping, bool interior) {
  return [=](const Instance& instance) -> std::vector<Compared> {
    if (instance.pair().vocabulary() != 2 || !instance.pair().memoryless()) return {};
    const auto [draft, target] = bernoulli(instance);
    if (draft == target) return {};
    if (overlapping && abs(draft - target) == 1) return {};
    if (interior && (draft * (1 - draft) == 0 || target * (1 - target) == 0)) return {};
    return {{"E[tau] of greedy-block against token", accepted("greedy-block", instance),
             Order::above, accepted("token", instance)}};
  };
}

void search_equalities(Examination& examination) {
  for (const int gamma : {1, 2}) {
    for (const bool overlapping : {false, true}) {
      examination.search({.tokens = 2, .least_gamma = gamma, .gammas = 3, .denominator = 6},
                         strict_statement(overlapping, false));
    }
  }
}

ClaimResult strictness(const ClaimContext& context) {
  Examination examination(context);
  search_equalities(examination);
  return examination.finish();
}

ClaimResult strictness_corrected(const ClaimContext& context) {
  Examination examination(context);
  search_equalities(examination);
  const Statement statement = strict_statement(false, true);
  examination.search(
      {.tokens = 2, .least_gamma = 2, .gammas = 3, .denominator = context.size(6, 8, 12)},
      statement, Reading::corrected);
  return examination.finish();
}

/// The gap between greedy-block and token does not shrink with gamma.
ClaimResult gap(const ClaimContext& context) {
  Examination examination(context);
  examination.search(
      {.tokens = 2, .gammas = 3, .denominator = context.size(4, 6, 10)},
      [](const Instance& instance) -> std::vector<Compared> {
        Instance longer = instance;
        ++longer.gamma;
        const auto difference = [](const Instance& where) {
          return Rational(accepted("greedy-block", where) - accepted("token", where));
        };
        return {{"gap of E[tau] at gamma + 1 against gamma", difference(longer), Order::at_least,
                 difference(instance)}};
      });
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;

constexpr std::array kClaims{
    ClaimRow{"sun2024.theorem1", "sun2024 Theorem 1, equation (6)",
             "E[tau] of greedy-block = max over couplings of E[common prefix] = sum min(D, T)",
             "full information: couplings of X ~ D^gamma and Y ~ T^gamma", kHolds, "", theorem1},
    ClaimRow{"sun2024.lemma1", "sun2024 Lemma 1",
             "max over couplings of E[common prefix] <= sum_{i=1..gamma} sum_x min(D(x^i), T(x^i))",
             "couplings of X ~ D^gamma and Y ~ T^gamma", kHolds, "", lemma1},
    ClaimRow{"sun2024.lemma2", "sun2024 Lemma 2",
             "the output of decoding with greedy-block and its carry has the target's law",
             "the modified target is carried on", kHolds, "", lemma2},
    ClaimRow{"sun2024.lemma5", "sun2024 Lemma 5",
             "P(X^i = x^i, tau >= i) = min(D(x^i), T(x^i)) for greedy-block", "any pair, any gamma",
             kHolds, "", greedy_reach},
    ClaimRow{"sun2024.theorem2", "sun2024 Theorem 2, equation (7)",
             "E[tau] of token = sum_{i=1..gamma} sum_x prod_{j<=i} min(d(x_j), t(x_j))",
             "any pair, any gamma", kHolds, "", theorem2},
    ClaimRow{"sun2024.section3.1.token-sum", "sun2024 section 3.1, first sum",
             "E[tau] of token = sum_{i=0..gamma} (1 - TV(d, t))^i", "Bernoulli laws", kRefuted, "",
             token_sum},
    ClaimRow{"sun2024.section3.1.block-sum", "sun2024 section 3.1, second sum",
             "E[tau] of greedy-block = sum_{i=0..gamma} (1 - TV(Bin(i,d), Bin(i,t)))",
             "Bernoulli laws", kRefuted, "", block_sum},
    ClaimRow{"sun2024.section3.1.token-sum-corrected", "sun2024 section 3.1, first sum, corrected",
             "E[tau] of token = sum_{i=0..gamma} (1 - TV(d, t))^i", "Bernoulli laws", kCorrected,
             "the sum starts at i = 1: the term of i = 0 counts a token that is never drafted",
             token_sum_corrected},
    ClaimRow{"sun2024.section3.1.block-sum-corrected", "sun2024 section 3.1, second sum, corrected",
             "E[tau] of greedy-block = sum_{i=0..gamma} (1 - TV(Bin(i,d), Bin(i,t)))",
             "Bernoulli laws", kCorrected,
             "the sum starts at i = 1: the term of i = 0 counts a token that is never drafted",
             block_sum_corrected},
    ClaimRow{"sun2024.section3.1.strictness", "sun2024 section 3.1, last paragraph",
             "E[tau] of greedy-block > E[tau] of token as long as d != t", "Bernoulli laws",
             kRefuted, "", strictness},
    ClaimRow{"sun2024.section3.1.strictness-corrected",
             "sun2024 section 3.1, last paragraph, corrected",
             "E[tau] of greedy-block > E[tau] of token as long as d != t", "Bernoulli laws",
             kCorrected, "for gamma >= 2 and 0 < d < 1, 0 < t < 1", strictness_corrected},
    ClaimRow{"sun2024.section3.1.gap", "sun2024 section 3.1, last paragraph",
             "E[tau] of greedy-block - E[tau] of token does not shrink as gamma grows",
             "Bernoulli laws", kHolds, "", gap},
};

}  // namespace

std::span<const ClaimRow> sun2024_claims() { return kClaims; }

}  // namespace speclab
