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

/// The program over every unbiased member of the class, all T = gamma tokens at once, from a start.
/// For each path x_{1:n} the masses of x_n kept and corrected, kept + slack being what is drafted
/// there: b and P see the validated prefix alone, so that P(x_{1:n-1}) d(x_n) is drafted whatever
/// was rejected before. A path's mass is that of its children; whole paths have the target's joint
/// law. Worth: the tokens kept.
LinearProgram decode_program(const Instance& at, State start) {
  const std::vector<PathLaws> paths = paths_from(*at.rows, start, at.gamma);
  std::map<TokenPath, std::size_t> index;
  std::vector<std::size_t> parents(paths.size());
  // What is drafted below a path, of its mass, by its row.
  std::vector<std::vector<std::pair<std::size_t, Rational>>> below(paths.size());
  LinearProgram program;
  for (const PathLaws& path : paths) {
    const std::size_t here = index.emplace(path.tokens, index.size()).first->second;
    // Row 2 i: the mass of path i goes on, or is the target's; row 2 i - 1: what is drafted there.
    if (here > 0) {
      program.totals.emplace_back(0);
      parents[here] = index.at({path.tokens.begin(), path.tokens.end() - 1});
      const auto draft = at.rows->draft(paths[parents[here]].state);
      const auto x = static_cast<std::size_t>(path.tokens.back());
      if (draft[x] > 0) below[parents[here]].emplace_back(2 * here - 1, draft[x]);
    }
    program.totals.push_back(path.length() == at.gamma ? path.target : Rational(here == 0 ? 1 : 0));
  }
  for (const auto& [row, draft] : below[0]) program.totals[row] = draft;
  for (std::size_t here = 1; here < paths.size(); ++here) {
    for (const bool kept : {true, false}) {
      LinearProgram::Column column{Rational(kept ? 1 : 0), {{2 * parents[here], Rational(1)}}};
      if (kept) column.entries.emplace_back(2 * here - 1, 1);
      column.entries.emplace_back(2 * here, paths[here].length() == at.gamma ? 1 : -1);
      for (const auto& [row, draft] : below[here]) column.entries.emplace_back(row, -draft);
      program.columns.push_back(std::move(column));
    }
    program.columns.push_back({Rational(0), {{2 * here - 1, Rational(1)}}});
  }
  return program;
}

/// The least E[N_rej] of the class over a decode of T tokens: certified.
Rational least_rejections(const Instance& at) {
  Rational total(0);
  for (const Start& start : at.pair().start()) {
    const Certificate best = certify(decode_program(at, start.state));
    if (best.raised != 0) throw std::logic_error("the program's prices are no proof");
    total += start.probability * (at.gamma - ingredient("yin2024.theorem2.program", best.bound));
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
  for (const auto& out : laws.from(at.start(), at.gamma)) {
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
