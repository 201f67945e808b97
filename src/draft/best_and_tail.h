#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "draft/source.h"
#include "model/likeliest.h"
#include "model/rest_law.h"

namespace speclab {

/// A tree of at most N drafts whose nodes have at most two children: the likeliest token b of the
/// draft d there, which is certain, and one token that is drawn from the tail, d without b. Grown
/// best first: of the children that may be added next the one with the largest score is, of equal
/// ones the shallower, then that of the node added first, then b. A score is that of the parent
/// times, for b, d(b) and, for the sampled child y,
///   Order::mass  1 - d(b), the mass that y is drawn from. y is drawn after it was added, so that
///                whether it is added does not depend on y.
///   Order::own   d(y), as if y were likely because it was drawn: a fault.
/// Scores fall along a path, so that these are the N largest ones of all nodes.
///
/// Worked example: d = (1/2, 1/4, 1/4), N = 2, depth 2: the scores of b and of the tail are 1/2, so
/// both are children of the root; by their own probability y has 1/4, as has b below b, which is
/// deeper.
template <class View, class Choices>
class BestAndTailTree {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  enum class Order { mass, own };

  struct Vertex {
    Token token;
    Node node;
    int depth;
    Real score;
    Token best = kUndefined;               ///< b at the node, where it is above the greatest depth
    std::optional<RestLaw<Real>> tail{};   ///< d without b, where b is
    std::optional<std::size_t> fixed{};    ///< the child b
    std::optional<std::size_t> sampled{};  ///< the child y
  };

  /// @param nodes  N  @param depth  of the deepest nodes
  BestAndTailTree(int nodes, Order order, const View& view, const Node& root, int depth,
                  Choices& choices)
      : order_(order), view_(view), depth_(depth), choices_(choices) {
    add({kUndefined, root, 0, Real(1)});
    while (!open_.empty() && vertices_.size() <= static_cast<std::size_t>(nodes)) take_first();
  }

  /// @param at  0: the root; children have higher numbers
  [[nodiscard]] const Vertex& operator[](std::size_t at) const { return vertices_[at]; }

 private:
  /// A child that may be added.
  struct Open {
    Real score;
    int depth;
    std::size_t parent;
    bool sampled;
    Token token;  ///< kUndefined: not drawn yet

    bool operator<(const Open& other) const {
      if (score != other.score) return score > other.score;
      return std::tie(depth, parent, sampled) < std::tie(other.depth, other.parent, other.sampled);
    }
  };

  void add(Vertex vertex) {
    const std::size_t at = vertices_.size();
    vertices_.push_back(std::move(vertex));
    Vertex& added = vertices_.back();
    if (added.depth == depth_) return;
    const auto laws = view_.at(added.node);
    added.best = likeliest_drafts(laws, 1).front();
    const int below = added.depth + 1;
    open_.insert({Real(added.score * laws.draft(added.best)), below, at, false, added.best});
    auto& tail = added.tail.emplace(RestLaw<Real>::draft(laws));
    tail.strike(added.best);
    if (!(tail.mass() > 0)) return;
    const Token drawn = order_ == Order::own ? choices_.draft(tail) : kUndefined;
    const Real share = order_ == Order::own ? Real(laws.draft(drawn)) : tail.mass();
    open_.insert({Real(added.score * share), below, at, true, drawn});
  }

  void take_first() {
    const Open first = *open_.begin();
    open_.erase(open_.begin());
    Vertex& parent = vertices_[first.parent];
    (first.sampled ? parent.sampled : parent.fixed) = vertices_.size();
    const Token token = first.token != kUndefined ? first.token : choices_.draft(*parent.tail);
    add({token, view_.next(parent.node, token), first.depth, first.score});
  }

  Order order_;
  const View& view_;
  int depth_;
  Choices& choices_;
  std::vector<Vertex> vertices_;
  std::set<Open> open_;
};

}  // namespace speclab
