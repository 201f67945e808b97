#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace speclab {

/// The message for a value above a fixed limit: "WHAT, over the limit of MOST; FIX".
inline std::string over_limit(std::string_view what, std::size_t most, std::string_view fix) {
  return fmt::format("{}, over the limit of {}; {}", what, most, fix);
}

}  // namespace speclab
