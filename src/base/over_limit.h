#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace speclab {

/// How a refusal of what exceeds a fixed limit is worded: "WHAT, over the limit of MOST; MEND".
inline std::string over_limit(std::string_view what, std::size_t most, std::string_view mend) {
  return fmt::format("{}, over the limit of {}; {}", what, most, mend);
}

}  // namespace speclab
