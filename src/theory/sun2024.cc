#include "theory/sun2024.h"

#include "theory/inquiry.h"
#include "theory/weight_rows.h"

namespace speclab {
namespace sun2024 {
namespace {

constexpr auto greedy = [](auto& inquiry) {
  if (inquiry.setting().verifier.name != "greedy-block") {
    Budget walked = walk_budget(inquiry);
    const auto tail = greedy_tail(inquiry.rows, inquiry.start, inquiry.drafts(), walked);
    inquiry.add(QuantityId::expected_accepted, expectation(tail), Relation::at_most);
    return;
  }
  inquiry.add_lossless();
  const auto tail = add_weight_tail(inquiry, WeightRule::ratio);
  if (tail && inquiry.iterations() > 0) inquiry.add_tokens({1 + expectation(*tail)});
};

constexpr auto token = []<class Real>(Inquiry<Real>& inquiry) {
  inquiry.add_accepted(token_tail(inquiry.rows, inquiry.start, inquiry.drafts(), inquiry.budget));
  inquiry.add_tokens(stepwise_tokens<Real>(inquiry.rows, inquiry.start, token_step<Real>,
                                           inquiry.setting().lengths.gamma, inquiry.iterations(),
                                           inquiry.budget));
};

constexpr auto bernoulli = []<class Real>(Inquiry<Real>& inquiry) {
  inquiry.require(inquiry.setting().pair->memoryless() &&
                  inquiry.setting().pair->vocabulary() == 2);
  const Real draft = inquiry.rows.draft(0)[1];
  const Real target = inquiry.rows.target(0)[1];
  const int gamma = inquiry.drafts();
  inquiry.spend(2.0 * gamma * gamma);
  inquiry.add(QuantityId::expected_accepted,
              inquiry.setting().verifier.name == "token"
                  ? bernoulli_token_accepted(draft, target, gamma, FirstTerm::corrected)
                  : bernoulli_block_accepted(draft, target, gamma, FirstTerm::corrected));
};

constexpr PredictionRow kRows[] = {
    {"sun2024.theorem1", about("greedy-block", "block", "token"),
     "greedy-block: E[tau] = sum_i sum_{x^i} min(D, T), the most of any lossless verifier of one "
     "draft",
     "sun2024, Theorem 1", greedy},
    {"sun2024.theorem2", about("token"), "token: E[tau] = sum_i sum_{x^i} prod_j min(d, t)",
     "sun2024, Theorem 2", token},
    {"sun2024.section3.1", about("greedy-block", "token"),
     "Bernoulli laws: sums of (1 - TV)^i (token) and 1 - TV(Bin(i, d), Bin(i, t)) (greedy-block), "
     "from i = 1 (printed: from 0)",
     "sun2024, Section 3.1, corrected", bernoulli},
};

}  // namespace
}  // namespace sun2024

std::span<const PredictionRow> sun2024_rows() { return sun2024::kRows; }

}  // namespace speclab
