// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024):
// the statements on the class of Algorithm 2, on members that are run: acceptance tables and
// correction laws through the exact interpreter.
#include <fmt/format.h>

#include <memory>

#include "claims/papers/yin2024/tables.h"
#include "model/listed_tree.h"

namespace speclab {
namespace yin2024_executed {
namespace {

constexpr SearchSpace kOneToken{.tokens = 2, .gammas = 1, .denominator = {3, 3, 4}};
constexpr BatteryShape kFewTokens{.tokens = 3, .gammas = 1, .random = 0, .contexts = false};
constexpr BatteryShape kBattery{.tokens = 3, .gammas = 2, .random = {3, 8, 30}};

/// A share of min(1, t/d) at a state and a token.
using Share = Rational (*)(State state, std::size_t x);

struct Shares {
  std::string_view text;
  Share share;
  std::optional<Rational> everywhere;  ///< where it is the same
};

const Shares kShares[] = {
    {"b = min(1, t/d)", [](State, std::size_t) { return Rational(1); }, Rational(1)},
    {"b = min(1, t/d) / 3", [](State, std::size_t) { return Rational(1, 3); }, Rational(1, 3)},
    {"b = 0", [](State, std::size_t) { return Rational(0); }, Rational(0)},
    {"b = s min(1, t/d), s = 0, 1/2, 1 by state and token",
     [](State state, std::size_t x) {
       return Rational(static_cast<int>((state + 2 * x + 1) % 3), 2);
     },
     std::nullopt},
};

/// The law of the correction at a state, of a rule there.
using LawOf = std::function<std::vector<Rational>(const Rule& rule)>;

RuleTables shared_tables(const Instance& instance, const Shares& shares, const LawOf& law_of) {
  RuleTables tables;
  for (State state = 0; state < instance.pair().states(); ++state) {
    Rule rule{instance.rows->draft(state), instance.rows->target(state), {}};
    for (std::size_t x = 0; x < rule.draft.size(); ++x) {
      rule.accept.push_back(shares.share(state, x) * rule.threshold(x));
    }
    tables.add(rule.accept, law_of(rule));
  }
  return tables;
}

/// With P of Corollary 1 the expectation of any share s everywhere is known: s sum E TV + (1 - s)
/// T.
Comparisons theorem2(const Instance& instance) {
  Comparisons comparisons;
  const Rational bound = tv_along_target(instance).expected();
  for (const Shares& shares : kShares) {
    const RunPoint found =
        point_of(run_tables(shared_tables(instance, shares, corollary_law), instance));
    comparisons.push_back({fmt::format("TV of the rule {}, T = gamma", shares.text), found.distance,
                           Order::equal, Rational(0)});
    comparisons.push_back({fmt::format("E[N_rej] of the rule {} against sum of E TV", shares.text),
                           found.rejections, Order::at_least, bound});
    if (!shares.everywhere || instance.pair().end_token()) continue;
    const Rational& s = *shares.everywhere;
    comparisons.push_back(
        {fmt::format("the same of the rule {} against s sum of E TV + (1 - s) T", shares.text),
         found.rejections, Order::equal, s * bound + (1 - s) * instance.gamma});
  }
  return comparisons;
}

constexpr ClaimRow kTheorem2{
    .id = "yin2024.theorem2.rule",
    .source = "yin2024 Theorem 2 and Corollary 1, on rules that are run",
    .statement =
        "rules with b <= min(1, t/d) and Corollary 1's P are unbiased over T tokens and have "
        "E[N_rej] >= sum E[TV_n]; b = s min(1, t/d): s sum E[TV_n] + (1 - s) T",
    .hypotheses = "b and P by state, gamma = T",
    .check = theorem2,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {3, 8, 30}},
               SearchSpace{.tokens = 2, .gammas = 2, .denominator = {3, 3, 4}}},
    .bites = {{{"yin2024.rule.P", Fault::levelled},
               {"yin2024.rule.b", Fault::halved},
               {"yin2024.theorem1.formula", Fault::raised},
               {"yin2024.corollary1.P", Fault::levelled}}},
};

/// Every b and P of a grid, run: unbiased if and only if Corollary 1 says so.
Comparisons corollary1(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [&](const Rule& rule, Comparisons& comparisons) {
    const bool within = !rule.exceeds();
    const bool rejects = rule.rejected() > 0;
    const auto wanted = within ? corollary_law(rule) : std::vector<Rational>{};
    const auto look = [&](const std::vector<Rational>& law) {
      const bool unbiased = within && (!rejects || law == wanted);
      comparisons.push_back({fmt::format("TV of the rule {}, {}", rule.text(),
                                         within ? (unbiased ? "P of Corollary 1" : "another P")
                                                : "beyond min(1, t/d)"),
                             point_of(run_tables(tables_of(rule, law), instance)).distance,
                             unbiased ? Order::equal : Order::above, Rational(0)});
    };
    each_law(rule.draft.size(), 2, look);
    if (within && rejects) look(wanted);
  });
}

