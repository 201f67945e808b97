#pragma once

#include <span>
#include <utility>
#include <vector>

#include "base/power.h"
#include "base/sum.h"
#include "model/rows.h"
#include "theory/budget.h"

namespace speclab {

/// A value for each of a few of the states 0..n-1, in the order of their first insertion, so that
/// sums over it are reproducible.
template <class Value>
class Measure {
 public:
  explicit Measure(State states) : slot_(states, 0) {}

  /// The value of `state`; value-initialised (zero) on first use.
  Value& operator[](State state) {
    if (slot_[state] == 0) {
      entries_.emplace_back(state, Value{});
      slot_[state] = static_cast<State>(entries_.size());
    }
    return entries_[slot_[state] - 1].second;
  }

  /// Pairs (state, value).
  [[nodiscard]] const std::vector<std::pair<State, Value>>& entries() const { return entries_; }

  void clear() {
    for (const auto& entry : entries_) slot_[entry.first] = 0;
    entries_.clear();
  }

 private:
  std::vector<State> slot_;  ///< 1 + index into entries_, or 0
  std::vector<std::pair<State, Value>> entries_;
};

/// A recursion over states, token by token: the values at the states after the tokens so far.
template <class Real, class Value = Real>
class Layers {
 public:
  Layers(const Rows<Real>& rows, Measure<Value> first, Budget& budget)
      : rows_(rows), budget_(budget), now_(std::move(first)), after_(rows.pair().states()) {}

  /// Goes on by one token: calls visit(state, value, after) for each state; `after` collects the
  /// next values. Spends this many elementary steps on each token of each state.
  /// @param depth  see Budget::spend
  template <class Visit>
  void advance(double steps, int depth, const Visit& visit) {
    budget_.spend<Real>(steps * static_cast<double>(now_.entries().size()) *
                            static_cast<double>(rows_.vocabulary()),
                        depth);
    after_.clear();
    for (const auto& [state, value] : now_.entries()) {
      check_interrupted();
      visit(state, value, after_);
    }
    std::swap(now_, after_);
  }

 private:
  const Rows<Real>& rows_;
  Budget& budget_;
  Measure<Value> now_;
  Measure<Value> after_;
};

/// The law of the state before position 1.
template <class Real>
Measure<Real> start_law(const Rows<Real>& rows) {
  Measure<Real> law(rows.pair().states());
  for (const Start& start : rows.pair().start()) {
    law[start.state] += from_rational<Real>(start.probability);
  }
  return law;
}

/// The point mass on one state.
template <class Real>
Measure<Real> point_law(const Rows<Real>& rows, State state) {
  Measure<Real> law(rows.pair().states());
  law[state] = Real(1);
  return law;
}

/// The value of each sum.
template <class Real>
std::vector<Real> values_of(const std::vector<Sum<Real>>& sums) {
  std::vector<Real> values;
  for (const Sum<Real>& sum : sums) values.push_back(sum.value());
  return values;
}

/// E[tau] from tail[i] = P(tau >= i), i = 0, 1, ..
template <class Real>
Real expectation(const std::vector<Real>& tail) {
  return total(std::span(tail).subspan(1));
}

/// min(a, b).
template <class Real>
Real lesser(const Real& a, const Real& b) {
  return b < a ? b : a;
}

/// Total variation distance of two laws, sum of [a - b]+, in [0, 1].
template <class Real>
Real total_variation(std::span<const Real> a, std::span<const Real> b) {
  Sum<Real> sum;
  for (std::size_t x = 0; x < a.size(); ++x) sum += positive_part<Real>(a[x] - b[x]);
  return min_one<Real>(sum.value());
}

/// Sum over the start states of probability times `value(state)`.
template <class Real, class Function>
Real average(const Measure<Real>& law, Function&& value) {
  Sum<Real> sum;
  for (const auto& [state, probability] : law.entries()) sum += probability * value(state);
  return sum.value();
}

}  // namespace speclab
