#pragma once

#include <string_view>

namespace speclab {

/// How the laws of a pair may depend on the preceding tokens.
enum class Contexts {
  iid,   ///< one law of each model for every position
  tree,  ///< one for each prefix of up to gamma tokens
  step,  ///< those of an induction over gamma: see prove/step.h
};
std::string_view contexts_name(Contexts contexts);

}  // namespace speclab
