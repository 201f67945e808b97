#include "experiment/stored_trials.h"

#include <algorithm>
#include <utility>

#include "experiment/chunks.h"
#include "system/interrupt.h"

namespace speclab {

StoredTrials::StoredTrials(Store& store, Bench& bench, const Question& question,
                           const BySimulation& method, std::string key)
    : store_(store),
      bench_(bench),
      question_(question),
      method_(method),
      key_(std::move(key)),
      known_(store.chunks(key_, method.seed)) {}

void StoredTrials::take_known(std::uint64_t end) {
  for (const TrialRangeDone& range : longest_chain(known_, done(), end)) {
    all_.tally += store_.tally(key_, method_.seed, range, question_.lengths);
    found_ += range.count;
  }
}

bool StoredTrials::reach(std::uint64_t end, const Progress& progress) {
  take_known(end);
  if (done() >= end) return true;
  if (interrupted()) return false;
  BySimulation method = method_;
  method.first_trial = done();
  method.trials = end - done();
  const Tallied made = bench_.sample(
      question_, method, [&](std::uint64_t more) { progress(method.first_trial + more); });
  all_.threads = std::max(all_.threads, made.threads);
  all_.seconds += made.seconds;
  if (made.tally.trials > 0) {
    store_.put_chunk(key_, method_.seed, {method.first_trial, made.tally.trials}, made.tally);
    all_.tally += made.tally;
  }
  return !made.interrupted && done() >= end;
}

}  // namespace speclab