constexpr ClaimRow kCorollary1{
    .id = "yin2024.corollary1.rule",
    .source = "yin2024 Corollary 1, on rules that are run",
    .statement =
        "a rule's token is unbiased if and only if b <= min(1, t/d) where d > 0 and P = (t - b "
        "d) / sum (1 - b) d where that is defined",
    .hypotheses = "one token",
    .check = corollary1,
    .places = {kOneToken, kFewTokens},
    .bites = {{{"yin2024.rule.P", Fault::levelled},
               {"yin2024.rule.b", Fault::zeroed},
               {"yin2024.corollary1.P", Fault::levelled}}},
};

/// The token of a rule by equation (14), with epsilon of either sign.
Comparisons equation14(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [&](const Rule& rule, Comparisons& comparisons) {
    std::vector<Rational> law;  // (1, 2, ..) normalised: any law will do
    const auto size = static_cast<int>(rule.draft.size());
    for (int x = 0; x < size; ++x) law.emplace_back(2 * (x + 1), size * (size + 1));
    const Answer run = run_tables(tables_of(rule, law), instance);
    Rational rejected(0);
    for (std::size_t x = 0; x < law.size(); ++x) {
      rejected += positive_part<Rational>(rule.draft[x] - rule.target[x] - rule.epsilon(x));
    }
    comparisons.push_back(
        {fmt::format("P(reject) of the rule {} against sum of [d - t - epsilon]+", rule.text()),
         point_of(run).rejections, Order::equal, rejected});
    for (std::size_t x = 0; x < law.size(); ++x) {
      const Rational epsilon = rule.epsilon(x);
      const Rational kept = lesser<Rational>(rule.draft[x], rule.target[x] + epsilon);
      comparisons.push_back(
          {fmt::format(
               "P({}) of the rule {}, epsilon {} 0, against min(d, t + epsilon) + P P(reject)", x,
               rule.text(), epsilon < 0 ? "<" : ">="),
           output_share(run, {static_cast<Token>(x)}), Order::equal, kept + law[x] * rejected});
    }
  });
}

constexpr ClaimRow kEquation14{
    .id = "yin2024.equation14.rule",
    .source = "yin2024 Lemma 1, equations (9), (14), on rules that are run",
    .statement =
        "P(x) = min(d, t + epsilon) + P sum [d - t - epsilon]+ with epsilon = b d - t, which "
        "may be negative",
    .hypotheses = "one token, every b in [0, 1] of a grid",
    .check = equation14,
    .places = {kOneToken, kFewTokens},
    .bites = {{{"yin2024.lemma1.epsilon", Fault::raised},
               {"yin2024.lemma1.epsilon", Fault::zeroed},
               {"yin2024.rule.P", Fault::levelled}}},
};

/// All laws of one token and Corollary 1's, with b <= min(1, t/d).
Comparisons lemma2(const Instance& instance) {
  Comparisons comparisons;
  const Rational bound = tv_along_target(instance).expected();
  const auto look = [&](const Shares& shares, const LawOf& law_of) {
    const RunPoint found = point_of(run_tables(shared_tables(instance, shares, law_of), instance));
    if (found.distance > 0) return;
    comparisons.push_back(
        {fmt::format("E[N_rej] of the rule {}, found unbiased, against sum of E TV", shares.text),
         found.rejections, Order::at_least, bound});
  };
  for (const Shares& shares : kShares) {
    look(shares, corollary_law);
    for (Token x = 0; x < instance.rows->vocabulary(); ++x) {
      look(shares, [x](const Rule& rule) {
        std::vector<Rational> law(rule.draft.size(), Rational(0));
        law[static_cast<std::size_t>(x)] = 1;
        return law;
      });
    }
  }
  return comparisons;
}

