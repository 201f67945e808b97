#include "simulate/steps.h"

#include <algorithm>

#include "simulate/step_lanes.h"
#include "simulate/step_program.h"

namespace speclab {

TrialRange step_trials(const Rows<double>& rows, const TrialPlan& plan) {
  const auto trials =
      std::make_shared<StepTrials>(StepProgram{plan.steps.get()}, rows, plan, Drafting::window);
  const std::shared_ptr<StepLanes> lanes = StepLanes::make(plan);
  return [trials, lanes](std::uint64_t first, std::uint64_t last, Tally& tally) {
    constexpr std::uint64_t kLanes = StepBatch::kLanes;
    const std::uint64_t from =
        lanes ? std::min(last, (first + kLanes - 1) / kLanes * kLanes) : last;
    const std::uint64_t to = std::max(from, last / kLanes * kLanes);
    trials->run(first, from, tally);
    if (from < to) lanes->run(from, to, tally);
    trials->run(to, last, tally);
  };
}

}  // namespace speclab
