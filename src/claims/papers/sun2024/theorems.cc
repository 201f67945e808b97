// Sun, Ro, Beirami, Suresh: "Optimal Block-Level Draft Verification for Accelerating Speculative
// Decoding" (2024).
#include <fmt/format.h>

#include "claims/battery/small_pairs.h"
#include "claims/engine/closed_forms.h"
#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/row.h"
#include "claims/engine/vocabulary.h"
#include "theory/sun2024.h"

namespace speclab {
namespace sun2024 {
namespace {

constexpr BatteryShape kBattery{.tokens = 3, .gammas = 3, .random = {4, 12, 40}};

constexpr NamedForm kMinima{"sum min(D, T)", "sun2024.theorem1.formula",
                            [](const Instance& at) { return tail_on(at, greedy_tail<Rational>); }};
constexpr NamedForm kProducts{"the sum of products of min(d, t)", "sun2024.theorem2.formula",
                              [](const Instance& at) { return tail_on(at, token_tail<Rational>); }};

constexpr ClaimRow kTheorem1{
    .id = "sun2024.theorem1",
    .source = "sun2024 Theorem 1, equation (6)",
    .statement = "E[tau] of greedy-block = max over couplings of E[common prefix] = sum min(D, T)",
    .hypotheses = "full information: couplings of X ~ D^gamma and Y ~ T^gamma",
    .check = equal(tau("greedy-block"), kMinima) &&
             equal(tau("greedy-block"), kBestCoupling).where(kSmall.keeps),
    .places = {kBattery},
    .bites = {{replaced("greedy-block", "block"), raised("sun2024.theorem1.formula"),
               zeroed("coupling-program.reward"), halved("coupling-program.reward")}},
    .proofs = {{{.verifier = "greedy-block", .property = "predicts:sun2024.theorem1"}}},
};

constexpr ClaimRow kLemma1{
    .id = "sun2024.lemma1",
    .source = "sun2024 Lemma 1",
    .statement =
        "max over couplings of E[common prefix] <= sum_{i=1..gamma} sum_x min(D(x^i), T(x^i)), = "
        "for the best",
    .hypotheses = "couplings of X ~ D^gamma and Y ~ T^gamma",
    .check = equal(kBestCoupling, kMinima),
    .places = {Place(kBattery).only(kSmall)},
    .bites = {{zeroed("coupling-program.reward"), halved("coupling-program.reward"),
               lowered("sun2024.theorem1.formula")}},
};

/// One iteration and Z of L - tau tokens from what it carries on.
Comparisons lemma2(const Instance& at) {
  return continued_against_target("greedy-block", at, "X^tau, Z", "sun2024.lemma2.law");
}

constexpr ClaimRow kLemma2{
    .id = "sun2024.lemma2",
    .source = "sun2024 Lemma 2",
    .statement =
        "(X^tau, Z) ~ T^L for one iteration of greedy-block, Z being L - tau tokens of what it "
        "carries on",
    .hypotheses = "any pair, any L",
    .check = lemma2,
    .places = {kBattery, SearchSpace{.tokens = 2, .gammas = 2, .denominator = 2, .states = 2}},
    .bites = {{replaced("greedy-block", "wrong-no-carry"), raised("sun2024.lemma2.law")}},
};

constexpr ClaimRow kSection41{
    .id = "sun2024.section4.1",
    .source = "sun2024 section 4.1: \"the algorithm always returns a valid sample sequence\"",
    .statement = "the output of decoding with greedy-block and its carry has the target's law",
    .hypotheses = "the modified target is carried on",
    .check = lossless("greedy-block"),
    .places = {Place(kBattery).only(kSmall)},
    .simulated = {{{.verifier = "greedy-block", .at = {kToy, 3}, .horizon = 5}}},
    .bites = {{replaced("greedy-block", "wrong-no-carry"),
               replaced("greedy-block", "wrong-flat-carry")}},
};

constexpr ClaimRow kLemma5{
    .id = "sun2024.lemma5",
    .source = "sun2024 Lemma 5",
    .statement = "P(X^i = x^i, tau >= i) = min(D(x^i), T(x^i)) for greedy-block",
    .hypotheses = "any pair, any gamma",
    .check = equal(reached("greedy-block"), kMinOfJoint),
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 60}}},
    .bites = {{replaced("greedy-block", "block"), replaced("greedy-block", "token")}},
};

constexpr ClaimRow kTheorem2{
    .id = "sun2024.theorem2",
    .source = "sun2024 Theorem 2, equation (7)",
    .statement = "E[tau] of token = sum_{i=1..gamma} sum_x prod_{j<=i} min(d(x_j), t(x_j))",
    .hypotheses = "any pair, any gamma",
    .check = equal(tau("token"), kProducts),
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 12, 60}}},
    .simulated = {{{.verifier = "token", .at = {kToy, 3}, .tail = &kProducts}}},
    .bites = {{halved("sun2024.theorem2.formula"), replaced("token", "block")}},
    .proofs = {{{.verifier = "token", .property = "predicts:sun2024.theorem2", .gamma = 3},
                {.verifier = "token",
                 .property = "predicts:sun2024.theorem2",
                 .contexts = Contexts::tree}}},
};

