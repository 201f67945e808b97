#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "model/pair.h"

namespace speclab {

/// The target of a pair whose draft resets: a finite automaton, its laws and moves a row a state.
struct TargetAutomaton {
  std::vector<std::vector<Rational>> laws;  ///< [S][V]
  std::vector<std::vector<State>> next;     ///< [S][V]
  State start = 0;

  [[nodiscard]] std::size_t states() const { return laws.size(); }
  [[nodiscard]] std::size_t vocabulary() const { return laws.front().size(); }

  /// The law of the next token where the state has this law. @param states  [S], sums to 1
  [[nodiscard]] std::vector<Rational> mixed(const std::vector<Rational>& states) const;
};

/// The states that the target may be in after a number of tokens, each worked out once.
class StatesAhead {
 public:
  /// @param target  must outlive this
  explicit StatesAhead(const TargetAutomaton& target) : target_(target) {}

  /// Their probabilities, [S], after this many tokens from a state.
  const std::vector<Rational>& of(State from, int tokens);

 private:
  const TargetAutomaton& target_;
  std::map<std::pair<State, int>, std::vector<Rational>> known_;
};

/// Reads `target=[[..],..]`, a row a state, `next=[[..],..]`, which may be left out where there is
/// one row, or one a token: the state is then the last token. And `start=0`.
TargetAutomaton read_target(SpecReader& spec);

/// What a draft's law depends on within an iteration; a family decides what the numbers mean.
using DraftKey = std::vector<int>;

/// A draft whose state begins anew with each iteration.
struct ResettingDraft {
  int longest = 1;  ///< tokens that one iteration can draft, L >= 1
  /// The draft's states at the beginning of an iteration in a target's state, and their
  /// probabilities, which sum to 1.
  std::function<std::vector<std::pair<DraftKey, Rational>>(State context)> begin;
  /// The next token's law, [V].
  std::function<std::vector<Rational>(const DraftKey&)> law;
  /// The draft's state after a token that it or the target can draw, which leads to `after`.
  std::function<DraftKey(const DraftKey&, Token, State after)> next;
};

/// The pair of the states (target's state, draft's state, offset) that decodes can reach. After L
/// tokens without a new iteration the draft begins anew. A token that neither law draws leads back
/// to its own state.
/// @param where  what it is made of, in a message
/// @throws InputError "WHERE ..." where there are too many states
std::shared_ptr<Pair> make_resetting(const std::string& where, const TargetAutomaton& target,
                                     const ResettingDraft& draft);
PairPointer make_resetting(const SpecReader& spec, const TargetAutomaton& target,
                           const ResettingDraft& draft);

/// Reads `draft=[[..],..]`: laws of `vocabulary` entries, as many for each group.
/// @param group  what a group is, in a message
std::vector<std::vector<Rational>> read_draft_rows(SpecReader& spec, std::size_t groups,
                                                   std::string_view group, std::size_t vocabulary);

/// `blocks`: the laws of offset j of an iteration that begins in each of the target's states,
/// independent given that state. @param laws  [S * L][V], the offsets of state 0 first
ResettingDraft block_draft(std::vector<std::vector<Rational>> laws, std::size_t states);

}  // namespace speclab
