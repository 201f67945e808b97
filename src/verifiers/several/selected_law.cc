#include "verifiers/several/selected_law.h"

namespace speclab {
namespace {

/// L^K - M^K, M = L - own; as own times the sum of L^i M^(K-1-i), so that nothing cancels.
double fall_of(double left, double own, int drafts) {
  if (drafts > kMultipliedOut) {
    if (!(left > 0)) return 0;
    return never(1 - left, drafts) * at_least_once(left > own ? own / left : 1.0, drafts);
  }
  const double after = left > own ? left - own : 0.0;
  double sum = 1;
  double power = 1;
  for (int k = 1; k < drafts; ++k) {
    power *= left;
    sum = sum * after + power;
  }
  // A token's mass is at most the remaining mass.
  return (left < own ? left : own) * sum;
}

}  // namespace

double RankedSelection::probability_at(std::size_t rank) const {
  // Where kappa underflows, the path is treated as the only draft.
  const double draft = table_->draft_at(rank);
  return hit_ > 0 ? fall_of(left_at(rank), kappa_ * draft, drafts_) / hit_ : draft;
}

double RankedSelection::rest_over(double weight, std::size_t from, std::size_t to) const {
  const double drafted = table_->mass(Wide(0), Wide(-1), from, to).value();
  const double selected =
      hit_ > 0 ? fall_of(left_at(from), kappa_ * drafted, drafts_) / hit_ : drafted;
  return weight * table_->mass(Wide(1), Wide(0), from, to).value() - selected;
}

RankedSelection::Side RankedSelection::side(double weight, std::size_t from, std::size_t to) const {
  // s / d = kappa sum L^i M^(K-1-i) / g(kappa) is at most what L before the first rank gives for
  // both L and M, and at least what L after the last rank gives.
  const auto bound = [this](std::size_t rank) {
    return hit_ > 0 ? kappa_ * drafts_ * never(1 - left_at(rank), drafts_ - 1) / hit_ : 1.0;
  };
  if (weight * table_->target_at(from) <= bound(to) * table_->draft_at(from)) return Side::without;
  const double kept = weight * table_->target_at(to - 1);
  return kept > bound(from) * table_->draft_at(to - 1) ? Side::within : Side::mixed;
}

void RankedSelection::add_pieces(double weight, std::size_t from, std::size_t to,
                                 std::vector<Piece>& pieces) const {
  if (to - from <= kDirect) {
    for (std::size_t k = from; k < to; ++k) {
      const double rest = rest_at(k, weight);
      if (rest > 0) pieces.push_back({k, k + 1, rest});
    }
    return;
  }
  switch (side(weight, from, to)) {
    case Side::without:
      return;
    case Side::within: {
      const double mass = rest_over(weight, from, to);
      const double whole = weight * table_->mass(Wide(1), Wide(0), from, to).value();
      if (mass > kSpare * whole) return pieces.push_back({from, to, mass});
      break;
    }
    case Side::mixed:
      break;
  }
  const std::size_t middle = from + (to - from) / 2;
  add_pieces(weight, from, middle, pieces);
  add_pieces(weight, middle, to, pieces);
}

RankedSelection::Rest::Rest(const RankedSelection& law, double weight)
    : law_(law), weight_(weight) {
  law.add_pieces(weight, 0, law.table_->size(), pieces_);
  Sum<double> mass;
  for (const Piece& piece : pieces_) mass += piece.mass;
  mass_ = mass.value();
}

Token RankedSelection::Rest::pick(double u) const {
  double left = u * mass_;
  for (const Piece& piece : pieces_) {
    if (left >= piece.mass && &piece != &pieces_.back()) {
      left -= piece.mass;
      continue;
    }
    const auto before = [&](std::size_t k) {
      return !(law_.rest_over(weight_, piece.from, piece.from + k + 1) > left);
    };
    const std::size_t last = piece.to - 1 - piece.from;
    return law_.table_->token(piece.from + first_false(last, before));
  }
  return kUndefined;
}

}  // namespace speclab
