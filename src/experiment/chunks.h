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

/// Ranges on record that follow one another without a gap from trial `from` on and reach as far as
/// any do, but not beyond `end`.
/// @param known  by (first, count)
std::vector<TrialRangeDone> longest_chain(const std::vector<TrialRangeDone>& known,
                                          std::uint64_t from, std::uint64_t end);

}  // namespace speclab
