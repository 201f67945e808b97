#include "theory/daliri2024.h"

#include "theory/step_rows.h"

namespace speclab {
namespace daliri2024 {
namespace {

constexpr std::string_view kLossless = "daliri2024.lossless";
constexpr std::string_view kGumbel = "daliri2024.gumbel";

std::vector<Prediction> lossless(const Setting& setting) {
  if (!speaks_of(setting, {"gumbel"})) return {};
  return claims_lossless(setting, kLossless);
}

std::vector<Prediction> gumbel(const Setting& setting) {
  if (!speaks_of(setting, {"gumbel"})) return {};
  return answer(setting, kGumbel, [](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const auto rule = [&inquiry](std::span<const Real> draft, std::span<const Real> target) {
      const auto width = static_cast<double>(draft.size());
      inquiry.budget.template spend<Real>(width * width);
      return gumbel_matches(draft, target);
    };
    add_stepwise(inquiry, StepRule<Real>(rule));
  });
}

constexpr PredictionRow kRows[] = {
    {kLossless, "gumbel: TV(output, target) = 0", "daliri2024, Gumbel sampling", lossless},
    {kGumbel, "gumbel: a position is accepted with sum_i 1 / sum_v max(d(v)/d(i), t(v)/t(i))",
     "daliri2024, Gumbel sampling", gumbel},
};

}  // namespace
}  // namespace daliri2024

std::span<const PredictionRow> daliri2024_rows() { return daliri2024::kRows; }

}  // namespace speclab
