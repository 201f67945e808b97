#include "model/power_sums.h"

#include <algorithm>
#include <cmath>

#include "base/first_false.h"
#include "base/power.h"
#include "base/special.h"
#include "model/state_table.h"

namespace speclab {
namespace {

/// A sum at most this small relative to its terms is recomputed term by term.
constexpr double kSpare = 0x1p-40;

}  // namespace

PowerSums::PowerSums(const StateTable& table, int power)
    : table_(table), power_(power), sums_(static_cast<std::size_t>(power) + 1) {
  for (int j = 0; j <= power; ++j) {
    binomials_.push_back(
        binomial_coefficient(static_cast<unsigned>(power), static_cast<unsigned>(j)));
  }
  for (auto& sums : sums_) sums.assign(table.size() + 1, Wide());
  for (std::size_t k = 0; k < table.size(); ++k) {
    const double target = table.target_at(k);
    // Ranks without target mass are in no range.
    const Wide ratio = target > 0 ? Wide(table.draft_at(k)) / Wide(target) : Wide();
    Wide term(target);
    for (auto& sums : sums_) {
      sums[k + 1] = sums[k] + term;
      term *= ratio;
    }
  }
}

PowerSums::Expansion PowerSums::expand(const Wide& s, std::size_t from, std::size_t to) const {
  Expansion result{Wide(), 0};
  Wide factor(1);
  for (std::size_t j = 0; j < sums_.size(); ++j) {
    const Wide scale = factor * Wide(binomials_[j]);
    result.sum += scale * (sums_[j][to] - sums_[j][from]);
    result.size += std::abs(scale.high) * sums_[j][to].high;
    factor *= -s;
  }
  return result;
}

double PowerSums::weight(const Wide& s, std::size_t rank) const {
  const double target = table_.target_at(rank);
  const double kept = gap_weight(Wide(1), s, target, table_.draft_at(rank));
  return kept > 0 ? target * power(kept / target, power_) : 0.0;
}

Wide PowerSums::mass(const Wide& s, std::size_t from, std::size_t to) const {
  if (from >= to) return {};
  const Expansion whole = expand(s, from, to);
  if (whole.sum.high > kSpare * whole.size) return whole.sum;
  Wide sum;
  for (std::size_t k = from; k < to; ++k) sum += Wide(weight(s, k));
  return sum;
}

std::size_t PowerSums::pick(const Wide& s, std::size_t to, double left) const {
  const Expansion whole = expand(s, 0, to);
  if (whole.sum.high > kSpare * whole.size) {
    left = std::min(left, whole.sum.high * (1 - 0x1p-52));
    return first_false(to - 1,
                       [&](std::size_t k) { return !(expand(s, 0, k + 1).sum.high > left); });
  }
  std::size_t last = 0;
  for (std::size_t k = 0; k < to; ++k) {
    const double here = weight(s, k);
    if (!(here > 0)) continue;
    last = k;
    if (left < here) break;
    left -= here;
  }
  return last;
}

std::size_t PowerSums::bytes() const {
  return sizeof(*this) + sums_.size() * (table_.size() + 1) * sizeof(Wide);
}

}  // namespace speclab
