// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 3.1: none of the class of Algorithm 2 rejects less than speculative decoding, and where
// the class ends.
#include <fmt/format.h>

#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/rules.h"
#include "verifiers/chain/block.h"

namespace speclab {
namespace yin2024_bound {
namespace {

/// The least E[N_rej] of the class: certified at every context, averaged along the target. b and P
/// see the validated prefix alone, so the next token has the law b d + P sum (1 - b) d whatever was
/// rejected before; unbiasedness makes it t; an accepted draft is the output, so that P(accept) <=
/// P(X = Y) of a coupling of d and t.
Rational least_rejections(const Instance& instance) {
  const Rows<Rational>& rows = *instance.rows;
  std::map<State, Rational> least;
  Rational total(0);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(rows, start.state, instance.gamma - 1)) {
      if (path.target == 0) continue;
      if (!least.contains(path.state)) {
        const auto program = position_program(rows.draft(path.state), rows.target(path.state), 1);
        least[path.state] = 1 - ingredient("yin2024.theorem2.program", certify(program).bound);
      }
      total += start.probability * path.target * least[path.state];
    }
  }
  return total;
}

Comparisons theorem2(const Instance& instance) {
  const Rational bound = tv_along_target(instance).expected();
  Comparisons comparisons{
      {"certified least E[N_rej] of the class against sum of E TV", least_rejections(instance),
       Order::equal, bound},
      {"E[N_rej] of token, T = gamma, against sum of E TV",
       decode_to_horizon("token", instance).fraction(QuantityId::rejections), Order::equal, bound}};
  for (const Member& member : members()) {
    const Fates run = run_algorithm2(instance, member.design());
    comparisons.push_back({fmt::format("TV of {}, T = gamma, to the target's", member.text),
                           run.bias(instance, instance.gamma), Order::equal, Rational(0)});
    const bool least = &member == &members().front();
    comparisons.push_back({fmt::format("E[N_rej] of {} against sum of E TV", member.text),
                           run.rejections(instance.gamma), least ? Order::equal : Order::at_least,
                           bound});
  }
  return comparisons;
}

/// Every b of a grid for which some P is without bias, run with the P of Theorem 4.
Comparisons theorem2_grid(const Instance& instance) {
  return for_rules(instance, RuleRange::all, [&](const Rule& rule, Comparisons& comparisons) {
    if (rule.certified() > 0) return;
    const std::vector<Rational> law = rule.rejected() > 0 ? rule.wanted() : rule.accept;
    const Fates run = run_algorithm2(
        instance, [&](std::span<const Rational>, std::span<const Rational>, const TokenPath&) {
          return Design{rule.accept, law};
        });
    comparisons.push_back({fmt::format("TV of one token at {}, unbiased for some P", rule.text()),
                           run.bias(instance, 1), Order::equal, Rational(0)});
    comparisons.push_back({fmt::format("E[N_rej] at {}, unbiased, against TV", rule.text()),
                           run.rejections(1), Order::at_least, distance(instance)});
  });
}

constexpr ClaimRow kTheorem2{
    .id = "yin2024.theorem2",
    .source = "yin2024 Theorems 2 and 8, Remark 4",
    .statement = "inf over the class of E[N_rej] = sum_{n=1..T} E_{x ~ t}[TV(d_n, t_n)]",
    .hypotheses =
        "unbiased instances of Algorithm 2: b_n, P_n see x_{1:n-1} and the token, not later drafts",
    .check = theorem2,
    .places = {BatteryShape{.tokens = 3, .gammas = 3, .random = {4, 8, 40}},
               SearchSpace{.tokens = 2, .gammas = 1, .denominator = {3, 5, 8}},
               Place(SearchSpace{.tokens = 2, .gammas = 1, .denominator = {3, 4, 6}})
                   .with(theorem2_grid)},
    .bites = {{{"yin2024.theorem2.program", Fault::zeroed},
               {"yin2024.theorem1.formula", Fault::raised},
               {"yin2024.corollary1.P", Fault::levelled},
               {"token", Fault::replaced, "block"}}},
};

/// P(tau >= 1 | X^2 = (0, x)), which a rule of Algorithm 2 gives the same for all x.
Rational first_kept(const Instance& instance, Token second) {
  Rational drafted(0), kept(0);
  each_iteration(BlockVerification{}, instance, instance.pair().start().front().state, false,
                 [&](const auto& out, const Rational& weight) {
                   if (out.path[0].token != 0 || out.path[1].token != second) return;
                   drafted += weight;
                   if (out.accepted >= 1) kept += weight;
                 });
  return kept / drafted;
}

/// Block verification on the toy pair: unbiased, with fewer rejections.
Comparisons scope(const Instance& instance) {
  const auto block = decode_to_horizon("block", instance);
  const Rational apart = first_kept(instance, 0) - first_kept(instance, 1);
  return {
      {"TV of T = gamma tokens of block to the target's", block.fraction(QuantityId::tv_to_target),
       Order::equal, Rational(0)},
      {"E[N_rej] of block, T = gamma, against sum of E TV", block.fraction(QuantityId::rejections),
       Order::below, tv_along_target(instance).expected()},
      {"P(x_1 accepted | drafts 0,1) of block less that of drafts 0,0",
       ingredient("yin2024.scope.apart", Rational(-apart)), Order::above, Rational(0)}};
}

constexpr ClaimRow kScope{
    .id = "yin2024.theorem2.scope",
    .source = "yin2024 section 1 and Theorem 2, how far they reach",
    .statement =
        "outside the class the bound does not hold: block verification, unbiased, whose "
        "acceptance of a token looks at the drafts after it, has E[N_rej] < sum E[TV_n]",
    .hypotheses = "the toy pair, T = gamma >= 2",
    .check = scope,
    .places = {NamedPair{kToy, 2}, NamedPair{kToy, 3}, NamedPair{kToy, 4}},
    .bites = {{{"block", Fault::replaced, "token"},
               {"block", Fault::replaced, "wrong-weight-coins"},
               {"yin2024.scope.apart", Fault::zeroed}}},
};

constexpr ClaimRow kClaims[] = {kTheorem2, kScope};

}  // namespace
}  // namespace yin2024_bound

Claims yin2024_bound_claims() { return yin2024_bound::kClaims; }

}  // namespace speclab
