#pragma once

#include <cstddef>
#include <vector>

#include "base/rational.h"

namespace speclab {

struct FlowEdge {
  std::size_t from;
  std::size_t to;
  Rational capacity;
};

struct Flow {
  Rational value;
  std::vector<Rational> along;  ///< by edge
};

/// A maximum flow from `source` to `sink`, exactly.
Flow largest_flow(const std::vector<FlowEdge>& edges, std::size_t vertices, std::size_t source,
                  std::size_t sink);

}  // namespace speclab
