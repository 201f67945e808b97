#include "experiment/chunks.h"

#include <map>

namespace speclab {

std::vector<TrialRangeDone> longest_chain(const std::vector<TrialRangeDone>& known,
                                          std::uint64_t from, std::uint64_t end) {
  // For each trial that a chain reaches, the range that ends there; the longest of several.
  std::map<std::uint64_t, TrialRangeDone> last;
  auto range = std::lower_bound(
      known.begin(), known.end(), from,
      [](const TrialRangeDone& each, std::uint64_t first) { return each.first < first; });
  for (; range != known.end() && range->first < end; ++range) {
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

}  // namespace speclab
