// Zhong, Teku, Tandon: "Speeding up Speculative Decoding via Sequential Approximate Verification"
// (SPRINTER, 2025): what a run costs.
#include <memory>

#include "claims/engine/ingredient.h"
#include "claims/papers/zhong2025/rates.h"
#include "model/view.h"
#include "run/enumerator.h"
#include "verifiers/chain/token.h"

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

/// A pair's view that counts how often laws are asked for.
struct CountingView : PairView<Rational> {
  using PairView::PairView;
  [[nodiscard]] Laws<Rational> at(const Node& node) const {
    ++*asked;
    return PairView::at(node);
  }
  std::shared_ptr<int> asked = std::make_shared<int>(0);
};

/// The contexts at which token verification looks at the target's law when it accepts all gamma
/// drafts and adds no token: the positions that the target scores.
Rational scored_positions(const Instance& instance) {
  const CountingView view(*instance.rows);
  const State root = view.root(instance.pair().start().front().state);
  Enumerator<Rational> choices;
  Iteration<CountingView> out;
  int scored = 0;
  do {
    choices.restart();
    out.begin(root);
    *view.asked = 0;
    TokenVerification{}(view, root, {.drafts = instance.gamma, .bonus = false}, choices, out);
    if (out.accepted == instance.gamma) scored = *view.asked;
  } while (choices.advance());
  return ingredient("zhong2025.equation5.positions", Rational(scored));
}

/// Equation (5): one run drafts gamma tokens, and the target scores each.
Rational counted_speculative(const Instance& instance, const Costs& cost) {
  return instance.gamma * cost.draft + scored_positions(instance) * cost.target;
}

/// Equation (6): each drafted token is one call of the cheap verifier.
Rational counted_sprinter(const Instance& instance, const Costs& cost) {
  const auto run = decode_of("sprinter(fp=0,tp=1)", instance, instance.gamma);
  return run.fraction(QuantityId::draft_steps) * (cost.draft + cost.verifier) +
         run.fraction(QuantityId::target_calls) * cost.target;
}

Comparisons equation5(const Instance& instance) {
  Comparisons comparisons;
  for (const Costs& cost : costs()) {
    comparisons.push_back(
        {"FLOPs counted in a run of gamma accepted tokens of token against gamma F_d + gamma F_t",
         counted_speculative(instance, cost), Order::equal,
         ingredient("zhong2025.equation5",
                    speculative_flops<Rational>(instance.gamma, cost.draft, cost.target))});
  }
  return comparisons;
}

constexpr ClaimRow kEquation5{
    .id = "zhong2025.equation5",
    .source = "zhong2025 equation (5)",
    .statement = "FLOPs of one run of speculative decoding = gamma F_d + gamma F_t",
    .hypotheses =
        "gamma drafts scored side by side; a token after them, and so one row of the "
        "target more, is left out",
    .check = equation5,
    .places = {kOneRun},
    .bites = {Bite{"zhong2025.equation5.positions", Fault::raised},
              {"zhong2025.equation5", Fault::doubled}},
};

Comparisons equation6(const Instance& instance) {
  Comparisons comparisons;
  for (const Costs& cost : costs()) {
    comparisons.push_back(
        {"FLOPs counted in a decode of gamma tokens by sprinter(fp=0,tp=1) against gamma F_d + "
         "gamma F_v + F_t",
         counted_sprinter(instance, cost), Order::equal,
         ingredient("zhong2025.equation6", sprinter_flops<Rational>(instance.gamma, cost.draft,
                                                                    cost.verifier, cost.target))});
  }
  return comparisons;
}

constexpr ClaimRow kEquation6{
    .id = "zhong2025.equation6",
    .source = "zhong2025 equation (6)",
    .statement = "FLOPs of one run of SPRINTER = gamma F_d + gamma F_v + F_t",
    .hypotheses = "a perfect verifier whose first no is to the last of gamma drafted tokens",
    .check = equation6,
    .places = {kOneRun},
    .bites = {Bite{"zhong2025.equation6", Fault::raised},
              {"sprinter", Fault::replaced, "sprinter(fp=1,tp=1)"},
              {"sprinter", Fault::replaced, "sprinter(fp=0,tp=0)"}},
};

/// The printed savings leave out the verifier's own gamma F_v.
Comparisons savings(const Instance& instance, bool less_verifier) {
  Comparisons comparisons;
  for (const Costs& cost : costs()) {
    const Rational own =
        less_verifier ? ingredient("zhong2025.savings.verifier", instance.gamma * cost.verifier)
                      : Rational(0);
    comparisons.push_back({fmt::format("FLOPs saved by sprinter against (gamma - 1) F_t{}",
                                       less_verifier ? " - gamma F_v" : ""),
                           counted_speculative(instance, cost) - counted_sprinter(instance, cost),
                           Order::equal, (instance.gamma - 1) * cost.target - own});
  }
  return comparisons;
}

