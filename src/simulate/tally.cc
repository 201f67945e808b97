#include "simulate/tally.h"

#include <cmath>

#include "simulate/add_counts.h"

namespace speclab {
namespace {

template <std::size_t count>
void add_units(std::array<WideSum, count>& sums, const std::array<double, count>& values) {
  for (std::size_t i = 0; i < count; ++i) sums[i] += std::llround(values[i] * kConditionalUnit);
}

template <std::size_t count>
std::array<double, count> in_ones(const std::array<WideSum, count>& sums) {
  std::array<double, count> values;
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<double>(sums[i]) / kConditionalUnit;
  }
  return values;
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  trials += other.trials;
  undefined_trials += other.undefined_trials;
  undefined_iterations += other.undefined_iterations;
  add_counts(accepted, other.accepted);
  add_counts(emitted, other.emitted);
  tokens += other.tokens;
  iterations += other.iterations;
  target_calls += other.target_calls;
  rejections += other.rejections;
  draft_steps += other.draft_steps;
  tokens_times_calls += other.tokens_times_calls;
  tokens_times_steps += other.tokens_times_steps;
  calls_times_steps += other.calls_times_steps;
  add_counts(positions, other.positions);
  add_counts(positions_times_iterations, other.positions_times_iterations);
  add_counts(emitted_counts, other.emitted_counts);
  add_counts(outputs, other.outputs);
  add_counts(by_calls, other.by_calls);
  add_counts(by_steps, other.by_steps);
  add_counts(by_tokens, other.by_tokens);
  add_counts(conditional_law, other.conditional_law);
  conditional_accepted += other.conditional_accepted;
  conditional_undefined += other.conditional_undefined;
  for (std::size_t i = 0; i < kControlVariates; ++i) controls[i] += other.controls[i];
  for (std::size_t i = 0; i < kCompanions; ++i) companions[i] += other.companions[i];
  return *this;
}

void Tally::add_controls(const ControlVariates& of_trial, const Companions& beside) {
  add_units(controls, of_trial);
  add_units(companions, beside);
}

ControlVariates Tally::control_sums() const { return in_ones(controls); }
Companions Tally::companion_sums() const { return in_ones(companions); }

}  // namespace speclab
