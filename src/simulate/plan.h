#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/types.h"
#include "model/law.h"
#include "simulate/text_means.h"
#include "verifiers/window.h"

namespace speclab {

class StepTable;

/// Everything about a task that a trial needs and that no trial changes.
struct TrialPlan {
  std::uint64_t key = 0;
  Lengths lengths{};
  std::optional<Token> end_token;
  std::vector<State> starts;
  std::vector<double> start_law;
  bool single = false;                     ///< the first iteration needs a run of its own
  bool tally_tokens = false;               ///< count N(1), N(2), ... by their values
  bool tally_outputs = false;              ///< count (start, sequence) cells
  bool tally_decodes = false;              ///< count decodes by calls, steps and tokens
  Window window;                           ///< of a full first iteration
  std::shared_ptr<const StepTable> steps;  ///< where whole steps are drawn (simulate/steps.h)
  bool controlled = false;      ///< with control variates (simulate/controlled_sampler.h)
  bool follows_target = false;  ///< the output of a decode is known to have the target's law
  bool companions = false;      ///< decodes have them (simulate/control_variates.h)
  /// Those of the companions, and the verifier's own.
  std::vector<OutputForm> forms{};
  std::optional<std::size_t> own_form;  ///< which one that is, where it has one
  bool batched = true;                  ///< draw them side by side where a kernel serves the plan
};

/// The longest draft whose accepted positions are counted.
inline constexpr int kMostPositions = 64;

/// Whether trials count how many iterations of a decode accept i tokens or more.
inline bool tallies_positions(const Lengths& lengths) {
  return lengths.horizon && lengths.gamma < *lengths.horizon && lengths.gamma <= kMostPositions;
}

/// The most tokens that i full iterations can emit.
inline std::size_t most_tokens(const Lengths& lengths, int i) {
  return (static_cast<std::size_t>(lengths.gamma) + 1) * static_cast<std::size_t>(i);
}

/// Whether trials may count the numbers of tokens after each of the iterations.
inline bool tallies_tokens_law(const Lengths& lengths) {
  constexpr std::size_t kMostCells = 1 << 20;
  return lengths.iterations > 0 && lengths.gamma < static_cast<int>(kMostCells) &&
         lengths.iterations < static_cast<int>(kMostCells) &&
         most_tokens(lengths, lengths.iterations) * static_cast<std::size_t>(lengths.iterations) <=
             kMostCells;
}

/// Whether trials may be drawn side by side: whole decodes, of which nothing is counted by outputs
/// or decodes.
inline bool draws_side_by_side(const TrialPlan& plan) {
  return plan.batched && plan.lengths.horizon && plan.lengths.iterations == 0 && !plan.single &&
         !plan.end_token && !plan.tally_outputs && !plan.tally_decodes;
}

/// Trials that a batched kernel takes at a time; the engine hands them out in multiples of it.
inline constexpr std::uint64_t kBatchTrials = 32;

/// Every run inside one trial, the decode, the iterations and the first iteration alone, begins
/// with the same draws: what else is asked for changes no number.
inline constexpr std::uint32_t kOnlyRun = 0;

/// The index of the start at u in [0, 1), where there are several.
inline std::size_t start_at(const TrialPlan& plan, double u) {
  return static_cast<std::size_t>(pick(RowLaw<double>(std::span<const double>(plan.start_law)), u));
}

/// The index of the trial's start, from its prompt stream.
inline std::size_t choose_start(const TrialPlan& plan, std::uint64_t trial) {
  if (plan.starts.size() == 1) return 0;
  return start_at(plan, Stream(plan.key, trial, kOnlyRun, Purpose::prompt).uniform());
}

}  // namespace speclab
