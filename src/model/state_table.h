#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "model/alias.h"

namespace speclab {

/// Everything that makes sampling at one state independent of the vocabulary's size, for doubles:
/// an alias table for the draft, and prefix sums of both laws in falling order of target / draft.
/// In that order the tokens with a * target > b * draft stand first, so the sum of
/// [a target - b draft]+ and a draw in proportion to it take O(log V) for any a, b >= 0.
class StateTable {
 public:
  /// Up to this many tokens, draws from [target - draft]+ have an alias table too.
  static constexpr std::size_t kSmall = 64;

  /// @param draft,target  rows of the state; they must outlive the table
  StateTable(std::span<const double> draft, std::span<const double> target);

  [[nodiscard]] const AliasTable& draft_alias() const { return draft_alias_; }
  [[nodiscard]] const AliasTable& residual_alias() const { return residual_alias_; }

  /// How many tokens, in the table's order, have a * target > b * draft.
  [[nodiscard]] std::size_t count_above(double a, double b) const {
    const auto above = [&](std::uint32_t x) { return a * target_[x] > b * draft_[x]; };
    return static_cast<std::size_t>(std::partition_point(order_.begin(), order_.end(), above) -
                                    order_.begin());
  }

  /// Sum of [a target - b draft]+ over the first `count` = count_above(a, b) tokens.
  [[nodiscard]] double mass(double a, double b, std::size_t count) const {
    const double difference = a * sums_[count].target - b * sums_[count].draft;
    return difference > 0 || count == 0 ? difference : mass_directly(a, b, count);
  }

  /// A token in proportion to [a target - b draft]+. @param left  u * mass, u in [0, 1)
  [[nodiscard]] Token pick(double a, double b, std::size_t count, double left) const {
    std::size_t low = 0;
    std::size_t high = count - 1;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (a * sums_[middle + 1].target - b * sums_[middle + 1].draft > left) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return static_cast<Token>(order_[low]);
  }

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Sums {
    double target;
    double draft;
  };

  /// Where the difference of the prefix sums cancels to nothing.
  [[nodiscard]] double mass_directly(double a, double b, std::size_t count) const;

  std::span<const double> draft_;
  std::span<const double> target_;
  AliasTable draft_alias_;
  AliasTable residual_alias_;
  std::vector<std::uint32_t> order_;
  std::vector<Sums> sums_;  ///< sums_[k]: over the first k tokens of the order
};

}  // namespace speclab
