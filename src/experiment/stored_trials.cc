#include "experiment/stored_trials.h"

#include <algorithm>
#include <map>
#include <utility>

#include "system/interrupt.h"

namespace speclab {

std::vector<TrialRangeDone> longest_chain(const std::vector<TrialRangeDone>& known,
                                          std::uint64_t from, std::uint64_t end) {
  // For each trial that a chain reaches, the range that ends there.
  std::map<std::uint64_t, TrialRangeDone> last;
  for (auto range = std::ranges::lower_bound(known, from, {}, &TrialRangeDone::first);
       range != known.end() && range->first < end; ++range) {
    const bool reached = range->first == from || last.contains(range->first);
    if (reached && range->count <= end - range->first) {
      last.emplace(range->first + range->count, *range);
    }
  }
  std::vector<TrialRangeDone> chain;
  if (last.empty()) return chain;
  for (std::uint64_t at = last.rbegin()->first; at != from; at = chain.back().first) {
    chain.push_back(last.at(at));
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

StoredTrials::StoredTrials(Store& store, Bench& bench, const Question& question,
                           const BySimulation& method, std::string key)
    : store_(store),
      bench_(bench),
      question_(question),
      method_(method),
      key_(std::move(key)),
      known_(store.chunks(key_, method.seed)) {}

bool StoredTrials::reach(std::uint64_t end, std::uint64_t chunk, const Progress& progress) {
  for (;;) {
    for (const TrialRangeDone& range : longest_chain(known_, done(), end)) {
      all_.tally += store_.tally(key_, method_.seed, range, question_.lengths);
      found_ += range.count;
    }
    if (done() >= end) return true;
    if (interrupted()) return false;
    BySimulation method = method_;
    method.first_trial = done();
    method.trials = std::min((done() / chunk + 1) * chunk, end) - done();
    Tallied made;
    const bool whole = finished([&] {
      made = bench_.sample(question_, method,
                           [&](std::uint64_t more) { progress(method.first_trial + more); });
    });
    all_.threads = std::max(all_.threads, made.threads);
    all_.seconds += made.seconds;
    if (made.tally.trials > 0) {
      store_.put_chunk(key_, method_.seed, {method.first_trial, made.tally.trials}, made.tally);
      all_.tally += made.tally;
    }
    if (!whole) return false;
  }
}

}  // namespace speclab
