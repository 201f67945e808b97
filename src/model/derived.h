#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/view.h"

namespace speclab {

// What rules compute from both laws of a node in O(V) or more: made once where the state has tables
// (StateTable::derived), and for every node elsewhere.

/// A value that make() returns, kept with the state's tables or owned.
template <class Value>
class DerivedValue {
 public:
  /// @param key  names the value: one key, one value of one state
  template <class Laws, class Make>
  DerivedValue(const Laws& laws, const DerivedKey& key, const Make& make) {
    if constexpr (std::is_same_v<typename Laws::Real, double> && requires { laws.table(); }) {
      if (const StateTable* table = laws.table(); table != nullptr) {
        kept_ = &table->template derived<Value>(key, make);
        return;
      }
    }
    own_.emplace(make());
  }

  const Value& operator*() const { return kept_ != nullptr ? *kept_ : *own_; }
  const Value* operator->() const { return &**this; }

 private:
  const Value* kept_ = nullptr;
  std::optional<Value> own_;
};

/// Two laws in place of a node's own. Their weights need not sum to 1, and those of a draft that
/// nothing reads may all be 0.
template <class Real>
class MadeLaws {
 public:
  /// @param laws  those of the node; where it has tables, so have these
  template <class Laws>
  MadeLaws(const Laws& laws, std::vector<Real> draft, std::vector<Real> target)
      : draft_(std::move(draft)), target_(std::move(target)) {
    if constexpr (std::is_same_v<Real, double> && requires { laws.table(); }) {
      if (laws.table() != nullptr) table_ = std::make_unique<StateTable>(draft_, target_, false);
    }
  }

  /// Valid as long as this, and where it was moved to.
  [[nodiscard]] Laws<Real> laws() const { return {draft_, target_, table_.get()}; }
  [[nodiscard]] std::size_t bytes() const {
    return (draft_.size() + target_.size()) * sizeof(Real) + (table_ ? table_->bytes() : 0);
  }

 private:
  std::vector<Real> draft_;
  std::vector<Real> target_;
  std::unique_ptr<const StateTable> table_;
};

/// draft(x) of every token.
template <class Laws>
std::vector<typename Laws::Real> draft_row_of(const Laws& laws) {
  std::vector<typename Laws::Real> row;
  row.reserve(static_cast<std::size_t>(laws.vocabulary()));
  for (Token x = 0; x < laws.vocabulary(); ++x) row.push_back(laws.draft(x));
  return row;
}

/// target(x) of every token.
template <class Laws>
std::vector<typename Laws::Real> target_row_of(const Laws& laws) {
  std::vector<typename Laws::Real> row;
  row.reserve(static_cast<std::size_t>(laws.vocabulary()));
  for (Token x = 0; x < laws.vocabulary(); ++x) row.push_back(laws.target(x));
  return row;
}

}  // namespace speclab
