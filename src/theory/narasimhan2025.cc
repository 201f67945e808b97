#include "theory/narasimhan2025.h"

#include <string>

#include "theory/step_rows.h"

namespace speclab {
namespace narasimhan2025 {
namespace {

constexpr std::string_view kRelaxed = "narasimhan2025.relaxed";

/// The relaxed target of the setting's parameters as a function of (draft, target). A divergence
/// in logarithms has no closed form.
template <class Inquiry>
auto relaxed_law(const Inquiry& inquiry) {
  using Real = typename Inquiry::Real;
  using Law = std::span<const Real>;
  const std::string pi = inquiry.parameters().word(
      "pi", {"ensemble", "fuzzy", "cascade-opt", "cascade-top"}, "ensemble");
  const bool fuzzy = pi == "fuzzy";
  inquiry.require(!fuzzy || inquiry.parameters().word("divergence", {"tv", "kl", "js"}) == "tv");
  const Real value = inquiry.number(fuzzy ? "threshold" : pi == "ensemble" ? "weight" : "alpha");
  return [pi, value](Law draft, Law target) -> std::vector<Real> {
    if (pi == "ensemble") return ensemble_law(draft, target, value);
    if (pi == "cascade-opt") return cascade_opt_law(draft, target, value);
    if (pi == "cascade-top") return cascade_top_law(draft, target, value);
    const bool near = !(total_variation(draft, target) > value);
    const Law chosen = near ? draft : target;
    return {chosen.begin(), chosen.end()};
  };
}

std::vector<Prediction> relaxed(const Setting& setting) {
  if (!speaks_of(setting, {"relaxed"})) return {};
  return answer(setting, kRelaxed, [&](auto& inquiry) {
    using Real = typename std::decay_t<decltype(inquiry)>::Real;
    const auto law = relaxed_law(inquiry);
    const StepRule<Real> rule([law](std::span<const Real> draft, std::span<const Real> target) {
      const std::vector<Real> pi = law(draft, target);
      return relaxed_step<Real>(draft, std::span<const Real>(pi));
    });
    inquiry.add_accepted(
        stepwise_tail(inquiry.rows, inquiry.start, rule, inquiry.drafts(), inquiry.budget));
    const int horizon = inquiry.unbroken_horizon();
    inquiry.add(QuantityId::tv_to_target,
                stepwise_tv(inquiry.rows, inquiry.start, rule, horizon, inquiry.budget));
  });
}

constexpr PredictionRow kRows[] = {
    {kRelaxed,
     "relaxed(pi): a position is accepted with 1 - TV(d, pi), a drafted token's law is pi",
     "narasimhan2025 (speculative cascades)", relaxed},
};

}  // namespace
}  // namespace narasimhan2025

std::span<const PredictionRow> narasimhan2025_rows() { return narasimhan2025::kRows; }

}  // namespace speclab
