// The arithmetic of Integer and Rational over Boost's cpp_int.
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "base/error.h"
#include "base/integer.h"
#include "base/rational.h"
#include "base/rational_memory.h"
#include "base/text.h"

namespace speclab {

namespace mp = boost::multiprecision;

struct Integer::Big {
  mp::cpp_int value;
};

struct Rational::Big {
  mp::cpp_int top, bottom;
};

namespace {

__extension__ using Wide = __int128;

[[noreturn]] void refuse_zero() { throw std::overflow_error("Division by zero."); }

std::int64_t gcd_of(Wide a, std::int64_t b) {
  const Wide positive = a < 0 ? -a : a;
  return std::gcd(static_cast<std::int64_t>(positive % b), b);
}

std::size_t bits_of(const mp::cpp_int& value) {
  return value == 0 ? 0 : static_cast<std::size_t>(mp::msb(mp::abs(value))) + 1;
}

}  // namespace

Integer::Integer(Big value) {
  if (value.value != 0) value_ = std::make_shared<const Big>(std::move(value));
}

Integer::Integer(std::string_view digits) {
  const bool sign = !digits.empty() && (digits.front() == '-' || digits.front() == '+');
  const std::string_view body = digits.substr(sign ? 1 : 0);
  if (body.empty() || body.find_first_not_of("0123456789") != std::string_view::npos) {
    throw InputError("'" + abbreviate(digits) + "' is not a whole number");
  }
  // Boost reads a leading 0 as that of an octal number.
  const std::size_t first = std::min(body.find_first_not_of('0'), body.size() - 1);
  mp::cpp_int value{std::string(body.substr(first))};
  *this = Integer(Big{digits.front() == '-' ? mp::cpp_int(-value) : value});
}

void Integer::set_signed(std::int64_t value) { *this = Integer(Big{value}); }
void Integer::set_unsigned(std::uint64_t value) { *this = Integer(Big{value}); }

const Integer::Big& Integer::big() const {
  static const Big zero{0};
  return value_ ? *value_ : zero;
}

Integer& Integer::operator+=(const Integer& other) {
  return *this = Integer(Big{big().value + other.big().value});
}
Integer& Integer::operator-=(const Integer& other) {
  return *this = Integer(Big{big().value - other.big().value});
}
Integer& Integer::operator*=(const Integer& other) {
  return *this = Integer(Big{big().value * other.big().value});
}
Integer& Integer::operator/=(const Integer& other) {
  if (other.sign() == 0) refuse_zero();
  return *this = Integer(Big{big().value / other.big().value});
}
Integer& Integer::operator%=(const Integer& other) {
  if (other.sign() == 0) refuse_zero();
  return *this = Integer(Big{big().value % other.big().value});
}
Integer operator-(const Integer& a) { return Integer(Integer::Big{-a.big().value}); }
Integer gcd(const Integer& a, const Integer& b) {
  return Integer(Integer::Big{mp::gcd(a.big().value, b.big().value)});
}
Integer lcm(const Integer& a, const Integer& b) {
  return Integer(Integer::Big{mp::lcm(a.big().value, b.big().value)});
}
Integer pow(const Integer& base, unsigned exponent) {
  return Integer(Integer::Big{mp::pow(base.big().value, exponent)});
}

int Integer::sign() const { return big().value.sign(); }
std::size_t Integer::bits() const { return bits_of(big().value); }
std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
  return a.big().value.compare(b.big().value) <=> 0;
}
std::int64_t Integer::signed_value() const { return big().value.convert_to<std::int64_t>(); }
std::uint64_t Integer::unsigned_value() const { return big().value.convert_to<std::uint64_t>(); }
std::string Integer::str() const { return big().value.str(); }

