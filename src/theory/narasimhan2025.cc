#include "theory/narasimhan2025.h"

#include <string>

#include "theory/step_rows.h"

namespace speclab {
namespace narasimhan2025 {
namespace {

/// The relaxed target of the setting's parameters as a function of (draft, target). A divergence
/// in logarithms has no closed form.
template <class Real>
auto relaxed_law(const Inquiry<Real>& inquiry) {
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

constexpr auto relaxed = []<class Real>(Inquiry<Real>& inquiry) {
  const auto law = relaxed_law(inquiry);
  const StepRule<Real> rule([law](std::span<const Real> draft, std::span<const Real> target) {
    const std::vector<Real> pi = law(draft, target);
    return token_step<Real>(draft, std::span<const Real>(pi));
  });
  add_step_tail(inquiry, rule);
  add_step_tv(inquiry, rule, inquiry.unbroken_horizon());
};

constexpr PredictionRow kRows[] = {
    {"narasimhan2025.relaxed", about("relaxed"),
     "relaxed(pi): a position is accepted with 1 - TV(d, pi), a drafted token's law is pi",
     "narasimhan2025 (speculative cascades)", relaxed},
};

}  // namespace
}  // namespace narasimhan2025

std::span<const PredictionRow> narasimhan2025_rows() { return narasimhan2025::kRows; }

}  // namespace speclab
