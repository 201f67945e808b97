#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "draft/tree.h"
#include "model/rest_law.h"
#include "verifiers/chain/block_coin.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// Multi-draft block verification over slots: lossless, without a carry, never below block, and
/// growing with K. It repairs lin2026's SpecTr-GBV.
///
/// The state is a law over *slots*. A slot (u, y) is an accepted node u of the trie of the drafts
/// seen so far and a next token y that leaves the trie at u; a slot (v, end) is a whole accepted
/// draft v. It starts as mass t(y) on ((), y). For each draft X in turn:
///   1. For a slot s = (u, y) of mass m, B(s) = min(D(u y), m), D being the joint draft
///      probability from the root; B(v, end) = 0.
///   2. X is walked down the trie. If it leaves through a slot (u, y) of mass m > 0, then with
///      v_0 = u y and w_0 = min(1, m / D(v_0)) block verification runs along X below v_0 from the
///      weight w_0: it gives P(exactly v_i | X) with residual [w_i t - d]+ at v_i, and the
///      probability l that not even v_0 is accepted. Otherwise l = 1.
///   3. New slots (v_i, z) of mass P(exactly v_i) residual_i(z), and (X, end) of mass
///      P(exactly X); every old slot s keeps l (m(s) - B(s)) / (1 - sum B).
/// After the last draft one slot is drawn: u then y, or v then a token of t.
///
/// Lossless. Call a law over slots *faithful* when "emit u then y, continue by t" (for (v, end):
/// "emit v, continue by t") is the target's law. The start is faithful. Apply a draft to a faithful
/// law, averaged over X. It leaves through s with probability D(v_0) and then, by the
/// losslessness of block verification started from weight w_0 (w_0 D(v_0) = B(s) of mass enters
/// below v_0 and continues by t), the mass B(s) of s is replaced by mass B(s) spread below v_0 that
/// continues by t: faithful for s. Refusals have total probability 1 - sum B, and are returned in
/// proportion to m(s) - B(s), which sums to 1 - sum B: slot s retains m(s) - B(s). So each slot's
/// mass is preserved, with part of it moved to longer accepted nodes; the mixture stays faithful.
///
/// Optimal at one position of two tokens. Let d(a) >= t(a). Token b is accepted with probability 1
/// as long as only a was drafted, and k drafts of a leave the slot ((), b) the mass 1 - t(a) /
/// d(a)^k, or none once that is negative. So P(tau = 0) = [d(a)^K - t(a)]+, the least there is (see
/// best_acceptance in theory/multi_draft.h).
///
/// Monotone. A draft moves mass only from (u, y) to slots at extensions of u y, which are longer,
/// so E[tau] does not fall with K; the first draft alone is block verification (w_0 = min(1, t/d)).
struct SlotBlock {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "slot-block",
      .parameters = "K=",
      .prose = "K drafts as blocks over a law of trie slots; the lossless repair of spectr-gbv",
      .source = "this project, after lin2026",
      .kind = VerifierKind::lossless,
      .example = "slot-block(K=2)",
      .drafts = "K"};
  static constexpr bool kCarries = false;
  static SlotBlock read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const DraftSource source{Draw::with, drafts, {}};
    DraftTree<View, Choices> tree(source, view, root, window.drafts, choices);
    SlotLaw law(view, tree);
    for (int k = 0; k < drafts; ++k) law.update(tree.chain(k));
    const Token chosen = choices.choose(DenseLaw<typename View::Real>(law.vertex_law()));
    if (chosen == kUndefined) return out.add(view, kUndefined, Ending::undefined);
    const auto v = static_cast<Vertex>(chosen);
    tree.walk_to(v, [&out](Token x, const auto& after) { out.accept(x, after); });
    if (tree.is_leaf(v)) return out.finish(view, choices, window);
    out.correct(view, choices, law.slots(v));
  }

 private:
  /// The law over the slots of the drafts seen so far, by vertex of the draft tree.
  template <class View, class Tree>
  class SlotLaw {
   public:
    using Real = typename View::Real;
    using Scale = WideOf<Real>;

    SlotLaw(const View& view, const Tree& tree) : view_(view), tree_(tree) {
      Entry entry{Real(1), std::nullopt, Real(0)};
      if (tree.is_leaf(kRootVertex)) {
        entry.end = Real(1);
      } else {
        entry.slots = RestLaw<Real>::target(view.at(tree.node(kRootVertex)));
      }
      entries_.push_back(std::move(entry));
    }

    /// Advances the law by one draft, given by the vertices of its tokens, new ones last.
    void update(const std::vector<Vertex>& chain) {
      const auto first = std::find_if(chain.begin(), chain.end(),
                                      [this](Vertex v) { return v >= entries_.size(); });
      const auto fresh = std::span(chain).subspan(static_cast<std::size_t>(first - chain.begin()));
      std::vector<Entry> added;
      const Real refused = fresh.empty() ? Real(1) : block(fresh, added);
      Scale kept_total(0);  // 1 - sum B, as the sum of m - B
      for (Vertex v = 0; v < entries_.size(); ++v) {
        Entry& entry = entries_[v];
        kept_total += entry.end;
        if (!entry.slots) continue;
        entry.slots->subtract(view_.at(tree_.node(v)), entry.joint);
        kept_total += entry.slots->wide_mass();
      }
      const Scale scale =
          refused > 0 && kept_total > 0 ? Scale(Scale(refused) / kept_total) : Scale(0);
      for (Entry& entry : entries_) {
        entry.end *= narrow(scale);
        if (entry.slots) entry.slots->scale(scale);
      }
      attach(fresh, std::move(added));
    }

    /// Mass of the slots at each accepted vertex.
    [[nodiscard]] std::vector<Real> vertex_law() const {
      std::vector<Real> law;
      for (const Entry& entry : entries_) {
        law.push_back(entry.slots ? Real(entry.end + entry.slots->mass()) : entry.end);
      }
      return law;
    }

    /// The law over the slots of v. @pre v has any
    [[nodiscard]] const RestLaw<Real>& slots(Vertex v) const { return *entries_[v].slots; }

   private:
    struct Entry {
      Real joint;                          ///< D(u), joint draft probability from the root
      std::optional<RestLaw<Real>> slots;  ///< mass of (u, y); none at full depth, or where no
                                           ///< mass arrives
      Real end;                            ///< mass of (u, end), at full depth only
    };

    /// Step 2: block verification along the fresh vertices; returns l. New entries carry the new
    /// slots; they have none where the slot through which the draft leaves has no mass.
    Real block(std::span<const Vertex> fresh, std::vector<Entry>& added) const {
      const Entry& from = entries_[tree_.parent(fresh.front())];
      Real joint = from.joint;
      for (const Vertex v : fresh) {
        joint = joint * view_.at(tree_.node(tree_.parent(v))).draft(tree_.token(v));
        added.push_back({joint, std::nullopt, Real(0)});
      }
      if (!from.slots) return Real(1);
      const Real through = from.slots->weight(tree_.token(fresh.front()));
      if (!(through > 0)) return Real(1);
      std::vector<Real> weights{min_one<Real>(through / added.front().joint)};
      for (std::size_t i = 1; i < fresh.size(); ++i) {
        const auto laws = view_.at(tree_.node(fresh[i - 1]));
        weights.push_back(
            min_one<Real>(weights.back() * likelihood_ratio(laws, tree_.token(fresh[i]))));
      }
      Real longer_refused(1);
      for (std::size_t i = fresh.size(); i-- > 0;) {
        Entry& entry = added[i];
        Real coin;
        if (tree_.is_leaf(fresh[i])) {
          coin = weights[i];
          entry.end = longer_refused * coin;
        } else {
          const auto laws = view_.at(tree_.node(fresh[i]));
          auto residual = RestLaw<Real>::residual(laws, weights[i]);
          const Real excess = residual.mass();
          coin = block_coin<Real>(excess, weights[i]);
          if (excess > 0) {
            residual.scale(Scale(longer_refused * coin) / residual.wide_mass());
            entry.slots = std::move(residual);
          }
        }
        longer_refused *= 1 - coin;
      }
      return longer_refused;
    }

    /// Adds the new entries. No slot that a new vertex replaces has mass left:
    /// the draft left through (u, y), so either l = 0 or all of its mass was in B; and P(exactly
    /// v_i) > 0 needs w_{i+1} < 1, that is no residual at the next token of the chain. In doubles
    /// the rounding errors there are dropped.
    void attach(std::span<const Vertex> fresh, std::vector<Entry> added) {
      for (std::size_t i = 0; i < fresh.size(); ++i) {
        auto& slots = entries_[tree_.parent(fresh[i])].slots;
        if (slots) slots->strike(tree_.token(fresh[i]));
        entries_.push_back(std::move(added[i]));
      }
    }

    const View& view_;
    const Tree& tree_;
    std::vector<Entry> entries_;
  };
};

}  // namespace speclab
