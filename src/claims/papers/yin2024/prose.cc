// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024):
// statements of its running text, a line of the proof of Theorem 5, the listing of appendix G and
// what its tables say of themselves.
#include "claims/engine/vocabulary.h"
#include "claims/papers/yin2024/rules.h"

namespace speclab {
namespace yin2024_prose {
namespace {

/// sum min(d, t) of one token.
Rational common(const Instance& at) {
  Rational sum(0);
  for (std::size_t x = 0; x < at.draft().size(); ++x) {
    sum += lesser(at.draft()[x], at.target()[x]);
  }
  return sum;
}
constexpr NamedForm kMissed{"1 - sum min(d, t)", "yin2024.missed",
                            [](const Instance& at) { return Rational(1 - common(at)); }};

constexpr ClaimRow kTransport{
    .id = "yin2024.section3.1.transport",
    .source = "yin2024 section 3.1, connection to optimal transport",
    .statement =
        "the optimal transport cost of one token is sum min(d, t), which corresponds to the "
        "optimal expected rejection TV(d, t)",
    .hypotheses = "one token; the cost, which is maximised, is the acceptance",
    .check = equal(rejections("token", kOneToken), kMissed),
    .places = {kManyLaws, kTokenBattery},
    .bites = {{raised("yin2024.missed"), replaced("token", "biased(eps=1/4)")}},
};

Comparisons perfect(const Instance& at) {
  Comparisons says;
  says.above(2 - ingredient("yin2024.perfect.program", most_accepted_and_right(at)), 0,
             "certified least P(reject) + TV over all b, P");
  return says;
}

constexpr Filter kUnlike{"d is not t", [](const Instance& at) { return common(at) != 1; }};

constexpr ClaimRow kPerfect{
    .id = "yin2024.section4.1.perfect",
    .source = "yin2024 section 4.1, main takeaways: \"(0, 0) ... does not exist\"",
    .statement = "no b and P have P(reject) = 0 and TV = 0",
    .hypotheses = "one token",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = perfect,
    .places = {kManyLaws},
    .correction = {"where d is not t; at d = t every draft is kept and right",
                   perfect,
                   {Place(kManyLaws).only(kUnlike), Place(kTokenBattery).only(kUnlike)}},
    .bites = {{raised("yin2024.perfect.program"), constant("yin2024.perfect.program")}},
};

/// Loss* as the proof of Theorem 5 prints it, times `factor`.
Comparisons loss_of_proof(const Instance& at, const Rational& factor) {
  return for_rules(at, RuleRange::over, [&](const Rule& rule, Comparisons& says) {
    Rational sum = -rule.rejected();
    for (std::size_t x = 0; x < rule.size(); ++x) sum += abs(rule.target[x] - rule.kept(x));
    says.equal(factor * ingredient("yin2024.theorem5.sum", sum), rule.certified(),
               "{} (sum |t - b d| - sum (1 - b) d) at {} against the certified least TV",
               to_text(factor), rule);
  });
}

constexpr ClaimRow kProof5{
    .id = "yin2024.theorem5.proof",
    .source = "yin2024 appendix E, proof of Theorem 5, second line",
    .statement = "Loss* = sum |t - b d| - sum (1 - b) d",
    .hypotheses = "one token, b >= min(1, t/d)",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return loss_of_proof(at, 1); },
    .places = {kManyLaws},
    .correction = {"with the factor 1/2 of Theorem 4, as the lines after it need",
                   [](const Instance& at) { return loss_of_proof(at, Rational(1, 2)); },
                   {kManyLaws, kTokenBattery}},
    .bites = {{raised("yin2024.theorem5.sum"), halved("yin2024.theorem4.program")}},
};

// Section 3.2's design heuristic: batches can help where d and t differ, and help little where they
// are close. The measure is the batch improvement of one token.

/// E[N_rej] of one token less with M drafts than with one.
Rational improvement(const Instance& at) {
  const auto rejected = [&](std::string_view verifier) {
    return exact_answer(verifier, at, 1).fraction(QuantityId::rejections);
  };
  return rejected("token") - rejected(fmt::format("batch(M={})", at.drafts));
}

/// Uniform laws: the draft on V tokens, the target on one of them. TV = 1 - 1/V grows with V, and
/// the improvement is TV (1 - TV^(M-1)).
Instance uniform_pair(int tokens, int drafts) {
  return make_instance(fmt::format("uniform(draft={},target=1)", tokens), 1, drafts);
}
std::vector<Instance> uniform_pairs(Effort) {
  return {uniform_pair(2, 2), uniform_pair(3, 2), uniform_pair(64, 2)};
}

/// Against r = 2, where the laws are closer.
Comparisons farther_helps(const Instance& at) {
  const Instance closer = uniform_pair(2, at.drafts);
  Comparisons says;
  says.at_least(improvement(at), ingredient("yin2024.closer", improvement(closer)),
                "batch improvement, M = {}, at TV = {} against TV = {}", at.drafts,
                to_text(distance(at)), to_text(distance(closer)));
  return says;
}

std::vector<Instance> as_many_drafts_as_tokens(Effort effort) {
  std::vector<Instance> made;
  for (int tokens = 2; tokens <= Sized(4, 5, 6).at(effort); ++tokens) {
    made.push_back(uniform_pair(tokens, tokens));
  }
  return made;
}

Comparisons removes_half(const Instance& at) {
  Comparisons says;
  says.at_least(ingredient("yin2024.heuristic", improvement(at)),
                ingredient("yin2024.heuristic.distance", distance(at)) / 2,
                "batch improvement, M = {}, against half of TV = {}", at.drafts,
                to_text(distance(at)));
  return says;
}

constexpr ClaimRow kHeuristic{
    .id = "yin2024.section3.2.heuristic",
    .source =
        "yin2024 section 3.2, the design heuristic: \"can significantly reduce the number of "
        "rejections when the draft distribution p and target distribution q are different\"",
    .statement =
        "however near TV(d, t) = 1 - 1/r is to 1, batches can remove half of the rejections: with "
        "M = r drafts the batch improvement of one token is at least TV(d, t) / 2",
    .hypotheses =
        "uniform laws on r tokens and on one of them, the paper's own example with V = r; the "
        "heuristic says \"can\"",
    .check = removes_half,
    .places = {Family{"uniform laws on r = 2 .. 4/5/6 tokens, the target on one of them, M = r",
                      as_many_drafts_as_tokens}},
    .bites = {{halved("yin2024.heuristic"), replaced("batch", "batch(M=1)")}},
};

constexpr ClaimRow kFarther{
    .id = "yin2024.section3.2.farther",
    .source = "this project, after the design heuristic of yin2024 section 3.2",
    .statement = "the batch improvement of one token does not fall as TV(d, t) grows, M given",
    .hypotheses = "uniform laws on r tokens and on one of them",
    .recorded = ClaimVerdict::refuted,
    .check = farther_helps,
    .places = {Family{"uniform laws on V = 2, 3, 64 tokens, the target on one of them, M = 2",
                      uniform_pairs}},
    .bites = {{zeroed("yin2024.closer")}},
};

Comparisons close_is_little(const Instance& at) {
  Comparisons says;
  says.at_most(ingredient("yin2024.close", improvement(at)),
               ingredient("yin2024.close.distance", distance(at)),
               "batch improvement, M = {}, against TV(d, t)", at.drafts);
  says.at_least(ingredient("yin2024.close", improvement(at)), 0, "the same against 0");
  return says;
}

constexpr ClaimRow kClose{
    .id = "yin2024.section3.2.close",
    .source = "yin2024 section 3.2, the design heuristic, second half",
    .statement =
        "batches improve little where d and t are close: the batch improvement of one token is at "
        "most TV(d, t)",
    .hypotheses = "one token",
    .check = close_is_little,
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .drafts = 3, .denominator = {3, 4, 5}}},
    .bites = {{raised("yin2024.close"), lowered("yin2024.close"),
               replaced("token", "autoregressive")}},
};

