#include "model/rows.h"

namespace speclab {

template <class Real>
Rows<Real>::Rows(PairPointer pair)
    : pair_(std::move(pair)), vocabulary_(pair_->vocabulary()), rows_(pair_->states()) {}

template <class Real>
Rows<Real>::~Rows() {
  for (auto& row : rows_) delete[] row.load(std::memory_order_relaxed);
}

template <class Real>
const Real* Rows<Real>::make(State state) const {
  const std::lock_guard lock(making_);
  if (const Real* known = rows_[state].load(std::memory_order_acquire)) return known;
  auto row = std::make_unique<Real[]>(2 * size());
  pair_->rows(state, std::span<Real>(row.get(), size()),
              std::span<Real>(row.get() + size(), size()));
  const Real* made = row.release();
  rows_[state].store(made, std::memory_order_release);
  return made;
}

template class Rows<double>;
template class Rows<Rational>;

}  // namespace speclab
