#include "model/rows.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "base/parallel.h"
#include "model/content.h"

namespace speclab {

template <class Real>
Rows<Real>::Rows(PairPointer pair)
    : pair_(std::move(pair)),
      vocabulary_(pair_->vocabulary()),
      rows_(pair_->states()),
      tables_(std::is_same_v<Real, double> ? pair_->states() : 0) {
  for (State state = 0; state < pair_->states(); ++state) {
    const State shared = pair_->draft_state(state);
    if (shared == state && draft_states_.empty()) continue;
    // Those before this one are their own.
    for (State s = static_cast<State>(draft_states_.size()); s < state; ++s)
      draft_states_.push_back(s);
    draft_states_.push_back(shared);
  }
  const std::size_t cells = static_cast<std::size_t>(pair_->states()) * size();
  if (cells > kMaxSuccessors) return;
  successors_.reserve(cells);
  for (State state = 0; state < pair_->states(); ++state) {
    for (Token x = 0; x < vocabulary_; ++x) successors_.push_back(pair_->next(state, x));
  }
}

template <class Real>
Rows<Real>::~Rows() {
  for (auto& table : tables_) delete table.load(std::memory_order_relaxed);
  for (auto& row : rows_) delete[] row.load(std::memory_order_relaxed);
}

template <class Real>
const Real* Rows<Real>::make_row(State state) const {
  const std::lock_guard lock(making_[state % kLocks]);
  if (const Real* known = rows_[state].load(std::memory_order_acquire)) return known;
  auto both = std::make_unique<Real[]>(2 * size());
  pair_->rows(state, std::span<Real>(both.get() + size(), size()),
              std::span<Real>(both.get(), size()));
  if (draft_state(state) != state) {
    auto target = std::make_unique<Real[]>(size());
    std::move(both.get(), both.get() + size(), target.get());
    both = std::move(target);
  }
  const Real* made = both.release();
  bytes_ += (draft_state(state) == state ? 2 : 1) * size() * sizeof(Real);
  rows_[state].store(made, std::memory_order_release);
  return made;
}

template <class Real>
const StateTable& Rows<Real>::make_table(State state) const {
  if constexpr (std::is_same_v<Real, double>) {
    const auto draft_row = draft(state);
    const auto target_row = target(state);
    const std::lock_guard lock(making_[state % kLocks]);
    if (const StateTable* known = tables_[state].load(std::memory_order_acquire)) return *known;
    auto table = std::make_unique<StateTable>(draft_row, target_row, draft_state(state) == state);
    bytes_ += table->bytes();
    const StateTable* made = table.release();
    tables_[state].store(made, std::memory_order_release);
    return *made;
  } else {
    throw std::logic_error("tables are for doubles only");
  }
}

template <class Real>
void Rows<Real>::make_tables(int threads) const {
  if constexpr (std::is_same_v<Real, double>) {
    if (pair_->states() * size() > kMaxReady) return;
    // A state's table takes little time: some states at a time.
    constexpr std::int64_t kShare = 16;
    const auto states = static_cast<std::int64_t>(pair_->states());
    parallel_for((states + kShare - 1) / kShare, threads, [&](std::int64_t i) {
      for (std::int64_t s = kShare * i; s < std::min(states, kShare * (i + 1)); ++s) {
        make_table(static_cast<State>(s));
      }
    });
  } else {
    throw std::logic_error("tables are for doubles only");
  }
}

template <class Real>
std::uint64_t Rows<Real>::content() const {
  std::call_once(digested_, [this] { content_ = content_digest(*pair_); });
  return content_;
}

template class Rows<double>;
template class Rows<Rational>;

}  // namespace speclab
