// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): its two tau, and words of sections 3.3 and 4 that
// speak of the drafts.
//
// The tau of Algorithm 1, of Lemma A.1 and of the proof of Theorem 5.3 is the accepted length. The
// tau of Definition 4.1, of equation (1) and of Lemma 5.1 is the longest prefix of y that a draft
// begins with: a corrected token that some draft has counts too.
#include "claims/engine/outcomes.h"
#include "claims/papers/lin2026/class.h"
#include "claims/papers/lin2026/drafts.h"
#include "claims/papers/lin2026/listing.h"
#include "claims/papers/yin2024/recursion.h"

namespace speclab {
namespace lin2026_agreement {
namespace {

constexpr SearchSpace kOneDraftSearch{.tokens = 2, .gammas = 2, .denominator = {4, 4, 6}};

/// E[tau] of Algorithm 1 and of Definition 4.1. What has no output counts as it was accepted.
struct Taus {
  Rational accepted{0};
  Rational agreement{0};
};
Taus taus_of(const Instance& at) {
  Taus taus;
  each_listed(at, false, [&](State, const ListedIteration& made, const Rational& mass) {
    taus.accepted += mass * made.accepted;
    taus.agreement += mass * made.agreement();
  });
  taus.agreement = ingredient("lin2026.definition4.1.agreement", taus.agreement);
  return taus;
}

Comparisons one_tau(const Instance& at) {
  const Taus taus = taus_of(at);
  Comparisons says;
  says.equal(taus.accepted, accepted(verifier_text(kSpectrGbv, at), at),
             "E[tau] of Algorithm 1 line by line against the verifier");
  says.at_most(taus.agreement, taus.accepted,
               "E[tau] of Definition 4.1 against E[tau] of Algorithm 1");
  return says;
}

constexpr ClaimRow kTaus{
    .id = "lin2026.definition4.1",
    .source = "lin2026 Definition 4.1 and Algorithm 1, both of tau",
    .statement =
        "the accepted length of Algorithm 1 is the longest prefix of y that a draft begins with, y "
        "being the first L tokens of its output",
    .hypotheses =
        "spectr-gbv(K) as printed; Lemma A.1, Theorem 5.3 use the first, equation (1), Lemma 5.1 "
        "the second",
    .recorded = ClaimVerdict::refuted,
    .check = one_tau,
    .places = {Place(kSeveralDrafts).only(kNoUndefined), NamedPair{kToy, 1, 2}},
    .bites = {{zeroed("lin2026.definition4.1.agreement")}},
};

Comparisons reaches_bound(const Instance& at) {
  Comparisons says;
  says.at_least(taus_of(at).agreement, kEquation5(at),
                "E[tau] of Definition 4.1 against equation (5)");
  return says;
}

constexpr ClaimRow kTheorem53{
    .id = "lin2026.theorem5.3.agreement",
    .source = "lin2026 Theorem 5.3, tau that of Definition 4.1",
    .statement = "E[tau] of spectr-gbv(K) reaches sum_i sum_x T(x^i) [1 - (1 - min(D/T, 1))^K]",
    .hypotheses = "spectr-gbv(K) as printed, K >= 2",
    .recorded = ClaimVerdict::refuted,
    .check = reaches_bound,
    .places = {Place(kSeveralDrafts).only(kNoUndefined), NamedPair{kToy, 1, 2}},
    .bites = {{zeroed("lin2026.equation5")}},
};

// --- Theorem 4.2: "draft sequences X^L ~ q^K".

Comparisons output_law(const Instance& at, bool from_target) {
  std::map<std::pair<State, TokenPath>, Rational> law;
  each_listed(at, from_target, [&](State start, const ListedIteration& made, const Rational& mass) {
    law[{start, made.output}] += mass;
  });
  Comparisons says;
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& path : whole_paths(*at.rows, start.state, at.gamma)) {
      says.equal(law[{start.state, path.tokens}],
                 ingredient("lin2026.theorem4.2.target", Rational(start.probability * path.target)),
                 "P(O = {}) with drafts from the {}", path_text(path.tokens),
                 from_target ? "target" : "draft model");
    }
  }
  return says;
}

constexpr ClaimRow kLiteral{
    .id = "lin2026.theorem4.2.drafts",
    .source = "lin2026 Theorem 4.2, \"draft sequences X^L ~ q^K\"",
    .statement = "with drafts drawn from q the output O has the target's law",
    .hypotheses = "one draft, where the theorem holds of drafts from p; a 0/0 emits nothing",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return output_law(at, true); },
    .places = {kOneDraftSearch},
    .correction = {"with p in place of q: the drafts come from the draft model, as in Algorithm 3",
                   [](const Instance& at) { return output_law(at, false); },
                   {kOneDraftSearch, BatteryShape{.tokens = 3, .gammas = 2, .random = {2, 6, 20}}}},
    .bites = {{halved("lin2026.listing.coin")}},
};

