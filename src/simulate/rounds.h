#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "model/rows.h"
#include "simulate/plan.h"
#include "simulate/simulate.h"
#include "system/interrupt.h"
#include "system/openmp.h"
#include "system/parallel.h"
#include "system/stopwatch.h"

namespace speclab {

/// How many trials to take at a time, grown so that they take about a quarter of a second: often
/// enough for progress and interruption, rarely enough to cost nothing. It does not touch the
/// results.
class RoundSize {
 public:
  explicit RoundSize(int threads)
      : trials_(2 * kBatchTrials * static_cast<std::uint64_t>(threads)) {}
  [[nodiscard]] std::uint64_t trials() const { return trials_; }
  /// @param seconds  that `trials` took
  void adapt(std::uint64_t trials, double seconds) {
    constexpr double kAim = 0.25;
    const double factor = std::clamp(kAim / std::max(seconds, 1e-6), 0.25, 8.0);
    const auto wanted = static_cast<std::uint64_t>(static_cast<double>(trials) * factor);
    trials_ = std::max(kBatchTrials, wanted / kBatchTrials * kBatchTrials);
  }

 private:
  std::uint64_t trials_;
};

/// Runs the request's trials in rounds on its threads. When interrupted() it stops after a finished
/// round.
/// @param make    () -> a range(first, last, tally), one for each thread, that adds these trials
/// @param request its first_trial, trials and threads count
/// @tparam Result  has the members of Tallied; its tally adds up
template <class Result, class Request, class Make>
Result run_rounds(const Make& make, const Rows<double>& rows, const Request& request,
                  const Progress& progress) {
  Result result;
  result.threads = thread_count(request.threads);
  const auto workers = static_cast<std::size_t>(result.threads);
  rows.make_tables(result.threads);
  std::vector<decltype(make())> runners;
  for (std::size_t i = 0; i < workers; ++i) runners.push_back(make());
  const Stopwatch watch;
  RoundSize round(result.threads);
  std::uint64_t done = 0;
  while (done < request.trials && !result.interrupted) {
    const Stopwatch round_watch;
    const std::uint64_t first = request.first_trial + done;
    const std::uint64_t count = std::min(round.trials(), request.trials - done);
    const std::uint64_t chunk =
        std::max(kBatchTrials, count / (8 * workers) / kBatchTrials * kBatchTrials);
    const auto chunks = static_cast<std::int64_t>((count + chunk - 1) / chunk);
    std::vector<decltype(Result::tally)> tallies(workers);
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
    for (const auto& tally : tallies) result.tally += tally;
    done += count;
    round.adapt(round.trials(), round_watch.seconds());
    if (progress) progress(done);
    result.interrupted = interrupted() && done < request.trials;
  }
  result.seconds = watch.seconds();
  return result;
}

}  // namespace speclab
