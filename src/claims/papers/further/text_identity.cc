// Decodes along the target's own texts: what two numbers a token say (theory/text_identity.h).
#include "theory/text_identity.h"

#include "claims/papers/rules/rules.h"

namespace speclab {
namespace text_identity {
namespace {

using Law = std::span<const Rational>;
using Along = std::vector<Rational> (*)(Law draft, Law target, int drafts);

std::vector<Rational> token(Law draft, Law target, int) { return token_along(draft, target); }
std::vector<Rational> block(Law draft, Law target, int) { return block_along(draft, target); }
/// K matches; at K = 1 those of sample-match.
std::vector<Rational> match(Law draft, Law, int drafts) { return match_along(draft, drafts); }

constexpr Horizon kTwice{1, 2};  ///< a second iteration begins where the first may leave a trace
constexpr Horizon kFour{0, 4};

TextCounts<Rational> counted(const Instance& at, Horizon horizon, Along along) {
  Budget budget;
  return text_counts(
      *at.rows, horizon.gammas * at.gamma + horizon.tokens, at.gamma,
      [&](Law draft, Law target) { return along(draft, target, at.drafts); }, budget);
}

/// E[target calls] of a decode of gamma + 2 tokens.
template <Along kAlong>
constexpr NamedForm mean_calls(std::string_view name) {
  return {"sum over O of T(O) E[calls | O]", name,
          [](const Instance& at) { return counted(at, kTwice, kAlong).calls; }};
}

/// The share of the iterations that accept i tokens or more.
template <Along kAlong>
constexpr NamedForm mean_rates(std::string_view name) {
  return {"sum over O of T(O) E[reached | O]", name, [](const Instance& at) {
            TextCounts<Rational> counts = counted(at, kTwice, kAlong);
            for (Rational& reached : counts.reached) reached /= counts.calls;
            return counts.reached;
          }};
}

constexpr NamedForm kTokenCalls = mean_calls<&token>("text-identity.token.calls");
constexpr NamedForm kTokenRates = mean_rates<&token>("text-identity.token.rates");
constexpr NamedForm kBlockCalls = mean_calls<&block>("text-identity.block.calls");
constexpr NamedForm kBlockRates = mean_rates<&block>("text-identity.block.rates");
constexpr NamedForm kMatchCalls = mean_calls<&match>("text-identity.match.calls");
constexpr NamedForm kMatchRates = mean_rates<&match>("text-identity.match.rates");
constexpr NamedForm kMatchesCalls = mean_calls<&match>("text-identity.target-only.calls");
constexpr NamedForm kMatchesRates = mean_rates<&match>("text-identity.target-only.rates");

constexpr Check whole_decode(std::string_view verifier, const NamedForm& calls_form,
                             const NamedForm& rates_form) {
  return equal(calls(verifier, kTwice), calls_form) &&
         equal(asked(QuantityId::position_rates, verifier, kTwice), rates_form);
}

constexpr std::string_view kSource = "this project: the text identity";
constexpr std::string_view kAnyPair =
    "any pair whose draft depends on the prefix alone; the target drew the text";

constexpr Places kSmallPairs{
    Place(BatteryShape{.tokens = 3, .gammas = 3, .random = {2, 8, 30}}).only(kSmall),
    SearchSpace{.tokens = 2, .gammas = 3, .denominator = {2, 3, 5}}};

constexpr ClaimRow kToken{
    .id = "speclab.text-identity.token",
    .source = kSource,
    .statement =
        "token: P(tau >= i | O) = prod_{j<=i} min(1, r_j); so E[target calls] and the position "
        "rates of whole decodes are means over the target's texts",
    .hypotheses = kAnyPair,
    .check = whole_decode("token", kTokenCalls, kTokenRates),
    .places = kSmallPairs,
    .bites = {{lowered("text-identity.token.calls"), halved("text-identity.token.rates"),
               replaced("token", "block"), replaced("token", "autoregressive")}},
    .proofs = {{{.verifier = "token",
                 .property = "predicts:speclab.text-identity.token",
                 .contexts = Contexts::tree}}},
};

constexpr ClaimRow kBlock{
    .id = "speclab.text-identity.block",
    .source = kSource,
    .statement =
        "block: P(tau >= i | O) = min_{0<=j<=i} r_1 ... r_j; so E[target calls] and the position "
        "rates of whole decodes are means over the target's texts",
    .hypotheses = kAnyPair,
    .check = whole_decode("block", kBlockCalls, kBlockRates),
    .places = kSmallPairs,
    .bites = {{lowered("text-identity.block.calls"), halved("text-identity.block.rates"),
               replaced("block", "token"), replaced("block", "hsd-released"),
               replaced("block", "autoregressive")}},
    .proofs = {{{.verifier = "block",
                 .property = "predicts:speclab.text-identity.block",
                 .contexts = Contexts::tree}}},
};

constexpr ClaimRow kMatch{
    .id = "speclab.text-identity.match",
    .source = kSource,
    .statement =
        "sample-match: P(tau >= i | O) = prod_{j<=i} d(O_j); so E[target calls] and the position "
        "rates of whole decodes are means over the target's texts",
    .hypotheses = kAnyPair,
    .check = whole_decode("sample-match", kMatchCalls, kMatchRates),
    .places = kSmallPairs,
    .bites = {{lowered("text-identity.match.calls"), halved("text-identity.match.rates"),
               replaced("sample-match", "token"), replaced("sample-match", "autoregressive")}},
    .proofs = {{{.verifier = "sample-match",
                 .property = "predicts:speclab.text-identity.match",
                 .contexts = Contexts::tree}}},
};

constexpr ClaimRow kTargetOnly{
    .id = "speclab.text-identity.target-only",
    .source = kSource,
    .statement =
        "target-only(K): P(tau >= i | O) = 1 - (1 - prod_{j<=i} d(O_j))^K; so E[target calls] and "
        "the position rates of whole decodes are means over the target's texts",
    .hypotheses = kAnyPair,
    .check = whole_decode("target-only(K={K})", kMatchesCalls, kMatchesRates),
    .places = {Place(BatteryShape{.tokens = 3, .gammas = 2, .drafts = 2, .random = {2, 6, 20}})
                   .only(kSmall),
               SearchSpace{.tokens = 2, .gammas = 2, .drafts = 3, .denominator = {2, 3, 4}}},
    .bites = {{lowered("text-identity.target-only.calls"),
               halved("text-identity.target-only.rates"),
               replaced("target-only", "target-only(K=4)")}},
    .proofs = {{{.verifier = "target-only(K=2)",
                 .property = "predicts:speclab.text-identity.target-only"}}},
};

/// E[target calls] of four tokens.
template <Along kAlong>
constexpr NamedForm calls_of_four(std::string_view name) {
  return {"E[calls] at gamma", name,
          [](const Instance& at) { return counted(at, kFour, kAlong).calls; }};
}

constexpr NamedForm kTokenFour = calls_of_four<&token>("text-identity.token.four");
constexpr NamedForm kBlockFour = calls_of_four<&block>("text-identity.block.four");
constexpr NamedForm kMatchFour = calls_of_four<&match>("text-identity.match.four");

/// The decode at gamma + 1 calls the target no more often than the texts say of gamma.
constexpr Check falls_in_gamma(std::string_view verifier, const NamedForm& form) {
  Term longer = calls(verifier, kFour);
  longer.longer = true;
  return at_most(longer, form);
}

constexpr ClaimRow kMonotone{
    .id = "speclab.text-identity.monotone",
    .source = kSource,
    .statement =
        "E[target calls] of a decode of T tokens never rises with gamma, for token, block and "
        "sample-match",
    .hypotheses = "any pair whose draft depends on the prefix alone",
    .check = falls_in_gamma("token", kTokenFour) && falls_in_gamma("block", kBlockFour) &&
             falls_in_gamma("sample-match", kMatchFour),
    .places = {Place(BatteryShape{.tokens = 3, .gammas = 2, .random = {4, 12, 60}}).only(kSmall),
               SearchSpace{.tokens = 2, .gammas = 3, .denominator = {2, 3, 4}},
               SearchSpace{.tokens = 2, .gammas = 2, .denominator = {1, 2, 2}, .states = 2}},
    .bites = {{halved("text-identity.token.four"), halved("text-identity.block.four"),
               halved("text-identity.match.four"), replaced("token", "autoregressive"),
               replaced("block", "autoregressive"), replaced("sample-match", "autoregressive")}},
};

/// The calls given one text of six tokens: on the toy pair AAAABA, ratios 2, 2, 2, 2, 1/2, 2.
Comparisons falls_by_text(const Instance& at) {
  Comparisons says;
  each_text(*at.rows, at.start(), 6, [&](const Rational&, Law draft, Law target) {
    const auto calls_at = [&](int gamma) {
      return counts_along<Rational>(draft.size(), gamma,
                                    [&](std::size_t s, std::size_t length) {
                                      return block_along(draft.subspan(s, length),
                                                         target.subspan(s, length));
                                    })
          .calls;
    };
    says.at_most(ingredient("text-identity.longer", calls_at(at.gamma + 1)),
                 ingredient("text-identity.shorter", calls_at(at.gamma)),
                 "E[target calls | O] of block at gamma + 1 against gamma, text {}", says.size());
  });
  return says;
}

constexpr ClaimRow kMonotoneByText{
    .id = "speclab.text-identity.monotone-by-text",
    .source = kSource,
    .statement = "given any one text O, E[target calls | O] of block never rises with gamma",
    .hypotheses = "any pair whose draft depends on the prefix alone",
    .recorded = ClaimVerdict::refuted,
    .check = falls_by_text,
    .places = {NamedPair{kToy, 1}, NamedPair{kToy, 2}},
    .bites = {{zeroed("text-identity.longer"), doubled("text-identity.shorter")}},
};

/// sum_{i<=gamma} of the mean of prod_{j<=i} (1 - TV(d, t) at x^{j-1}), where the weight of x^{i-1}
/// is that of the target's texts, or of min(d, t) over 1 - TV at each token. Behind an
/// end-of-sequence token both models repeat it: TV is 0.
Rational overlaps(const Instance& at, bool of_kept) {
  const auto expected = [&](const auto& self, State state, int left) -> Rational {
    if (left == 0) return Rational(0);
    const Law draft = at.rows->draft(state);
    const Law target = at.rows->target(state);
    const Rational overlap = 1 - total_variation(draft, target);
    if (overlap == 0) return Rational(0);
    Rational next(0);
    for (std::size_t x = 0; x < target.size(); ++x) {
      const Rational weight =
          of_kept ? Rational(lesser<Rational>(draft[x], target[x]) / overlap) : target[x];
      if (weight == 0) continue;
      const auto token = static_cast<Token>(x);
      next += weight * (at.pair().end_token() == token
                            ? Rational(left - 1)
                            : self(self, at.rows->next(state, token), left - 1));
    }
    return Rational(overlap * (1 + next));
  };
  return average(start_law(*at.rows),
                 [&](State state) { return expected(expected, state, at.gamma); });
}

constexpr NamedForm kTargetOverlaps{"E over the target's texts of sum prod (1 - TV)",
                                    "text-identity.overlaps",
                                    [](const Instance& at) { return overlaps(at, false); }};
constexpr NamedForm kKeptOverlaps{"E over texts of min(d, t) of sum prod (1 - TV)",
                                  "text-identity.kept-overlaps",
                                  [](const Instance& at) { return overlaps(at, true); }};

constexpr Places kTwoContexts{
    SearchSpace{.tokens = 2, .least_gamma = 2, .gammas = 2, .denominator = 2, .states = 2}};
constexpr Places kContexts{
    Place(BatteryShape{.tokens = 3, .gammas = 2, .random = {2, 8, 30}}).only(kSmall)};

constexpr ClaimRow kOverlapProduct{
    .id = "speclab.text-identity.overlap-product",
    .source = "an offline metric of drafters: overlaps along a stored text",
    .statement =
        "E[tau] of token = E over the target's texts of sum_{i<=gamma} prod_{j<=i} (1 - TV(d, t) "
        "at O^{j-1})",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = equal(tau("token"), kTargetOverlaps),
    .places = kTwoContexts,
    .correction = {.statement = "over texts drawn token by token from min(d, t) / (1 - TV(d, t))",
                   .check = equal(tau("token"), kKeptOverlaps),
                   .places = kContexts},
    .bites = {{lowered("text-identity.kept-overlaps"), replaced("token", "block"),
               replaced("token", "autoregressive")}},
};

/// E[prod_{j<=i} min(1, r_j)] over the target's texts, i = 1 .. gamma, or the product of the means.
/// Behind an end-of-sequence token, with which a text ends, r_j = 1.
Rational accuracies(const Instance& at, bool by_position) {
  const auto gamma = static_cast<std::size_t>(at.gamma);
  std::vector<Rational> rates(gamma, Rational(0)), kept(gamma, Rational(0));
  const Measure<Rational> law = start_law(*at.rows);
  for (const auto& [state, share] : law.entries()) {
    each_text(*at.rows, state, at.gamma,
              [&, share = share](const Rational& probability, Law draft, Law target) {
                const std::vector<Rational> tail = token_along(draft, target);
                for (std::size_t j = 0; j < gamma; ++j) {
                  const Rational weight = share * probability;
                  rates[j] += j < draft.size()
                                  ? Rational(weight * min_one<Rational>(draft[j] / target[j]))
                                  : weight;
                  kept[j] += weight * tail[std::min(j + 1, draft.size())];
                }
              });
  }
  Rational sum(0), product(1);
  for (std::size_t j = 0; j < gamma; ++j) {
    product *= rates[j];
    sum += by_position ? product : kept[j];
  }
  return sum;
}

constexpr NamedForm kMarginals{"sum prod E[min(1, r_j)]", "text-identity.marginals",
                               [](const Instance& at) { return accuracies(at, true); }};
constexpr NamedForm kJoint{"sum E[prod min(1, r_j)]", "text-identity.joint",
                           [](const Instance& at) { return accuracies(at, false); }};

constexpr ClaimRow kMarginalProduct{
    .id = "speclab.text-identity.marginal-product",
    .source = "an offline metric of drafters: accuracies position by position",
    .statement =
        "E[tau] of token = sum_{i<=gamma} prod_{j<=i} E[min(1, r_j)], r_j on the target's texts",
    .hypotheses = "any pair",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = equal(tau("token"), kMarginals),
    .places = kTwoContexts,
    .correction = {.statement = "= sum_{i<=gamma} E[prod_{j<=i} min(1, r_j)]",
                   .check = equal(tau("token"), kJoint),
                   .places = kContexts},
    .bites = {{lowered("text-identity.joint"), replaced("token", "block"),
               replaced("token", "autoregressive")}},
};

constexpr ClaimRow kClaims[] = {kToken,    kBlock,          kMatch,          kTargetOnly,
                                kMonotone, kMonotoneByText, kOverlapProduct, kMarginalProduct};

}  // namespace
}  // namespace text_identity

Claims text_identity_claims() { return text_identity::kClaims; }

}  // namespace speclab
