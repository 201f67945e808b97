#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulate/control_variates.h"

namespace speclab {

__extension__ using WideCount = unsigned __int128;
__extension__ using WideSum = __int128;

/// Exact sums of a whole-numbered quantity over trials; wide, as a quantity may grow with the
/// square of the horizon.
struct Moments {
  WideCount sum = 0;
  WideCount squares = 0;

  void add(std::uint64_t value) {
    sum += value;
    squares += static_cast<WideCount>(value) * value;
  }
  Moments& operator+=(const Moments& other) {
    sum += other.sum;
    squares += other.squares;
    return *this;
  }
  bool operator==(const Moments&) const = default;
};

/// Counts one more of `value`.
inline void add_one(std::vector<std::uint64_t>& counts, std::uint64_t value) {
  const auto at = static_cast<std::size_t>(value);
  if (at >= counts.size()) counts.resize(at + 1);
  ++counts[at];
}

/// A conditional probability is kept as a whole number of 1 / kConditionalUnit, so that sums of
/// them do not depend on their order.
inline constexpr double kConditionalUnit = 0x1p32;

/// All that is kept of the trials: whole numbers that add up, so that neither the order of the
/// trials nor their division among threads can be seen in a result.
struct Tally {
  std::uint64_t trials = 0;
  std::uint64_t undefined_trials = 0;      ///< trials with an undefined draw anywhere
  std::uint64_t undefined_iterations = 0;  ///< trials whose first iteration was undefined
  std::vector<std::uint64_t> accepted;     ///< first iterations by tau
  std::vector<Moments> emitted;            ///< N(1), N(2), ...
  Moments tokens, iterations, target_calls, rejections, draft_steps;  ///< of decodes
  WideCount tokens_times_calls = 0;
  WideCount tokens_times_steps = 0;
  WideCount calls_times_steps = 0;
  /// [i - 1]: iterations of a decode that accept i tokens or more (see tallies_positions).
  std::vector<Moments> positions;
  std::vector<WideCount> positions_times_iterations;
  std::vector<std::vector<std::uint64_t>> emitted_counts;  ///< [i - 1][n]: trials with N(i) = n
  std::vector<std::uint64_t> outputs;  ///< decodes by (start, token sequence), base V
  /// Decodes by target calls, by draft steps and by tokens, where a request asks for them
  /// (SimulateRequest::decode_counts); not in stores.
  std::vector<std::uint64_t> by_calls, by_steps, by_tokens;

  /// Of the conditional estimator, in units of 1 / kConditionalUnit: P(tau = i), E[tau] and the
  /// undefined mass given the drafts.
  std::vector<Moments> conditional_law;
  Moments conditional_accepted, conditional_undefined;

  /// Control variates, in the same units, where trials make decisions; not in stores.
  std::array<WideSum, kControlVariates> controls{};
  std::array<WideSum, kCompanions> companions{};

  void add_controls(const ControlVariates& of_trial, const Companions& beside);
  [[nodiscard]] ControlVariates control_sums() const;
  [[nodiscard]] Companions companion_sums() const;

  void add_decode(std::uint64_t of_tokens, std::uint64_t of_iterations, std::uint64_t calls,
                  std::uint64_t of_rejections, std::uint64_t steps) {
    tokens.add(of_tokens);
    iterations.add(of_iterations);
    target_calls.add(calls);
    rejections.add(of_rejections);
    draft_steps.add(steps);
    tokens_times_calls += static_cast<WideCount>(of_tokens) * calls;
    tokens_times_steps += static_cast<WideCount>(of_tokens) * steps;
    calls_times_steps += static_cast<WideCount>(calls) * steps;
  }

  void count_decode(std::uint64_t of_tokens, std::uint64_t calls, std::uint64_t steps) {
    add_one(by_tokens, of_tokens);
    add_one(by_calls, calls);
    add_one(by_steps, steps);
  }
  Tally& operator+=(const Tally& other);
  bool operator==(const Tally&) const = default;
};

}  // namespace speclab