/// Two tokens: after token 0 the models agree, after token 1 they are disjoint.
std::vector<Instance> parting(Effort) {
  const std::vector<Rational> first{1, 0}, second{0, 1}, even{Rational(1, 2), Rational(1, 2)};
  return {name_instance(
      std::make_shared<ListedTreePair>(2, ListedLaws{{{}, first}, {{0}, first}, {{1}, first}},
                                       ListedLaws{{{}, even}, {{0}, first}, {{1}, second}}),
      "tree: draft 0 always; target 1/2, then 0 after 0 and 1 after 1", 2)};
}

/// Without unbiasedness it may be fewer: whoever always corrects to 0 comes where models agree.
Comparisons biased_has_fewer(const Instance& instance) {
  const RunPoint found = point_of(run_tables(shared_tables(instance, kShares[0],
                                                           [](const Rule&) {
                                                             return std::vector<Rational>{1, 0};
                                                           }),
                                             instance));
  return {{"E[N_rej] of b = min(1, t/d), P = token 0, T = 2, against sum of E TV", found.rejections,
           Order::below, tv_along_target(instance).expected()},
          {"its TV", found.distance, Order::above, Rational(0)}};
}

constexpr Family kParting{"two tokens, the models parting after one of them", parting};

constexpr ClaimRow kLemma2{
    .id = "yin2024.lemma2.rule",
    .source = "yin2024 Lemma 2, on rules that are run",
    .statement =
        "an unbiased rule with b <= min(1, t/d) has E[N_rej] >= sum E[TV_n]; a biased one need "
        "not, though its b exceeds min(1, t/d) nowhere",
    .hypotheses = "b and P by state, gamma = T; P of Corollary 1 and every point mass",
    .check = lemma2,
    .places = {kBattery, kOneToken, Place(kParting).with(biased_has_fewer)},
    .bites = {{{"yin2024.theorem1.formula", Fault::raised},
               {"yin2024.theorem1.formula", Fault::halved},
               {"yin2024.rule.b", Fault::zeroed}}},
};

/// Points of the region, its boundary among them, each by a rule; and no rule outside.
Comparisons region(const Instance& instance) {
  Comparisons comparisons;
  if (!instance.pair().memoryless()) return comparisons;
  const TradeRegion region(instance);
  const Rational between = distance(instance);
  std::vector<Rational> rejected{between / 2, between};
  for (int i = 0; i <= 4; ++i) rejected.emplace_back(i, 4);
  for (const Rational& r : rejected) {
    const Rational low = region.lowest(r), high = region.highest(r);
    comparisons.push_back({fmt::format("largest TV at P(reject) = {} against TV(d, t)", to_text(r)),
                           high, Order::at_least, between});
    for (int i = 0; i <= 3; ++i) {
      const Rational wanted = low + Rational(i, 3) * (high - low);
      const RunPoint found = point_of(run_tables(region.rule_at(r, wanted), instance));
      comparisons.push_back(
          {fmt::format("P(reject) of the rule made for ({}, {})", to_text(r), to_text(wanted)),
           found.rejections, Order::equal, r});
      comparisons.push_back(
          {fmt::format("TV of the rule made for ({}, {})", to_text(r), to_text(wanted)),
           found.distance, Order::equal, wanted});
    }
  }
  return comparisons;
}

Comparisons outside(const Instance& instance) {
  const TradeRegion region(instance);
  return for_rules(instance, RuleRange::all, [&](const Rule& rule, Comparisons& comparisons) {
    each_law(rule.draft.size(), 2, [&](const std::vector<Rational>& law) {
      const RunPoint found = point_of(run_tables(tables_of(rule, law), instance));
      comparisons.push_back(
          {fmt::format("TV of the rule {} against the least at its P(reject)", rule.text()),
           found.distance, Order::at_least, region.lowest(found.rejections)});
      comparisons.push_back(
          {fmt::format("TV of the rule {} against the most at its P(reject)", rule.text()),
           found.distance, Order::at_most, region.highest(found.rejections)});
    });
  });
}

