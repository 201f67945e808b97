#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "draft/given.h"
#include "draft/grow.h"
#include "draft/source.h"
#include "model/likeliest.h"
#include "model/rest_law.h"

namespace speclab {

/// A vertex of a draft tree, numbered in order of first appearance; 0 is the root.
using Vertex = std::size_t;
inline constexpr Vertex kRootVertex = 0;

/// The tokens that one iteration drafts: a trie. A vertex has its token, its context (a node of the
/// view), its depth, its children in order of first appearance, and its draws: one child each, in
/// the order in which they were made, so that a token drawn twice is one child with two draws. Its
/// multiplicity is the number of its parent's draws that gave it: with K i.i.d. chains the chains
/// that run through it, and the draws at a vertex are those chains' tokens in the chains' order.
///
/// The tree is lazy: a token is drawn by `choices.draft` when it is first requested, together with
/// the draws before it at the same vertex; where a draw depends on the number of chains through a
/// vertex, the remaining draws at its parent are made first. The law of each draw depends only on
/// the draws made before it, so a set drawn step by step has the law of one drawn at once, whatever
/// a rule requests and when. Tokens that no rule requests are not drawn: an interpreter does not
/// branch over them.
///
/// Worked example: K = 3, d = (2/3, 1/3), draws 1, 0, 1 at the root: children 1 (multiplicity 2), 0
/// (multiplicity 1); draws(root) = 3, draws(child 1) = 2.
///
/// @tparam View  see model/view.h  @tparam Choices  has draft(law) -> token (verifiers/choices.h)
template <class View, class Choices>
class DraftTree {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;

  /// @param drafts  depth of the leaves: a window's drafts, at most the depth of the source's tree
  /// @throws InputError where the source's tree is shallower
  DraftTree(const DraftSource& source, const View& view, const Node& root, int drafts,
            Choices& choices)
      : source_(source),
        view_(view),
        leaf_depth_(drafts),
        grown_(source.grown()),
        shaped_(source.shaped()),
        choices_(choices) {
    source.check_window(drafts);
    entries_.reserve(kFewVertices);
    entries_.push_back(Entry{kUndefined, root, kRootVertex, 0, 1, 0, {}, {}, {}});
    if (grown_) grow();
  }

  /// The number of vertices so far; those drawn from now on have higher numbers.
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] Token token(Vertex v) const { return entries_[v].token; }
  [[nodiscard]] const Node& node(Vertex v) const { return entries_[v].node; }
  [[nodiscard]] int depth(Vertex v) const { return entries_[v].depth; }
  [[nodiscard]] Vertex parent(Vertex v) const { return entries_[v].parent; }
  /// Of a shape that is drawn, v's number in DraftSource::growth.places.
  [[nodiscard]] std::size_t place(Vertex v) const { return entries_[v].place; }
  /// Whether v has the depth of the leaves, or in a grown tree or a shape no children.
  [[nodiscard]] bool is_leaf(Vertex v) const {
    return entries_[v].depth == leaf_depth_ || (grown_ && entries_[v].children.empty()) ||
           (shaped_ && branching(v) == 0);
  }

  /// The number of draws at v, made or not.
  [[nodiscard]] int draws(Vertex v) {
    if (v != kRootVertex) complete(entries_[v].parent);
    return draws_known(v);
  }

  /// The number of times v was drawn.
  [[nodiscard]] int multiplicity(Vertex v) {
    if (v != kRootVertex) complete(entries_[v].parent);
    return entries_[v].multiplicity;
  }

  /// The child that draw number j = 0, 1, .. at v gave; empty where there are fewer draws.
  std::optional<Vertex> draw(Vertex v, int j);

  /// Child number j = 0, 1, .. of v in order of first appearance; empty where there are fewer.
  std::optional<Vertex> child(Vertex v, int j);

  /// All children of v in order of first appearance. Valid until the next draw.
  std::span<const Vertex> children(Vertex v) {
    complete(v);
    return {entries_[v].children.data(), entries_[v].children.size()};
  }

  /// The child of v with token x among those drawn; empty where there is none.
  [[nodiscard]] std::optional<Vertex> find(Vertex v, Token x) const {
    for (const Vertex child : entries_[v].children) {
      if (entries_[child].token == x) return child;
    }
    return std::nullopt;
  }

  /// The vertices of chain k = 0, 1, .. of K i.i.d. chains, from below the root to its leaf. Draws
  /// only that chain's tokens, where the chains before it are drawn.
  std::vector<Vertex> chain(int k);

  /// The tokens on the way from the root to v with the contexts after them: calls visit(token,
  /// node).
  template <class Visit>
  void walk_to(Vertex v, const Visit& visit) const {
    if (v == kRootVertex) return;
    walk_to(entries_[v].parent, visit);
    visit(entries_[v].token, entries_[v].node);
  }

 private:
  /// Initial capacity; most iterations draw no more.
  static constexpr std::size_t kFewVertices = 8;
  using Vertices = boost::container::small_vector<Vertex, 4>;

  struct Entry {
    Token token;
    Node node;
    Vertex parent;
    int depth;
    int multiplicity;   ///< so far
    std::size_t place;  ///< see place()
    Vertices drawn;     ///< one a draw made
    Vertices children;
    std::optional<RestLaw<Real>> left;  ///< the law of the next draw without replacement
  };

  /// The draws at v, or at each of its occurrences in a `with` set.
  [[nodiscard]] int branching(Vertex v) const {
    if (shaped_) return static_cast<int>(source_.growth.places[entries_[v].place].size());
    return source_.branching(entries_[v].depth);
  }

