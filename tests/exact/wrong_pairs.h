// Pairs on which the faulty verifiers show it.
#pragma once

#include <string_view>

namespace speclab {

constexpr std::string_view kThree = "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])";
constexpr std::string_view kHalves = "iid(draft=[0,1/2,1/2],target=[1/2,0,1/2])";
constexpr std::string_view kQuarters = "iid(draft=[1/2,1/2,0],target=[1/4,1/4,1/2])";
/// A context that matters: with memoryless laws some faults are none.
constexpr std::string_view kTree = "tree(vocabulary=2,depth=1,seed=1)";

/// The last uniform number below 1.
constexpr double kLast = 1 - 0x1p-53;

}  // namespace speclab
