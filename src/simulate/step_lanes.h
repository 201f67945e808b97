#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "simulate/plan.h"
#include "simulate/step_table.h"
#include "simulate/tally.h"

namespace speclab {

/// Consecutive trials side by side on their way through decodes of steps. All are at the same
/// position at the same time, so that a position's rows are read by all before the next one's.
///
/// Worked example of `spent`: gamma 3, horizon 5, the tokens accepted, accepted, rejected,
/// accepted, accepted: two iterations, one rejection, 3 + 2 draft steps: 2 + (1 << 16) + (5 << 32).
struct StepBatch {
  static constexpr std::size_t kLanes = 8;
  static constexpr std::size_t kTrials = 1024;
  static constexpr int kMostHorizon = (1 << 15) - 1;
  template <class T>
  using Each = std::array<T, kTrials>;

  std::uint64_t key = 0;
  std::uint64_t first_trial = 0;
  std::size_t count = 0;  ///< of trials, a multiple of kLanes
  std::uint32_t horizon = 0;
  std::uint32_t gamma = 0;  ///< at most the horizon

  /// Bits of the counters in `reached`, 8 or 16; or 0 where it is not counted.
  std::uint32_t counter_bits = 0;
  std::size_t counter_words = 0;

  /// A trial's row, and in the high half the tokens that the iteration has accepted.
  alignas(64) Each<std::uint64_t> at;
  /// Iterations begun, from bit 16 on rejections, from bit 32 on draft steps.
  alignas(64) Each<std::uint64_t> spent;
  /// [word * kTrials + trial]: counter i is the number of iterations that accepted more than i
  /// tokens.
  std::vector<std::uint64_t> reached;
  std::vector<std::uint64_t> first;  ///< first iterations that ended, by accepted tokens
};

/// One implementation of the decode of a batch; for tests.
struct StepKernel {
  const char* name;
  /// From `at` at the starts and `spent`, with zeros in the other two.
  void (*run)(const StepTable& table, StepBatch& batch);
  bool supported;
};

/// Every implementation, fastest first; the last one is always supported.
std::span<const StepKernel> step_kernels();

/// Decodes of steps, many trials side by side: the tallies of StepTrials (simulate/step_program.h),
/// bit for bit. An object belongs to one thread.
class StepLanes {
 public:
  /// Null where the plan asks for what the kernels do not count.
  static std::shared_ptr<StepLanes> make(const TrialPlan& plan);

  StepLanes(const TrialPlan& plan, const StepKernel& kernel);

  /// Adds the trials first .. last - 1. @pre both are multiples of StepBatch::kLanes
  void run(std::uint64_t first, std::uint64_t last, Tally& tally);

 private:
  void decode(std::uint64_t first, std::size_t count, Tally& tally);
  void add_positions(Tally& tally);

  const TrialPlan& plan_;
  const StepKernel& kernel_;
  StepBatch batch_;
};

}  // namespace speclab
