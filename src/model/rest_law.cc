#include "model/rest_law.h"

namespace speclab {

double RankedRest::weight(Token x) const {
  const std::size_t rank = table_->rank(x);
  for (const Named& named : named_) {
    if (named.rank == rank) return named.weight;
  }
  if (rank >= above_) return 0;
  return std::max(0.0, gap_weight(a_, b_, table_->target_at(rank), table_->draft_at(rank)));
}

Token RankedRest::pick(double u) const {
  double left = u * mass_.value();
  Token last = kUndefined;
  std::size_t from = 0;
  const auto try_range = [&](std::size_t to) {
    const double mass = table_->mass(a_, b_, from, to).value();
    if (!(mass > 0)) return false;
    last = table_->pick(a_, b_, from, to, std::min(left, mass));
    left -= mass;
    return left < 0;
  };
  for (const Named& named : named_) {
    if (try_range(std::min(named.rank, above_))) return last;
    from = named.rank + 1;
    if (!(named.weight > 0)) continue;
    last = table_->token(named.rank);
    left -= named.weight;
    if (left < 0) return last;
  }
  try_range(above_);
  return last;
}

void RankedRest::name(Token x, double weight) {
  const std::size_t rank = table_->rank(x);
  const auto place =
      std::lower_bound(named_.begin(), named_.end(), rank,
                       [](const Named& named, std::size_t wanted) { return named.rank < wanted; });
  if (place != named_.end() && place->rank == rank) {
    place->weight = weight;
  } else {
    named_.insert(place, {rank, weight});
  }
  add_up();
}

void RankedRest::subtract_draft(const Wide& c) {
  b_ += c;
  above_ = table_->count_above(a_, b_, above_);
  add_up();
}

void RankedRest::scale(const Wide& s) {
  a_ *= s;
  b_ *= s;
  // The rest is 0, or underflows.
  if (!(a_.high > 0) && !(b_.high < 0)) above_ = 0;
  for (Named& named : named_) named.weight *= s.value();
  add_up();
}

void RankedRest::add_up() {
  mass_ = Wide();
  for_ranges([this](std::size_t from, std::size_t to) { mass_ += table_->mass(a_, b_, from, to); });
  for (const Named& named : named_) mass_ += Wide(named.weight);
}

}  // namespace speclab
