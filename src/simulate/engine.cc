#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/parallel.h"
#include "simulate/dispatch.h"
#include "simulate/simulate.h"

namespace speclab {
namespace {

template <int... Part>
TrialTable fill(std::integer_sequence<int, Part...>) {
  TrialTable table{};
  (fill_trials<Part>(table), ...);
  return table;
}

const TrialTable& table() {
  static const TrialTable all = fill(std::make_integer_sequence<int, SPECLAB_PARTS>{});
  return all;
}

void check_positions(const Pair& pair, const SimulateRequest& request) {
  const auto length = pair.length();
  if (request.estimator == Estimator::conditional &&
      (request.iterations > 0 || (request.horizon && request.gamma != kUnbounded))) {
    throw UsageError(
        "--estimator conditional speaks of one iteration; leave out --iterations and, unless "
        "--gamma is inf, --horizon");
  }
  if (request.iterations > 0 && request.gamma == kUnbounded) {
    throw UsageError("--iterations needs a finite --gamma");
  }
  if (!length) return;
  if (request.horizon && *request.horizon > *length) {
    throw InputError(fmt::format("--horizon {} is over the {} positions of {}", *request.horizon,
                                 *length, pair.name()));
  }
  if (request.iterations > 0 && (1.0 + request.gamma) * request.iterations > *length) {
    throw InputError(
        fmt::format("{} iterations of up to {} tokens pass the {} positions of {}; lower "
                    "--iterations or --gamma",
                    request.iterations, request.gamma + 1, *length, pair.name()));
  }
}

TrialPlan make_plan(const Verifier& verifier, const Rows<double>& rows,
                    const SimulateRequest& request) {
  const Pair& pair = rows.pair();
  check_positions(pair, request);
  TrialPlan plan;
  plan.key = stream_key(request.seed, task_hash(task_text(verifier, pair, request)));
  plan.gamma = request.gamma;
  plan.horizon = request.horizon;
  plan.iterations = request.iterations;
  plan.end_token = pair.end_token();
  for (const Start& start : pair.start()) {
    plan.starts.push_back(start.state);
    plan.start_law.push_back(to_double(start.probability));
  }
  plan.window = full_window(pair, request.gamma, request.horizon);
  const bool decode_has_it =
      request.horizon && (request.gamma == kUnbounded || *request.horizon >= plan.window.drafts);
  plan.single = !decode_has_it && request.iterations == 0;
  plan.batched = request.batched;
  plan.conditional = request.estimator == Estimator::conditional;
  plan.tally_outputs = output_cells(rows, request) <= kMaxOutputCells;
  return plan;
}

/// Trials of one round, grown so that a round takes about a quarter of a second: often enough for
/// progress and interruption, rarely enough to cost nothing. It does not touch the results.
class RoundSize {
 public:
  explicit RoundSize(int threads)
      : trials_(2 * kBatchTrials * static_cast<std::uint64_t>(threads)) {}
  [[nodiscard]] std::uint64_t trials() const { return trials_; }
  void adapt(double seconds) {
    constexpr double kAim = 0.25;
    const double factor = std::clamp(kAim / std::max(seconds, 1e-6), 0.25, 8.0);
    const auto wanted = static_cast<std::uint64_t>(static_cast<double>(trials_) * factor);
    trials_ = std::max(kBatchTrials, wanted / kBatchTrials * kBatchTrials);
  }

 private:
  std::uint64_t trials_;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double output_cells(const Rows<double>& rows, const SimulateRequest& request) {
  if (!request.horizon) return HUGE_VAL;
  return static_cast<double>(rows.pair().start().size()) *
         std::pow(static_cast<double>(rows.vocabulary()), *request.horizon);
}

std::string task_text(const Verifier& verifier, const Pair& pair, const SimulateRequest& request) {
  std::string text = fmt::format("pair={} verifier={} gamma=", pair.name(), verifier.name);
  text += request.gamma == kUnbounded ? "inf" : std::to_string(request.gamma);
  if (request.horizon) text += fmt::format(" horizon={}", *request.horizon);
  if (request.estimator == Estimator::conditional) text += " estimator=conditional";
  if (request.iterations > 0) text += fmt::format(" iterations={}", request.iterations);
  return text;
}

Tallied run_trials(const Verifier& verifier, const Rows<double>& rows,
                   const SimulateRequest& request, const Progress& progress) {
  const TrialPlan plan = make_plan(verifier, rows, request);
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  Tallied result;
  result.threads = request.threads > 0 ? request.threads : omp_get_max_threads();
  const auto workers = static_cast<std::size_t>(result.threads);
  rows.make_tables(result.threads);
  std::vector<TrialRange> runners;
  for (std::size_t i = 0; i < workers; ++i) {
    runners.push_back(table()[ready.program.index()](ready.program, rows, plan));
  }
  const double began = now();
  RoundSize round(result.threads);
  std::uint64_t done = 0;
  while (done < request.trials && !result.interrupted) {
    const double round_began = now();
    const std::uint64_t first = request.first_trial + done;
    const std::uint64_t count = std::min(round.trials(), request.trials - done);
    const std::uint64_t chunk =
        std::max(kBatchTrials, count / (8 * workers) / kBatchTrials * kBatchTrials);
    const auto chunks = static_cast<std::int64_t>((count + chunk - 1) / chunk);
    std::vector<Tally> tallies(workers);
    try {
      parallel_for(chunks, result.threads, [&](std::int64_t i) {
        const std::uint64_t from = first + static_cast<std::uint64_t>(i) * chunk;
        const std::uint64_t to = std::min(from + chunk, first + count);
        const auto worker = static_cast<std::size_t>(omp_get_thread_num());
        runners[worker](from, to, tallies[worker]);
      });
    } catch (const Error& error) {
      // In the middle of a trial that takes long: the round is lost, those before it are not.
      if (error.code() != ExitCode::interrupted || done == 0) throw;
      result.interrupted = true;
      break;
    }
    for (const Tally& tally : tallies) result.tally += tally;
    done += count;
    round.adapt(now() - round_began);
    if (progress) progress(done);
    result.interrupted = interrupted() && done < request.trials;
  }
  result.seconds = now() - began;
  return result;
}

}  // namespace speclab