  [[nodiscard]] int made(Vertex v) const { return static_cast<int>(entries_[v].drawn.size()); }

  void complete(Vertex v) {
    while (draw_next(v)) {
    }
  }

  /// The number of draws at v that is known from the draws made at its parent: in a `with` set each
  /// occurrence of v adds its own draws; in the others the number is fixed.
  int draws_known(Vertex v);

  /// Makes the next draw at v; false where all are made.
  bool draw_next(Vertex v);

  /// The next draw at v. An interpreter that was given the set is informed of the draw's place.
  template <class Law>
  Token drawn(Vertex v, const Law& law) {
    const auto prefix = [this, v] {
      std::vector<Token> tokens;
      walk_to(v, [&tokens](Token x, const Node&) { tokens.push_back(x); });
      return tokens;
    };
    draft_below(choices_, prefix, made(v));
    return choices_.draft(law);
  }

  /// Makes the whole of a grown tree, parents first, siblings by rank.
  void grow();

  void add(Vertex v, Token x);

  const DraftSource& source_;
  const View& view_;
  int leaf_depth_;
  bool grown_;
  bool shaped_;
  Choices& choices_;
  std::vector<Entry> entries_;
};

template <class View, class Choices>
std::optional<Vertex> DraftTree<View, Choices>::draw(Vertex v, int j) {
  while (made(v) <= j) {
    if (!draw_next(v)) return std::nullopt;
  }
  return entries_[v].drawn[static_cast<std::size_t>(j)];
}

template <class View, class Choices>
std::optional<Vertex> DraftTree<View, Choices>::child(Vertex v, int j) {
  const auto at = static_cast<std::size_t>(j);
  while (entries_[v].children.size() <= at) {
    if (!draw_next(v)) return std::nullopt;
  }
  return entries_[v].children[at];
}

template <class View, class Choices>
std::vector<Vertex> DraftTree<View, Choices>::chain(int k) {
  std::vector<Vertex> path;
  Vertex at = kRootVertex;
  int number = k;
  while (const auto child = draw(at, number)) {
    // The chain's number among those that continue to this child.
    const auto& drawn = entries_[at].drawn;
    number = static_cast<int>(std::count(drawn.begin(), drawn.begin() + number, *child));
    path.push_back(*child);
    at = *child;
  }
  return path;
}

template <class View, class Choices>
int DraftTree<View, Choices>::draws_known(Vertex v) {
  if (is_leaf(v)) return 0;
  if (grown_) return made(v);
  const int most = branching(v);
  if (source_.draw == Draw::with) return entries_[v].multiplicity * most;
  const auto laws = view_.at(entries_[v].node);
  int possible = 0;
  for (Token x = 0; x < laws.vocabulary() && possible < most; ++x) {
    if (laws.draft(x) > 0) ++possible;
  }
  return possible;
}

template <class View, class Choices>
bool DraftTree<View, Choices>::draw_next(Vertex v) {
  if (is_leaf(v) || grown_) return false;
  if (source_.draw == Draw::with) {
    if (made(v) == draws_known(v) && made(v) == draws(v)) return false;
    add(v, drawn(v, view_.at(entries_[v].node).draft()));
    return true;
  }
  if (source_.draw == Draw::top) {
    if (made(v) > 0) return false;
    const auto most = static_cast<std::size_t>(branching(v));
    for (const Token x : likeliest_drafts(view_.at(entries_[v].node), most)) add(v, x);
    return true;
  }
  auto& left = entries_[v].left;
  if (!left) left.emplace(RestLaw<Real>::draft(view_.at(entries_[v].node)));
  if (made(v) == branching(v) || !(left->mass() > 0)) return false;
  const Token x = drawn(v, *left);
  left->strike(x);
  add(v, x);
  return true;
}

template <class View, class Choices>
void DraftTree<View, Choices>::grow() {
  std::vector<Vertex> vertices{kRootVertex};  // by node of the grown tree, its root before them
  const bool of_target = source_.growth.kind == Growth::Kind::target;
  const auto sorted = [this, of_target](const Node& node, int most) {
    const auto laws = view_.at(node);
    const auto width = static_cast<std::size_t>(most);
    if (!of_target) return likeliest_drafts(laws, width);
    return likeliest_tokens(laws.vocabulary(), width, [&laws](Token x) { return laws.target(x); });
  };
  for (const auto& node :
       grown_nodes(source_.growth, view_, entries_.front().node, leaf_depth_, sorted)) {
    vertices.push_back(entries_.size());
    add(vertices[node.parent], node.token);
  }
}

template <class View, class Choices>
void DraftTree<View, Choices>::add(Vertex v, Token x) {
  if (const auto known = find(v, x)) {
    ++entries_[*known].multiplicity;
    entries_[v].drawn.push_back(*known);
    return;
  }
  const Vertex fresh = entries_.size();
  // No draw of a shape repeats a token, so that a child's rank is the number of its draw.
  const std::size_t place =
      shaped_ ? source_.growth.places[entries_[v].place][entries_[v].drawn.size()] : 0;
  entries_[v].drawn.push_back(fresh);
  entries_[v].children.push_back(fresh);
  Node after = view_.next(entries_[v].node, x);
  entries_.push_back(Entry{x, std::move(after), v, entries_[v].depth + 1, 1, place, {}, {}, {}});
}

}  // namespace speclab
