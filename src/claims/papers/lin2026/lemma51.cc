// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): Lemma 5.1 in the class of equation (1).
#include <algorithm>
#include <numeric>

#include "base/integer.h"
#include "claims/papers/lin2026/class.h"
#include "claims/papers/lin2026/drafts.h"
#include "model/listed_tree.h"
#include "theory/multi_draft.h"

namespace speclab {
namespace lin2026_lemma51 {
namespace {

constexpr Filter kRoom{
    "some coupling of the drafts exceeds equation (5)", [](const Instance& instance) {
      Budget budget;
      const State start = instance.pair().start().front().state;
      return expectation(best_tail(*instance.rows, start, instance.drafts, instance.gamma,
                                   budget)) > printed_bound(instance, instance.drafts);
    }};

constexpr Filter kTwoEach{
    "draft and target take two tokens each", [](const Instance& instance) {
      for (const auto law : {instance.rows->draft(0), instance.rows->target(0)}) {
        if (std::count_if(law.begin(), law.end(), [](const Rational& p) { return p > 0; }) != 2) {
          return false;
        }
      }
      return kRoom.keeps(instance);
    }};

std::string law_text(const std::vector<Rational>& law) {
  return fmt::format("({},{})", to_text(law[0]), to_text(law[1]));
}

/// Two tokens, L = 2, K = 2; the draft's second token is surely 0.
Instance sure_second(const std::vector<Rational>& draft, const std::vector<Rational>& target,
                     const std::vector<Rational>& after0, const std::vector<Rational>& after1) {
  const std::vector<Rational> sure{Rational(1), Rational(0)};
  return name_instance(
      std::make_shared<ListedTreePair>(2, ListedLaws{{{}, draft}, {{0}, sure}, {{1}, sure}},
                                       ListedLaws{{{}, target}, {{0}, after0}, {{1}, after1}}),
      fmt::format("draft {}, then (1,0); target {}, then {} after 0 and {} after 1",
                  law_text(draft), law_text(target), law_text(after0), law_text(after1)),
      2, 2);
}

constexpr Family kSureSecond{
    .text =
        "two tokens, L = 2, K = 2, the draft's second token surely 0, each law's denominator "
        "at most 3",
    .make =
        [](Effort) {
          std::vector<Instance> instances;
          for (int most = 1; most <= 3; ++most) {
            std::vector<std::vector<Rational>> laws;
            for (int whole = 1; whole <= most; ++whole) {
              for (int part = whole; part >= 0; --part) {
                if (std::gcd(part, whole) != 1) continue;
                laws.push_back({Rational(part, whole), Rational(whole - part, whole)});
              }
            }
            for (const auto& draft : laws) {
              // The first token's name says nothing, and a sure one leaves nothing to couple.
              if (draft[0] < draft[1] || draft[1] == 0) continue;
              for (const auto& target : laws) {
                for (const auto& after0 : laws) {
                  for (const auto& after1 : laws) {
                    const auto largest = std::max({denominator(draft[0]), denominator(target[0]),
                                                   denominator(after0[0]), denominator(after1[0])});
                    if (largest != most) continue;
                    Instance instance = sure_second(draft, target, after0, after1);
                    if (kRoom.keeps(instance)) instances.push_back(std::move(instance));
                  }
                }
              }
            }
          }
          return instances;
        },
    .searched = true,
};

constexpr Family kSevenSixths{
    .text = "d = (2/3,1/3), then (1,0); t = (1/3,2/3), then (0,1) after 0 and (1/2,1/2) after 1",
    .make =
        [](Effort) {
          const Rational third(1, 3);
          const Rational half(1, 2);
          return std::vector<Instance>{sure_second({2 * third, third}, {third, 2 * third},
                                                   {Rational(0), Rational(1)}, {half, half})};
        },
};

constexpr SearchSpace kMemoryless{.tokens = 3,
                                  .least_gamma = 2,
                                  .gammas = 2,
                                  .least_drafts = 2,
                                  .drafts = 2,
                                  .denominator = {4, 4, 5}};

/// Where members with two drafts of two tokens exceed equation (5).
constexpr Places kTwoPositions{kSureSecond, Place(kMemoryless).only(kTwoEach), kSevenSixths};

/// The best of the members that each_member finds.
Comparisons best_member(const Instance& instance) {
  const Blocks blocks = blocks_of(instance);
  Rational most(-1);
  std::string text;
  each_member(blocks, [&](const std::vector<Kernel>& kernels) {
    const Rational mean = mean_agreement(blocks, kernels);
    if (!(mean > most)) return;
    most = mean;
    text = kernel_text(kernels[0]) + " and " + kernel_text(kernels[1]);
  });
  if (most < 0) return {};
  return {{fmt::format("E[tau] of the drafts' laws given y = {} against equation (5)", text), most,
           Order::at_most, printed_bound(instance, instance.drafts)}};
}

/// One position: K kernels that are right one by one, whether or not the drafts are independent.
Comparisons one_position(const Instance& instance) {
  const auto draft = instance.rows->draft(0);
  const auto target = instance.rows->target(0);
  const Rational most = printed_bound(instance, instance.drafts);
  std::vector<std::vector<Rational>> agreements;  // k(y|y)
  each_kernel(instance, instance.depth, [&](const Kernel& kernel) {
    std::vector<Rational> agree;
    for (std::size_t y = 0; y < target.size(); ++y) agree.push_back(kernel[y][y]);
    if (std::find(agreements.begin(), agreements.end(), agree) == agreements.end()) {
      agreements.push_back(std::move(agree));
    }
  });
  const auto mean = [&](const auto& first, const auto& second) {
    Rational sum(0);
    for (std::size_t y = 0; y < target.size(); ++y) {
      if (target[y] == 0) continue;
      sum += target[y] * (1 - (1 - first(y)) * power<Rational>(1 - second(y), instance.drafts - 1));
    }
    return sum;
  };
  Rational largest(0);
  for (const auto& a : agreements) {
    for (const auto& b : agreements) {
      const Rational value =
          mean([&](std::size_t y) { return a[y]; }, [&](std::size_t y) { return b[y]; });
      if (value > largest) largest = value;
    }
  }
  const auto limit = [&](std::size_t y) {
    return lesser<Rational>(draft[y] / target[y], Rational(1));
  };
  return {{"largest E[tau] of drafts with kernels on a grid against equation (5)", largest,
           Order::at_most, most},
          {"E[tau] at k(y|y) = min(d/t, 1) for every draft against equation (5)",
           mean(limit, limit), Order::equal, most}};
}

constexpr ClaimRow kLemma51{
    .id = "lin2026.lemma5.1",
    .source = "lin2026 Lemma 5.1, equation (5)",
    .statement = "E[tau] <= sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K]",
    .hypotheses =
        "the class of equation (1): drafts independent given all of y^L; searched where the "
        "first tokens of two drafts look at y^L",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = best_member,
    .places = kTwoPositions,
    .correction = {"at L = 1, where k(y|y) <= min(1, d/t)",
                   one_position,
                   {SearchSpace{.tokens = 2, .gammas = 1, .drafts = 3, .denominator = 4},
                    BatteryShape{
                        .tokens = 3, .gammas = 1, .drafts = 3, .random = 0, .contexts = false}}},
    .depth = {3, 4, 5},
    .bites = {{{"lin2026.equation5", Fault::lowered}, {"lin2026.equation5", Fault::halved}}},
};

/// The step from the third line of equation (13) to the fourth, its kernels not taken to be alike.
Comparisons step_of_proof(const Instance& instance, int least, int most) {
  const Blocks blocks = blocks_of(instance);
  const State start = instance.pair().start().front().state;
  Comparisons comparisons;
  each_member(blocks, [&](const std::vector<Kernel>& kernels) {
    for (const PathLaws& path : paths_from(*instance.rows, start, most)) {
      if (path.target == 0 || path.tokens.size() < static_cast<std::size_t>(least)) continue;
      Rational product(1);
      for (const Kernel& kernel : kernels) {
        product *= none_begins(blocks, {kernel}, path.tokens) / path.target;
      }
      comparisons.push_back(
          {fmt::format("P(no draft begins with {0} | y does) against P(draft 1 does not) P(draft 2 "
                       "does not), laws {1} and {2}",
                       path_text(path.tokens), kernel_text(kernels[0]), kernel_text(kernels[1])),
           none_begins(blocks, kernels, path.tokens) / path.target, Order::equal,
           ingredient("lin2026.equation13.product", product)});
    }
  });
  return comparisons;
}

constexpr ClaimRow kEquation13{
    .id = "lin2026.lemma5.1.proof",
    .source = "lin2026 equation (13), third line to fourth",
    .statement =
        "drafts independent given y^L are independent given y^i: P(none begins with x^i | "
        "y^i = x^i) is a product over the drafts",
    .hypotheses = "the class of equation (1), kernels not taken to be alike",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return step_of_proof(at, 1, at.gamma); },
    .places = kTwoPositions,
    .correction = {"at i = L",
                   [](const Instance& at) { return step_of_proof(at, at.gamma, at.gamma); },
                   {Place(kMemoryless).only(kTwoEach), kSevenSixths}},
    .bites = {{{"lin2026.equation13.product", Fault::lowered},
               {"lin2026.equation13.product", Fault::zeroed}}},
};

constexpr ClaimRow kClaims[] = {kLemma51, kEquation13};

}  // namespace
}  // namespace lin2026_lemma51

Claims lin2026_lemma51_claims() { return lin2026_lemma51::kClaims; }

}  // namespace speclab
