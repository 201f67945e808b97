#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "model/pair.h"
#include "model/state_table.h"

namespace speclab {

/// The laws of a pair in one arithmetic, made state by state when first asked for and kept: the
/// rows, and for doubles the tables to sample from them. Safe to share between threads.
template <class Real>
class Rows {
 public:
  explicit Rows(PairPointer pair);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows();

  [[nodiscard]] const Pair& pair() const { return *pair_; }
  [[nodiscard]] const PairPointer& pair_pointer() const { return pair_; }
  [[nodiscard]] Token vocabulary() const { return vocabulary_; }

  [[nodiscard]] State next(State state, Token token) const {
    // Not looked up, so that the next draw need not wait for this one's token.
    if (rows_.size() == 1) return 0;
    return successors_.empty() ? pair_->next(state, token)
                               : successors_[state * size() + static_cast<std::size_t>(token)];
  }

  /// The state whose row and alias table serve this one's draft.
  [[nodiscard]] State draft_state(State state) const {
    return draft_states_.empty() ? state : draft_states_[state];
  }

  /// Probabilities over the V tokens.
  [[nodiscard]] std::span<const Real> draft(State state) const {
    return {row(draft_state(state)) + size(), size()};
  }
  [[nodiscard]] std::span<const Real> target(State state) const { return {row(state), size()}; }

  /// The tables of a state; doubles only.
  [[nodiscard]] const StateTable& table(State state) const requires std::is_same_v<Real, double> {
    const StateTable* known = tables_[state].load(std::memory_order_acquire);
    return known != nullptr ? *known : make_table(state);
  }

  /// Whether some states share their draft law.
  [[nodiscard]] bool shares_drafts() const { return !draft_states_.empty(); }

  /// Makes the tables of all states with several threads, where the pair is small enough to need
  /// them all soon; does nothing where it is not. Doubles only. @param threads  at least 1
  void make_tables(int threads) const;

  /// content_digest of the pair, worked out once.
  [[nodiscard]] std::uint64_t content() const;

  /// Bytes held by rows and tables so far.
  [[nodiscard]] std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  /// Bytes held for all states from the start.
  [[nodiscard]] std::size_t index_bytes() const {
    return (rows_.size() + tables_.size()) * sizeof(void*) +
           (successors_.size() + draft_states_.size()) * sizeof(State);
  }

 private:
  static constexpr std::size_t kLocks = 64;
  /// Up to this many (state, token) pairs the next state is looked up, not asked for.
  static constexpr std::size_t kMaxSuccessors = std::size_t{1} << 20;

  /// Up to this many (state, token) pairs make_tables makes all tables.
  static constexpr std::size_t kMaxReady = std::size_t{1} << 18;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(vocabulary_); }
  const Real* row(State state) const {
    const Real* known = rows_[state].load(std::memory_order_acquire);
    return known != nullptr ? known : make_row(state);
  }
  const Real* make_row(State state) const;
  const StateTable& make_table(State state) const;

  PairPointer pair_;
  Token vocabulary_;
  std::vector<State> successors_;    ///< [state * V + token], or empty
  std::vector<State> draft_states_;  ///< by state, or empty where each is its own
  /// rows_[s] points at V target probabilities, then V of the draft where s is its own
  /// draft_state; or is null.
  mutable std::vector<std::atomic<const Real*>> rows_;
  mutable std::vector<std::atomic<const StateTable*>> tables_;  ///< empty for rationals
  mutable std::array<std::mutex, kLocks> making_;               ///< of state s: s modulo kLocks
  mutable std::atomic<std::size_t> bytes_{0};
  mutable std::once_flag digested_;
  mutable std::uint64_t content_ = 0;
};

/// The table to draw from a state's draft law.
inline const AliasTable& draft_alias(const Rows<double>& rows, State state) {
  return rows.table(rows.draft_state(state)).draft_alias();
}

extern template class Rows<double>;
extern template class Rows<Rational>;

}  // namespace speclab