Rational::Rational(const Big& value) {
  if (value.bottom == 0) refuse_zero();
  const mp::cpp_int common = mp::gcd(value.top, value.bottom);
  const mp::cpp_int top = (value.bottom < 0 ? mp::cpp_int(-value.top) : value.top) / common;
  const mp::cpp_int bottom = mp::abs(value.bottom) / common;
  if (mp::abs(top) < kMost && bottom < kMost) {
    top_ = top.convert_to<std::int64_t>();
    bottom_ = bottom.convert_to<std::int64_t>();
  } else {
    big_ = std::make_shared<const Big>(Big{top, bottom});
  }
}

Rational::Big Rational::big() const { return big_ ? *big_ : Big{top_, bottom_}; }

Rational::Rational(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  constexpr int kDigits = 53;
  const mp::cpp_int mantissa = static_cast<std::int64_t>(std::ldexp(fraction, kDigits));
  exponent -= kDigits;
  const mp::cpp_int scale = mp::cpp_int(1) << static_cast<unsigned>(std::abs(exponent));
  *this = exponent >= 0 ? Rational(Big{mantissa * scale, 1}) : Rational(Big{mantissa, scale});
}

Rational::Rational(const Integer& value) : Rational(Big{value.big().value, 1}) {}
Rational::Rational(const Integer& numerator, const Integer& denominator)
    : Rational(Big{numerator.big().value, denominator.big().value}) {}
void Rational::set_signed(std::int64_t value) { *this = Rational(Big{value, 1}); }
void Rational::set_unsigned(std::uint64_t value) { *this = Rational(Big{value, 1}); }

Rational Rational::made(const Big& a, const Big& b, char operation) {
  switch (operation) {
    case '+':
      return Rational(Big{a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom});
    case '-':
      return Rational(Big{a.top * b.bottom - b.top * a.bottom, a.bottom * b.bottom});
    case '*':
      return Rational(Big{a.top * b.top, a.bottom * b.bottom});
    default:
      return Rational(Big{a.top * b.bottom, a.bottom * b.top});
  }
}

namespace {

/// Words in lowest terms whose quotient is top / bottom; false where these are too large.
/// @pre bottom > 0
bool reduce(Wide top, Wide bottom, std::int64_t most, std::int64_t& a, std::int64_t& b) {
  if (top <= -Wide{most} || top >= most || bottom >= most) return false;
  a = static_cast<std::int64_t>(top);
  b = static_cast<std::int64_t>(bottom);
  return true;
}

/// a / b + c / d with a common denominator cut out before the product, as GMP does.
bool add_words(std::int64_t a, std::int64_t b, Wide c, std::int64_t d, std::int64_t most,
               std::int64_t& top, std::int64_t& bottom) {
  const std::int64_t common = std::gcd(b, d);
  const Wide sum = Wide{a} * (d / common) + c * (b / common);
  if (sum == 0) return reduce(0, 1, most, top, bottom);
  const std::int64_t rest = gcd_of(sum, common);
  return reduce(sum / rest, Wide{b / common} * (d / rest), most, top, bottom);
}

bool multiply_words(std::int64_t a, std::int64_t b, std::int64_t c, std::int64_t d,
                    std::int64_t most, std::int64_t& top, std::int64_t& bottom) {
  if (a == 0 || c == 0) return reduce(0, 1, most, top, bottom);
  const std::int64_t down = gcd_of(a, d);
  const std::int64_t up = gcd_of(c, b);
  return reduce(Wide{a / down} * (c / up), Wide{b / up} * (d / down), most, top, bottom);
}

}  // namespace

Rational operator+(const Rational& a, const Rational& b) {
  Rational sum;
  if (!a.big_ && !b.big_ &&
      add_words(a.top_, a.bottom_, b.top_, b.bottom_, Rational::kMost, sum.top_, sum.bottom_)) {
    return sum;
  }
  return Rational::made(a.big(), b.big(), '+');
}

