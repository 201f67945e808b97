#include "prove/random_residue.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>

#include "base/power.h"

namespace speclab {
namespace {

/// Of this thread, in a state that the system's entropy gives.
std::mt19937_64& entropy_engine() {
  static thread_local std::mt19937_64 engine = [] {
    std::random_device device;
    std::array<std::random_device::result_type, 8> entropy;
    std::generate(entropy.begin(), entropy.end(), std::ref(device));
    std::seed_seq seeds(entropy.begin(), entropy.end());
    return std::mt19937_64(seeds);
  }();
  return engine;
}

/// By Miller and Rabin's test, which these bases make exact below 3 * 10^24 (Sorenson and Webster
/// 2015). @pre odd, and above the bases
bool is_prime(std::uint64_t number) {
  const int twos = std::countr_zero(number - 1);
  const RandomResidue one = RandomResidue::of(1, number);
  const RandomResidue minus_one = RandomResidue::of(-1, number);
  for (const int base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37}) {
    const auto odd_part = static_cast<long long>(number >> twos);
    RandomResidue raised = power(RandomResidue::of(base, number), odd_part, one);
    bool passes = raised == one || raised == minus_one;
    for (int i = 1; i < twos && !passes; ++i) {
      raised *= raised;
      passes = raised == minus_one;
    }
    if (!passes) return false;
  }
  return true;
}

/// Each prime from 2^60 to 2^61 is as probable as any other.
std::uint64_t random_prime() {
  for (;;) {
    const std::uint64_t odd = std::uint64_t{1} << 60 | entropy_engine()() >> 4 | 1;
    if (is_prime(odd)) return odd;
  }
}

}  // namespace

std::uint64_t RandomResidue::prime_of(std::size_t field) {
  static const std::array<std::uint64_t, kFields> primes = [] {
    std::array<std::uint64_t, kFields> drawn;
    std::generate(drawn.begin(), drawn.end(), random_prime);
    return drawn;
  }();
  return primes[field];
}

RandomResidue RandomResidue::random(std::size_t field) {
  const std::uint64_t prime = prime_of(field);
  return {(entropy_engine()() >> 3) % prime, prime};
}

RandomResidue RandomResidue::of(const Integer& value, std::uint64_t prime) {
  Integer rest = value % Integer(prime);
  if (rest < 0) rest += Integer(prime);
  return {rest.unsigned_value(), prime};
}

double RandomResidue::zero_chance(double degree, double bits) {
  return std::ldexp(bits / 60, -54) + std::ldexp(degree, -60);
}

RandomResidue operator/(RandomResidue a, RandomResidue b) {
  if (b.is_zero()) throw std::domain_error("a random point where a denominator is 0");
  // Euclid's algorithm: b times a factor is the rest before, or that now, modulo the prime.
  std::uint64_t before = a.prime_;
  std::uint64_t now = b.value_;
  std::int64_t factor_before = 0;
  std::int64_t factor = 1;
  while (now != 0) {
    const std::uint64_t quotient = before / now;
    before = std::exchange(now, before % now);
    factor_before =
        std::exchange(factor, factor_before - static_cast<std::int64_t>(quotient) * factor);
  }
  const std::uint64_t inverse = factor_before < 0
                                    ? a.prime_ - static_cast<std::uint64_t>(-factor_before)
                                    : static_cast<std::uint64_t>(factor_before);
  return a * RandomResidue(inverse, a.prime_);
}

}  // namespace speclab
