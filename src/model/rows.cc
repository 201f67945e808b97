#include "model/rows.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "model/content.h"
#include "system/interrupt.h"
#include "system/parallel.h"

namespace speclab {

template <class Real>
Rows<Real>::Rows(PairPointer pair, std::size_t most_kept)
    : pair_(std::move(pair)),
      vocabulary_(pair_->vocabulary()),
      rows_(pair_->states()),
      tables_(std::is_same_v<Real, double> ? pair_->states() : 0),
      most_kept_(most_kept) {
  constexpr State kStride = 1 << 16;
  for (State state = 0; state < pair_->states(); ++state) {
    if (state > 0 && state % kStride == 0) check_interrupted();
    const State shared = pair_->draft_state(state);
    if (shared == state && draft_states_.empty()) continue;
    // Earlier states represent themselves.
    for (State s = static_cast<State>(draft_states_.size()); s < state; ++s)
      draft_states_.push_back(s);
    draft_states_.push_back(shared);
  }
  for (State state = 0; pair_->resets() && state < pair_->states(); ++state) {
    first_root_.push_back(roots_.size());
    for (const Start& root : pair_->roots(state)) {
      roots_.push_back({root.state, from_rational<Real>(root.probability)});
    }
  }
  if (pair_->resets()) first_root_.push_back(roots_.size());
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
  bytes_ += row_bytes(state);
  rows_[state].store(made, std::memory_order_release);
  return made;
}

template <class Real>
const StateTable& Rows<Real>::make_table(State state) const {
  if constexpr (std::is_same_v<Real, double>) {
    const auto draft_row = draft(state);
    const bool own_draft = draft_state(state) == state;
    const auto scaled = size() > StateTable::kSmall ? pair_->scaled_target(state, draft_row)
                                                    : std::optional<ScaledTarget>();
    const bool sparse = scaled && scaled->others.size() * kSparse <= size();
    const auto target_row = sparse ? std::span<const Real>() : target(state);
    const StateTable* shared = sparse && !own_draft ? &table(draft_state(state)) : nullptr;
    const std::lock_guard lock(making_[state % kLocks]);
    if (const StateTable* known = tables_[state].load(std::memory_order_acquire)) return *known;
    const StateTable* made = sparse ? new StateTable(draft_row, *scaled, shared, own_draft, &bytes_)
                                    : new StateTable(draft_row, target_row, own_draft, &bytes_);
    tables_[state].store(made, std::memory_order_release);
    return *made;
  } else {
    throw std::logic_error("tables are for doubles only");
  }
}

template <class Real>
void Rows<Real>::make_tables(int threads) const {
  if constexpr (std::is_same_v<Real, double>) {
    if (most_kept_ != kKeepAll || pair_->states() * size() > kMaxReady) return;
    // A state's table takes little time, so states are scheduled in blocks.
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
std::size_t Rows<Real>::row_bytes(State state) const {
  return (draft_state(state) == state ? 2 : 1) * size() * sizeof(Real);
}

template <class Real>
void Rows<Real>::make_room(std::shared_lock<std::shared_mutex>& held) const {
  held.unlock();
  {
    const std::unique_lock alone(forgetting_);
    if (bytes() > most_kept_) forget_unused();
  }
  held.lock();
}

template <class Real>
std::size_t Rows<Real>::bytes_of(State state) const {
  std::size_t bytes =
      rows_[state].load(std::memory_order_relaxed) != nullptr ? row_bytes(state) : 0;
  if constexpr (std::is_same_v<Real, double>) {
    const StateTable* table = tables_[state].load(std::memory_order_relaxed);
    if (table != nullptr) bytes += table->bytes();
  }
  return bytes;
}

template <class Real>
void Rows<Real>::forget_unused() const {
  struct Made {
    unsigned uses;
    State state;
  };
  std::vector<Made> made;
  for (State state = 0; state < rows_.size(); ++state) {
    const StateTable* table = nullptr;
    if constexpr (std::is_same_v<Real, double>) table = tables_[state].load();
    if (table == nullptr && rows_[state].load() == nullptr) continue;
    made.push_back({table == nullptr ? 0U : table->late_uses(), state});
  }
  std::sort(made.begin(), made.end(), [](const Made& a, const Made& b) {
    return a.uses != b.uses ? a.uses > b.uses : a.state < b.state;
  });
  // A quarter is freed, so that evictions are rare.
  const std::size_t room = most_kept_ - most_kept_ / 4;
  std::size_t held = 0;
  std::vector<bool> kept(rows_.size());
  for (const Made& next : made) {
    // A table reads the row of its draft: the state that owns that row is kept with it.
    for (const State state : {next.state, draft_state(next.state)}) {
      if (kept[state]) continue;
      kept[state] = true;
      held += bytes_of(state);
    }
    if (held > room) break;
  }
  for (const Made& next : made) {
    if (!kept[next.state]) forget(next.state);
  }
}

template <class Real>
void Rows<Real>::forget(State state) const {
  if constexpr (std::is_same_v<Real, double>) delete tables_[state].exchange(nullptr);
  const Real* row = rows_[state].exchange(nullptr);
  if (row != nullptr) bytes_ -= row_bytes(state);
  delete[] row;
}

template <class Real>
std::uint64_t Rows<Real>::content() const {
  std::call_once(digested_, [this] { content_ = content_digest(*pair_); });
  return content_;
}

template class Rows<double>;
template class Rows<Rational>;

}  // namespace speclab
