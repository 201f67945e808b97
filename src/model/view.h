#pragma once

#include <boost/container/small_vector.hpp>
#include <limits>
#include <vector>

#include "model/law.h"
#include "model/rows.h"

namespace speclab {

// A *view* is the interface through which a verifier reads a pair. It provides *nodes*, contexts in
// which the two laws are known, and hides how they are stored:
//   View::Real, View::Node
//   view.vocabulary()
//   view.at(node)           the laws at a node:
//       .draft(x) .target(x)          probabilities of token x
//       .draft() .target()            the laws, to draw from
//       .residual(scale)              the law proportional to [scale * target - draft]+
//   view.next(node, x)      the node after token x
// An interpreter that runs several iterations also asks, where the pair resets (model/pair.h),
//   view.resets(), view.roots(node)   the states in which the next iteration may begin
//   view.rooted(node, root)           the node at which it begins in one of them

/// The two laws at one node, the target possibly modified to the law proportional to
/// [target - share * draft]+ or to an explicit row. Valid as long as the view.
template <class R>
class Laws {
 public:
  using Real = R;

  /// The unmodified laws of the pair. @param table,alias  the state's and the draft's sampling
  /// tables, or null
  /// @param target  empty where the table alone has it
  Laws(std::span<const Real> draft, std::span<const Real> target, const StateTable* table = nullptr,
       const AliasTable* alias = nullptr)
      : draft_(draft), target_(target), table_(table), alias_(alias) {}

  Laws(const Laws&) = delete;
  Laws& operator=(const Laws&) = delete;

  [[nodiscard]] Token vocabulary() const { return static_cast<Token>(draft_.size()); }
  [[nodiscard]] const Real& draft(Token x) const { return draft_[index(x)]; }
  [[nodiscard]] std::conditional_t<std::is_same_v<Real, double>, double, const Real&> target(
      Token x) const {
    if constexpr (std::is_same_v<Real, double>) {
      return target_in(target_, table_, x);
    } else {
      return target_[index(x)];
    }
  }
  [[nodiscard]] RowLaw<Real> draft() const { return RowLaw<Real>(draft_, alias_); }
  [[nodiscard]] std::span<const Real> draft_row() const { return draft_; }
  [[nodiscard]] GapLaw<Real> target() const { return gap(Real(1), Real(0)); }
  /// The law proportional to [scale * target - draft]+.
  [[nodiscard]] GapLaw<Real> residual(const Real& scale) const { return gap(scale, Real(1)); }
  /// The law proportional to [a * target - b * draft]+.
  [[nodiscard]] GapLaw<Real> gap(const WideOf<Real>& a, const WideOf<Real>& b) const {
    return GapLaw<Real>(draft_, target_, a, b, table_);
  }
  /// The state's tables, or null.
  [[nodiscard]] const StateTable* table() const { return table_; }

 private:
  static std::size_t index(Token x) { return static_cast<std::size_t>(x); }

  std::span<const Real> draft_;
  std::span<const Real> target_;
  const StateTable* table_;
  const AliasTable* alias_;
};

/// The unmodified laws at a state, with tables for doubles.
template <class Real>
Laws<Real> laws_at(const Rows<Real>& rows, State state) {
  if constexpr (std::is_same_v<Real, double>) {
    const StateTable& table = rows.table(state);
    const AliasTable& alias = rows.shares_drafts() ? draft_alias(rows, state) : table.draft_alias();
    return {table.draft(), table.target_row(), &table, &alias};
  } else {
    return {rows.draft(state), rows.target(state)};
  }
}

/// The unmodified pair.
template <class R>
class PairView {
 public:
  using Real = R;
  using Node = State;
  explicit PairView(const Rows<Real>& rows) : rows_(&rows) {}
  [[nodiscard]] Token vocabulary() const { return rows_->vocabulary(); }
  [[nodiscard]] Node root(State state) const { return state; }
  [[nodiscard]] State state(const Node& node) const { return node; }
  [[nodiscard]] Laws<Real> at(const Node& node) const { return laws_at(*rows_, node); }
  [[nodiscard]] Node next(const Node& node, Token x) const { return rows_->next(node, x); }
  [[nodiscard]] bool resets() const { return rows_->resets(); }
  [[nodiscard]] auto roots(const Node& node) const { return rows_->roots(node); }
  [[nodiscard]] Node rooted(const Node&, State root) const { return root; }

 private:
  const Rows<Real>* rows_;
};

/// One modification of the target for the next `remaining` tokens:
///   target'(x) proportional to target(x) * ([1 - share * draft(x) / target(x)]+)^power,
/// where share = D(path) / T(path) < 1 is the ratio of the joint draft and target probabilities of
/// the path from the start of the iteration that made it. With power = 1 this is
/// [T target - D draft]+ (sun2025, greedy block verification); with power = K it is Algorithm 2 of
/// lin2026. `share` advances with every token by draft(x) / target(x) of the law below this one.
///
/// The draft is that of the iteration which made the modification. Where the pair has since reset,
/// `draft` is its state there, which goes on with every token; else the node's own state has it.
///
/// `made` caches the law that this modification and those under it produce. The state and the other
/// members determine it, so it is not compared.
template <class Real>
struct Modification {
  static constexpr State kOwnDraft = std::numeric_limits<State>::max();

