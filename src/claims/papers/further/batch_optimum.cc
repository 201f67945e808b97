// How many tokens are accepted where two requests share a budget: the split by survival products
// against fixed splits and against the best scheduler, which a dynamic program finds.
#include <algorithm>

#include "claims/papers/further/batch.h"
#include "theory/batch_schedule.h"

namespace speclab {
namespace batch_optimum {
namespace {

using batch::budgets;
using batch::drafted_blocks;
using batch::DraftedBlock;
using batch::Products;
using batch::ranked;
using batch::Split;

/// E[tau] of token verification at 0 .. gamma drafts.
std::vector<Rational> accepted_by_length(const Instance& at) {
  // P(tau >= i) is the same at every length of i drafts or more.
  std::vector<Rational> all = tail_of("token", at);
  all.front() = 0;
  std::partial_sum(all.begin(), all.end(), all.begin());
  return all;
}

/// The most accepted tokens of both requests over all splits fixed before drafting.
Rational best_fixed(const std::vector<Rational>& accepted, std::size_t budget) {
  Rational most(0);
  for (std::size_t first = 0; first < accepted.size(); ++first) {
    if (first > budget || budget - first >= accepted.size()) continue;
    most = std::max(most, Rational(accepted[first] + accepted[budget - first]));
  }
  return most;
}

/// The accepted tokens of both requests where the `budget` tokens of the largest products are
/// verified.
Rational accepted_by_rank(const std::vector<DraftedBlock>& blocks, Products products,
                          std::size_t budget) {
  Rational sum(0);
  for (const DraftedBlock& one : blocks) {
    for (const DraftedBlock& other : blocks) {
      const Split split = ranked(one, other, products, budget);
      Rational both(0);
      for (std::size_t i = 0; i < split.first; ++i) both += one.kept[i];
      for (std::size_t i = 0; i < split.second; ++i) both += other.kept[i];
      sum += one.weight * other.weight * both;
    }
  }
  return sum;
}

/// Every budget: compare(blocks, budget, found).
template <class Compare>
Comparisons each_budget(const Instance& at, const Compare& compare) {
  Comparisons says;
  const auto blocks = drafted_blocks(at);
  for (const std::size_t budget : budgets(at)) compare(blocks, budget, says);
  return says;
}

Comparisons against_fixed(const Instance& at) {
  const auto alone = accepted_by_length(at);
  return each_budget(at, [&](const auto& blocks, std::size_t budget, Comparisons& says) {
    says.at_least(accepted_by_rank(blocks, &DraftedBlock::known, budget),
                  ingredient("speclab.batch.fixed", best_fixed(alone, budget)),
                  "accepted tokens of both requests, a budget of {}, by survival products against "
                  "the best fixed split",
                  budget);
  });
}

Comparisons against_best(const Instance& at, Products products, std::string_view name) {
  BestSchedule<Rational> best(*at.rows, at.gamma);
  const State start = at.start();
  return each_budget(at, [&](const auto& blocks, std::size_t budget, Comparisons& says) {
    says.equal(accepted_by_rank(blocks, products, budget),
               ingredient("speclab.batch.optimum",
                          best.accepted(start, start, static_cast<int>(budget)).value()),
               "accepted tokens of both requests, a budget of {}, by {} against the best scheduler",
               budget, name);
  });
}
Comparisons products_are_best(const Instance& at) {
  return against_best(at, &DraftedBlock::known, "survival products");
}
Comparisons survival_is_best(const Instance& at) {
  return against_best(at, &DraftedBlock::likely, "the survival of the drafted tokens");
}

constexpr std::string_view kSource = "this project, after arXiv 2607.05147 (DSpark)";
constexpr std::string_view kTwo =
    "two requests at one pair's start, token verification, ties to the first request; a scheduler "
    "sees a token after it has admitted it, and knows the pair";
constexpr SearchSpace kMemoryless{
    .tokens = 3, .gammas = {2, 3, 3}, .denominator = {2, 3, 3}, .memoryless = true};
constexpr SearchSpace kContexts{
    .tokens = 2, .gammas = 2, .denominator = 2, .states = 2, .one_start = true};

/// At a budget of 4 the split is below the best scheduler however its ties are broken.
constexpr NamedPair kWithoutTies{
    "automaton(draft=[[1/2,1/2],[1/3,2/3],[2/5,3/5],[1,0],[1,0]],target=[[1/2,1/2],[1,0],[1,0],"
    "[1,0],[0,1]],next=[[1,2],[3,3],[4,4],[3,3],[4,4]],start=0)",
    3};

constexpr ClaimRow kFixed{
    .id = "speclab.batch.products-fixed",
    .source = kSource,
    .statement =
        "a budget split by survival products, of sum of min(d, t) along the drafts, lets as many "
        "tokens be accepted as the best split fixed before drafting",
    .hypotheses = kTwo,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = against_fixed,
    .places = {kMemoryless, kContexts},
    .correction = {"for memoryless pairs; in context a survival product rises above that of a "
                   "request whose drafts are better",
                   against_fixed,
                   {kMemoryless}},
    .bites = {{raised("speclab.batch.fixed"), zeroed("speclab.batch.fixed")}},
};

constexpr ClaimRow kProducts{
    .id = "speclab.batch.products-best",
    .source = kSource,
    .statement = "no scheduler accepts more than the split by survival products",
    .hypotheses = kTwo,
    .recorded = ClaimVerdict::refuted,
    .check = products_are_best,
    .places = {kMemoryless, kContexts},
    .correction = {"for memoryless pairs the split by the survival of the drafted tokens, prod of "
                   "min(1, t/d) times sum of min(d, t) of the next token",
                   survival_is_best,
                   {kMemoryless},
                   Amends::by_replacement},
    .bites = {{raised("speclab.batch.optimum")}},
};

constexpr ClaimRow kSurvival{
    .id = "speclab.batch.survival-best",
    .source = kSource,
    .statement =
        "no scheduler accepts more than the split by the survival of the drafted tokens, prod of "
        "min(1, t/d) times sum of min(d, t) of the next token",
    .hypotheses = kTwo,
    .recorded = ClaimVerdict::holds_with_correction,
    .check = survival_is_best,
    .places = {kWithoutTies},
    .correction =
        {"for memoryless pairs; in context a token may be worth admitting for those behind it",
         survival_is_best,
         {kMemoryless}},
    .bites = {{raised("speclab.batch.optimum")}},
};

constexpr ClaimRow kClaims[] = {kFixed, kProducts, kSurvival};

}  // namespace
}  // namespace batch_optimum

Claims batch_optimum_claims() { return batch_optimum::kClaims; }

}  // namespace speclab
