#include "base/rational.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <stdexcept>

#include "base/integer.h"
#include "base/rational_memory.h"

namespace speclab {
namespace {

static_assert(__GNU_MP_RELEASE >= 60200, "older ones write to parts that have no memory");

__extension__ using Words = unsigned __int128;

/// A fraction whose parts have less than 63 binary digits, so that no sum of two products
/// overflows.
struct Word {
  std::uint64_t top = 0;
  std::uint64_t bottom = 1;
  bool negative = false;
};

bool read_word(const __mpq_struct& value, Word& word) {
  const auto& [top, bottom] = value;
  if (bottom._mp_size != 1 || std::abs(top._mp_size) > 1) return false;
  word.top = top._mp_size == 0 ? 0 : top._mp_d[0];
  word.bottom = bottom._mp_d[0];
  word.negative = top._mp_size < 0;
  return (word.top | word.bottom) >> 62U == 0;
}

void write_part(std::uint64_t from, __mpz_struct& part) {
  if (from == 0 || (from == 1 && part._mp_alloc == 0)) {
    part._mp_size = static_cast<int>(from);
  } else {
    mpz_set_ui(&part, from);
  }
}

/// Writes a fraction in lowest terms where its parts are words.
bool write_word(Words top, Words bottom, bool negative, __mpq_struct& value) {
  if ((top | bottom) >> 64U != 0) return false;
  write_part(static_cast<std::uint64_t>(top), value._mp_num);
  write_part(static_cast<std::uint64_t>(bottom), value._mp_den);
  if (negative) value._mp_num._mp_size = -value._mp_num._mp_size;
  return true;
}

bool add_words(const Word& a, const Word& b, __mpq_struct& sum) {
  const std::uint64_t common = std::gcd(a.bottom, b.bottom);
  const Words left = Words{a.top} * (b.bottom / common);
  const Words right = Words{b.top} * (a.bottom / common);
  const bool more = left >= right;
  const Words top = a.negative == b.negative ? left + right : more ? left - right : right - left;
  const bool negative = a.negative == b.negative ? a.negative : more ? a.negative : b.negative;
  if (top == 0) return write_word(0, 1, false, sum);
  const auto rest = common == 1 ? 1 : std::gcd(static_cast<std::uint64_t>(top % common), common);
  return write_word(rest == 1 ? top : top / rest, Words{a.bottom / common} * (b.bottom / rest),
                    negative, sum);
}

bool multiply_words(const Word& a, const Word& b, __mpq_struct& product) {
  if (a.top == 0 || b.top == 0) return write_word(0, 1, false, product);
  const std::uint64_t down = std::gcd(a.top, b.bottom);
  const std::uint64_t up = std::gcd(b.top, a.bottom);
  return write_word(Words{a.top / down} * (b.top / up), Words{a.bottom / up} * (b.bottom / down),
                    a.negative != b.negative, product);
}

using Operation = void (*)(mpq_ptr, mpq_srcptr, mpq_srcptr);

/// Of any size. GMP loses the value of an operand without memory that is the result, too.
void apply(Operation operation, const __mpq_struct& a, const __mpq_struct& b,
           __mpq_struct& result) {
  const bool safe = result._mp_num._mp_alloc != 0 && result._mp_den._mp_alloc != 0;
  if (safe || (&result != &a && &result != &b)) {
    operation(&result, &a, &b);
    return;
  }
  Rational fresh;
  operation(fresh.raw(), &a, &b);
  std::swap(*fresh.raw(), result);
}

void add(const __mpq_struct& a, const __mpq_struct& b, bool minus, __mpq_struct& sum) {
  Word left, right;
  if (read_word(a, left) && read_word(b, right)) {
    right.negative = right.negative != minus;
    if (add_words(left, right, sum)) return;
  }
  apply(minus ? mpq_sub : mpq_add, a, b, sum);
}

void multiply(const __mpq_struct& a, const __mpq_struct& b, __mpq_struct& product) {
  Word left, right;
  if (read_word(a, left) && read_word(b, right) && multiply_words(left, right, product)) return;
  apply(mpq_mul, a, b, product);
}

void divide(const __mpq_struct& a, const __mpq_struct& b, __mpq_struct& ratio) {
  if (b._mp_num._mp_size == 0) throw std::overflow_error("Division by zero.");
  Word left, right;
  if (read_word(a, left) && read_word(b, right)) {
    std::swap(right.top, right.bottom);
    if (multiply_words(left, right, ratio)) return;
  }
  apply(mpq_div, a, b, ratio);
}

void copy_part(const __mpz_struct& from, __mpz_struct& part) {
  if (from._mp_alloc != 0) mpz_init_set(&part, &from);
}

}  // namespace

Rational::Rational(double value) : Rational() { mpq_set_d(&value_, value); }

Rational::Rational(const Integer& value) : Rational() { mpq_set_z(&value_, value.raw()); }

Rational::Rational(const Integer& numerator, const Integer& denominator) : Rational(numerator) {
  *this /= Rational(denominator);
}

void Rational::set_signed(long value) { mpz_set_si(&value_._mp_num, value); }
void Rational::set_unsigned(unsigned long value) { mpz_set_ui(&value_._mp_num, value); }

void Rational::copy(const Rational& other) {
  copy_part(other.value_._mp_num, value_._mp_num);
  copy_part(other.value_._mp_den, value_._mp_den);
}

void Rational::assign(const Rational& other) {
  if (!allocated()) {
    value_ = other.value_;
    copy(other);
  } else {
    mpq_set(&value_, &other.value_);
  }
}

void Rational::free() noexcept { mpq_clear(&value_); }

Rational& Rational::operator+=(const Rational& other) {
  add(value_, other.value_, false, value_);
  return *this;
}

Rational& Rational::operator-=(const Rational& other) {
  add(value_, other.value_, true, value_);
  return *this;
}

Rational& Rational::operator*=(const Rational& other) {
  multiply(value_, other.value_, value_);
  return *this;
}

Rational& Rational::operator/=(const Rational& other) {
  divide(value_, other.value_, value_);
  return *this;
}

Rational operator+(const Rational& a, const Rational& b) {
  Rational sum;
  add(a.value_, b.value_, false, sum.value_);
  return sum;
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational difference;
  add(a.value_, b.value_, true, difference.value_);
  return difference;
}

Rational operator*(const Rational& a, const Rational& b) {
  Rational product;
  multiply(a.value_, b.value_, product.value_);
  return product;
}

Rational operator/(const Rational& a, const Rational& b) {
  Rational ratio;
  divide(a.value_, b.value_, ratio.value_);
  return ratio;
}

bool operator==(const Rational& a, const Rational& b) {
  return mpq_equal(&a.value_, &b.value_) != 0;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.sign() != b.sign()) return a.sign() <=> b.sign();
  Word left, right;
  if (read_word(a.value_, left) && read_word(b.value_, right)) {
    const Words one = Words{left.top} * right.bottom;
    const Words other = Words{right.top} * left.bottom;
    if (one == other) return std::strong_ordering::equal;
    return (one < other) != left.negative ? std::strong_ordering::less
                                          : std::strong_ordering::greater;
  }
  return mpq_cmp(&a.value_, &b.value_) <=> 0;
}

