#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/pair.h"

namespace speclab {

/// One state of an automaton: its two laws and, token by token, the state that follows.
struct AutomatonState {
  std::vector<Rational> draft;
  std::vector<Rational> target;
  std::vector<State> next;
};

/// A pair whose states are listed.
class AutomatonPair final : public RationalPair {
 public:
  /// @pre every list of every state has V entries, the laws are laws, and each `next` and `start`
  ///      is a state
  explicit AutomatonPair(std::vector<AutomatonState> states, State start = 0)
      : states_(std::move(states)), start_(start) {}

  using RationalPair::rows;
  [[nodiscard]] Token vocabulary() const override {
    return static_cast<Token>(states_.front().draft.size());
  }
  [[nodiscard]] State states() const override { return static_cast<State>(states_.size()); }
  [[nodiscard]] State next(State state, Token token) const override {
    return states_[state].next[static_cast<std::size_t>(token)];
  }
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override;
  [[nodiscard]] std::vector<Start> start() const override { return {{start_, Rational(1)}}; }

 private:
  std::vector<AutomatonState> states_;
  State start_;
};

/// The spec text of the pair: "automaton(draft=[[1,0],[0,1]],target=[[1,0],[1/2,1/2]],
/// next=[[1,1],[0,1]],start=0)", without the blank.
std::string automaton_text(const std::vector<AutomatonState>& states, State start = 0);

}  // namespace speclab