constexpr ClaimRow kSavings{
    .id = "zhong2025.savings",
    .source = "zhong2025 section 3.1 and appendix A.8",
    .statement = "the computational savings are (gamma - 1) F_t",
    .hypotheses = "as for equations (5) and (6)",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return savings(instance, false); },
    .places = {kOneRun},
    .correction = {"less gamma F_v, the verifier's own work: (gamma - 1) F_t - gamma F_v",
                   [](const Instance& instance) { return savings(instance, true); },
                   {}},
    .bites = {Bite{"zhong2025.savings.verifier", Fault::zeroed},
              {"zhong2025.equation5.positions", Fault::raised},
              {"sprinter", Fault::replaced, "sprinter(fp=0,tp=0)"}},
};

/// Table 3 for gamma tokens, F(n) = n F(1): speculative and mentored decoding, Medusa with K heads
/// and Eagle2, of a tree of as many nodes as tokens, the fewest that can hold them.
Comparisons table3(const Instance& instance, bool savings_beat_verifier) {
  Comparisons comparisons;
  const int gamma = instance.gamma;
  for (const Costs& cost : costs()) {
    if (savings_beat_verifier && (gamma - 1) * cost.target <= gamma * cost.verifier) continue;
    const Rational sprinter =
        ingredient("zhong2025.equation6",
                   sprinter_flops<Rational>(gamma, cost.draft, cost.verifier, cost.target));
    const auto against = [&](const std::string& name, const Rational& flops) {
      comparisons.push_back({fmt::format("FLOPs of SPRINTER for {} tokens against {}", gamma, name),
                             sprinter, Order::below, flops});
    };
    against("SD and Mentored Decoding",
            speculative_flops<Rational>(gamma, cost.draft, cost.target));
    for (const int heads : {1, 3}) {
      against(fmt::format("Medusa, K = {}", heads),
              medusa_flops<Rational>(gamma, heads, gamma, cost.draft, cost.target));
    }
    against("Eagle2", eagle2_flops<Rational>(gamma, gamma, cost.draft, cost.target));
  }
  return comparisons;
}

constexpr ClaimRow kTable3{
    .id = "zhong2025.table3",
    .source = "zhong2025 Table 3",
    .statement = "SPRINTER needs fewer FLOPs than SD, Mentored Decoding, Medusa and Eagle2",
    .hypotheses =
        "the formulas of Table 3 with F(n) = n F(1), equation (6); a draft tree of at "
        "least gamma nodes",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& instance) { return table3(instance, false); },
    .places = {Place(kOneRun).closed_form()},
    .correction = {"where (gamma - 1) F_t > gamma F_v, so not for one token",
                   [](const Instance& instance) { return table3(instance, true); },
                   {}},
    .bites = {Bite{"zhong2025.equation6", Fault::doubled}, {"zhong2025.equation6", Fault::zeroed}},
};

/// Figure 10, in units of 10^9 FLOPs for 20 tokens: GPT-Neo-125M and GPT-Neo-1.3B.
Rational figure10_draft() { return ingredient("zhong2025.figure10.draft", Rational(801, 100)); }
Rational figure10_target() { return ingredient("zhong2025.figure10.target", Rational(6466, 100)); }

Comparisons printed_eight(const std::string& what, const Rational& ratio) {
  return {{what, ratio, Order::at_least, Rational(15, 2)},
          {what, ratio, Order::below, Rational(17, 2)}};
}

/// Equations (5) and (6) for 20 tokens, the verifier's own FLOPs left out as the paper does.
Comparisons figure1(const Instance& instance) {
  const Rational draft = figure10_draft() / instance.gamma;
  const Rational target = figure10_target() / instance.gamma;
  return printed_eight("FLOPs of SD over those of SPRINTER for 20 tokens, rounded to 8",
                       speculative_flops<Rational>(instance.gamma, draft, target) /
                           sprinter_flops<Rational>(instance.gamma, draft, Rational(0), target));
}

Comparisons figure1_corrected(const Instance&) {
  return printed_eight("FLOPs of the target over those of the draft for 20 tokens, rounded to 8",
                       figure10_target() / figure10_draft());
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
                   "give 72.67 / 11.243 = 6.46",
                   figure1_corrected,
                   {}},
    .bites = {Bite{"zhong2025.figure10.draft", Fault::doubled},
              {"zhong2025.figure10.target", Fault::halved}},
};

constexpr ClaimRow kClaims[] = {kEquation5, kEquation6, kSavings, kTable3, kFigure1};

}  // namespace
}  // namespace zhong2025_costs

Claims zhong2025_costs_claims() { return zhong2025_costs::kClaims; }

}  // namespace speclab
