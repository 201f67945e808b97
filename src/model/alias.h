#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace speclab {

/// Draws from a fixed law of n tokens with one uniform number in constant time (Walker 1977, built
/// as in Vose 1991). Probabilities match the weights within rounding; a token of weight zero
/// is never drawn, whatever the rounding.
class AliasTable {
 public:
  struct Entry {
    double keep;          ///< the share of this cell that belongs to its own token
    std::uint32_t other;  ///< the token of the rest
  };

  AliasTable() = default;

  /// @param weights  non-negative, with a positive sum; an all-zero law gives an empty table
  explicit AliasTable(std::span<const double> weights);

  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::span<const Entry> entries() const { return entries_; }

  /// @param u  in [0, 1); u * n names the cell and the place inside it
  [[nodiscard]] Token pick(double u) const {
    const double place = u * static_cast<double>(entries_.size());
    const auto cell = static_cast<std::uint32_t>(place);
    const Entry& entry = entries_[cell];
    // Which token is chosen is unpredictable: a branch would often be mispredicted. So the mask
    // comes from the sign of the difference, which is 1 where the cell keeps its token.
    const std::uint64_t kept = std::bit_cast<std::uint64_t>(place - cell - entry.keep) >> 63;
    const auto moved = static_cast<std::uint32_t>(kept - 1);
    return static_cast<Token>(cell ^ ((cell ^ entry.other) & moved));
  }

  /// Prefetches the entry that pick(u) will read, where the table is too large for the near caches.
  void prefetch(double u) const {
    constexpr std::size_t kFar = 2048;
    if (entries_.size() < kFar) return;
    __builtin_prefetch(
        &entries_[static_cast<std::size_t>(u * static_cast<double>(entries_.size()))]);
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace speclab
