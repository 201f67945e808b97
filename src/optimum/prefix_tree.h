#pragma once

#include <string>
#include <vector>

#include "model/rows.h"

namespace speclab {

/// Tokens from the root of an iteration.
using Prefix = std::vector<Token>;

/// "(0,1)".
std::string prefix_text(const Prefix& prefix);

/// The prefixes of up to `depth` tokens that are possible under both models from a start, parents
/// before children, in the order of their tokens. A prefix impossible under one model is never
/// accepted, so that no program needs it.
class PrefixTree {
 public:
  struct Node {
    std::size_t parent = 0;
    Token token = 0;
    State state = 0;  ///< after the prefix
    int depth = 0;
    Rational draft;   ///< D, joint draft probability of the prefix
    Rational target;  ///< T
    std::vector<std::size_t> children;
  };

  /// @throws LimitError beyond `most` nodes, or 1e8 tokens that may follow them; Error when
  /// interrupted
  PrefixTree(const Rows<Rational>& rows, State start, int depth, std::size_t most);

  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node& operator[](std::size_t v) const { return nodes_[v]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] Prefix prefix(std::size_t v) const;

 private:
  std::vector<Node> nodes_;  ///< [0]: the root
  int depth_;
};

}  // namespace speclab
