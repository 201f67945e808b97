#include "simulate/tally.h"

namespace speclab {
namespace {

template <class T>
void add(std::vector<T>& sums, const std::vector<T>& terms) {
  if (terms.size() > sums.size()) sums.resize(terms.size());
  for (std::size_t i = 0; i < terms.size(); ++i) sums[i] += terms[i];
}

}  // namespace

Tally& Tally::operator+=(const Tally& other) {
  trials += other.trials;
  undefined_trials += other.undefined_trials;
  undefined_iterations += other.undefined_iterations;
  add(accepted, other.accepted);
  add(emitted, other.emitted);
  tokens += other.tokens;
  iterations += other.iterations;
  target_calls += other.target_calls;
  rejections += other.rejections;
  draft_steps += other.draft_steps;
  tokens_times_calls += other.tokens_times_calls;
  tokens_times_steps += other.tokens_times_steps;
  calls_times_steps += other.calls_times_steps;
  add(positions, other.positions);
  add(positions_times_iterations, other.positions_times_iterations);
  if (other.emitted_counts.size() > emitted_counts.size()) {
    emitted_counts.resize(other.emitted_counts.size());
  }
  for (std::size_t i = 0; i < other.emitted_counts.size(); ++i) {
    add(emitted_counts[i], other.emitted_counts[i]);
  }
  add(outputs, other.outputs);
  add(conditional_law, other.conditional_law);
  conditional_accepted += other.conditional_accepted;
  conditional_undefined += other.conditional_undefined;
  return *this;
}

}  // namespace speclab
