#include "simulate/tally.h"

#include "simulate/add_counts.h"

namespace speclab {

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
  return *this;
}

ControlVariates Tally::control_sums() const {
  ControlVariates sums;
  for (std::size_t i = 0; i < kControlVariates; ++i) {
    sums[i] = static_cast<double>(controls[i]) / kConditionalUnit;
  }
  return sums;
}

}  // namespace speclab