Integer numerator(const Rational& value) { return Integer(mpq_numref(&value.value_)); }
Integer denominator(const Rational& value) { return Integer(mpq_denref(&value.value_)); }

std::size_t hash_value(const Rational& value) {
  std::size_t hash = static_cast<std::size_t>(value.sign());
  for (const __mpz_struct* part : {mpq_numref(value.raw()), mpq_denref(value.raw())}) {
    for (int i = 0; i < std::abs(part->_mp_size); ++i) {
      hash ^= part->_mp_d[i] + 0x9e3779b97f4a7c15U + (hash << 6U) + (hash >> 2U);
    }
  }
  return hash;
}

double to_double(const Rational& value) {
  // mpq_get_d truncates; choose the nearer of the truncated value and its outward neighbour.
  const double truncated = mpq_get_d(value.raw());
  if (!std::isfinite(truncated)) return truncated;
  const Rational error = value - exact(truncated);
  if (error.sign() == 0) return truncated;
  const double outward = std::nextafter(truncated, error.sign() > 0 ? HUGE_VAL : -HUGE_VAL);
  if (!std::isfinite(outward)) return truncated;
  const Rational other = exact(outward) - value;
  return abs(other) < abs(error) ? outward : truncated;
}

RationalMemory memory_of(const Rational& value) {
  const auto bytes = [](const __mpz_struct* part) {
    return static_cast<std::size_t>(part->_mp_alloc) * sizeof(mp_limb_t);
  };
  return {bytes(mpq_numref(value.raw())), bytes(mpq_denref(value.raw()))};
}

Rational exact(double value) { return Rational(value); }

}  // namespace speclab
