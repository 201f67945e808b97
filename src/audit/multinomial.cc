#include "audit/multinomial.h"

#include <algorithm>
#include <boost/random/binomial_distribution.hpp>

namespace speclab {

void draw_counts(Stream& stream, std::uint64_t n, std::span<const double> law,
                 std::span<std::uint64_t> counts) {
  auto left = static_cast<std::int64_t>(n);
  double rest = 1;
  for (std::size_t i = 0; i < law.size(); ++i) {
    counts[i] = 0;
    if (left > 0 && law[i] > 0) {
      // Rounding leaves a rest of a few 2^-53 where the law sums to 1.
      const double share = rest > law[i] + 1e-13 ? law[i] / rest : 1.0;
      const std::int64_t drawn =
          share < 1 ? boost::random::binomial_distribution<std::int64_t>(left, share)(stream)
                    : left;
      counts[i] = static_cast<std::uint64_t>(drawn);
      left -= drawn;
    }
    rest = std::max(0.0, rest - law[i]);
  }
}

}  // namespace speclab
