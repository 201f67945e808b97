#pragma once

#include <string_view>

namespace speclab {

/// A pair by its spec text, a draft length and a number of drafts.
struct NamedPair {
  std::string_view pair;
  int gamma = 1;
  int drafts = 1;
};

/// The toy pair: sun2025 section 2, equation (2).
inline constexpr std::string_view kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";
/// d = (1/2, 1/4, 1/4), t = (1/5, 1/2, 3/10).
inline constexpr std::string_view kThreeTokens = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";

}  // namespace speclab