// --- Section 4.1: "this structural constraint is necessary to align the theoretical formulation
// with the physically realizable verification schemes where drafts are i.i.d. generated".

/// (x_1, x_2, y) of recursive rejection at one position: x_1 is accepted with min(1, t/d), or x_2
/// against the residual, or y is drawn from what is left. It is lossless with i.i.d. drafts.
std::map<TokenPath, Rational> recursive_rejection(const Instance& at) {
  const auto draft = at.draft();
  std::vector<std::vector<Rational>> wanted;
  for (const int refused : {0, 1, 2}) {
    wanted.push_back(batch_step(draft, at.target(), refused).last);
  }
  const auto keeps = [&](std::size_t k, std::size_t x) {
    return ingredient("lin2026.section4.1.coin", lesser<Rational>(1, wanted[k][x] / draft[x]));
  };
  std::map<TokenPath, Rational> joint;
  for (std::size_t one = 0; one < draft.size(); ++one) {
    for (std::size_t two = 0; two < draft.size(); ++two) {
      Rational left = draft[one] * draft[two];
      if (left == 0) continue;
      const auto add = [&](std::size_t y, const Rational& mass) {
        joint[{static_cast<Token>(one), static_cast<Token>(two), static_cast<Token>(y)}] += mass;
      };
      const Rational first = left * keeps(0, one);
      add(one, first);
      left -= first;
      const Rational second = left * keeps(1, two);
      add(two, second);
      left -= second;
      for (std::size_t y = 0; y < draft.size(); ++y) add(y, left * wanted[2][y]);
    }
  }
  return joint;
}

/// The TV of P(x_1, x_2 | y) from the product of P(x_1 | y) and P(x_2 | y), averaged over y.
Comparisons independent_given_output(const Instance& at) {
  auto joint = recursive_rejection(at);
  std::map<Token, Rational> outputs;
  std::map<TokenPath, Rational> ones, twos;
  for (const auto& [key, mass] : joint) {
    outputs[key[2]] += mass;
    ones[{key[0], key[2]}] += mass;
    twos[{key[1], key[2]}] += mass;
  }
  Comparisons says;
  Rational distance(0);
  for (const auto& [y, mass] : outputs) {
    says.equal(
        mass,
        ingredient("lin2026.section4.1.target", Rational(at.target()[static_cast<std::size_t>(y)])),
        "P(y = {}) of recursive rejection", y);
    if (mass == 0) continue;
    for (Token one = 0; one < at.pair().vocabulary(); ++one) {
      for (Token two = 0; two < at.pair().vocabulary(); ++two) {
        const Rational product = ones[{one, y}] * twos[{two, y}] / mass;
        distance += positive_part<Rational>(joint[{one, two, y}] - product);
      }
    }
  }
  says.equal(ingredient("lin2026.cic.distance", distance), 0,
             "TV of P(x_1, x_2 | y) from the product of P(x_1 | y) and P(x_2 | y), mean over y");
  return says;
}