  /// The law [target - share * draft]+ / mass.
  struct Made {
    WideOf<Real> share{0};
    Real mass{1};
  };

  Real share;
  int remaining;
  int power;
  State draft = kOwnDraft;
  bool closed = true;  ///< whether `made` is it: all up to here have power 1 and the node's draft
  Made made{};
  bool operator==(const Modification& other) const {
    return remaining == other.remaining && power == other.power && draft == other.draft &&
           share == other.share;
  }
  bool operator<(const Modification& other) const {
    if (remaining != other.remaining) return remaining < other.remaining;
    if (power != other.power) return power < other.power;
    if (draft != other.draft) return draft < other.draft;
    return share < other.share;
  }
};

/// A pair whose target is modified by a stack of modifications, each applied to the law below it:
/// the carry of greedy block verification. Nodes carry the stack; equal nodes have equal futures.
///
/// Modifications of power 1 collapse into one: if the law below is [t - a d]+ / M, then
/// [below - s d]+ is proportional to [t - (a + s M) d]+. A state's tables therefore serve any depth
/// of nesting. A higher power, or the draft of an iteration before a reset, needs the row itself.
///
/// In a context that the modified target reaches with probability 0 (total weight 0) the target is
/// the law below: such a context can be drafted, but never emitted.
template <class R>
class CarriedView {
 public:
  using Real = R;
  using Made = typename Modification<Real>::Made;

  struct Node {
    /// Modifications stored inline; fractions are large.
    static constexpr std::size_t kInside = std::is_same_v<Real, double> ? 4 : 2;

    State state = 0;
    /// Bottom first; `remaining` >= 1 for each.
    boost::container::small_vector<Modification<Real>, kInside> stack;
    bool operator==(const Node& other) const {
      return state == other.state && stack == other.stack;
    }
    bool operator<(const Node& other) const {
      return state != other.state ? state < other.state : stack < other.stack;
    }
  };

  /// The two laws at a node: the pair's, with the target replaced by [target - share draft]+ / mass
  /// or by a row.
  class NodeLaws {
   public:
    using Real = R;
    NodeLaws(const Rows<Real>& rows, const Node& node) : own_(laws_at(rows, node.state)) {
      if (node.stack.empty()) return;
      if (node.stack.back().closed) {
        made_ = node.stack.back().made;
      } else {
        for (const auto& modification : node.stack) modify(rows, modification);
      }
    }
    /// Ignores the node's modifications.
    NodeLaws(const Rows<Real>& rows, State state) : own_(laws_at(rows, state)) {}
    NodeLaws(const NodeLaws&) = delete;
    NodeLaws& operator=(const NodeLaws&) = delete;

    [[nodiscard]] Token vocabulary() const { return own_.vocabulary(); }
    [[nodiscard]] const Real& draft(Token x) const { return own_.draft(x); }
    [[nodiscard]] Real target(Token x) const {
      return row_.empty() ? target_of(own_, made_, x) : row_[static_cast<std::size_t>(x)];
    }
    /// The state's tables where the target is the pair's own, or null.
    [[nodiscard]] const StateTable* table() const {
      return row_.empty() && !(made_.share > 0) ? own_.table() : nullptr;
    }
    [[nodiscard]] RowLaw<Real> draft() const { return own_.draft(); }
    [[nodiscard]] GapLaw<Real> target() const {
      return row_.empty() ? own_.gap(WideOf<Real>(1), made_.share) : row_gap(Real(1), Real(0));
    }
    [[nodiscard]] GapLaw<Real> residual(const Real& scale) const {
      if (!row_.empty()) return row_gap(scale, Real(1));
      if (!(made_.share > 0)) return own_.residual(scale);
      const WideOf<Real> a = WideOf<Real>(scale) / WideOf<Real>(made_.mass);
      return own_.gap(a, a * made_.share + WideOf<Real>(1));
    }

    /// The law of the draft that a modification is about.
    [[nodiscard]] std::span<const Real> draft_of(const Rows<Real>& rows,
                                                 const Modification<Real>& modification) const {
      return modification.draft == Modification<Real>::kOwnDraft ? own_.draft_row()
                                                                 : rows.draft(modification.draft);
    }

    /// Puts one more modification on top.
    void modify(const Rows<Real>& rows, const Modification<Real>& modification) {
      const bool own = modification.draft == Modification<Real>::kOwnDraft;
      if (modification.power == 1 && own && row_.empty()) {
        made_ = on_top(own_, made_, modification.share);
        return;
      }
      const auto drafted = draft_of(rows, modification);
      std::vector<Real> weights(static_cast<std::size_t>(vocabulary()));
      Real total(0);
      for (std::size_t i = 0; i < weights.size(); ++i) {
        weights[i] = modified_weight(modification, target(static_cast<Token>(i)), drafted[i]);
        total += weights[i];
      }
      if (!(total > 0)) return;
      for (Real& weight : weights) weight /= total;
      row_ = std::move(weights);
    }

