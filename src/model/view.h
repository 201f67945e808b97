#pragma once

#include <span>
#include <type_traits>

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

/// The two laws at one node. Valid as long as the view.
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

}  // namespace speclab
