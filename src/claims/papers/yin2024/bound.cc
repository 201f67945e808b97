// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// section 3.1: no member of the class of Algorithm 2 rejects less than speculative decoding, and
// where the class ends.
#include "answer/iteration_law.h"
#include "answer/optima.h"
#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/fates.h"

namespace speclab {
namespace yin2024_bound {
namespace {

/// The least E[N_rej] of the class: certified at every context, averaged along the target. b and P
/// see the validated prefix alone, so the next token has the law b d + P sum (1 - b) d whatever was
/// rejected before; unbiasedness makes it t; an accepted draft is the output, so that P(accept) <=
/// P(X = Y) of a coupling of d and t.
Rational least_rejections(const Instance& at) {
  std::map<State, Rational> least;
  Rational total(0);
  for (const Start& start : at.pair().start()) {
    for (const PathLaws& path : paths_from(*at.rows, start.state, at.gamma - 1)) {
      if (path.target == 0) continue;
      const auto [place, fresh] = least.try_emplace(path.state);
      if (fresh) {
        const auto program =
            position_program(at.rows->draft(path.state), at.rows->target(path.state), 1);
        place->second = 1 - ingredient("yin2024.theorem2.program", certify(program).bound);
      }
      total += start.probability * path.target * place->second;
    }
  }
  return total;
}

Comparisons theorem2(const Instance& at) {
  Comparisons says = equal(rejections("token"), kTvSum)(at);
  says.equal(least_rejections(at), kTvSum(at),
             "certified least E[N_rej] of the class against sum of E TV");
  for (Compared& run : members_run(at)) says.push_back(std::move(run));
  return says;
}

/// Every b of a grid for which some P is without bias, run with the P of Theorem 4.
Comparisons theorem2_grid(const Instance& at) {
  const RuleRuns runs(at);
  return for_rules(at, RuleRange::all, [&](const Rule& rule, Comparisons& says) {
    if (rule.certified() > 0) return;
    const Fates run = runs.run(rule, rule.rejected() > 0 ? rule.wanted() : rule.accept);
    says.equal(run.bias(), 0, "TV of one token at {}, unbiased for some P", rule);
    says.at_least(run.rejections(), distance(at), "E[N_rej] at {}, unbiased, against TV", rule);
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
    .bites = {{zeroed("yin2024.theorem2.program"), raised("yin2024.theorem1.formula"),
               levelled("yin2024.corollary1.P"), replaced("token", "block")}},
};

/// P(tau >= 1 | X^2 = (0, x)), which a rule of Algorithm 2 gives the same for all x.
Rational first_kept(const Instance& at, Token second) {
  Rational drafted(0), kept(0);
  IterationLaws<Rational> laws(make_verifier(played("block")), at.rows, {.whole_draft = true});
  for (const auto& out : laws.from(at.pair().start().front().state, at.gamma)) {
    if (out.draft[0] != 0 || out.draft[1] != second) continue;
    drafted += out.weight;
    if (out.accepted >= 1) kept += out.weight;
  }
  return kept / drafted;
}

/// Block verification on the toy pair: unbiased, with fewer rejections.
Comparisons scope(const Instance& at) {
  Comparisons says = (lossless("block", kToGamma) && below(rejections("block"), kTvSum))(at);
  says.above(ingredient("yin2024.scope.apart", Rational(first_kept(at, 1) - first_kept(at, 0))), 0,
             "P(x_1 accepted | drafts 0,1) of block less that of drafts 0,0");
  return says;
}

constexpr ClaimRow kScope{
    .id = "yin2024.theorem2.scope",
    .source = "yin2024 section 1 and Theorem 2, how far they reach",
    .statement =
        "outside the class the bound does not hold: block verification, unbiased, whose acceptance "
        "of a token looks at the drafts after it, has E[N_rej] < sum E[TV_n]",
    .hypotheses = "the toy pair, T = gamma >= 2",
    .check = scope,
    .places = {NamedPair{kToy, 2}, NamedPair{kToy, 3}, NamedPair{kToy, 4}},
    .bites = {{replaced("block", "token"), replaced("block", "wrong-weight-coins"),
               zeroed("yin2024.scope.apart")}},
};

constexpr ClaimRow kClaims[] = {kTheorem2, kScope};

}  // namespace
}  // namespace yin2024_bound

Claims yin2024_bound_claims() { return yin2024_bound::kClaims; }

}  // namespace speclab