// Appendix G: the listing's Decoding-UNO takes q_n_plus_1, HuggingFace's draft, for P.

/// One token of b = min(1, (t + eps) / d), corrected from P = d or P = t, against Decoding-UNO as
/// section 4.2 has it: the verifier biased with the target as its residual.
Comparisons listed_uno(const Instance& at, bool from_draft) {
  Comparisons says;
  for (const std::string_view slack : kSlacks) {
    const Rational eps = parse_rational(slack);
    if (eps == 0) continue;  // section 4.2 has eps > 0
    const Rule rule = slack_rule(at.draft(), at.target(), eps);
    const auto law = from_draft ? rule.draft : rule.target;
    says.equal(ingredient("yin2024.appendixG.listed", rule.loss(Rule::Law(law.begin(), law.end()))),
               biased_token(at, slack, "target").fraction(QuantityId::tv_to_target),
               "TV of the listing's Decoding-UNO, eps = {}, against P := t", slack);
  }
  return says;
}

/// eps = 1/10 on the toy pair, as printed numbers: 23/90 from the listing, 8/45 from the text.
Comparisons toy_uno(const Instance& at) {
  Comparisons says;
  says.equal(biased_token(at, "1/10", "draft").fraction(QuantityId::tv_to_target),
             biased_token(at, "1/10", "target").fraction(QuantityId::tv_to_target),
             "TV of one token at eps = 1/10, P := q_n_plus_1 against P := t");
  return says;
}

