#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace speclab {

/// Counts of all n-grams of a token sequence up to an order M, as a back-off automaton.
///
/// A node is an n-gram that occurs; nodes are sorted by length, then by (node of the first n - 1
/// tokens, last token), so a node's children are neighbours sorted by token. The states are the
/// nodes of at most M - 1 tokens: the state of a history is its longest suffix among them.
class NgramCounts {
 public:
  /// One n-gram that extends a context by a token.
  struct Child {
    Token token;
    std::uint32_t count;  ///< occurrences of the extended n-gram, at least 1
  };

  /// @param tokens at least `order` of them, ids 0..V-1
  /// @param order M >= 1
  /// @throws LimitError where the number of n-grams exceeds the range of State; Error when
  /// interrupted
  NgramCounts(std::span<const Token> tokens, int order);

  /// An upper bound on the bytes that the counts of so many tokens take while they are made: a text
  /// has at most as many n-grams of a length as places, and at most V^length.
  static double most_bytes(std::size_t tokens, Token vocabulary, int order);

  /// Bytes in use.
  [[nodiscard]] std::size_t bytes() const {
    return children_.size() * sizeof(Child) +
           (first_child_.size() + suffix_.size()) * sizeof(State);
  }

  [[nodiscard]] State states() const { return level_begin_[level_begin_.size() - 2]; }

  /// The longest suffix of (state, token) that is a state; takes O(M log V).
  [[nodiscard]] State next(State state, Token token) const;

  /// The state without its first token; `state` is not the root.
  [[nodiscard]] State suffix(State state) const { return suffix_[state]; }

  /// The number of tokens of a state.
  [[nodiscard]] int depth(State state) const;

  /// The tokens that follow a state in the text; empty only for a state that occurs only at the
  /// end.
  [[nodiscard]] std::span<const Child> followers(State state) const {
    return {children_.data() + first_child_[state] - 1,
            first_child_[state + 1] - first_child_[state]};
  }

 private:
  /// The node (state, token), or 0 where it does not occur.
  [[nodiscard]] State child(State state, Token token) const;
  /// The places of the n-grams of this length, by (node of the first n - 1 tokens, last token).
  [[nodiscard]] std::vector<std::uint32_t> sorted_places(std::span<const Token> tokens,
                                                         std::size_t length,
                                                         const std::vector<State>& gram) const;
  void add_level(std::span<const Token> tokens, std::size_t length, std::vector<State>& gram);

  std::vector<Child> children_;     ///< of node n at n - 1: its last token and its count
  std::vector<State> first_child_;  ///< by state, and one more: where the last one's children end
  std::vector<State> suffix_;       ///< by state
  std::vector<State> level_begin_;  ///< first node of length 0, 1, .., M, and the number of nodes
};

}  // namespace speclab