constexpr ClaimRow kRegion{
    .id = "yin2024.figure4.region",
    .source = "yin2024 Figure 4 (a), section 4.1, the blue and the red region",
    .statement =
        "rules realise the points (r, TV) with [TV(d,t) - r]+ <= TV <= max over sets S of min(1, "
        "d(S) + r) - t(S), which is TV(d,t) or more, and no others",
    .hypotheses = "one token, 0 <= r = P(reject) <= 1",
    .check = region,
    .places = {SearchSpace{.tokens = 3, .gammas = 1, .denominator = {3, 3, 4}}, kFewTokens,
               Place(kOneToken).with(outside), Place(kFewTokens).with(outside)},
    .bites = {{{"yin2024.rule.P", Fault::levelled},
               {"yin2024.rule.b", Fault::halved},
               {"yin2024.figure4.top", Fault::raised},
               {"yin2024.figure4.top", Fault::lowered}}},
};

/// sum (1 - b) d = 0: b = 1 where the draft goes and 0 elsewhere, with any P or none.
Comparisons no_rejection(const Instance& instance) {
  Comparisons comparisons;
  const std::pair<std::string_view, LawOf> laws[] = {
      {"no P", [](const Rule& rule) { return std::vector<Rational>(rule.draft.size()); }},
      {"P = t",
       [](const Rule& rule) {
         return std::vector<Rational>(rule.target.begin(), rule.target.end());
       }},
  };
  for (const auto& [text, law_of] : laws) {
    RuleTables tables;
    for (State state = 0; state < instance.pair().states(); ++state) {
      Rule rule{instance.rows->draft(state), instance.rows->target(state), {}};
      for (const Rational& d : rule.draft) rule.accept.emplace_back(d > 0 ? 1 : 0);
      tables.add(rule.accept, law_of(rule));
    }
    const Answer run = run_tables(tables, instance);
    comparisons.push_back({fmt::format("E[N_rej] of b = 1, {}", text), point_of(run).rejections,
                           Order::equal, Rational(0)});
    comparisons.push_back({fmt::format("P(0/0) of b = 1, {}", text),
                           run.fraction(QuantityId::output_undefined), Order::equal, Rational(0)});
    std::map<TokenPath, Rational> drafted;
    Rational apart(0);
    for (const Start& start : instance.pair().start()) {
      for (const PathLaws& path : paths_from(*instance.rows, start.state, instance.gamma)) {
        if (static_cast<int>(path.tokens.size()) < instance.gamma) continue;
        drafted[path.tokens] += start.probability * path.draft;
        apart += start.probability * positive_part<Rational>(path.draft - path.target);
      }
    }
    for (const auto& [tokens, share] : drafted) {
      comparisons.push_back(
          {fmt::format("P({}) of b = 1, {}, against the draft's", path_text(tokens), text),
           output_share(run, tokens), Order::equal, share});
    }
    comparisons.push_back(
        {fmt::format("TV of b = 1, {}, against that of the draft's joint law", text),
         point_of(run).distance, Order::equal, apart});
  }
  return comparisons;
}

constexpr ClaimRow kNoRejection{
    .id = "yin2024.figure4.no-rejection",
    .source = "yin2024 section 4.1, Figure 4 (a) at P(reject) = 0, appendix E.1",
    .statement =
        "where sum (1 - b) d = 0 the T tokens follow the draft's joint law, whatever P is, and P "
        "is never drawn: of the line r = 0 one point alone is realised",
    .hypotheses = "b = 1 where d > 0; P by state, or no law at all",
    .check = no_rejection,
    .places = {kBattery, kFewTokens},
    .bites = {{{"yin2024.rule.b", Fault::halved}, {"yin2024.rule.b", Fault::levelled}}},
};

constexpr ClaimRow kClaims[] = {kTheorem2, kCorollary1, kEquation14,
                                kLemma2,   kRegion,     kNoRejection};

}  // namespace
}  // namespace yin2024_executed

Claims yin2024_executed_claims() { return yin2024_executed::kClaims; }

}  // namespace speclab
