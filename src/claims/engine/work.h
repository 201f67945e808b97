#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/error.h"
#include "base/over_limit.h"
#include "system/interrupt.h"

namespace speclab {

// Checks list laws, sets and blocks. On pairs of a user's own these may be too many.

/// Cases that a check lists at most.
inline constexpr std::size_t kMostCases = 4096;

/// The same of the entries of a linear program, and of other cases that cost little each.
inline constexpr std::size_t kMostEntries = 65536;

/// Called before a check lists so many cases.
/// @param what  "rules"
/// @throws LimitError where they are more than `most`; a claim is not asked on that pair. Error
/// when interrupted
inline void limit_work(double count, std::string_view what, std::size_t most = kMostCases) {
  check_interrupted();
  if (count <= static_cast<double>(most)) return;
  const std::string needed = count < 1e15 ? fmt::format("{:.0f}", count) : "over 1e15";
  throw LimitError(
      over_limit(fmt::format("the pair is too large for its exact check, of {} {}", needed, what),
                 most, "ask it of a pair of fewer tokens"));
}

}  // namespace speclab
