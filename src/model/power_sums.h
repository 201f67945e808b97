#pragma once

#include <span>
#include <vector>

#include "base/wide.h"

namespace speclab {

class StateTable;

/// Prefix sums, in the order of a state's table, of t (d / t)^j for j = 0..power, t the target and
/// d the draft: with them the sum of t (1 - s d / t)^power over any range of ranks takes
/// O(power), by the binomial theorem. Stored with 106 bits; where the terms cancel beyond that, the
/// range is summed token by token.
class PowerSums {
 public:
  /// The greatest power kept; above it everything is summed token by token.
  static constexpr int kMost = 16;

  /// @param table  must outlive this  @param power  1..kMost
  PowerSums(const StateTable& table, int power);

  /// Sum of t (1 - s d / t)^power over the ranks [from, to), in all of which s d <= t and t > 0.
  [[nodiscard]] Wide mass(const Wide& s, std::size_t from, std::size_t to) const;

  /// The rank, of [0, to), at which the running sum passes `left`. @param left  u * mass(s, 0, to)
  [[nodiscard]] std::size_t pick(const Wide& s, std::size_t to, double left) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  /// A sum by the binomial theorem and the sum of its terms' sizes.
  struct Expansion {
    Wide sum;
    double size;
  };
  [[nodiscard]] Expansion expand(const Wide& s, std::size_t from, std::size_t to) const;
  [[nodiscard]] double weight(const Wide& s, std::size_t rank) const;

  const StateTable& table_;
  int power_;
  std::vector<double> binomials_;
  std::vector<std::vector<Wide>> sums_;  ///< sums_[j][k]: over the first k ranks
};

}  // namespace speclab
