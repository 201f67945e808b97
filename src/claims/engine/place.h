#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "claims/battery/battery.h"
#include "claims/engine/check.h"
#include "model/named_pair.h"

namespace speclab {

/// Instances that are made one by one: what the others cannot name.
struct Family {
  std::string_view text;  ///< "uniform laws on at most 6 tokens"
  std::vector<Instance> (*make)(Effort effort) = nullptr;
  /// Whether it is searched: they come smallest first, and the first that violates the statement
  /// ends it.
  bool searched = false;
};

/// A hypothesis, or a bound on the work: only the instances that it keeps are looked at.
struct Filter {
  std::string_view text;  ///< "supp t within supp d"
  bool (*keeps)(const Instance& instance) = nullptr;
};

/// Where a statement is checked: on every instance, in order; a search stops at the first instance
/// that violates it, the smallest of its space.
class Place {
 public:
  using Where = std::variant<BatteryShape, SearchSpace, NamedPair, Family>;

  constexpr Place() = default;
  // Implicit, so that a row lists its shapes and spaces as they are.
  constexpr Place(const BatteryShape& where) : where_(where) {}
  constexpr Place(const SearchSpace& where) : where_(where) {}
  constexpr Place(const NamedPair& where) : where_(where) {}
  constexpr Place(const Family& where) : where_(where) {}

  /// The same place, cut by a filter.
  [[nodiscard]] constexpr Place only(Filter filter) const {
    Place cut = *this;
    cut.filter_ = filter;
    return cut;
  }
  /// The same place with a check of its own instead of the row's.
  /// @param check  an object that outlives the place
  [[nodiscard]] constexpr Place with(const Check& check, Method method = Method::exact) const {
    Place own = by(method);
    own.check_ = &check;
    return own;
  }
  template <std::convertible_to<Check::Function> F>
  [[nodiscard]] constexpr Place with(F function, Method method = Method::exact) const {
    Place own = by(method);
    own.function_ = function;
    return own;
  }
  /// The same place, where the row's check compares closed forms.
  [[nodiscard]] constexpr Place closed_form() const { return by(Method::closed_form); }

  [[nodiscard]] constexpr const Where& where() const { return where_; }
  [[nodiscard]] constexpr const Filter& filter() const { return filter_; }
  /// The check that is made here.
  [[nodiscard]] Check made(const Check& of_row) const {
    if (function_ != nullptr) return function_;
    return check_ != nullptr ? *check_ : of_row;
  }
  [[nodiscard]] constexpr Method method() const { return method_; }

  /// "memoryless pairs of at most 2 tokens, gamma 1..3, denominators to 4/6/8, where u >= v"; sizes
  /// as in Sized::text.
  [[nodiscard]] std::string text() const;

 private:
  /// The same place, with this method of its evidence. A search is exact.
  [[nodiscard]] constexpr Place by(Method method) const {
    const bool searched =
        std::holds_alternative<SearchSpace>(where_) ||
        (std::holds_alternative<Family>(where_) && std::get<Family>(where_).searched);
    if (searched && method != Method::exact) throw std::logic_error("a search is exact");
    Place same = *this;
    same.method_ = method;
    return same;
  }

  Where where_;
  Filter filter_;
  const Check* check_ = nullptr;        ///< in place of the row's, or null
  Check::Function function_ = nullptr;  ///< the same, a function
  Method method_ = Method::exact;
};

/// Where programs over whole blocks, and long decodes, stay small.
inline constexpr Filter kSmall{"V <= 2 or gamma <= 2", [](const Instance& instance) {
                                 return instance.pair().vocabulary() <= 2 || instance.gamma <= 2;
                               }};

/// Every token of the target has a chance in the draft, in every state.
inline constexpr Filter kCovered{"supp t lies within supp d", [](const Instance& instance) {
                                   for (State state = 0; state < instance.pair().states();
                                        ++state) {
                                     const auto draft = instance.rows->draft(state);
                                     const auto target = instance.rows->target(state);
                                     for (std::size_t x = 0; x < draft.size(); ++x) {
                                       if (draft[x] == 0 && target[x] > 0) return false;
                                     }
                                   }
                                   return true;
                                 }};

/// A few places, in the order in which a statement is checked there.
class Places {
 public:
  constexpr Places() = default;
  constexpr Places(std::initializer_list<Place> places) {
    if (places.size() > kMost) throw std::logic_error("raise Places::kMost");
    for (const Place& place : places) places_[size_++] = place;
  }

  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr const Place* begin() const { return places_.data(); }
  [[nodiscard]] constexpr const Place* end() const { return places_.data() + size_; }

 private:
  static constexpr std::size_t kMost = 8;
  std::array<Place, kMost> places_{};
  std::size_t size_ = 0;
};

}  // namespace speclab
