// Lin, Sheng, Cai, Zhou: "SpecTr-GBV" (2026): Lemma 5.1 in the class of
// equation (1).
#include <numeric>

#include "base/integer.h"
#include "claims/battery/small_pairs.h"
#include "claims/papers/lin2026/class.h"
#include "claims/papers/lin2026/drafts.h"
#include "theory/multi_draft.h"

namespace speclab {
namespace lin2026_lemma51 {
namespace {

constexpr Filter kRoom{
    "some coupling of the drafts exceeds equation (5)", [](const Instance& at) {
      Budget budget;
      const State start = at.start();
      return expectation(best_tail(*at.rows, start, at.drafts, at.gamma, budget)) > kEquation5(at);
    }};

constexpr Filter kTwoEach{"draft and target take two tokens each", [](const Instance& at) {
                            for (const auto law : {at.draft(), at.target()}) {
                              const auto taken = [](const Rational& p) { return p > 0; };
                              if (std::count_if(law.begin(), law.end(), taken) != 2) return false;
                            }
                            return kRoom.keeps(at);
                          }};

using Law = std::vector<Rational>;

/// Two tokens, L = 2, K = 2; the draft's second token is always 0.
Instance sure_second(const Law& draft, const Law& target, const Law& after0, const Law& after1) {
  const Law sure{1, 0};
  return listed_tree({{{}, draft}, {{0}, sure}, {{1}, sure}},
                     {{{}, target}, {{0}, after0}, {{1}, after1}}, 2, 2);
}

/// Those with laws of denominators at most 3 and the largest of them first
/// reached at `most`.
void add_sure_second(int most, std::vector<Instance>& instances) {
  std::vector<Law> laws;
  for (int whole = 1; whole <= most; ++whole) {
    for (int part = whole; part >= 0; --part) {
      if (std::gcd(part, whole) != 1) continue;
      laws.push_back({Rational(part, whole), Rational(whole - part, whole)});
    }
  }
  each_tuple(laws.size(), 4, [&](const auto& chosen) {
    const Law& draft = laws[chosen[0]];
    const Law& target = laws[chosen[1]];
    const Law& after0 = laws[chosen[2]];
    const Law& after1 = laws[chosen[3]];
    // The first token's name says nothing, and a sure one leaves nothing to
    // couple.
    if (draft[0] < draft[1] || draft[1] == 0) return;
    if (std::max({denominator(draft[0]), denominator(target[0]), denominator(after0[0]),
                  denominator(after1[0])}) != most) {
      return;
    }
    Instance instance = sure_second(draft, target, after0, after1);
    if (kRoom.keeps(instance)) instances.push_back(std::move(instance));
  });
}

constexpr Family kSureSecond{
    .text =
        "two tokens, L = 2, K = 2, the draft's second token always 0, each law's denominator at "
        "most 3",
    .make =
        [](Effort) {
          std::vector<Instance> instances;
          for (int most = 1; most <= 3; ++most) add_sure_second(most, instances);
          return instances;
        },
    .searched = true,
};

constexpr Family kSevenSixths{
    .text = "d = (2/3,1/3), then (1,0); t = (1/3,2/3), then (0,1) after 0 and (1/2,1/2) after 1",
    .make =
        [](Effort) {
          const Rational third(1, 3), half(1, 2);
          return std::vector{
              sure_second({2 * third, third}, {third, 2 * third}, {0, 1}, {half, half})};
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
Comparisons best_member(const Instance& at) {
  const Blocks blocks = blocks_of(at);
  Rational most(-1);
  std::string text;
  each_member(blocks, [&](const Kernels& kernels) {
    const Rational mean = mean_agreement(blocks, kernels);
    if (!(mean > most)) return;
    most = mean;
    text = kernel_text(kernels[0]) + " and " + kernel_text(kernels[1]);
  });
  Comparisons says;
  if (most < 0) return says;
  says.at_most(most, kEquation5(at), "E[tau] of the drafts' laws given y = {} against equation (5)",
               text);
  return says;
}

/// One position: K kernels that are right one by one, whether or not the drafts
/// are independent.
Comparisons one_position(const Instance& at) {
  const auto draft = at.draft();
  const auto target = at.target();
  std::vector<Law> agreements;  // k(y|y)
  each_kernel(at, at.depth, [&](const Kernel& kernel) {
    Law agree;
    for (std::size_t y = 0; y < target.size(); ++y) agree.push_back(kernel[y][y]);
    if (std::find(agreements.begin(), agreements.end(), agree) == agreements.end()) {
      agreements.push_back(std::move(agree));
    }
  });
  /// E[tau] of a draft with k(y|y) = first and K - 1 with k(y|y) = second.
  const auto mean = [&](const Law& first, const Law& second) {
    Rational sum(0);
    for (std::size_t y = 0; y < target.size(); ++y) {
      sum += target[y] * (1 - (1 - first[y]) * power<Rational>(1 - second[y], at.drafts - 1));
    }
    return sum;
  };
  Rational largest(0);
  for (const Law& a : agreements) {
    check_interrupted();
    for (const Law& b : agreements) largest = std::max(largest, mean(a, b));
  }
  Law limit;
  for (std::size_t y = 0; y < target.size(); ++y) {
    limit.push_back(target[y] > 0 ? min_one<Rational>(draft[y] / target[y]) : Rational(0));
  }
  return {{"largest E[tau] of drafts with kernels on a grid against equation (5)", largest,
           Order::at_most, kEquation5(at)},
          {"E[tau] at k(y|y) = min(d/t, 1) for every draft against equation (5)",
           mean(limit, limit), Order::equal, kEquation5(at)}};
}

constexpr ClaimRow kLemma51{
    .id = "lin2026.lemma5.1",
    .source = "lin2026 Lemma 5.1, equation (5)",
    .statement = "E[tau] <= sum_{i=1..L} sum_x T(x^i) [1 - (1 - min(D/T, 1))^K]",
    .hypotheses =
        "the class of equation (1): drafts independent given all of y^L; searched where the first "
        "tokens of two drafts look at y^L. With one kernel for all drafts, as equation (13) writes "
        "it, they do not look at y, and the bound holds (lin2026.equation1.one-kernel)",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = best_member,
    .places = kTwoPositions,
    .correction = {"at L = 1, where k(y|y) <= min(1, d/t)",
                   one_position,
                   {SearchSpace{.tokens = 2, .gammas = 1, .drafts = 3, .denominator = 4},
                    BatteryShape{
                        .tokens = 3, .gammas = 1, .drafts = 3, .random = 0, .contexts = false}}},
    .depth = {3, 4, 5},
    .bites = {{lowered("lin2026.equation5"), halved("lin2026.equation5")}},
};

/// The step from the third line of equation (13) to the fourth, its kernels not
/// taken to be alike.
Comparisons step_of_proof(const Instance& at, int least) {
  const Blocks blocks = blocks_of(at);
  const State start = at.start();
  Comparisons says;
  each_member(blocks, [&](const Kernels& kernels) {
    for (const PathLaws& path : paths_from(*at.rows, start, at.gamma)) {
      if (path.target == 0 || path.length() < least) continue;
      Rational product(1);
      for (const Kernel& kernel : kernels) {
        product *= none_begins(blocks, {kernel}, path.tokens) / path.target;
      }
      says.equal(none_begins(blocks, kernels, path.tokens) / path.target,
                 ingredient("lin2026.equation13.product", product),
                 "P(no draft begins with {0} | y does) against P(draft 1 does not) P(draft 2 does "
                 "not), laws {1} and {2}",
                 path_text(path.tokens), kernel_text(kernels[0]), kernel_text(kernels[1]));
    }
  });
  return says;
}

constexpr ClaimRow kEquation13{
    .id = "lin2026.lemma5.1.proof",
    .source = "lin2026 equation (13), third line to fourth",
    .statement =
        "drafts independent given y^L are independent given y^i: P(none begins with x^i | y^i = "
        "x^i) is a product over the drafts",
    .hypotheses = "the class of equation (1), kernels not taken to be alike",
    .recorded = ClaimVerdict::holds_with_correction,
    .check = [](const Instance& at) { return step_of_proof(at, 1); },
    .places = kTwoPositions,
    .correction = {"at i = L",
                   [](const Instance& at) { return step_of_proof(at, at.gamma); },
                   {Place(kMemoryless).only(kTwoEach), kSevenSixths}},
    .bites = {{lowered("lin2026.equation13.product"), zeroed("lin2026.equation13.product")}},
};

constexpr ClaimRow kClaims[] = {kLemma51, kEquation13};

}  // namespace
}  // namespace lin2026_lemma51

Claims lin2026_lemma51_claims() { return lin2026_lemma51::kClaims; }

}  // namespace speclab