   private:
    static Real modified_weight(const Modification<Real>& modification, const Real& target,
                                const Real& draft) {
      if (!(target > 0)) return Real(0);
      Real weight = positive_part<Real>(target - modification.share * draft);
      const Real kept = weight / target;
      for (int k = 1; k < modification.power; ++k) weight *= kept;
      return weight;
    }
    [[nodiscard]] GapLaw<Real> row_gap(const Real& a, const Real& b) const {
      return GapLaw<Real>(own_.draft_row(), std::span<const Real>(row_), a, b);
    }

    Laws<Real> own_;
    Made made_;
    std::vector<Real> row_;  ///< the modified target, where it has no closed form
  };

  explicit CarriedView(const Rows<Real>& rows) : rows_(&rows) {}
  [[nodiscard]] Token vocabulary() const { return rows_->vocabulary(); }
  [[nodiscard]] Node root(State state) const { return {state, {}}; }
  [[nodiscard]] State state(const Node& node) const { return node.state; }
  [[nodiscard]] NodeLaws at(const Node& node) const { return NodeLaws(*rows_, node); }

  [[nodiscard]] Node next(const Node& node, Token x) const {
    Node after{rows_->next(node.state, x), {}};
    if (node.stack.empty()) return after;
    if (node.stack.back().closed) {
      const auto own = laws_at(*rows_, node.state);
      const Real& draft = own.draft(x);
      Made below;
      for (const auto& modification : node.stack) {
        advance(modification, draft, target_of(own, below, x), x, after);
        below = modification.made;
      }
      return after;
    }
    NodeLaws below(*rows_, node.state);
    for (std::size_t i = 0; i < node.stack.size(); ++i) {
      const auto drafted = below.draft_of(*rows_, node.stack[i]);
      advance(node.stack[i], drafted[static_cast<std::size_t>(x)], below.target(x), x, after);
      if (i + 1 < node.stack.size()) below.modify(*rows_, node.stack[i]);
    }
    return after;
  }

  /// `node` with one more modification on top, for the next `remaining` >= 0 tokens.
  [[nodiscard]] Node modified(Node node, const Real& share, int remaining, int power = 1) const {
    if (remaining > 0) push(node, {share, remaining, power});
    return node;
  }

  [[nodiscard]] bool resets() const { return rows_->resets(); }
  [[nodiscard]] auto roots(const Node& node) const { return rows_->roots(node.state); }

  /// `node` at the beginning of an iteration: its modifications keep the drafts they are about.
  [[nodiscard]] Node rooted(Node node, State root) const {
    for (auto& modification : node.stack) {
      if (modification.draft == Modification<Real>::kOwnDraft) modification.draft = node.state;
      modification.closed = false;
    }
    node.state = root;
    return node;
  }

 private:
  static Real target_of(const Laws<Real>& own, const Made& made, Token x) {
    if (!(made.share > 0)) return own.target(x);
    Real weight;
    if constexpr (std::is_same_v<Real, double>) {
      weight = gap_weight(1, made.share, own.target(x), own.draft(x));
    } else {
      weight = own.target(x) - made.share * own.draft(x);
    }
    return Real(positive_part<Real>(weight) / made.mass);
  }

  /// A modification by `share`, of power 1, on top of the law below it.
  static Made on_top(const Laws<Real>& own, const Made& below, const Real& share) {
    const WideOf<Real> sum = below.share + WideOf<Real>(share) * WideOf<Real>(below.mass);
    const Real mass = own.gap(WideOf<Real>(1), sum).mass();
    return mass > 0 ? Made{sum, mass} : below;
  }

  /// Advances a modification past a token that has these probabilities under its draft and the law
  /// below it.
  void advance(const Modification<Real>& modification, const Real& draft, const Real& target,
               Token x, Node& after) const {
    if (modification.remaining == 1 || !(target > 0)) return;
    Modification<Real> next{Real(modification.share * draft / target), modification.remaining - 1,
                            modification.power};
    if (modification.draft != Modification<Real>::kOwnDraft) {
      next.draft = rows_->next(modification.draft, x);
    }
    push(after, std::move(next));
  }

  void push(Node& node, Modification<Real> next) const {
    const bool own = next.draft == Modification<Real>::kOwnDraft;
    next.closed = next.power == 1 && own && (node.stack.empty() || node.stack.back().closed);
    if (next.closed) {
      const Made below = node.stack.empty() ? Made{} : node.stack.back().made;
      next.made = on_top(laws_at(*rows_, node.state), below, next.share);
    }
    node.stack.push_back(std::move(next));
  }

  const Rows<Real>* rows_;
};

}  // namespace speclab