/// Sum of section 3.1, its first term i = 0 as printed or i = 1. @pre two Bernoulli laws
template <auto sum, FirstTerm first>
Rational bernoulli_sum(const Instance& at) {
  return sum(at.draft()[1], at.target()[1], at.gamma, first);
}
template <auto sum, FirstTerm first>
constexpr NamedForm kSum{"the sum of section 3.1", "sun2024.section3.1.sum",
                         bernoulli_sum<sum, first>};
constexpr auto kTokenSum = bernoulli_token_accepted<Rational>;
constexpr auto kBlockSum = bernoulli_block_accepted<Rational>;

/// E[tau] against the sum, and the sum over all paths where the enumerator would take too long.
template <auto sum, FirstTerm first>
constexpr Check of_verifier(std::string_view verifier) {
  return equal(tau(verifier), kSum<sum, first>).where(bernoulli);
}
constexpr Check kTokenGeneral = equal(kProducts, kSum<kTokenSum, FirstTerm::corrected>);
constexpr Check kBlockGeneral = equal(kMinima, kSum<kBlockSum, FirstTerm::corrected>);

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

constexpr ClaimRow kTokenSumRow{
    .id = "sun2024.section3.1.token-sum",
    .source = "sun2024 section 3.1, first sum",
    .statement = "E[tau] of token = sum_{i=0..gamma} (1 - TV(d, t))^i",
    .hypotheses = "Bernoulli laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = of_verifier<kTokenSum, FirstTerm::as_printed>("token"),
    .places = kSumsPrinted,
    .correction = {kFromOne,
                   of_verifier<kTokenSum, FirstTerm::corrected>("token"),
                   {kBernoulli, kLonger, Place(kFigure2).with(kTokenGeneral, Method::closed_form)}},
    .bites = {{lowered("sun2024.section3.1.sum"), replaced("token", "block")}},
};

constexpr ClaimRow kBlockSumRow{
    .id = "sun2024.section3.1.block-sum",
    .source = "sun2024 section 3.1, second sum",
    .statement = "E[tau] of greedy-block = sum_{i=0..gamma} (1 - TV(Bin(i,d), Bin(i,t)))",
    .hypotheses = "Bernoulli laws",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = of_verifier<kBlockSum, FirstTerm::as_printed>("greedy-block"),
    .places = kSumsPrinted,
    .correction = {kFromOne,
                   of_verifier<kBlockSum, FirstTerm::corrected>("greedy-block"),
                   {kBernoulli, kLonger, Place(kFigure2).with(kBlockGeneral, Method::closed_form)}},
    .bites = {{lowered("sun2024.section3.1.sum"), halved("sun2024.theorem1.formula"),
               replaced("greedy-block", "block")}},
};

/// E[N(1)] of the enumerated iteration against 1 and the closed form of E[tau].
Comparisons tokens_added(const Instance& printed) {
  const Instance instance = without_end(printed);
  Comparisons says;
  const auto add = [&](std::string_view verifier, const NamedForm& form) {
    const Rational added = exact_answer(verifier, instance, std::nullopt, 1)
                               .fractions(QuantityId::expected_tokens)
                               .front();
    says.equal(added, 1 + form(instance), "E[N(1)] of {} against 1 + {}", verifier, form.text);
  };
  add("token", kProducts);
  add("greedy-block", kMinima);
  return says;
}

constexpr ClaimRow kTokensAdded{
    .id = "sun2024.section2.tokens",
    .source = "sun2024 section 2, draft verification and correction",
    .statement = "an iteration adds tau + 1 tokens: E[N(1)] = 1 + sum_i P(tau >= i)",
    .hypotheses =
        "token and greedy-block, whose tails are Theorem 2's and Theorem 1's; tokens after the end "
        "of the sequence count, as in footnote 2",
    .check = tokens_added,
    .places = {kBattery},
    .bites = {{raised("sun2024.theorem1.formula"), raised("sun2024.theorem2.formula"),
               replaced("token", "block")}},
};

constexpr ClaimRow kTokenOptimal{
    .id = "sun2024.section2.token",
    .source = "sun2024 sections 1 and 2, of Sun et al. (2023)",
    .statement = "token maximizes the probability that a draft token is accepted",
    .hypotheses = "one token: couplings of X ~ D and Y ~ T",
    .check = equal(tau("token"), kBestCoupling),
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 6}},
               BatteryShape{.tokens = 4, .gammas = 1, .random = {4, 12, 40}}},
    .bites = {{halved("coupling-program.reward"), replaced("token", "sample-match")}},
};

constexpr ClaimRow kClaims[] = {kTheorem1, kLemma1,      kLemma2,      kSection41,   kLemma5,
                                kTheorem2, kTokenSumRow, kBlockSumRow, kTokensAdded, kTokenOptimal};

}  // namespace
}  // namespace sun2024

Claims sun2024_claims() { return sun2024::kClaims; }

}  // namespace speclab
