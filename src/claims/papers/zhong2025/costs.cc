// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): what a run costs.
#include <memory>

#include "claims/engine/ingredient.h"
#include "claims/engine/outcomes.h"
#include "claims/engine/own_verifiers.h"
#include "claims/papers/zhong2025/rates.h"
#include "model/families/listed_tree.h"

namespace speclab {
namespace zhong2025_costs {
namespace {

/// What one pass of each model costs.
struct Costs {
  Rational draft;
  Rational verifier;
  Rational target;
};

std::vector<Costs> costs() {
  return {{Rational(1), Rational(1, 10), Rational(10)}, {Rational(3), Rational(1, 2), Rational(7)}};
}

constexpr Family kOneRun{
    .text = "gamma - 1 acceptable tokens, then one that is not, gamma 1..4/6/8",
    .make =
        [](Effort effort) {
          std::vector<Instance> instances;
          for (int gamma = 1; gamma <= Sized(4, 6, 8).at(effort); ++gamma) {
            instances.push_back(acceptable_first(gamma - 1, false, gamma));
          }
          return instances;
        },
};

/// A draft that is sure of token 0. The target gives it 1/2 at every place, but 2/3 after `odd` 0s.
PairPointer sure_draft(int gamma, int odd) {
  ListedLaws drafts, targets;
  for (int i = 0; i <= gamma + 2; ++i) {
    const TokenPath zeros(static_cast<std::size_t>(i), 0);
    const Rational share = i == odd ? Rational(2, 3) : Rational(1, 2);
    drafts[zeros] = {Rational(1), Rational(0)};
    targets[zeros] = {share, 1 - share};
  }
  return std::make_shared<ListedTreePair>(2, drafts, targets);
}

/// The law of (X^tau, Y) of token verification, or without Y after a whole draft.
std::map<TokenPath, Rational> token_law(const PairPointer& pair, int gamma, bool bonus) {
  const Instance instance = make_instance(pair, gamma);
  IterationLaws<Rational> laws(verifier_of(played("token")), instance.rows);
  std::map<TokenPath, Rational> law;
  for (const BlockOutcome& outcome :
       laws.from(pair->start().front().state, Window{.drafts = gamma, .bonus = bonus})) {
    law[outcome.tokens] += outcome.weight;
  }
  return law;
}

/// The rows that one call of the target returns: of the places 0 .. gamma + 1 after the start those
/// at which the target's law changes what is emitted.
int scored_positions(int gamma, bool bonus) {
  const auto plain = token_law(sure_draft(gamma, -1), gamma, bonus);
  int scored = 0;
  for (int place = 0; place <= gamma + 1; ++place) {
    scored += token_law(sure_draft(gamma, place), gamma, bonus) == plain ? 0 : 1;
  }
  return scored;
}

/// FLOPs of a run of token verification that accepts all gamma drafts.
Rational counted_speculative(const Instance& instance, const Costs& cost, bool bonus) {
  const auto run = exact_answer("token", instance, instance.gamma);
  return run.fraction(QuantityId::draft_steps) * cost.draft +
         run.fraction(QuantityId::target_calls) * scored_positions(instance.gamma, bonus) *
             cost.target;
}

/// Equation (6): each drafted token is one call of the cheap verifier.
Rational counted_sprinter(const Instance& instance, const Costs& cost) {
  const auto run = exact_answer("sprinter(fp=0,tp=1)", instance, instance.gamma);
  return run.fraction(QuantityId::draft_steps) * (cost.draft + cost.verifier) +
         run.fraction(QuantityId::target_calls) * cost.target;
}

/// FLOPs of a run against gamma F_d + gamma F_t, and with a bonus token F_t more.
Comparisons equation5(const Instance& instance) {
  Comparisons says;
  for (const bool bonus : {false, true}) {
    const int more = bonus ? 1 : 0;
    for (const Costs& cost : costs()) {
      const Rational printed =
          ingredient("zhong2025.equation5",
                     speculative_flops<Rational>(instance.gamma, cost.draft, cost.target));
      says.equal(
          counted_speculative(instance, cost, bonus), printed + more * cost.target,
          "FLOPs counted in a run of gamma accepted tokens of token, {} bonus token, against "
          "gamma F_d + {} F_t",
          bonus ? "with a" : "without the", instance.gamma + more);
    }
  }
  return says;
}

constexpr ClaimRow kEquation5{
    .id = "zhong2025.equation5",
    .source = "zhong2025 equation (5)",
    .statement = "FLOPs of one run of speculative decoding = gamma F_d + gamma F_t",
    .hypotheses =
        "gamma drafts, all accepted, scored by one call of the target, without a bonus token "
        "(section 2 describes none); a bonus token makes the call return gamma + 1 rows and adds "
        "F_t",
    .check = equation5,
    .places = {kOneRun},
    .bites = {replaced("token", "wrong-no-bonus"), doubled("zhong2025.equation5")},
};

Comparisons equation6(const Instance& instance) {
  Comparisons says;
  for (const Costs& cost : costs()) {
    says.equal(
        counted_sprinter(instance, cost),
        ingredient("zhong2025.equation6", sprinter_flops<Rational>(instance.gamma, cost.draft,
                                                                   cost.verifier, cost.target)),
        "FLOPs counted in a decode of gamma tokens by sprinter(fp=0,tp=1) against gamma F_d + "
        "gamma F_v + F_t");
  }
  return says;
}

constexpr ClaimRow kEquation6{
    .id = "zhong2025.equation6",
    .source = "zhong2025 equation (6)",
    .statement = "FLOPs of one run of SPRINTER = gamma F_d + gamma F_v + F_t",
    .hypotheses = "a perfect verifier whose first no is to the last of gamma drafted tokens",
    .check = equation6,
    .places = {kOneRun},
    .bites = {raised("zhong2025.equation6"), replaced("sprinter", "sprinter(fp=1,tp=1)"),
              replaced("sprinter", "sprinter(fp=0,tp=0)")},
};

/// With F_v = 0, as the paper takes it, and without.
Comparisons savings(const Instance& instance) {
  Comparisons says;
  const int gamma = instance.gamma;
  for (const bool neglected : {true, false}) {
    for (Costs cost : costs()) {
      if (neglected) cost.verifier = 0;
      const Rational less = ingredient("zhong2025.savings.verifier", gamma * cost.verifier);
      says.equal(counted_speculative(instance, cost, false) - counted_sprinter(instance, cost),
                 (gamma - 1) * cost.target - less, "FLOPs saved by sprinter against {} F_t{}",
                 gamma - 1, neglected ? "" : " - gamma F_v");
    }
  }
  return says;
}

constexpr ClaimRow kSavings{
    .id = "zhong2025.savings",
    .source = "zhong2025 section 3.1 and appendix A.8",
    .statement = "the computational savings are (gamma - 1) F_t",
    .hypotheses =
        "F_v << F_d << F_t, so that gamma F_v is neglected; as for equations (5) and (6): the "
        "target's call of one row finds all earlier ones in its cache",
    .check = savings,
    .places = {kOneRun},
    .bites = {zeroed("zhong2025.savings.verifier"), replaced("token", "autoregressive"),
              replaced("sprinter", "sprinter(fp=0,tp=0)")},
};

/// Table 3 for gamma tokens, F(n) = n F(1): speculative and mentored decoding, Medusa with K heads
/// and Eagle2, of a tree of as many nodes as tokens, the fewest that can hold them.
Comparisons table3(const Instance& instance, bool savings_beat_verifier) {
  Comparisons says;
  const int gamma = instance.gamma;
  for (const Costs& cost : costs()) {
    if (savings_beat_verifier && (gamma - 1) * cost.target <= gamma * cost.verifier) continue;
    const Rational sprinter =
        ingredient("zhong2025.equation6",
                   sprinter_flops<Rational>(gamma, cost.draft, cost.verifier, cost.target));
    const auto against = [&](const std::string& name, const Rational& flops) {
      says.add(sprinter, Order::below, flops, "FLOPs of SPRINTER for {} tokens against {}", gamma,
               name);
    };
    against("SD and Mentored Decoding",
            speculative_flops<Rational>(gamma, cost.draft, cost.target));
    for (const int heads : {1, 3}) {
      against(fmt::format("Medusa, K = {}", heads),
              medusa_flops<Rational>(gamma, heads, gamma, cost.draft, cost.target));
    }
    against("Eagle2", eagle2_flops<Rational>(gamma, gamma, cost.draft, cost.target));
  }
  return says;
}

/// The formulas of Table 3, call by call.
Comparisons table3_terms(const Instance& instance) {
  Comparisons says;
  const int nodes = instance.gamma + 1;
  for (const Costs& cost : costs()) {
    Rational heads(0), tree(0);
    for (int node = 0; node < nodes; ++node) tree += cost.target;
    for (int k = 1; k <= 3; ++k) {
      for (int token = 0; token < instance.gamma; ++token) heads += cost.draft;
      says.equal(
          ingredient("zhong2025.table3.medusa",
                     medusa_flops<Rational>(instance.gamma, k, nodes, cost.draft, cost.target)),
          heads + tree, "FLOPs of Medusa, K = {}, {} nodes, against K drafts and the nodes", k,
          nodes);
    }
    // Each of `depth` levels is one pass of the draft over its share of the nodes.
    Rational levels(0);
    for (int depth = 0; depth < 2; ++depth) levels += Rational(nodes, 2) * cost.draft;
    says.equal(ingredient("zhong2025.table3.eagle2",
                          eagle2_flops<Rational>(nodes, 2, cost.draft, cost.target)),
               tree + levels,
               "FLOPs of Eagle2, depth 2, {} nodes, against the levels and the nodes", nodes);
  }
  return says;
}

constexpr ClaimRow kTable3{
    .id = "zhong2025.table3",
    .source = "zhong2025 Table 3",
    .statement = "SPRINTER needs fewer FLOPs than SD, Mentored Decoding, Medusa and Eagle2",
    .hypotheses =
        "the formulas of Table 3 with F(n) = n F(1), equation (6); a draft tree of at least gamma "
        "nodes",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return table3(instance, false); },
    .places = {Place(kOneRun).closed_form(),
               Place(kOneRun).with(table3_terms, Method::closed_form)},
    .correction = {"where (gamma - 1) F_t > gamma F_v, so not for one token",
                   [](const Instance& instance) { return table3(instance, true); },
                   {Place(kOneRun).closed_form(),
                    Place(kOneRun).with(table3_terms, Method::closed_form)}},
    .bites = {doubled("zhong2025.equation6"), zeroed("zhong2025.equation6"),
              lowered("zhong2025.table3.medusa"), lowered("zhong2025.table3.eagle2")},
};

/// Figure 10, in units of 10^9 FLOPs for 20 tokens: GPT-Neo-125M and GPT-Neo-1.3B.
Rational figure10_draft() { return ingredient("zhong2025.figure10.draft", Rational(801, 100)); }
Rational figure10_target() { return ingredient("zhong2025.figure10.target", Rational(6466, 100)); }

/// A ratio that rounds to `printed` hundredths, `unit` hundredths being its last digit.
void rounds_to(Comparisons& says, const Rational& ratio, int printed, int unit,
               std::string_view what) {
  says.at_least(ratio, Rational(2 * printed - unit, 200), "{}, rounded to {:.{}f}", what,
                printed / 100.0, unit == 1 ? 2 : 0);
  says.add(ratio, Order::below, Rational(2 * printed + unit, 200), "{}, rounded to {:.{}f}", what,
           printed / 100.0, unit == 1 ? 2 : 0);
}

/// FLOPs of speculative decoding over those of SPRINTER, the verifier's own left out as the paper
/// does.
Rational figure1_ratio(const Instance& instance, int more) {
  const Rational draft = figure10_draft() / instance.gamma;
  const Rational target = figure10_target() / instance.gamma;
  return (speculative_flops<Rational>(instance.gamma, draft, target) + more * target) /
         sprinter_flops<Rational>(instance.gamma, draft, Rational(0), target);
}

Comparisons figure1(const Instance& instance) {
  Comparisons says;
  rounds_to(says, figure1_ratio(instance, 0), 800, 100,
            "FLOPs of SD over those of SPRINTER for 20 tokens");
  return says;
}

Comparisons figure1_corrected(const Instance& instance) {
  Comparisons says;
  rounds_to(says, figure10_target() / figure10_draft(), 800, 100,
            "FLOPs of the target over those of the draft for 20 tokens");
  rounds_to(says, figure1_ratio(instance, 0), 646, 1, "equation (5) over equation (6)");
  rounds_to(says, figure1_ratio(instance, 1), 675, 1, "the same with gamma + 1 rows of the target");
  return says;
}

constexpr ClaimRow kFigure1{
    .id = "zhong2025.figure1",
    .source = "zhong2025 Figure 1 with Figure 10 and equations (5), (6)",
    .statement = "SPRINTER has 8 times smaller computation costs than SD for 20 tokens",
    .hypotheses = "GPT-Neo-125M and 1.3B, 20 accepted tokens, F_v = 0",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = figure1,
    .places = {Place(NamedPair{kToy, 20}).closed_form()},
    .correction = {"8 is the target's FLOPs over the draft's, 64.66 / 8.01; equations (5) and (6) "
                   "give 72.67 / 11.243 = 6.46, and 6.75 with the target's row of the bonus token",
                   figure1_corrected,
                   {}},
    .bites = {doubled("zhong2025.figure10.draft"), halved("zhong2025.figure10.target")},
};

constexpr ClaimRow kClaims[] = {kEquation5, kEquation6, kSavings, kTable3, kFigure1};

}  // namespace
}  // namespace zhong2025_costs

Claims zhong2025_costs_claims() { return zhong2025_costs::kClaims; }

}  // namespace speclab
