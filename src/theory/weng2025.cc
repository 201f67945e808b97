#include "theory/weng2025.h"

#include "theory/inquiry.h"

namespace speclab {
namespace weng2025 {
namespace {

constexpr auto counted = [](auto& inquiry) {
  inquiry.add_accepted(traversal_tail(inquiry.rows, inquiry.start, inquiry.count("K"),
                                      inquiry.drafts(), inquiry.budget));
};

constexpr PredictionRow kRows[] = {
    {"weng2025.lossless", about("traversal", "traversal-merged", "traversal-without"),
     "traversal, traversal-merged, traversal-without: TV(output, target) = 0",
     "weng2025 (Traversal Verification)", lossless},
    {"speclab.traversal.tau", about("traversal"),
     "traversal(K): P(tau >= i) = the sum over nodes of i tokens of the mass that reaches them "
     "times their weight",
     "this project, of weng2025", counted},
};

}  // namespace
}  // namespace weng2025

std::span<const PredictionRow> weng2025_rows() { return weng2025::kRows; }

}  // namespace speclab
