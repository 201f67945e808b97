#pragma once

#include <cstddef>
#include <cstdint>

#include "base/integer.h"

namespace speclab {

/// A whole number modulo a random prime: an element of one of kFields fields. Every run of the
/// program draws primes from 2^60 to 2^61 and its points from the system's entropy, when all
/// constants of a theorem or of a certificate are fixed: nobody can choose constants that vanish
/// modulo a prime that is not known yet, as 2^61 - 1 does modulo itself.
class RandomResidue {
 public:
  static constexpr std::size_t kFields = 3;

  /// 0 of any field.
  RandomResidue() = default;
  static RandomResidue of(const Integer& value, std::uint64_t prime);
  /// The prime of a field, the same in the whole run of the program.
  static std::uint64_t prime_of(std::size_t field);
  /// A new element of a field; none has a probability above 2^-60.
  static RandomResidue random(std::size_t field);

  /// A bound on the probability that a polynomial other than 0 is zero at a random point of a
  /// field. The prime divides all its coefficients with probability at most bits / 60 / 2^54: a
  /// number of so many bits has at most bits / 60 such prime divisors, and there are more than 2^54
  /// such primes. Where it does not, the polynomial is zero with probability at most degree / 2^60
  /// (Schwartz 1980, Zippel 1979).
  /// @param bits  the binary logarithm of a whole coefficient's size is at most this
  static double zero_chance(double degree, double bits);

  [[nodiscard]] std::uint64_t value() const { return value_; }
  [[nodiscard]] std::uint64_t prime() const { return prime_; }
  [[nodiscard]] bool is_zero() const { return value_ == 0; }
  /// @pre the operands, here and below, are of the same field
  friend bool operator==(RandomResidue a, RandomResidue b) { return a.value_ == b.value_; }

  friend RandomResidue operator+(RandomResidue a, RandomResidue b) {
    return reduced(a.value_ + b.value_, a.prime_);
  }
  friend RandomResidue operator-(RandomResidue a, RandomResidue b) {
    return reduced(a.value_ + (a.prime_ - b.value_), a.prime_);
  }
  friend RandomResidue operator*(RandomResidue a, RandomResidue b) {
    __extension__ using Wide = unsigned __int128;
    return {static_cast<std::uint64_t>(static_cast<Wide>(a.value_) * b.value_ % a.prime_),
            a.prime_};
  }
  RandomResidue& operator*=(RandomResidue other) { return *this = *this * other; }
  /// @throws std::domain_error where b is 0: a denominator is, at the random point
  friend RandomResidue operator/(RandomResidue a, RandomResidue b);

 private:
  RandomResidue(std::uint64_t value, std::uint64_t prime) : value_(value), prime_(prime) {}
  /// Of a value below twice the prime.
  static RandomResidue reduced(std::uint64_t value, std::uint64_t prime) {
    return {value < prime ? value : value - prime, prime};
  }

  std::uint64_t value_ = 0;
  std::uint64_t prime_ = 0;
};

}  // namespace speclab
