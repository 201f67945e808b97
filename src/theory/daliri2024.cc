#include "theory/daliri2024.h"

#include "theory/step_rows.h"

namespace speclab {
namespace daliri2024 {
namespace {

constexpr auto gumbel = []<class Real>(Inquiry<Real>& inquiry) {
  const auto rule = [&inquiry](std::span<const Real> draft, std::span<const Real> target) {
    const auto width = static_cast<double>(draft.size());
    inquiry.spend(width * width);
    return gumbel_matches(draft, target);
  };
  add_stepwise(inquiry, StepRule<Real>(rule));
};

constexpr PredictionRow kRows[] = {
    {"daliri2024.lossless", about("gumbel"), "gumbel: TV(output, target) = 0",
     "daliri2024, Gumbel sampling", lossless},
    {"daliri2024.gumbel", about("gumbel"),
     "gumbel: a position is accepted with sum_i 1 / sum_v max(d(v)/d(i), t(v)/t(i))",
     "daliri2024, Gumbel sampling", gumbel},
};

}  // namespace
}  // namespace daliri2024

std::span<const PredictionRow> daliri2024_rows() { return daliri2024::kRows; }

}  // namespace speclab
