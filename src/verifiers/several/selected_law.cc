#include "verifiers/several/selected_law.h"

#include <array>

namespace speclab {
namespace {

/// L^K - M^K of `kLanes` ranks side by side, M = L - own; as own times the sum of L^i M^(K-1-i), so
/// that nothing cancels.
constexpr std::size_t kLanes = 8;
using Lanes = std::array<double, kLanes>;

inline void falls(const Lanes& left, const Lanes& own, int drafts, Lanes& fall) {
  Lanes sum, power, after;
  for (std::size_t i = 0; i < kLanes; ++i) {
    after[i] = left[i] > own[i] ? left[i] - own[i] : 0.0;
    sum[i] = 1;
    power[i] = 1;
  }
  for (int k = 1; k < drafts; ++k) {
    for (std::size_t i = 0; i < kLanes; ++i) {
      power[i] *= left[i];
      sum[i] = sum[i] * after[i] + power[i];
    }
  }
  // A token's mass is at most the remaining mass.
  for (std::size_t i = 0; i < kLanes; ++i) {
    fall[i] = (left[i] < own[i] ? left[i] : own[i]) * sum[i];
  }
}

double fall_of(double left, double own, int drafts) {
  if (drafts > kMultipliedOut) {
    if (!(left > 0)) return 0;
    return never(1 - left, drafts) * at_least_once(left > own ? own / left : 1.0, drafts);
  }
  Lanes lefts{}, owns{}, fall;
  lefts[0] = left;
  owns[0] = own;
  falls(lefts, owns, drafts, fall);
  return fall[0];
}

}  // namespace

double RankedSelection::probability_at(std::size_t rank) const {
  // Where kappa underflows, the path is treated as the only draft.
  const double draft = table_->draft_at(rank);
  return hit_ > 0 ? fall_of(left_at(rank), kappa_ * draft, drafts_) / hit_ : draft;
}

double RankedSelection::rest_mass(double weight) const {
  const std::size_t size = table_->size();
  const std::size_t whole = hit_ > 0 && drafts_ <= kMultipliedOut ? size / kLanes * kLanes : 0;
  Lanes sums{};
  for (std::size_t k = 0; k < whole; k += kLanes) {
    Lanes left, own, fall;
    for (std::size_t i = 0; i < kLanes; ++i) {
      const double before = 1 - kappa_ * table_->draft_before(k + i);
      left[i] = before > 0 ? before : 0.0;
      own[i] = kappa_ * table_->draft_at(k + i);
    }
    falls(left, own, drafts_, fall);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const double rest = weight * table_->target_at(k + i) - fall[i] / hit_;
      sums[i] += rest > 0 ? rest : 0.0;
    }
  }
  Sum<double> mass;
  for (const double sum : sums) mass += sum;
  for (std::size_t k = whole; k < size; ++k) mass += rest_at(k, weight);
  return mass.value();
}

Token RankedSelection::pick_rest(double weight, double left) const {
  Token last = kUndefined;
  for (std::size_t k = 0; k < table_->size(); ++k) {
    const double rest = rest_at(k, weight);
    if (!(rest > 0)) continue;
    last = table_->token(k);
    if (left < rest) break;
    left -= rest;
  }
  return last;
}

}  // namespace speclab
