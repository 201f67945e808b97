#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "system/interrupt.h"

namespace speclab {

/// An interval low < high; a mark is a uniform point of it.
template <class Real>
struct MarkRange {
  Real low;
  Real high;
};

/// The integral over x in [0, 1] of the product of (1 - x) a_j + x b_j, with a_j >= b_j >= 0, kept
/// in the Bernstein basis: sums of non-negative terms only, without cancellation in doubles.
template <class Real>
class LinearProduct {
 public:
  void multiply(const Real& a, const Real& b) {
    const std::size_t degree = coefficients_.size();
    coefficients_.emplace_back(0);
    for (std::size_t i = degree + 1; i-- > 0;) {
      Real value(0);
      if (i < degree) value += Real(static_cast<long>(degree - i)) * a * coefficients_[i];
      if (i > 0) value += Real(static_cast<long>(i)) * b * coefficients_[i - 1];
      coefficients_[i] = value / Real(static_cast<long>(degree));
    }
  }

  [[nodiscard]] Real integral() const {
    Real sum(0);
    for (const Real& coefficient : coefficients_) sum += coefficient;
    return sum / Real(static_cast<long>(coefficients_.size()));
  }

 private:
  std::vector<Real> coefficients_{Real(1)};  ///< each is within [0, 1]
};

/// P(k) = integral of f_k prod_{j != k} (1 - F_j): the probability that mark k is the least of
/// several independent marks, with f_k and F_k the density and distribution of mark k. Between two
/// of the 2K ends the product is a polynomial of degree below K, which is integrated exactly. Cost
/// O(n^4) for n marks. Worked example: [0, 1] and [0, 1/2]: P = (1/4, 3/4).
template <class Real>
std::vector<Real> least_mark_law(const std::vector<MarkRange<Real>>& ranges) {
  std::vector<Real> ends;
  Real last = ranges.front().high;  // the least mark is below every upper end
  for (const auto& range : ranges) {
    ends.push_back(range.low);
    if (range.high < last) last = range.high;
  }
  std::erase_if(ends, [&](const Real& end) { return !(end < last); });
  ends.push_back(last);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<Real> law(ranges.size(), Real(0));
  for (std::size_t s = 0; s + 1 < ends.size(); ++s) {
    const Real& from = ends[s];
    const Real& to = ends[s + 1];
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      if (from < ranges[k].low) continue;
      LinearProduct<Real> others;
      for (std::size_t j = 0; j < ranges.size(); ++j) {
        if (j == k || from < ranges[j].low) continue;
        check_interrupted();
        const Real width = ranges[j].high - ranges[j].low;
        others.multiply((ranges[j].high - from) / width, (ranges[j].high - to) / width);
      }
      law[k] += (to - from) / (ranges[k].high - ranges[k].low) * others.integral();
    }
  }
  return law;
}

}  // namespace speclab