Rational operator-(const Rational& a, const Rational& b) {
  Rational difference;
  if (!a.big_ && !b.big_ &&
      add_words(a.top_, a.bottom_, -Wide{b.top_}, b.bottom_, Rational::kMost, difference.top_,
                difference.bottom_)) {
    return difference;
  }
  return Rational::made(a.big(), b.big(), '-');
}

Rational operator*(const Rational& a, const Rational& b) {
  Rational product;
  if (!a.big_ && !b.big_ &&
      multiply_words(a.top_, a.bottom_, b.top_, b.bottom_, Rational::kMost, product.top_,
                     product.bottom_)) {
    return product;
  }
  return Rational::made(a.big(), b.big(), '*');
}

Rational operator/(const Rational& a, const Rational& b) {
  if (b.sign() == 0) refuse_zero();
  Rational ratio;
  if (!a.big_ && !b.big_) {
    const bool negative = b.top_ < 0;
    if (multiply_words(negative ? -a.top_ : a.top_, a.bottom_, b.bottom_,
                       negative ? -b.top_ : b.top_, Rational::kMost, ratio.top_, ratio.bottom_)) {
      return ratio;
    }
  }
  return Rational::made(a.big(), b.big(), '/');
}

int Rational::sign() const {
  if (big_) return big_->top.sign();
  return (top_ > 0) - (top_ < 0);
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (a.sign() != b.sign()) return a.sign() <=> b.sign();
  if (!a.big_ && !b.big_) return Wide{a.top_} * b.bottom_ <=> Wide{b.top_} * a.bottom_;
  const Rational::Big left = a.big(), right = b.big();
  return mp::cpp_int(left.top * right.bottom).compare(mp::cpp_int(right.top * left.bottom)) <=> 0;
}

Integer numerator(const Rational& value) {
  return value.big_ ? Integer(Integer::Big{value.big_->top}) : Integer(value.top_);
}
Integer denominator(const Rational& value) {
  return value.big_ ? Integer(Integer::Big{value.big_->bottom}) : Integer(value.bottom_);
}

std::size_t Rational::bytes() const {
  return big_ ? (bits_of(big_->top) + bits_of(big_->bottom)) / 8 + sizeof(Big) : 0;
}

RationalMemory memory_of(const Rational& value) { return {value.bytes(), 0}; }

std::size_t hash_value(const Rational& value) { return std::hash<std::string>()(to_text(value)); }

double to_double(const Rational& value) {
  // The 53 first binary digits, as GMP cuts them; then the nearer one of that and its outward
  // neighbour.
  const mp::cpp_int top = mp::abs(numerator(value).big().value);
  const mp::cpp_int bottom = denominator(value).big().value;
  if (top == 0) return 0;
  constexpr int kDigits = 53;
  const int shift =
      kDigits + 1 - (static_cast<int>(bits_of(top)) - static_cast<int>(bits_of(bottom)));
  const mp::cpp_int scaled = shift > 0 ? mp::cpp_int(top << static_cast<unsigned>(shift)) : top;
  const mp::cpp_int divisor =
      shift < 0 ? mp::cpp_int(bottom << static_cast<unsigned>(-shift)) : bottom;
  const mp::cpp_int quotient = scaled / divisor;
  const int more = static_cast<int>(bits_of(quotient)) - kDigits;
  const mp::cpp_int digits = quotient >> static_cast<unsigned>(more);
  const double truncated =
      std::ldexp(static_cast<double>(digits.convert_to<std::int64_t>()), more - shift);
  const double near = value.sign() < 0 ? -truncated : truncated;
  if (!std::isfinite(near)) return near;
  const Rational error = value - exact(near);
  if (error.sign() == 0) return near;
  const double outward = std::nextafter(near, error.sign() > 0 ? HUGE_VAL : -HUGE_VAL);
  if (!std::isfinite(outward)) return near;
  const Rational other = exact(outward) - value;
  return abs(other) < abs(error) ? outward : near;
}

Rational exact(double value) { return Rational(value); }

}  // namespace speclab
