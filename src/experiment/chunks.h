#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "experiment/store.h"

namespace speclab {

/// Where the chunk that begins at or holds trial `done` ends: at a multiple of `chunk`, or before
/// at the number of trials wanted. @pre done < wanted
inline std::uint64_t chunk_end(std::uint64_t done, std::uint64_t chunk, std::uint64_t wanted) {
  return std::min((done / chunk + 1) * chunk, wanted);
}

/// The longest range on record that goes on from trial `from` and not beyond `end`, or null.
inline const TrialRangeDone* longest_known(const std::vector<TrialRangeDone>& known,
                                           std::uint64_t from, std::uint64_t end) {
  const TrialRangeDone* best = nullptr;
  for (const TrialRangeDone& range : known) {
    if (range.first == from && range.count <= end - from &&
        (best == nullptr || range.count > best->count)) {
      best = &range;
    }
  }
  return best;
}

}  // namespace speclab
