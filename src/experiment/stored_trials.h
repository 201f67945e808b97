#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "answer/bench.h"
#include "experiment/store.h"

namespace speclab {

/// A question's trials in order, from the store or by running them. A tally depends on its range of
/// trials alone, so that any chain of ranges gives the same sum.
class StoredTrials {
 public:
  /// @param key     under which the store keeps them
  /// @param method  the trials begin at method.first_trial; method.trials is not looked at
  StoredTrials(Store& store, Bench& bench, const Question& question, const BySimulation& method,
               std::string key);

  /// Takes the ranges on record that go on from done() and not beyond `end`.
  void take_known(std::uint64_t end);
  /// Takes the trials up to `end` - 1: what is on record, and runs what is behind it.
  /// @param progress  called with the number of the trial that was reached
  /// @returns false where a signal came first
  bool reach(std::uint64_t end, const Progress& progress);

  /// The number of the next trial.
  [[nodiscard]] std::uint64_t done() const { return method_.first_trial + all_.tally.trials; }
  /// Trials that the store had.
  [[nodiscard]] std::uint64_t found() const { return found_; }
  /// The sum from method.first_trial on.
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
