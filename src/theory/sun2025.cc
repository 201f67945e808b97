#include "theory/sun2025.h"

#include <algorithm>

#include "theory/inquiry.h"
#include "theory/weight_rows.h"

namespace speclab {
namespace sun2025 {
namespace {

constexpr auto tail = [](auto& inquiry) {
  add_weight_tail(inquiry, WeightRule::clamped);
  if (inquiry.setting().pair->memoryless()) return;  // the row of theorem 2 adds them
  inquiry.add_tokens(block_tokens(inquiry.rows, inquiry.start, inquiry.setting().lengths.gamma,
                                  inquiry.iterations(), inquiry.budget));
};

/// Theorem 2 where it is true of every plug-and-play verifier (i = 1, or no context), and its part
/// that is true of all pairs (block compared with token).
constexpr auto optimal = [](auto& inquiry) {
  const bool block = inquiry.setting().verifier.name == "block";
  const Relation relation = block ? Relation::equals : Relation::at_most;
  Budget walked = walk_budget(inquiry);
  const auto tail = block_tail(inquiry.rows, inquiry.start, inquiry.drafts(), walked);
  inquiry.add(QuantityId::expected_accepted, expectation(tail), relation);
  const int optimal = block && !inquiry.setting().pair->memoryless() ? 1 : inquiry.iterations();
  inquiry.add_tokens(block_tokens(inquiry.rows, inquiry.start, inquiry.setting().lengths.gamma,
                                  std::min(optimal, inquiry.iterations()), inquiry.budget),
                     relation);
};

constexpr PredictionRow kRows[] = {
    {"sun2025.theorem1", about("block"), "block: TV(output, target) = 0", "sun2025, Theorem 1",
     lossless},
    {"sun2025.lemma3", about("block"),
     "block: P(tau >= i) = E_d[w_i], w_i = min(1, w_{i-1} t/d), and with context E[N(i)] "
     "from it",
     "sun2025, Lemma 3", tail},
    {"sun2025.theorem2", about("block", "token"),
     "block: E[tau] and E[N(1)], for pairs without context E[N(i)], are the most of any "
     "plug-and-play verifier (printed: E[N(i)] on every pair, which is false); token never has "
     "more",
     "sun2025, Theorem 2, corrected", optimal},
    {"sun2025.appendixA", about("block-listing"), "block-listing: TV(output, target) = 0",
     "sun2025, Appendix A", lossless},
};

}  // namespace
}  // namespace sun2025

std::span<const PredictionRow> sun2025_rows() { return sun2025::kRows; }

}  // namespace speclab
