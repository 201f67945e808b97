#pragma once

#include <string_view>

#include "base/spec.h"

namespace speclab {

/// The most drafts that one iteration may have.
inline constexpr int kMostDrafts = 1'000'000;

/// Reads how many drafts an iteration has: K of the multi-draft verifiers, M of a batch.
/// @throws InputError naming the parameter where it is not a whole number of least..kMostDrafts.
inline int read_drafts(SpecReader& spec, std::string_view key, int least = 1) {
  return static_cast<int>(spec.integer(key, least, kMostDrafts));
}

}  // namespace speclab
