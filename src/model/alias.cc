#include "model/alias.h"

#include <algorithm>
#include <cmath>

namespace speclab {

AliasTable::AliasTable(std::span<const double> weights) {
  double mass = 0;
  for (const double weight : weights) mass += weight;
  if (!(mass > 0)) return;
  const double scale = static_cast<double>(weights.size()) / mass;
  std::vector<double> height(weights.size());
  std::vector<std::uint32_t> low;
  std::vector<std::uint32_t> high;
  for (std::uint32_t x = 0; x < weights.size(); ++x) {
    // The scale of a subnormal mass overflows.
    height[x] = std::isfinite(scale) ? weights[x] * scale
                                     : weights[x] / mass * static_cast<double>(weights.size());
    (height[x] < 1 ? low : high).push_back(x);
  }
  // Rounding may leave no cell above 1; the likeliest token then takes the remainder.
  const auto likeliest = static_cast<std::uint32_t>(
      std::max_element(weights.begin(), weights.end()) - weights.begin());
  entries_.assign(weights.size(), {1.0, likeliest});
  while (!low.empty() && !high.empty()) {
    const std::uint32_t small = low.back();
    const std::uint32_t large = high.back();
    low.pop_back();
    entries_[small] = {height[small], large};
    height[large] -= 1 - height[small];
    if (height[large] < 1) {
      high.pop_back();
      low.push_back(large);
    }
  }
  for (const std::uint32_t x : low) {
    entries_[x] = {weights[x] > 0 ? 1.0 : 0.0, weights[x] > 0 ? x : likeliest};
  }
  for (const std::uint32_t x : high) entries_[x] = {1.0, x};
}

}  // namespace speclab
