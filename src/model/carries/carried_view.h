#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "model/carries/carried_target.h"
#include "model/view.h"

namespace speclab {

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
/// `made` caches what this modification and those under it produce. The state and the other members
/// determine it, so it is not compared.
template <class Real>
struct Modification {
  static constexpr State kOwnDraft = std::numeric_limits<State>::max();

  /// The law [target - share * draft]+ / mass; where it is not `closed` and the state has large
  /// tables, `mass` alone: that of the weights of this modification.
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
/// of nesting. A higher power has no such form: in doubles, on a large vocabulary, the target is a
/// CarriedTarget, else a row; with the draft of an iteration before a reset it is a row.
///
/// In a context that the modified target reaches with probability 0 (total weight 0) the target is
/// the law below: such a context can be drafted, but never emitted.
template <class R>
class CarriedView {
 public:
  using Real = R;
  using Made = typename Modification<Real>::Made;
  static constexpr bool kInDoubles = std::is_same_v<Real, double>;

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

  /// The two laws at a node: the pair's, with the target replaced by [target - share draft]+ /
  /// mass, by a carried target or by a row.
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
      if constexpr (kInDoubles) {
        if (carried_) return carried_->target(x);
      }
      return row_.empty() ? target_of(own_, made_, x) : row_[static_cast<std::size_t>(x)];
    }
    /// The state's tables where the target is the pair's own, or null.
    [[nodiscard]] const StateTable* table() const {
      return row_.empty() && !carried_ && !(made_.share > 0) ? own_.table() : nullptr;
    }
    /// The carried target, or null.
    [[nodiscard]] const CarriedTarget* carried() const requires kInDoubles {
      return carried_ ? &*carried_ : nullptr;
    }
    [[nodiscard]] RowLaw<Real> draft() const { return own_.draft(); }
    [[nodiscard]] GapLaw<Real> target() const {
      return has_form() ? own_.gap(WideOf<Real>(1), made_.share) : other_gap(Real(1), Real(0));
    }
    [[nodiscard]] GapLaw<Real> residual(const Real& scale) const { return gap(scale, Real(1)); }
    /// The law proportional to [a * target - b * draft]+.
    [[nodiscard]] GapLaw<Real> gap(const Real& a, const Real& b) const {
      if (!has_form()) return other_gap(a, b);
      if (!(made_.share > 0)) return own_.gap(WideOf<Real>(a), WideOf<Real>(b));
      const WideOf<Real> scale = WideOf<Real>(a) / WideOf<Real>(made_.mass);
      return own_.gap(scale, scale * made_.share + WideOf<Real>(b));
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
      if (modification.power == 1 && own && has_form()) {
        made_ = on_top(own_, made_, modification.share);
        return;
      }
      if constexpr (kInDoubles) {
        if (own && can_carry()) {
          if (!carried_) carried_ = carried_form();
          if (modification.made.mass > 0) {
            carried_->carry(modification.share, modification.power, modification.made.mass);
          }
          return;
        }
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
      carried_.reset();
    }

    /// The mass of a modification on top.
    /// @pre it and all below are by the node's own draft, and the tables are large
    [[nodiscard]] double mass_of(const Modification<Real>& modification) const requires kInDoubles {
      const CarriedTarget below = carried_ ? *carried_ : carried_form();
      return below.mass({.b = modification.share, .power = modification.power}, 0,
                        below.count_above(1, modification.share));
    }

   private:
    /// Whether the target is [target - share draft]+ / mass.
    [[nodiscard]] bool has_form() const { return row_.empty() && !carried_; }
    [[nodiscard]] bool can_carry() const {
      return row_.empty() && own_.table() != nullptr &&
             own_.table()->size() >= CarriedTarget::kLeast;
    }
    /// The target of `made_` as one that can be carried.
    [[nodiscard]] CarriedTarget carried_form() const requires kInDoubles {
      CarriedTarget target(*own_.table());
      if (made_.share > 0) target.carry(made_.share.value(), 1, made_.mass);
      return target;
    }
    static Real modified_weight(const Modification<Real>& modification, const Real& target,
                                const Real& draft) {
      if (!(target > 0)) return Real(0);
      Real weight = positive_part<Real>(target - modification.share * draft);
      const Real kept = weight / target;
      for (int k = 1; k < modification.power; ++k) weight *= kept;
      return weight;
    }
    [[nodiscard]] GapLaw<Real> other_gap(const Real& a, const Real& b) const {
      if constexpr (kInDoubles) {
        if (carried_) return GapLaw<double>(*carried_, a, b);
      }
      return GapLaw<Real>(own_.draft_row(), std::span<const Real>(row_), a, b);
    }

    Laws<Real> own_;
    Made made_;
    std::optional<CarriedTarget> carried_;  ///< in doubles
    std::vector<Real> row_;                 ///< the modified target in any other form
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
    } else if constexpr (kInDoubles) {
      // Those by another draft are the lowest.
      const auto& lowest = node.stack.empty() ? next : node.stack.front();
      if (lowest.draft == Modification<Real>::kOwnDraft &&
          static_cast<std::size_t>(vocabulary()) >= CarriedTarget::kLeast) {
        next.made.mass = NodeLaws(*rows_, node).mass_of(next);
      }
    }
    node.stack.push_back(std::move(next));
  }

  const Rows<Real>* rows_;
};

}  // namespace speclab
