#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "answer/bench.h"
#include "experiment/store.h"

namespace speclab {

/// Stored ranges that follow one another without a gap from trial `from` on and reach as far as any
/// do, but not beyond trial `end` - 1.
/// @param known  by (first, count)
std::vector<TrialRangeDone> longest_chain(const std::vector<TrialRangeDone>& known,
                                          std::uint64_t from, std::uint64_t end);

/// A question's trials in order, from the store or by running them. A tally depends on its range of
/// trials alone, so that any chain of ranges gives the same sum.
class StoredTrials {
 public:
  /// @param key     the text under which the store has them
  /// @param method  the trials begin at method.first_trial; method.trials is not used
  StoredTrials(Store& store, Bench& bench, const Question& question, const BySimulation& method,
               std::string key);

  /// Takes the trials up to `end` - 1 from the store as far as it has them, and runs the others in
  /// ranges that end at the multiples of `chunk` and at `end`.
  /// @param progress  called with the number of the trial that was reached
  /// @returns false where a signal came first
  bool reach(std::uint64_t end, std::uint64_t chunk, const Progress& progress);

  /// The number of the next trial.
  [[nodiscard]] std::uint64_t done() const { return method_.first_trial + all_.tally.trials; }
  /// The number of trials that came from the store.
  [[nodiscard]] std::uint64_t found() const { return found_; }
  /// The sum of the trials from method.first_trial on.
  [[nodiscard]] const Tallied& all() const { return all_; }

 private:
  Store& store_;
  Bench& bench_;
  const Question& question_;
  BySimulation method_;
  std::string key_;
  std::vector<TrialRangeDone> known_;
  Tallied all_;
  std::uint64_t found_ = 0;
};

}  // namespace speclab
