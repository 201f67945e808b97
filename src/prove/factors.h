#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "prove/polynomial.h"
#include "prove/residue.h"

namespace speclab {

/// A polynomial of the table, by its number.
using Factor = int;

/// A fraction of polynomials as coefficient * product of factor^exponent, exponents of either sign,
/// factors in order and distinct. Zero iff the coefficient is.
struct Factored {
  Rational coefficient{0};
  std::vector<std::pair<Factor, int>> powers;
};

/// The polynomials of which fractions are products, each primitive (whole coefficients without a
/// common divisor, the leading one positive) and identified by a number. A polynomial is divided by
/// those already in the table, the family's own laws first, and need not be irreducible.
class Factors {
 public:
  Factors();
  /// The number of a polynomial, entered where it is new; splits nothing. @pre not constant
  Factor enter(const Polynomial& primitive);
  /// Factors a polynomial; the remaining factor is entered.
  Factored split(Polynomial polynomial);

  [[nodiscard]] const Polynomial& operator[](Factor factor) const {
    return polynomials_[static_cast<std::size_t>(factor)];
  }
  [[nodiscard]] std::size_t size() const { return polynomials_.size(); }

  [[nodiscard]] static Factored product(const Factored& a, const Factored& b, int exponent);
  [[nodiscard]] Factored sum(const Factored& a, const Factored& b);
  /// The product of the factors of positive exponents times the coefficient's numerator; or of the
  /// others, all positive.
  [[nodiscard]] Polynomial numerator(const Factored& fraction) const;
  [[nodiscard]] Polynomial denominator(const Factored& fraction) const;

 private:
  /// A polynomial along a line of the field: coefficients of its powers of the place on it, the
  /// highest last and not 0, or 0 alone. Divisibility of polynomials implies that of the images,
  /// unless one is 0, which excludes most divisions; a division that is left out, or tried in vain,
  /// makes no result wrong.
  using Image = std::vector<Residue>;
  [[nodiscard]] Image image_of(const Polynomial& polynomial) const;

  [[nodiscard]] Polynomial power_product(const std::vector<std::pair<Factor, int>>& powers) const;

  std::deque<Polynomial> polynomials_;
  std::vector<Image> images_;  ///< of each
  std::map<Polynomial, Factor> known_;
  std::vector<std::array<Residue, 2>> line_;  ///< of each parameter: at 0, and its slope
};

}  // namespace speclab
