#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "model/lengths.h"
#include "model/rows.h"
#include "simulate/tally.h"
#include "verifiers/registry.h"

namespace speclab {

/// How an iteration's quantities are estimated.
enum class Estimator {
  plain,        ///< drafts and coins are sampled
  conditional,  ///< drafts are sampled, coins enumerated: the same expectation, a smaller variance
};

constexpr std::string_view estimator_name(Estimator estimator) {
  return estimator == Estimator::plain ? "plain" : "conditional";
}

/// What trials draw. Each is a sample of the same law.
enum class Draws {
  steps,       ///< whole steps where a verifier is made of them (simulate/step_table.h), or else
  decisions,   ///< each decision of the verifier: verifiers of a pair share their first drafts
  controlled,  ///< the same, with control variates (simulate/control_variates.h)
};

/// What to simulate.
struct SimulateRequest {
  Lengths lengths{};
  bool law = false;                      ///< the law of the T tokens as well
  bool variance = false;                 ///< the variance of the accepted tokens as well
  bool decode_counts = false;            ///< decodes by their calls, steps and tokens as well
  bool companions = false;               ///< of controlled decodes (simulate/control_variates.h)
  Drafting drafting = Drafting::window;  ///< the verifier's: a decode of runs may call no target
  std::uint64_t first_trial = 0;
  std::uint64_t trials = 2;
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: as many as the machine gives
  Draws draws = Draws::steps;
  bool batched = true;  ///< for tests: side by side where that is served; the same tallies
  Estimator estimator = Estimator::plain;
};

/// Largest number of (prompt, output) cells for which the output's law is tallied.
inline constexpr double kMaxOutputCells = 65536;

/// Called now and then with the number of trials done.
using Progress = std::function<void(std::uint64_t done)>;

/// Trials as a tally. When interrupted() the run stops after a finished round of trials: those done
/// are first_trial, first_trial + 1, ... without a gap.
struct Tallied {
  Tally tally;
  int threads = 1;
  double seconds = 0;
  bool interrupted = false;
};

/// Runs the trials. Each estimator has a tally of its own kind. The tally depends on the verifier,
/// the pair, the request's lengths, law and seed, and the range of trials only: the same for any
/// number of threads, and the sum over a division of the range.
/// @throws what check_lengths throws; UsageError where the conditional estimator is asked for more
/// than one full iteration
Tallied run_trials(const Verifier& verifier, const Rows<double>& rows,
                   const SimulateRequest& request, const Progress& progress = {});

/// Number of (prompt, output) cells, or infinity without a horizon.
double output_cells(const Rows<double>& rows, const SimulateRequest& request);

}  // namespace speclab
