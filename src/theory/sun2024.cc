#include "theory/sun2024.h"

#include "theory/inquiry.h"

namespace speclab {
namespace sun2024 {
namespace {

constexpr std::string_view kGreedy = "sun2024.theorem1";
constexpr std::string_view kToken = "sun2024.theorem2";
constexpr std::string_view kBernoulli = "sun2024.section3.1";

std::vector<Prediction> greedy(const Setting& setting) {
  if (!speaks_of(setting, {"greedy-block", "block", "token"})) return {};
  return answer(setting, kGreedy, [&](auto& inquiry) {
    if (setting.verifier.name == "greedy-block") inquiry.add_lossless();
    const auto tail = greedy_tail(inquiry.rows, inquiry.start, inquiry.drafts(), inquiry.budget);
    if (setting.verifier.name != "greedy-block") {
      inquiry.add(QuantityId::expected_accepted, expectation(tail), Relation::at_most);
      return;
    }
    inquiry.add_accepted(tail);
    if (inquiry.iterations() > 0) inquiry.add_tokens({1 + expectation(tail)});
  });
}

std::vector<Prediction> token(const Setting& setting) {
  if (!speaks_of(setting, {"token"})) return {};
  return answer(setting, kToken, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.add_accepted(token_tail(inquiry.rows, inquiry.start, inquiry.drafts(), inquiry.budget));
    inquiry.add_tokens(stepwise_tokens<Real>(inquiry.rows, inquiry.start, token_step<Real>,
                                             setting.lengths.gamma, inquiry.iterations(),
                                             inquiry.budget));
  });
}

std::vector<Prediction> bernoulli(const Setting& setting) {
  if (!speaks_of(setting, {"greedy-block", "token"})) return {};
  return answer(setting, kBernoulli, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    inquiry.require(setting.pair->memoryless() && setting.pair->vocabulary() == 2);
    const Real draft = inquiry.rows.draft(0)[1];
    const Real target = inquiry.rows.target(0)[1];
    const int gamma = inquiry.drafts();
    inquiry.budget.template spend<Real>(2.0 * gamma * gamma);
    inquiry.add(QuantityId::expected_accepted,
                setting.verifier.name == "token"
                    ? bernoulli_token_accepted(draft, target, gamma, FirstTerm::corrected)
                    : bernoulli_block_accepted(draft, target, gamma, FirstTerm::corrected));
  });
}

constexpr PredictionRow kRows[] = {
    {kGreedy,
     "greedy-block: E[tau] = sum_i sum_{x^i} min(D, T), the most of any lossless verifier of one "
     "draft",
     "sun2024, Theorem 1", greedy},
    {kToken, "token: E[tau] = sum_i sum_{x^i} prod_j min(d, t)", "sun2024, Theorem 2", token},
    {kBernoulli,
     "Bernoulli laws: sums of (1 - TV)^i (token) and 1 - TV(Bin(i, d), Bin(i, t)) (greedy-block), "
     "from i = 1 (printed: from 0)",
     "sun2024, Section 3.1, corrected", bernoulli},
};

}  // namespace
}  // namespace sun2024

std::span<const PredictionRow> sun2024_rows() { return sun2024::kRows; }

}  // namespace speclab