constexpr ClaimRow kListedUno{
    .id = "yin2024.appendixG.uno",
    .source = "yin2024 appendix G, listing, Baseline Decoding-UNO",
    .statement = "the listing's Decoding-UNO corrects from the target: P := t, as section 4.2 says",
    .hypotheses = "one token, b = min(1, (t + eps) / d), eps > 0; in the listing p is the target",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return listed_uno(at, true); },
    .places = {kManyLaws, Place(NamedPair{kToy, 1}).with(toy_uno)},
    .correction = {"with p_n_plus_1, the target's row, in place of q_n_plus_1, the draft's",
                   [](const Instance& at) { return listed_uno(at, false); },
                   {kManyLaws, kTokenBattery}},
    .bites = {{raised("yin2024.appendixG.listed"), replaced("biased", "biased(eps=1/4)")}},
};

// Tables 1 and 2, in tenths of a percent: Decoding-OPT and Decoding-UNO at four eps under two
// judges, then pythia-2.8b and pythia-70m.

constexpr int kRates[][2] = {{530, 470}, {535, 465}, {575, 425}, {525, 475}, {545, 455},
                             {530, 470}, {535, 465}, {550, 450}, {645, 355}, {690, 310}};

Comparisons rates(const Instance&) {
  Comparisons says;
  for (std::size_t i = 0; i < std::size(kRates); ++i) {
    const Rational better = ingredient("yin2024.tables.rate", Rational(kRates[i][0]));
    says.equal(better + kRates[i][1], 1000, "column {}: the two rates together, in 0.1%", i + 1);
    says.above(better, kRates[i][1], "column {}: the first row against the second", i + 1);
  }
  return says;
}

constexpr ClaimRow kTables{
    .id = "yin2024.tables",
    .source = "yin2024 section 4.2 and appendix G, of Tables 1 and 2",
    .statement =
        "Decoding-OPT has the higher win rate at every eps, the large model the higher of the two, "
        "and the two rates of a column sum to 1",
    .hypotheses = "the printed rates; Table 2's caption names pythia-2.8b twice for 2.8b and 70m",
    .check = rates,
    .places = {Family{"the printed numbers of Tables 1 and 2",
                      [](Effort) { return std::vector{printed_numbers()}; }}},
    .bites = {{raised("yin2024.tables.rate"), halved("yin2024.tables.rate")}},
};

constexpr ClaimRow kClaims[] = {kTransport, kPerfect, kProof5,    kHeuristic,
                                kFarther,   kClose,   kListedUno, kTables};

}  // namespace
}  // namespace yin2024_prose

Claims yin2024_prose_claims() { return yin2024_prose::kClaims; }

}  // namespace speclab
