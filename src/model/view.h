#pragma once

#include <boost/container/small_vector.hpp>
#include <compare>
#include <vector>

#include "model/law.h"
#include "model/rows.h"

namespace speclab {

// A *view* is what a verifier sees of a pair. It hands out *nodes*, contexts in which the two laws
// are known, and never shows how they are stored:
//   View::Real, View::Node
//   view.vocabulary()
//   view.at(node)           the laws at a node:
//       .draft(x) .target(x)          probabilities of token x
//       .draft() .target()            the laws, to draw from
//       .residual(scale)              the law proportional to [scale * target - draft]+
//   view.next(node, x)      the node after token x

/// The two laws at one node. Valid as long as the view and the node it came from.
template <class R>
class Laws {
 public:
  using Real = R;
  Laws(std::span<const Real> draft, std::span<const Real> target)
      : draft_(draft), target_(target) {}
  [[nodiscard]] Token vocabulary() const { return static_cast<Token>(draft_.size()); }
  [[nodiscard]] const Real& draft(Token x) const { return draft_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] const Real& target(Token x) const { return target_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] RowLaw<Real> draft() const { return RowLaw<Real>(draft_); }
  [[nodiscard]] RowLaw<Real> target() const { return RowLaw<Real>(target_); }
  [[nodiscard]] ResidualLaw<Real> residual(const Real& scale) const {
    return ResidualLaw<Real>(target_, draft_, scale);
  }

 private:
  std::span<const Real> draft_;
  std::span<const Real> target_;
};

/// A pair as it is.
template <class R>
class PairView {
 public:
  using Real = R;
  using Node = State;
  explicit PairView(const Rows<Real>& rows) : rows_(&rows) {}
  [[nodiscard]] Token vocabulary() const { return rows_->vocabulary(); }
  [[nodiscard]] Node root(State state) const { return state; }
  [[nodiscard]] State state(const Node& node) const { return node; }
  [[nodiscard]] Laws<Real> at(const Node& node) const {
    return {rows_->draft(node), rows_->target(node)};
  }
  [[nodiscard]] Node next(const Node& node, Token x) const { return rows_->next(node, x); }

 private:
  const Rows<Real>* rows_;
};

/// One modification of the target for the next `remaining` tokens:
///   target'(x) proportional to target(x) * ([1 - share * draft(x) / target(x)]+)^power,
/// where share = D(path) / T(path) < 1 is the ratio of the joint draft and target probabilities of
/// the path from the start of the iteration that made it. With power = 1 this is
/// [T target - D draft]+ (sun2025, greedy block verification); with power = K it is Algorithm 2 of
/// lin2026. `share` advances with every token by draft(x) / target(x) of the law below this one.
template <class Real>
struct Modification {
  Real share;
  int remaining;
  int power;
  bool operator==(const Modification& other) const {
    return remaining == other.remaining && power == other.power && share == other.share;
  }
  bool operator<(const Modification& other) const {
    if (remaining != other.remaining) return remaining < other.remaining;
    if (power != other.power) return power < other.power;
    return share < other.share;
  }
};

/// A pair whose target is modified by a stack of modifications, each built on the law below it:
/// the carry of greedy block verification. Nodes carry the stack; equal nodes have equal futures.
///
/// In a context that the modified target never reaches (the weights sum to 0 there) the target is
/// the law below: such a context can be drafted, but never emitted.
template <class R>
class CarriedView {
 public:
  using Real = R;

  struct Node {
    State state = 0;
    /// Bottom first; `remaining` >= 1 for each.
    boost::container::small_vector<Modification<Real>, 2> stack;
    bool operator==(const Node& other) const {
      return state == other.state && stack == other.stack;
    }
    bool operator<(const Node& other) const {
      return state != other.state ? state < other.state : stack < other.stack;
    }
  };

  /// The two laws at a node; owns the modified target where there is one.
  class NodeLaws : public Laws<Real> {
   public:
    NodeLaws(std::span<const Real> draft, std::span<const Real> target)
        : Laws<Real>(draft, target) {}
    /// A moved vector keeps its elements where they are.
    NodeLaws(std::span<const Real> draft, std::vector<Real> target)
        : Laws<Real>(draft, std::span<const Real>(target)), owned_(std::move(target)) {}
    NodeLaws(const NodeLaws&) = delete;
    NodeLaws& operator=(const NodeLaws&) = delete;

   private:
    std::vector<Real> owned_;
  };

  explicit CarriedView(const Rows<Real>& rows) : rows_(&rows) {}
  [[nodiscard]] Token vocabulary() const { return rows_->vocabulary(); }
  [[nodiscard]] Node root(State state) const { return {state, {}}; }
  [[nodiscard]] State state(const Node& node) const { return node.state; }

  [[nodiscard]] NodeLaws at(const Node& node) const {
    const auto draft = rows_->draft(node.state);
    const auto target = rows_->target(node.state);
    if (node.stack.empty()) return {draft, target};
    std::vector<Real> law(target.begin(), target.end());
    for (const auto& modification : node.stack) modify(modification, draft, law);
    return {draft, std::move(law)};
  }

  [[nodiscard]] Node next(const Node& node, Token x) const {
    Node after{rows_->next(node.state, x), {}};
    if (node.stack.empty()) return after;
    const auto i = static_cast<std::size_t>(x);
    const auto draft = rows_->draft(node.state);
    const auto target = rows_->target(node.state);
    std::vector<Real> law(target.begin(), target.end());
    for (const auto& modification : node.stack) {
      if (modification.remaining > 1 && law[i] > 0) {
        after.stack.push_back({Real(modification.share * draft[i] / law[i]),
                               modification.remaining - 1, modification.power});
      }
      modify(modification, draft, law);
    }
    return after;
  }

  /// `node` with one more modification on top, for the next `remaining` >= 0 tokens.
  [[nodiscard]] Node modified(Node node, const Real& share, int remaining, int power = 1) const {
    if (remaining > 0) node.stack.push_back({share, remaining, power});
    return node;
  }

 private:
  static void modify(const Modification<Real>& modification, std::span<const Real> draft,
                     std::vector<Real>& law) {
    std::vector<Real> weights(law.size());
    Real mass(0);
    for (std::size_t x = 0; x < law.size(); ++x) {
      if (!(law[x] > 0)) continue;
      Real weight = positive_part<Real>(law[x] - modification.share * draft[x]);
      const Real kept = weight / law[x];
      for (int k = 1; k < modification.power; ++k) weight *= kept;
      mass += weight;
      weights[x] = std::move(weight);
    }
    if (!(mass > 0)) return;
    for (std::size_t x = 0; x < law.size(); ++x) law[x] = weights[x] / mass;
  }

  const Rows<Real>* rows_;
};

}  // namespace speclab
