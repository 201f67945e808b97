#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace speclab {

/// Foresees what the levels of a computation take from what those before took, where the contexts
/// to go through grow from level to level: what grows exponentially is refused long before the
/// level that is over the limit.
///
/// Numbers are compared two levels apart, since they often rise every second level alone: the last
/// two ratios. Where the later one is not less the earlier one is taken to stay, and where it is,
/// its logarithm to fall on by as much. Of the numbers of a polynomial the logarithm falls ever
/// more slowly: what is foreseen then is less than what comes.
///
/// Worked example: 1, 1, 3, 4, 9, 14, 27: ratios 27/9 = 3 and 9/3 = 3. Two levels after 27 it
/// foresees 81, and six levels after it, or more, 27 * 3^3 = 729.
class ForeseenGrowth {
 public:
  void add(double count) { counts_.push_back(count); }

  /// The number some levels after the last one, no farther on than there were levels; 0 where there
  /// are too few numbers, or some are 0.
  [[nodiscard]] double foreseen(std::size_t ahead) const {
    constexpr std::size_t kNeeded = 5;
    const std::size_t n = counts_.size();
    if (n < kNeeded || !(counts_[n - 5] > 0 && counts_[n - 3] > 0 && counts_[n - 1] > 0)) return 0;
    const double before = std::log(counts_[n - 3] / counts_[n - 5]);
    const double after = std::log(counts_[n - 1] / counts_[n - 3]);
    const double fall = std::max(0.0, before - after);
    double rise = std::min(before, after);
    double sum = std::log(counts_[n - 1]);
    for (std::size_t pair = 0; pair < std::min(ahead, n) / 2 && rise > 0 && sum < kMost; ++pair) {
      rise = std::max(0.0, rise - fall);
      sum += rise;
    }
    return std::exp(std::min(sum, kMost));
  }

 private:
  static constexpr double kMost = 600;  ///< far beyond any limit, and finite

  std::vector<double> counts_;
};

}  // namespace speclab
