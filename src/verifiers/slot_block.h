#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "draft/source.h"
#include "verifiers/block_coin.h"
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
///      probability l of not even v_0. Otherwise l = 1.
///   3. New slots (v_i, z) of mass P(exactly v_i) residual_i(z), and (X, end) of mass
///      P(exactly X); every old slot s keeps l (m(s) - B(s)) / (1 - sum B).
/// After the last draft one slot is drawn: u then y, or v then a token of t.
///
/// Lossless. Call a law over slots *faithful* when "emit u then y, continue by t" (for (v, end):
/// "emit v, continue by t") is the target's law. The start is faithful. Let a draft come to a
/// faithful law, averaged over X. It leaves through s with probability D(v_0) and then, by the
/// losslessness of block verification started from weight w_0 (w_0 D(v_0) = B(s) of mass enters
/// below v_0 and continues by t), the mass B(s) of s is replaced by mass B(s) spread below v_0 that
/// continues by t: faithful for s. What is refused has total probability 1 - sum B, and is given
/// back in proportion to m(s) - B(s), which sums to 1 - sum B: slot s has m(s) - B(s) left. So each
/// slot's mass is kept, part of it moved to longer accepted nodes; the mixture stays faithful.
///
/// Optimal at one position of two tokens. Let d(a) >= t(a). Token b is accepted surely as long as
/// only a was drafted, and k drafts of a leave the slot ((), b) the mass 1 - t(a) / d(a)^k, or none
/// once that is negative. So P(tau = 0) = [d(a)^K - t(a)]+, the least there is (see best_acceptance
/// in theory/multi_draft.h).
///
/// Monotone. A draft moves mass only from (u, y) to slots at extensions of u y, which are longer,
/// so E[tau] does not fall with K; the first draft alone is block verification (w_0 = min(1, t/d)).
struct SlotBlock {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      "slot-block",
      "K=",
      "K drafts as blocks over a law of trie slots; the lossless repair of spectr-gbv",
      "this project, after lin2026",
      VerifierKind::lossless,
      "slot-block(K=2)"};
  static constexpr bool kCarries = false;
  static SlotBlock read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    Trie<View> trie(view, root, window.drafts);
    for (int k = 0; k < drafts; ++k) {
      trie.walk(choices);
      trie.update();
    }
    const Token entry = choices.choose(DenseLaw<typename View::Real>(trie.node_law()));
    if (entry == kUndefined) return out.add(view, kUndefined, Ending::undefined);
    const auto chosen = static_cast<std::size_t>(entry);
    trie.emit_path(chosen, out);
    if (out.accepted == window.drafts) return out.finish(view, choices, window);
    out.correct(view, choices, DenseLaw<typename View::Real>(trie.slots(chosen)));
  }

 private:
  /// The trie of the drafts seen so far with the law over its slots.
  template <class View>
  class Trie {
   public:
    using Real = typename View::Real;
    using TreeNode = typename View::Node;

    Trie(const View& view, const TreeNode& root, int length)
        : view_(view), length_(static_cast<std::size_t>(length)) {
      const auto laws = view.at(root);
      Entry entry{root, 0, kUndefined, 0, Real(1), {}, {}, Real(0)};
      for (Token x = 0; x < laws.vocabulary(); ++x) entry.slots.push_back(laws.target(x));
      if (length == 0) {
        entry.slots.clear();
        entry.end = Real(1);
      }
      entries_.push_back(std::move(entry));
    }

    /// Drafts one sequence: down the trie while it stays inside, then on its own to the full
    /// length.
    template <class Choices>
    void walk(Choices& choices) {
      at_ = 0;
      while (entries_[at_].depth < length_) {
        const auto laws = view_.at(entries_[at_].node);
        const Token x = choices.draft(laws.draft());
        const std::size_t child = find_child(entries_[at_], x);
        if (child == kNoEntry) {
          leave(x, laws.draft(x), choices);
          return;
        }
        at_ = child;
      }
      fresh_.clear();
    }

    /// Moves the law on by the draft just walked.
    void update() {
      Real refused(1);
      std::vector<Entry> added;
      Real kept_total(1);
      for (Entry& entry : entries_) {
        const auto laws = view_.at(entry.node);
        for (std::size_t x = 0; x < entry.slots.size(); ++x) {
          const Real joint = entry.joint * laws.draft(static_cast<Token>(x));
          kept_total -= joint < entry.slots[x] ? joint : entry.slots[x];
        }
      }
      if (!fresh_.empty()) refused = block(added);
      const Real scale = refused > 0 && kept_total > 0 ? Real(refused / kept_total) : Real(0);
      for (Entry& entry : entries_) {
        const auto laws = view_.at(entry.node);
        entry.end *= scale;
        for (std::size_t x = 0; x < entry.slots.size(); ++x) {
          const Real joint = entry.joint * laws.draft(static_cast<Token>(x));
          entry.slots[x] = scale * positive_part<Real>(entry.slots[x] - joint);
        }
      }
      attach(std::move(added));
    }

    /// Mass of the slots at each accepted node.
    [[nodiscard]] std::vector<Real> node_law() const {
      std::vector<Real> law;
      for (const Entry& entry : entries_) {
        Real mass(entry.end);
        for (const Real& slot : entry.slots) mass += slot;
        law.push_back(std::move(mass));
      }
      return law;
    }

    [[nodiscard]] const std::vector<Real>& slots(std::size_t entry) const {
      return entries_[entry].slots;
    }

    void emit_path(std::size_t entry, Iteration<View>& out) const {
      std::vector<std::size_t> path;
      for (; entry != 0; entry = entries_[entry].parent) path.push_back(entry);
      std::reverse(path.begin(), path.end());
      for (const std::size_t at : path) out.accept(entries_[at].token, entries_[at].node);
    }

   private:
    static constexpr std::size_t kNoEntry = static_cast<std::size_t>(-1);

    struct Entry {
      TreeNode node;
      std::size_t parent;
      Token token;
      std::size_t depth;
      Real joint;  ///< D(u), joint draft probability from the root
      std::vector<std::size_t> children;
      std::vector<Real> slots;  ///< mass of (u, y); none at full depth
      Real end;                 ///< mass of (u, end), at full depth only
    };

    /// One token of the draft below the trie: v_i and its joint draft probability.
    struct Step {
      Token token;
      TreeNode node;
      Real joint;
    };

    [[nodiscard]] std::size_t find_child(const Entry& entry, Token x) const {
      for (const std::size_t child : entry.children) {
        if (entries_[child].token == x) return child;
      }
      return kNoEntry;
    }

    template <class Choices>
    void leave(Token x, const Real& probability, Choices& choices) {
      fresh_.clear();
      const Entry& entry = entries_[at_];
      fresh_.push_back({x, view_.next(entry.node, x), Real(entry.joint * probability)});
      while (entry.depth + fresh_.size() < length_) {
        const auto laws = view_.at(fresh_.back().node);
        const Token next = choices.draft(laws.draft());
        fresh_.push_back({next, view_.next(fresh_.back().node, next),
                          Real(fresh_.back().joint * laws.draft(next))});
      }
    }

    /// Step 2: block verification along the fresh steps; returns l. New entries carry the new
    /// slots; where the slot left through has no mass nothing is added.
    Real block(std::vector<Entry>& added) const {
      const Entry& from = entries_[at_];
      const Real& mass = from.slots[static_cast<std::size_t>(fresh_.front().token)];
      if (!(mass > 0)) return Real(1);
      std::vector<Real> weights;
      for (std::size_t i = 0; i < fresh_.size(); ++i) {
        if (i == 0) {
          weights.push_back(min_one<Real>(mass / fresh_.front().joint));
          continue;
        }
        const auto laws = view_.at(fresh_[i - 1].node);
        weights.push_back(min_one<Real>(weights.back() * likelihood_ratio(laws, fresh_[i].token)));
      }
      added.resize(fresh_.size());
      Real longer_refused(1);
      for (std::size_t i = fresh_.size(); i-- > 0;) {
        const std::size_t depth = from.depth + 1 + i;
        Entry& entry = added[i];
        entry = {fresh_[i].node, 0, fresh_[i].token, depth, fresh_[i].joint, {}, {}, Real(0)};
        Real coin;
        if (depth == length_) {
          coin = weights[i];
          entry.end = longer_refused * coin;
        } else {
          const auto laws = view_.at(fresh_[i].node);
          const auto residual = laws.residual(weights[i]);
          const Real& excess = residual.mass();
          coin = block_coin<Real>(excess, weights[i]);
          const Real share = excess > 0 ? Real(longer_refused * coin / excess) : Real(0);
          for (Token z = 0; z < laws.vocabulary(); ++z) {
            entry.slots.push_back(share * residual.weight(z));
          }
        }
        longer_refused *= 1 - coin;
      }
      return longer_refused;
    }

    /// Hangs the new chain into the trie. No slot that a new node takes the place of has mass left:
    /// (u, y) was left through, so either l = 0 or all of its mass was in B; and P(exactly v_i) > 0
    /// needs w_{i+1} < 1, that is no residual at the next token of the chain. In doubles what
    /// rounding leaves there is dropped.
    void attach(std::vector<Entry> added) {
      std::size_t parent = at_;
      for (Entry& entry : added) {
        entry.parent = parent;
        const std::size_t id = entries_.size();
        entries_[parent].slots[static_cast<std::size_t>(entry.token)] = Real(0);
        entries_[parent].children.push_back(id);
        entries_.push_back(std::move(entry));
        parent = id;
      }
    }

    const View& view_;
    std::size_t length_;
    std::vector<Entry> entries_;
    std::size_t at_ = 0;
    std::vector<Step> fresh_;
  };
};

}  // namespace speclab
