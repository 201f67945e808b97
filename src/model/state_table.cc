#include "model/state_table.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/sum.h"

namespace speclab {
namespace {

/// target / draft, infinite where only the target has the token; below every ratio where neither.
std::vector<double> ratios(std::span<const double> draft, std::span<const double> target) {
  std::vector<double> result(draft.size());
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (draft[x] > 0) {
      result[x] = target[x] / draft[x];
    } else {
      result[x] = target[x] > 0 ? std::numeric_limits<double>::infinity() : -1.0;
    }
  }
  return result;
}

}  // namespace

StateTable::StateTable(std::span<const double> draft, std::span<const double> target)
    : draft_(draft),
      target_(target),
      draft_alias_(draft),
      order_(draft.size()),
      sums_(draft.size() + 1) {
  const std::vector<double> ratio = ratios(draft, target);
  std::iota(order_.begin(), order_.end(), 0U);
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return ratio[a] > ratio[b]; });
  Sum<double> target_sum;
  Sum<double> draft_sum;
  for (std::size_t k = 0; k < order_.size(); ++k) {
    target_sum += target[order_[k]];
    draft_sum += draft[order_[k]];
    sums_[k + 1] = {target_sum.value(), draft_sum.value()};
  }
  if (draft.size() <= kSmall) {
    std::vector<double> residual(draft.size());
    for (std::size_t x = 0; x < draft.size(); ++x) {
      residual[x] = std::max(0.0, target[x] - draft[x]);
    }
    residual_alias_ = AliasTable(residual);
  }
}

double StateTable::mass_directly(double a, double b, std::size_t count) const {
  Sum<double> mass;
  for (std::size_t k = 0; k < count; ++k) {
    mass += a * target_[order_[k]] - b * draft_[order_[k]];
  }
  return std::max(0.0, mass.value());
}

std::size_t StateTable::bytes() const {
  return sizeof(*this) + order_.size() * sizeof(std::uint32_t) + sums_.size() * sizeof(Sums) +
         (draft_alias_.entries().size() + residual_alias_.entries().size()) *
             sizeof(AliasTable::Entry);
}

}  // namespace speclab
