#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/alias.h"

namespace speclab {

/// Everything that makes sampling at one state independent of the vocabulary's size, for doubles:
/// an alias table for the draft, and prefix sums of both laws in falling order of target / draft.
/// In that order the tokens with a * target > b * draft stand first, up to the rounding of ties (of
/// weight about 1e-16), so the sum of [a target - b draft]+ and a draw in proportion to it take
/// O(log V) for any a, b >= 0.
class StateTable {
 public:
  /// Up to this many tokens, draws from [target - draft]+ have an alias table too.
  static constexpr std::size_t kSmall = 64;

  /// @param draft,target  rows of the state; they must outlive the table
  StateTable(std::span<const double> draft, std::span<const double> target);

  [[nodiscard]] std::span<const double> draft() const { return draft_; }
  [[nodiscard]] std::span<const double> target() const { return target_; }
  [[nodiscard]] const AliasTable& draft_alias() const { return draft_alias_; }
  [[nodiscard]] const AliasTable& residual_alias() const { return residual_alias_; }

  /// How many tokens, in the table's order, have a * target > b * draft.
  [[nodiscard]] std::size_t count_above(double a, double b) const {
    return first_false(order_.size(), [&](std::size_t k) {
      return a * target_[order_[k]] > b * draft_[order_[k]];
    });
  }

  /// Sum of [a target - b draft]+ over the first `count` = count_above(a, b) tokens.
  [[nodiscard]] double mass(double a, double b, std::size_t count) const {
    const double difference = a * sums_[count].target - b * sums_[count].draft;
    return difference > 0 || count == 0 ? difference : mass_directly(a, b, count);
  }

  /// A token in proportion to [a target - b draft]+. @param left  u * mass, u in [0, 1)
  [[nodiscard]] Token pick(double a, double b, std::size_t count, double left) const {
    const std::size_t at = first_false(count - 1, [&](std::size_t k) {
      return !(a * sums_[k + 1].target - b * sums_[k + 1].draft > left);
    });
    return static_cast<Token>(order_[at]);
  }

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Sums {
    double target;
    double draft;
  };

  /// The least k < size with not holds(k), or size, for a predicate that never comes back. Every
  /// step is a selection: a branch would be mispredicted half of the time.
  template <class Holds>
  static std::size_t first_false(std::size_t size, const Holds& holds) {
    std::size_t from = 0;
    while (size > 0) {
      const std::size_t half = size / 2;
      const bool right = holds(from + half);
      from = right ? from + half + 1 : from;
      size = right ? size - half - 1 : half;
    }
    return from;
  }

  /// Where the difference of the prefix sums cancels to nothing.
  [[nodiscard]] double mass_directly(double a, double b, std::size_t count) const;

  std::span<const double> draft_;
  std::span<const double> target_;
  AliasTable draft_alias_;
  AliasTable residual_alias_;
  std::vector<std::uint32_t> order_;  ///< tokens in falling order of target / draft
  std::vector<Sums> sums_;            ///< sums_[k]: over the first k of them
};

}  // namespace speclab
