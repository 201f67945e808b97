#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/spec.h"
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
  /// @param roots  by state: where an iteration begins that follows it (Pair::roots); empty: there
  /// @pre also: what check_roots checks
  explicit AutomatonPair(std::vector<AutomatonState> states, State start = 0,
                         std::vector<State> roots = {})
      : states_(std::move(states)), start_(start), roots_(std::move(roots)) {
    if (!roots_.empty()) start_ = roots_[start_];
  }

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
  [[nodiscard]] bool resets() const override { return !roots_.empty(); }
  [[nodiscard]] std::vector<Start> roots(State state) const override {
    return {{roots_.empty() ? state : roots_[state], Rational(1)}};
  }

 private:
  std::vector<AutomatonState> states_;
  State start_;
  std::vector<State> roots_;
};

/// Checks that each state's root is its own root, and that the target is the same from both: equal
/// laws, now and after any tokens that a state can draw.
/// @throws InputError "WHERE, state S ..."
void check_roots(const std::vector<AutomatonState>& states, const std::vector<State>& roots,
                 const std::string& where);

/// A row of states, one a token, of a parameter `next`, or of `root`.
/// @throws InputError of the spec where an entry is not one of the states
std::vector<State> read_moves(SpecReader& spec, const std::vector<Rational>& row,
                              const std::string& where, std::size_t states);

/// The spec text of such a pair, without roots: "automaton(draft=[[1,0],[0,1]],target=[[1,0],
/// [1/2,1/2]],next=[[1,1],[0,1]],start=0)", without the blank.
std::string automaton_text(const std::vector<AutomatonState>& states, State start = 0);

}  // namespace speclab
