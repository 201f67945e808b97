#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/types.h"
#include "draft/source.h"

namespace speclab {

/// A node of a grown tree: its parent is number `parent` - 1 before it, 0 the root.
struct GrownNode {
  std::size_t parent;
  Token token;
};

/// Grows a tree of likeliest tokens from a context. The product of a node is that of the draft's
/// probabilities of its tokens; products fall along a path, so that the nodes with the largest ones
/// are a tree. Equal products: the shallower node, then the one that was found first.
///
///   best    the N nodes with the largest products of all, at most `width` children each: what is
///           called the optimal tree of given marginals, and EAGLE-2's without its beam
///   beam    of the `width` nodes of a depth with the largest products the `width` likeliest
///           children each; then the N largest products of all that were found (EAGLE-2, section 4:
///           expansion and reranking)
///   target  the N nodes with the largest products of the target's probabilities: on a tree that is
///           not sampled a lossless rule accepts at most the target's mass of its nodes, so that no
///           tree of N nodes lets one accept more
///   ranks, fixed  the nodes of Growth::paths: a token's rank is its place among the draft's
///           likeliest
///
/// Worked example: d = (2/3, 1/3) at every node, N = 3, depth 2, best: 0 (2/3), 0 0 (4/9), 1 (1/3).
/// @param likeliest  (node, most) -> at most so many tokens, likeliest first, none of probability
///                   0; of `target` those of the target
/// @returns parents before their children, siblings by rank
template <class View, class Likeliest>
class TreeGrower {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;

  TreeGrower(const Growth& growth, const View& view, const Node& root, int depth,
             const Likeliest& likeliest)
      : growth_(growth), view_(view), depth_(depth), likeliest_(likeliest) {
    found_.push_back({0, kUndefined, 0, 0, Real(1), root});
  }

  std::vector<GrownNode> grow() {
    if (growth_.kind == Growth::Kind::ranks || growth_.kind == Growth::Kind::fixed) {
      follow_ranks(0, {});
      std::vector<std::size_t> all(found_.size() - 1);
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = i + 1;
      return listed(all);
    }
    return growth_.kind == Growth::Kind::beam ? reranked_beam() : best_first();
  }

 private:
  struct Found {
    std::size_t parent;  ///< number in found_; the root is 0
    Token token;
    int depth;
    int rank;
    Real product;
    Node node;
  };
  /// Larger products first, then shallower ones, then those found first.
  struct Before {
    const std::vector<Found>* found;
    bool operator()(std::size_t a, std::size_t b) const {
      const Found& one = (*found)[a];
      const Found& two = (*found)[b];
      if (one.product != two.product) return one.product > two.product;
      return std::tie(one.depth, a) < std::tie(two.depth, b);
    }
  };

  std::size_t find(std::size_t parent, Token token, int rank) {
    const auto laws = view_.at(found_[parent].node);
    const Real product =
        found_[parent].product *
        (growth_.kind == Growth::Kind::target ? Real(laws.target(token)) : Real(laws.draft(token)));
    Node node = view_.next(found_[parent].node, token);
    found_.push_back({parent, token, found_[parent].depth + 1, rank, product, std::move(node)});
    return found_.size() - 1;
  }

  std::vector<GrownNode> best_first() {
    std::set<std::size_t, Before> open(Before{&found_});
    std::vector<std::vector<Token>> children;  // by node of found_, where it was taken
    const auto open_child = [&](std::size_t parent, int rank) {
      if (found_[parent].depth == depth_) return;
      if (children.size() <= parent) children.resize(parent + 1);
      auto& tokens = children[parent];
      if (rank == 0) tokens = likeliest_(found_[parent].node, growth_.width);
      const auto at = static_cast<std::size_t>(rank);
      if (at < tokens.size()) open.insert(find(parent, tokens[at], rank));
    };
    open_child(0, 0);
    std::vector<std::size_t> taken;
    while (!open.empty() && taken.size() < static_cast<std::size_t>(growth_.nodes)) {
      const std::size_t at = *open.begin();
      open.erase(open.begin());
      taken.push_back(at);
      open_child(found_[at].parent, found_[at].rank + 1);
      open_child(at, 0);
    }
    return listed(taken);
  }

  std::vector<GrownNode> reranked_beam() {
    std::vector<std::size_t> level{0};
    std::vector<std::size_t> all;
    const auto width = static_cast<std::size_t>(growth_.width);
    for (int depth = 0; depth < depth_ && !level.empty(); ++depth) {
      std::vector<std::size_t> below;
      for (const std::size_t parent : level) {
        const auto tokens = likeliest_(found_[parent].node, growth_.width);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
          below.push_back(find(parent, tokens[i], static_cast<int>(i)));
        }
      }
      all.insert(all.end(), below.begin(), below.end());
      std::sort(below.begin(), below.end(), Before{&found_});
      below.resize(std::min(below.size(), width));
      level = std::move(below);
    }
    std::sort(all.begin(), all.end(), Before{&found_});
    all.resize(std::min(all.size(), static_cast<std::size_t>(growth_.nodes)));
    return listed(all);
  }

  /// Finds the nodes of Growth::paths below a node whose path this is. They are sorted.
  void follow_ranks(std::size_t at, const std::vector<int>& path) {
    if (found_[at].depth == depth_) return;
    std::vector<int> ranks;
    for (const auto& each : growth_.paths) {
      if (each.size() == path.size() + 1 && std::equal(path.begin(), path.end(), each.begin())) {
        ranks.push_back(each.back());
      }
    }
    if (ranks.empty()) return;
    const auto tokens = likeliest_(found_[at].node, ranks.back() + 1);
    std::vector<std::size_t> children;
    for (const int rank : ranks) {
      const auto place = static_cast<std::size_t>(rank);
      if (place < tokens.size()) children.push_back(find(at, tokens[place], rank));
    }
    for (const std::size_t child : children) {
      std::vector<int> longer = path;
      longer.push_back(found_[child].rank);
      follow_ranks(child, longer);
    }
  }

  /// Those of found_ as a tree. @param chosen  with each node its ancestors
  std::vector<GrownNode> listed(std::vector<std::size_t> chosen) const {
    std::sort(chosen.begin(), chosen.end(), [this](std::size_t a, std::size_t b) {
      return std::tie(found_[a].depth, found_[a].parent, found_[a].rank) <
             std::tie(found_[b].depth, found_[b].parent, found_[b].rank);
    });
    std::vector<std::size_t> number(found_.size(), 0);
    std::vector<GrownNode> nodes;
    for (const std::size_t at : chosen) {
      nodes.push_back({number[found_[at].parent], found_[at].token});
      number[at] = nodes.size();
    }
    return nodes;
  }

  const Growth& growth_;
  const View& view_;
  int depth_;
  const Likeliest& likeliest_;
  std::vector<Found> found_;
};

/// See TreeGrower. @param depth  of the deepest nodes
template <class View, class Likeliest>
std::vector<GrownNode> grown_nodes(const Growth& growth, const View& view,
                                   const typename View::Node& root, int depth,
                                   const Likeliest& likeliest) {
  return TreeGrower<View, Likeliest>(growth, view, root, depth, likeliest).grow();
}

}  // namespace speclab
