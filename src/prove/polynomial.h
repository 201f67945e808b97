#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/integer.h"
#include "base/rational.h"
#include "prove/algebra_limits.h"
#include "prove/random_residue.h"

namespace speclab {

/// The most parameters that a family of pairs may have.
inline constexpr std::size_t kMostParameters = 64;

/// The exponents of one product of parameters; compared from the first parameter on.
using Exponents = std::array<std::uint8_t, kMostParameters>;

/// A polynomial in the parameters of a family of pairs, with whole coefficients. What loops over
/// its terms polls the limits of prove/algebra_limits.h, which count the terms' memory.
class Polynomial {
 public:
  struct Term {
    Exponents exponents{};
    Integer coefficient;
    bool operator==(const Term&) const = default;
  };
  using Terms = std::vector<Term, ProofAllocator<Term>>;

  /// Zero.
  Polynomial() = default;
  /// @param terms  in any order, terms of equal exponents are added
  explicit Polynomial(Terms terms);
  static Polynomial constant(const Integer& value);
  static Polynomial parameter(std::size_t index);

  /// From the highest exponents down; no coefficient is 0.
  [[nodiscard]] const Terms& terms() const { return terms_; }
  [[nodiscard]] bool is_zero() const { return terms_.empty(); }
  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] int degree() const;
  [[nodiscard]] int degree_in(std::size_t parameter) const;
  [[nodiscard]] bool contains(std::size_t parameter) const { return degree_in(parameter) > 0; }

  /// The greatest common divisor of the coefficients, with the leading coefficient's sign.
  /// @pre not zero
  [[nodiscard]] Integer content() const;
  void divide_by(const Integer& content);

  /// The quotient where `divisor` divides this without a remainder.
  [[nodiscard]] std::optional<Polynomial> divided_by(const Polynomial& divisor) const;

  /// The first parameter whose highest power has the coefficient 1 or -1, alone in its term and in
  /// no other; or empty.
  [[nodiscard]] std::optional<std::size_t> monic_in() const;
  /// The remainder of the division by a polynomial that is monic in the parameter: of a lower
  /// degree in it than the divisor, and equal wherever the divisor is zero.
  [[nodiscard]] Polynomial modulo(const Polynomial& divisor, std::size_t parameter) const;

  /// The coefficient of parameter^1. @pre degree_in(parameter) is 1
  [[nodiscard]] Polynomial slope_in(std::size_t parameter) const;

  [[nodiscard]] Rational at(std::span<const Rational> point) const;
  /// @pre there is a parameter, and the point is of one field
  [[nodiscard]] RandomResidue at(std::span<const RandomResidue> point) const;

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Integer& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) {
    return a + Integer(-1) * b;
  }
  bool operator==(const Polynomial&) const = default;
  /// An order for maps.
  bool operator<(const Polynomial& other) const;

 private:
  Terms terms_;
};

}  // namespace speclab