constexpr ClaimRow kNecessary{
    .id = "lin2026.section4.1.independence",
    .source = "lin2026 section 4.1, after equation (1): the constraint \"is necessary\"",
    .statement =
        "the i.i.d. drafts of a realizable lossless scheme are independent given its output: "
        "P(x_1, x_2 | y) = P(x_1 | y) P(x_2 | y)",
    .hypotheses =
        "read as a property of every realizable scheme; recursive rejection with L = 1 and K = 2, "
        "which is one; for a vocabulary of two tokens it has this property, as y then depends on "
        "x_1 alone",
    .recorded = ClaimVerdict::refuted,
    .check = independent_given_output,
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 4, 4}}},
    .bites = {{zeroed("lin2026.cic.distance")}},
};

// --- Section 3.3: the coins of greedy block verification.

/// alpha(x^i) as printed: sum [nu q - p]+ / sum [p - nu q]+ for i < L, nu for i = L; where the
/// denominator is 0, what min with 1 makes of it.
Rational printed_coin(const Instance& at, const PathLaws& path) {
  const Rational nu = path.target / path.draft;
  if (path.length() == at.gamma) return ingredient("lin2026.section3.3.coin", nu);
  Rational more(0), less(0);
  for (std::size_t x = 0; x < at.rows->draft(path.state).size(); ++x) {
    const Rational gap = nu * at.rows->target(path.state)[x] - at.rows->draft(path.state)[x];
    more += positive_part<Rational>(gap);
    less += positive_part<Rational>(-gap);
  }
  return ingredient("lin2026.section3.3.coin", less > 0 ? Rational(more / less) : Rational(1));
}

Comparisons coins_are_probabilities(const Instance& at) {
  Comparisons says;
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& path : drafted_paths(at, start.state)) {
      says.at_most(printed_coin(at, path), 1, "alpha{}, a probability", path_text(path.tokens));
    }
  }
  return says;
}

/// With min(alpha, 1) the coins give the law of tau of greedy block verification, block by block.
Comparisons capped_coins(const Instance& at) {
  std::vector<Rational> law(static_cast<std::size_t>(at.gamma) + 1);
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& path : whole_paths(*at.rows, start.state, at.gamma)) {
      Rational left = start.probability * path.draft;
      for (std::size_t i = path.tokens.size(); i > 0 && left > 0; --i) {
        const PathLaws block = follow(*at.rows, start.state, std::span(path.tokens).subspan(0, i));
        const Rational falls = left * lesser<Rational>(1, printed_coin(at, block));
        law[i] += falls;
        left -= falls;
      }
      law[0] += left;
    }
  }
  const auto found = exact_answer("greedy-block", at).fractions(QuantityId::accepted_law);
  Comparisons says;
  for (std::size_t i = 0; i < law.size(); ++i) {
    says.equal(law[i], found[i], "P(tau = {}) by the coins, capped at 1, against greedy-block", i);
  }
  return says;
}

constexpr ClaimRow kCoins{
    .id = "lin2026.section3.3.coins",
    .source = "lin2026 section 3.3, alpha(x^i) and alpha(x^L) = nu_L",
    .statement = "alpha(x^i), with which x^i is accepted, is a probability",
    .hypotheses = "one draft; D(x^i) > 0",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = coins_are_probabilities,
    .places = {kOneDraftSearch},
    .correction = {"with min{alpha, 1}: then the coins are those of greedy block verification",
                   capped_coins, kOneDraft},
    .bites = {{halved("lin2026.section3.3.coin"), replaced("greedy-block", "block")}},
};

constexpr ClaimRow kClaims[] = {kTaus, kTheorem53, kLiteral, kNecessary, kCoins};

}  // namespace
}  // namespace lin2026_agreement

Claims lin2026_agreement_claims() { return lin2026_agreement::kClaims; }

}  // namespace speclab
