#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "draft/given.h"
#include "model/carries/power_law.h"
#include "verifiers/choices.h"
#include "verifiers/several/coupled_node.h"
#include "verifiers/several/mark_pieces.h"

namespace speclab {

/// The trie of the drafts of spectr-coupled with the state of each node (spectr_coupled.h has
/// the algorithm). Entry 0 is the root; each row is read once.
template <class View>
class CoupledTrie {
 public:
  using Real = typename View::Real;
  using TreeNode = typename View::Node;

  CoupledTrie(const View& view, const TreeNode& root, int length, int drafts)
      : view_(view), length_(length), drafts_(drafts) {
    add({root, 0, kUndefined, 0, {}, {}, {}}, Real(0));
  }

  /// Drafts sequence number k = 0, 1, ..; returns its end.
  template <class Choices>
  std::size_t walk(Choices& choices, int k) {
    std::size_t at = 0;
    draft_along(choices, k);
    while (entries_[at].depth < length_) {
      at = child(at, choices.draft(entries_[at].laws->draft()));
    }
    return at;
  }

  /// The child of `at` by a token that can be drafted there, added where it is new.
  std::size_t child(std::size_t at, Token x) {
    for (const std::size_t known : entries_[at].children) {
      if (entries_[known].token == x) return known;
    }
    const Entry& from = entries_[at];
    Entry entry{view_.next(from.node, x),
                at,
                x,
                from.depth + 1,
                from.coupled.child(likelihood_ratio(*from.laws, x), drafts_),
                {},
                {}};
    const std::size_t added = add(std::move(entry), from.coupled.spare);
    entries_[at].children.push_back(added);
    return added;
  }

  [[nodiscard]] const CoupledNode<Real>& coupled(std::size_t at) const {
    return entries_[at].coupled;
  }

  /// The node where a draft with this end stops. In doubles the last coin may be slightly below 1;
  /// a draft that fails it stops at the highest node at which drafts can stop.
  template <class Choices>
  std::size_t stop(std::size_t at, Choices& choices) const {
    std::size_t highest = at;
    for (; at != 0; at = entries_[at].parent) {
      const Real here = coin(at);
      if (choices.accept(here)) return at;
      if (here > 0) highest = at;
    }
    return coin(0) > 0 ? 0 : highest;
  }

  /// The probability that a draft stops at `at`, given that it did not stop below.
  [[nodiscard]] Real coin(std::size_t at) const { return entries_[at].coupled.coin(is_leaf(at)); }

  /// The pieces of the mark of a draft that stopped at v = `at`, their heights as shares of T(v).
  [[nodiscard]] MarkPieces<Real> pieces(std::size_t at) const {
    MarkPieces<Real> found(view_.vocabulary());
    Real scale(1);
    for (;; at = entries_[at].parent) {
      const auto& coupled = entries_[at].coupled;
      if (is_leaf(at)) {
        found.add_leaf(coupled.reach);
      } else {
        found.add_row(*entries_[at].laws, coupled.ratio, coupled.reach, scale);
      }
      if (!(coupled.lent > 0)) return found;
      scale *= coupled.lent;
    }
  }

  void emit_path(std::size_t at, Iteration<View>& out) const {
    std::vector<std::size_t> path;
    for (; at != 0; at = entries_[at].parent) path.push_back(at);
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
      out.accept(entries_[*step].token, entries_[*step].node);
    }
  }

  /// T(vx) (1 - u(vx))^K: equation (4).
  [[nodiscard]] PowerLaw<Real> residual(std::size_t at) const {
    const auto& entry = entries_[at];
    return {*entry.laws, Real(1 / entry.coupled.ratio), drafts_};
  }

  /// D / T of the path to `at` and y after it.
  [[nodiscard]] Real share(std::size_t at, Token y) const {
    const auto& entry = entries_[at];
    return Real(entry.laws->draft(y) / (entry.coupled.ratio * entry.laws->target(y)));
  }

 private:
  using Laws = decltype(std::declval<const View&>().at(std::declval<const TreeNode&>()));

  struct Entry {
    TreeNode node;
    std::size_t parent;
    Token token;
    int depth;
    CoupledNode<Real> coupled;
    std::vector<std::size_t> children;
    std::unique_ptr<const Laws> laws;  ///< null at full depth, where the pair may have none
  };

  [[nodiscard]] bool is_leaf(std::size_t at) const { return entries_[at].depth == length_; }

  std::size_t add(Entry entry, const Real& parent_spare) {
    if (entry.depth < length_) {
      entry.laws.reset(new Laws(view_.at(entry.node)));  // NOLINT: what at() returns cannot move
      entry.coupled.read_row(*entry.laws, drafts_, parent_spare);
    }
    entries_.push_back(std::move(entry));
    return entries_.size() - 1;
  }

  const View& view_;
  int length_;
  int drafts_;
  std::vector<Entry> entries_;
};

}  // namespace speclab
