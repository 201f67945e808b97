#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "draft/source.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/several/coupled_trie.h"
#include "verifiers/several/least_mark.h"

namespace speclab {

/// A repair of lin2026 that satisfies its theorems: lossless, with E[tau] equal to equation (5),
/// the sum of a(v) = T (1 - (1 - min(1, D/T))^K) over all nodes v. It keeps equation (4) (the
/// correction) and Algorithm 2 (the carry) and replaces the coins of spectr-gbv. K = 1 is
/// greedy-block.
///
/// D, T are joint laws from the iteration's root; u(v) = min(1, D/T), s(v) the least u from the
/// root to v, m(v) the mass with which one draft stops at v or below (see coupled_node.h).
/// Each draft independently walks back from its end and stops at v with probability
/// (m(v) - M) / (D(v) - M), M = sum m(vx); at the root with probability 1. It then draws a mark: a
/// piece of v in proportion to its height times its length, and a uniform point of that piece.
/// Pieces of v:
///   |v| < L: (u(vx), s(v)) of height T(vx) where u(vx) < s(v);   |v| = L: (0, s(v)) of height
///   T(v); and those of v's parent with heights times lambda(v), where lambda(v) > 0.
/// The least mark wins and its stop v is accepted; Y is drawn in proportion to
/// T(vx) (1 - u(vx))^K, or Y ~ t at |v| = L. The next L - |v| - 1 tokens carry the target
/// proportional to T(wx) (1 - u(wx))^K; modifications nest.
///
/// Proof sketch: at v the rate not yet claimed at a mark z is T{children with u < z} + lambda(v)
/// times that of the parent, on [0, s(v)]. Borrowed rate moves to earlier marks, so m <= min(D, T);
/// rates add to 1 at every z, so the K marks are i.i.d. uniform and P(accept v) is the integral of
/// K (1 - z)^(K-1) m_v(z), which is a(v) minus the a of the children.
///
/// The marks are integrated out given all stops and pieces (least_mark.h), and the drafts that stop
/// at one node are one outcome; where all stop at one node, no piece is drawn. Cost in doubles: O(K
/// log V) a node of the trie of the drafts, also where a carry is in force (CarriedTarget), O(K^4)
/// a coin.
struct SpectrCoupled {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "spectr-coupled",
      .parameters = "K=",
      .prose =
          "K drafts as blocks, coupled by marks; lossless, attains lin2026's equation 5; carry",
      .source = "this project, after lin2026 Algorithm 2, equations 4, 5",
      .kind = VerifierKind::lossless,
      .example = "spectr-coupled(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = true;
  static SpectrCoupled read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    CoupledTrie<View> trie(view, root, window.drafts, drafts);
    std::vector<std::size_t> stops;
    for (int k = 0; k < drafts; ++k) {
      const std::size_t end = trie.walk(choices, k);
      stops.push_back(trie.stop(end, choices));
    }
    const std::size_t accepted = winner(trie, stops, choices);
    trie.emit_path(accepted, out);
    if (out.accepted == window.drafts) return out.finish(view, choices, window);
    const Token y = choices.correct(trie.residual(accepted));
    out.add(view, y, Ending::correction);
    if (y == kUndefined) return;
    out.node = view.modified(std::move(out.node), trie.share(accepted, y),
                             window.drafts - out.accepted - 1, drafts);
  }

 private:
  /// The node whose draft has the least mark.
  template <class Trie, class Choices>
  static std::size_t winner(const Trie& trie, const std::vector<std::size_t>& stops,
                            Choices& choices) {
    using Real = typename Trie::Real;
    std::vector<std::size_t> nodes(stops);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (nodes.size() == 1) return nodes.front();
    std::vector<MarkRange<Real>> ranges;
    for (const std::size_t stop : stops) ranges.push_back(draw_piece(trie, stop, choices));
    const std::vector<Real> marks = least_mark_law(ranges);
    std::vector<Real> law(nodes.size(), Real(0));
    for (std::size_t k = 0; k < stops.size(); ++k) {
      const auto at = std::lower_bound(nodes.begin(), nodes.end(), stops[k]) - nodes.begin();
      law[static_cast<std::size_t>(at)] += marks[k];
    }
    // In doubles the masses may underflow to 0; then any node will do.
    const Token chosen = std::max(choices.choose(DenseLaw<Real>(std::move(law))), Token{0});
    return nodes[static_cast<std::size_t>(chosen)];
  }

  /// The piece in which the mark of a draft that stopped at `stop` lies.
  template <class Trie, class Choices>
  static auto draw_piece(const Trie& trie, std::size_t stop, Choices& choices) {
    const auto pieces = trie.pieces(stop);
    // In doubles the mass may underflow to 0; then any piece will do.
    return pieces.range(std::max(choices.choose(pieces), Token{0}));
  }
};

}  // namespace speclab
