#pragma once

#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/pair.h"

namespace speclab {

/// Laws by prefix; the prefixes need not be prefix-closed, but "" is among them.
using ListedLaws = std::map<std::vector<Token>, std::vector<Rational>>;

/// "" -> (), "0,2" -> (0, 2).
/// @throws InputError "WHERE: ..." when an entry is not a token written without sign or leading
/// zeros.
std::vector<Token> parse_prefix(std::string_view text, Token vocabulary, const std::string& where);

/// Laws listed by prefix, each model its own list; a prefix not listed uses the row of its longest
/// listed prefix.
///
/// States are the nodes of the trie of all listed prefixes, then one *frozen* state per pair
/// of rows with which a history can leave the trie for good: e.g. with "" and "0,1" listed, the
/// history (0, 0) leaves at node (0) and keeps the row of "".
class ListedTreePair final : public RationalPair {
 public:
  ListedTreePair(Token vocabulary, const ListedLaws& draft, const ListedLaws& target);

  using RationalPair::rows;
  [[nodiscard]] Token vocabulary() const override { return vocabulary_; }
  [[nodiscard]] State states() const override { return static_cast<State>(nodes_.size()); }
  [[nodiscard]] State next(State state, Token token) const override;
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override;

 private:
  using Law = std::vector<Rational>;
  /// Of a node that has its parent's law.
  static constexpr std::size_t kInherited = std::numeric_limits<std::size_t>::max();
  struct Node {
    std::map<Token, State> children;
    State otherwise = 0;             ///< the successor by every other token
    std::size_t draft = kInherited;  ///< numbers in laws_
    std::size_t target = kInherited;
  };

  Token vocabulary_;
  std::vector<Law> laws_;
  std::vector<Node> nodes_;
};

}  // namespace speclab
