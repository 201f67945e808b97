#pragma once

#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <type_traits>
#include <vector>

#include "model/pair.h"
#include "model/state_table.h"

namespace speclab {

/// The laws of a pair in one arithmetic, made per state on first use and cached: the
/// rows, and for doubles the tables to sample from them. Safe to share between threads.
///
/// *Bounded* rows evict the least recently used entries above their limit and make them again, with
/// the same bits, on demand: their memory does not grow with the number of questions. They are read
/// within a Reading only.
template <class Real>
class Rows {
 public:
  static constexpr std::size_t kKeepAll = std::numeric_limits<std::size_t>::max();

  /// @param most_kept  bytes of rows and tables above which a pause evicts some
  explicit Rows(PairPointer pair, std::size_t most_kept = kKeepAll);
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows();

  [[nodiscard]] const Pair& pair() const { return *pair_; }
  [[nodiscard]] const PairPointer& pair_pointer() const { return pair_; }
  [[nodiscard]] Token vocabulary() const { return vocabulary_; }

  [[nodiscard]] State next(State state, Token token) const {
    // Returned without a look-up, so that the next draw does not wait for this token.
    if (rows_.size() == 1) return 0;
    return successors_.empty() ? pair_->next(state, token)
                               : successors_[state * size() + static_cast<std::size_t>(token)];
  }

  /// A state in which an iteration begins.
  struct Root {
    State state;
    Real probability;
  };

  /// Whether the draft's state is made anew by each iteration (Pair::resets).
  [[nodiscard]] bool resets() const { return !roots_.empty(); }

  /// Where an iteration begins that follows this state. @pre resets()
  [[nodiscard]] std::span<const Root> roots(State state) const {
    return std::span(roots_).subspan(first_root_[state],
                                     first_root_[state + 1] - first_root_[state]);
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
    if (known == nullptr) return make_table(state);
    known->touch();
    return *known;
  }

  /// Keeps the data that its thread reads from the rows valid until its next pause. Rows that are
  /// not bounded need none. A thread has at most one at a time.
  class Reading {
   public:
    explicit Reading(const Rows& rows) : rows_(rows), held_(rows.forgetting_, std::defer_lock) {
      if (rows.most_kept_ != kKeepAll) held_.lock();
    }
    /// The thread has released everything it read. Above the limit this waits for the pauses of all
    /// other readings and evicts.
    void pause() {
      if (rows_.bytes() > rows_.most_kept_) rows_.make_room(held_);
    }

   private:
    const Rows& rows_;
    std::shared_lock<std::shared_mutex> held_;
  };

  /// Whether some states share their draft law.
  [[nodiscard]] bool shares_drafts() const { return !draft_states_.empty(); }

  /// Makes the tables of all states with several threads where the pair is small enough that all
  /// will soon be needed; otherwise does nothing. Doubles only. @param threads  at least 1
  void make_tables(int threads) const;

  /// content_digest of the pair, computed once.
  [[nodiscard]] std::uint64_t content() const;

  /// Bytes of the rows and tables made so far.
  [[nodiscard]] std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  /// Bytes of the index over all states.
  [[nodiscard]] std::size_t index_bytes() const {
    return (rows_.size() + tables_.size()) * sizeof(void*) +
           (successors_.size() + draft_states_.size()) * sizeof(State) +
           first_root_.size() * sizeof(std::size_t) + roots_.size() * sizeof(Root);
  }

 private:
  static constexpr std::size_t kLocks = 64;
  /// Up to this many (state, token) pairs the successors are tabulated.
  static constexpr std::size_t kMaxSuccessors = std::size_t{1} << 20;

  /// A scaled target with at most V / kSparse others has a table of these alone.
  static constexpr std::size_t kSparse = 4;

  /// Up to this many (state, token) pairs make_tables makes all tables.
  static constexpr std::size_t kMaxReady = std::size_t{1} << 18;

  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(vocabulary_); }
  const Real* row(State state) const {
    const Real* known = rows_[state].load(std::memory_order_acquire);
    return known != nullptr ? known : make_row(state);
  }
  const Real* make_row(State state) const;
  const StateTable& make_table(State state) const;
  [[nodiscard]] std::size_t row_bytes(State state) const;
  [[nodiscard]] std::size_t bytes_of(State state) const;
  void make_room(std::shared_lock<std::shared_mutex>& held) const;
  void forget_unused() const;
  void forget(State state) const;

  PairPointer pair_;
  Token vocabulary_;
  std::vector<State> successors_;    ///< [state * V + token], or empty
  std::vector<State> draft_states_;  ///< by state, or empty where each state represents itself
  /// rows_[s] points at V target probabilities, then V of the draft where draft_state(s) is s; or
  /// is null.
  mutable std::vector<std::atomic<const Real*>> rows_;
  mutable std::vector<std::atomic<const StateTable*>> tables_;  ///< empty for rationals
  mutable std::array<std::mutex, kLocks> making_;  ///< for state s: index s modulo kLocks
  mutable std::atomic<std::size_t> bytes_{0};
  std::size_t most_kept_;
  mutable std::shared_mutex forgetting_;  ///< locked shared by readings
  mutable std::once_flag digested_;
  mutable std::uint64_t content_ = 0;
  std::vector<std::size_t> first_root_;  ///< by state, and the end; or empty
  std::vector<Root> roots_;              ///< of all states; empty where the pair does not reset
};

/// The table to draw from a state's draft law.
inline const AliasTable& draft_alias(const Rows<double>& rows, State state) {
  return rows.table(rows.draft_state(state)).draft_alias();
}

extern template class Rows<double>;
extern template class Rows<Rational>;

}  // namespace speclab
