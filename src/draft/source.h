#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/spec.h"
#include "model/pair.h"

namespace speclab {

/// The most draws that one iteration's draft set may have, and the most drafts of any kind.
inline constexpr int kMostDrafts = 10'000;

/// Reads the number of drafts of an iteration: K of the multi-draft verifiers, M of a batch.
/// @throws InputError naming the parameter where it is not a whole number of least..kMostDrafts.
int read_drafts(SpecReader& spec, std::string_view key, int least = 1);

/// How the children of a node are drawn from the draft law d there.
enum class Draw {
  with,     ///< i.i.d.: equal draws are one child with a multiplicity
  without,  ///< sequential draws without replacement; fewer where d has fewer tokens
  top,      ///< the likeliest tokens of d, likeliest first, ties to the lower token; deterministic
};

/// A tree of likeliest tokens whose shape is not a number of children a depth (see draft/grow.h).
struct Growth {
  enum class Kind {
    none,     ///< the shape is DraftSource's own
    best,     ///< the N nodes with the largest products of draft probabilities
    beam,     ///< the same among what a beam search of some width reaches
    target,   ///< the N nodes with the largest products of target probabilities: no tree of N nodes
              ///< has more of the target's mass
    fixed,    ///< the N paths of ranks with the most mass of the target from the pair's starts
    ranks,    ///< given paths of ranks
    sequoia,  ///< drawn: the N paths of ranks that recursive rejection sampling accepts the most of
              ///< where a child's rank alone decides (see draft/sequoia.h)
    tail,     ///< drawn: N likeliest and sampled children (see draft/best_and_tail.h)
  };
  Kind kind = Kind::none;
  int nodes = 0;  ///< N, at most; of `ranks` their number
  int width = 0;  ///< of `best`, `target` and `sequoia` the most children of a node, of `beam` its
                  ///< width
  int depth = 0;  ///< of `fixed`, `ranks` and `sequoia`: of the deepest node
  std::vector<std::vector<int>>
      paths{};  ///< of `ranks`, and of `fixed` and `sequoia` once the pair
                ///< is known: each a node, closed under prefixes, sorted
  /// Of a shape that is drawn, the same as numbers: the children of the root, then of each path, by
  /// rank; path i is number i + 1.
  std::vector<std::vector<std::size_t>> places{};

  /// Whether the paths depend on the pair (see grown_for).
  [[nodiscard]] bool of_pair() const { return kind == Kind::fixed || kind == Kind::sequoia; }
};

/// Growth::places of paths. Siblings are in the order of their ranks, because the paths are sorted.
std::vector<std::vector<std::size_t>> places_of(const std::vector<std::vector<int>>& paths);

/// How a draft set is drawn (see draft/tree.h for the set itself). `branching` is the number of
/// draws at a node, by its depth:
///
///   spec text             draw     branching
///   K=3                   with     3, 1, 1, ..      three i.i.d. chains of any length, merged
///   K=3                   without  3, 1, 1, ..      of a rule that draws without replacement
///   tree=3-2-1,draw=with  with     3, 2, 1          i.i.d. children, each with i.i.d. children
///   tree=3-2-1,draw=top   top      3, 2, 1          a fixed shape of the likeliest tokens
///   tree=3-2-1,draw=without                         the same shape drawn without replacement
///   (argmax_chain())      top      1, 1, 1, ..      the likeliest token each time
///   grow=best,nodes=8     top                       grown: see Growth
///   ranks=[[0,0],[1]]     without                   a shape: a node's rank is its draw's number
///
/// K=k and tree=k-1-..-1,draw=with are the same set.
struct DraftSource {
  Draw draw = Draw::with;
  int paths = 1;             ///< draws at the root where there is no profile, one everywhere below
  std::vector<int> profile;  ///< draws at a node of depth 0, 1, ..; empty: paths, 1, 1, ..
  Growth growth{};           ///< in the place of both where its kind is not none: grown with top,
                             ///< a shape that is drawn with without

  static DraftSource argmax_chain() { return {Draw::top, 1, {}}; }

  /// Draws at a node of this depth; in a `with` set, for each draw that led to the node.
  [[nodiscard]] int branching(int depth) const;

  /// Whether the tree is made of likeliest tokens, the whole of it at once.
  [[nodiscard]] bool grown() const {
    return growth.kind != Growth::Kind::none && draw == Draw::top;
  }
  /// Whether it is drawn without replacement in the shape of Growth::places.
  [[nodiscard]] bool shaped() const {
    return growth.kind != Growth::Kind::none && draw == Draw::without;
  }

  /// The number of paths from the root to the leaves, where the draft law has enough tokens; at
  /// most kMostDrafts. Of a tree with a growth its nodes, as many as there may be paths.
  [[nodiscard]] int count() const;

  /// Whether the set is `paths` i.i.d. chains.
  [[nodiscard]] bool paths_alone() const { return draw == Draw::with && profile.empty(); }

  /// @throws InputError where a window of `drafts` tokens is longer than the depth of the tree. A
  /// window cut at a horizon is shorter and cuts the tree.
  void check_window(int drafts) const;
};

/// The spec text of a profile: "3-2-1".
std::string profile_text(const std::vector<int>& profile);

/// Reads `K=`, or `tree=` with `draw=with|without|top`, or a tree that is grown: `grow=best` with
/// `nodes=N` and, for fewer than N, `width=`, and `grow=target` likewise; `grow=beam` with
/// `nodes=N` and `width=`; `grow=static` with `nodes=N` and `depth=`; or `ranks=[[0],[0,0],[1]]`, a
/// list of nodes, each the ranks of its ancestors and its own among the draft's likeliest tokens.
/// Drawn without replacement: `ranks=` with `draw=without`, ranks being the numbers of the draws,
/// and `grow=sequoia` with `nodes=N`, `depth=` and, for fewer than N, `width=`.
/// @throws InputError naming the parameter and what to write.
DraftSource read_draft_source(SpecReader& spec);

/// The same growth with its paths, where they depend on the pair. `fixed`: those of the N nodes,
/// none below the depth, whose expected mass under the target, over the starts of the pair, is the
/// largest. Equal ones: the shallower, then the first in the order of ranks. Worked example: d =
/// (2/3, 1/3), t = (1/3, 2/3), N = 2, depth 2: ranks 1 (2/3) and 1 1 (4/9). `sequoia`: see
/// draft/sequoia.h. @throws LimitError where that takes too many steps
Growth grown_for(const Growth& growth, const PairPointer& pair);

/// Reads `tree=` with `draw=`, or one chain: `draft=sampled` (the default) or `draft=argmax`.
DraftSource read_chain_or_tree(SpecReader& spec);

/// Reads `nodes=N`: a tree of likeliest and sampled children.
DraftSource read_best_and_tail(SpecReader& spec);

/// Reads `K=`: K i.i.d. chains.
DraftSource read_paths(SpecReader& spec);

/// Reads `K=`, that many children of the root and one below, or `tree=` for a rule with one way of
/// drawing; `draw=` may be left out. A rule that draws without replacement also takes the shapes
/// `ranks=` and `grow=sequoia`.
DraftSource read_tree(SpecReader& spec, Draw draw);

}  // namespace speclab
