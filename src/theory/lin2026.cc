#include "theory/lin2026.h"

#include "theory/weight_rows.h"

namespace speclab {
namespace lin2026 {
namespace {

constexpr auto bound = [](auto& inquiry) {
  inquiry.add(QuantityId::expected_accepted,
              expectation(spectr_gbv_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                          inquiry.drafts(), inquiry.budget)));
};

constexpr auto coupled = [](auto& inquiry) {
  inquiry.add_accepted(spectr_gbv_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                       inquiry.drafts(), inquiry.budget));
};

/// The prediction of slot-block, which is block verification at K = 1.
constexpr auto above_block = [](auto& inquiry) {
  Budget walked = walk_budget(inquiry);
  const auto tail = block_tail(inquiry.rows, inquiry.start, inquiry.drafts(), walked);
  inquiry.add(QuantityId::expected_accepted, expectation(tail),
              inquiry.count("K") == 1 ? Relation::equals : Relation::at_least);
};

/// Of two drafts: the law over the slots of more is no longer linear in what the second draft does.
/// Longer drafts than kLongest would have too many values of L, which is known at once.
constexpr auto two_drafts = [](auto& inquiry) {
  constexpr int kLongest = 256;
  inquiry.require(inquiry.count("K") == 2 && inquiry.drafts() <= kLongest);
  inquiry.add_accepted(
      slot_block_tail(inquiry.rows, inquiry.start, inquiry.drafts(), inquiry.budget));
};

constexpr PredictionRow kRows[] = {
    {"lin2026.theorem4.2", about("spectr-gbv"),
     "spectr-gbv(K): TV(output, target) = 0 (false for K >= 2)", "lin2026, Theorem 4.2", lossless},
    {"lin2026.theorem5.3", about("spectr-gbv"),
     "spectr-gbv(K): E[tau] = sum_i sum_{x^i} T [1 - (1 - min(D/T, 1))^K] (false for K >= 2)",
     "lin2026, Theorem 5.3, Equation (6)", bound},
    {"lin2026.coupled_lossless", about("spectr-coupled"),
     "spectr-coupled(K): TV(output, target) = 0", "this project, after lin2026, Theorem 4.2",
     lossless},
    {"lin2026.equation5", about("spectr-coupled"),
     "spectr-coupled(K): P(tau >= i) = sum_{x^i} T [1 - (1 - min(D/T, 1))^K]",
     "this project, after lin2026, Equation (5)", coupled},
    {"slot-block.lossless", about("slot-block"), "slot-block(K): TV(output, target) = 0",
     "this project, after lin2026", lossless},
    {"slot-block.above-block", about("slot-block"),
     "slot-block(K): E[tau] >= block's, equal at K = 1", "this project, after lin2026",
     above_block},
    {"slot-block.tau", about("slot-block"),
     "slot-block(K=2): P(tau >= i) = E_d[w_i] + what min(D, mass) of each slot of the first draft "
     "adds below it",
     "this project, after lin2026", two_drafts},
};

}  // namespace
}  // namespace lin2026

std::span<const PredictionRow> lin2026_rows() { return lin2026::kRows; }

}  // namespace speclab
