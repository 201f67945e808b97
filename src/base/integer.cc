#include "base/integer.h"

#include <stdexcept>

#include "base/error.h"
#include "base/text.h"

namespace speclab {
namespace {

void check_divisor(const Integer& value) {
  if (value.sign() == 0) throw std::overflow_error("Division by zero.");
}

}  // namespace

Integer::Integer(std::string_view digits) : Integer() {
  const bool plus = digits.starts_with('+');
  const bool has_sign = plus || digits.starts_with('-');
  // GMP refuses a plus sign and skips white space.
  if (!all_digits(digits.substr(has_sign ? 1 : 0)) ||
      mpz_set_str(&value_, std::string(digits.substr(plus ? 1 : 0)).c_str(), 10) != 0) {
    throw InputError("'" + abbreviate(digits) + "' is not a whole number");
  }
}

Integer& Integer::operator=(const Integer& other) {
  mpz_set(&value_, &other.value_);
  return *this;
}

Integer& Integer::operator+=(const Integer& other) {
  mpz_add(&value_, &value_, &other.value_);
  return *this;
}

Integer& Integer::operator-=(const Integer& other) {
  mpz_sub(&value_, &value_, &other.value_);
  return *this;
}

Integer& Integer::operator*=(const Integer& other) {
  mpz_mul(&value_, &value_, &other.value_);
  return *this;
}

Integer& Integer::operator/=(const Integer& other) {
  check_divisor(other);
  mpz_tdiv_q(&value_, &value_, &other.value_);
  return *this;
}

Integer& Integer::operator%=(const Integer& other) {
  check_divisor(other);
  mpz_tdiv_r(&value_, &value_, &other.value_);
  return *this;
}

Integer gcd(const Integer& a, const Integer& b) {
  Integer result;
  mpz_gcd(&result.value_, &a.value_, &b.value_);
  return result;
}

Integer lcm(const Integer& a, const Integer& b) {
  Integer result;
  mpz_lcm(&result.value_, &a.value_, &b.value_);
  return result;
}

Integer pow(const Integer& base, unsigned exponent) {
  Integer result;
  mpz_pow_ui(&result.value_, &base.value_, exponent);
  return result;
}

std::size_t Integer::bits() const { return sign() == 0 ? 0 : mpz_sizeinbase(&value_, 2); }

std::string Integer::str() const {
  std::string text(mpz_sizeinbase(&value_, 10) + 2, '\0');
  mpz_get_str(text.data(), 10, &value_);
  text.resize(text.find('\0'));
  return text;
}

}  // namespace speclab
