#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "model/pair.h"

namespace speclab {

/// The laws of a pair in one arithmetic, one row a state, made when first asked for and kept.
/// Safe to share between threads.
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
  [[nodiscard]] State next(State state, Token token) const { return pair_->next(state, token); }

  /// Probabilities over the V tokens.
  [[nodiscard]] std::span<const Real> draft(State state) const { return {row(state), size()}; }
  [[nodiscard]] std::span<const Real> target(State state) const {
    return {row(state) + size(), size()};
  }

 private:
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(vocabulary_); }
  const Real* row(State state) const {
    const Real* known = rows_[state].load(std::memory_order_acquire);
    return known != nullptr ? known : make(state);
  }
  const Real* make(State state) const;

  PairPointer pair_;
  Token vocabulary_;
  /// rows_[s] points at V draft then V target probabilities, or is null.
  mutable std::vector<std::atomic<const Real*>> rows_;
  mutable std::mutex making_;
};

extern template class Rows<double>;
extern template class Rows<Rational>;

}  // namespace speclab
