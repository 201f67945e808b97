// The arithmetic of whole and rational numbers, against GMP's own.
#include <gmp.h>

#include <random>
#include <stdexcept>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "base/integer.h"
#include "base/rational.h"
#include "catch.h"

namespace speclab::arithmetic_test {
namespace {

/// Numbers of one word and of several, small ones and such as overflow a word when multiplied.
std::vector<Rational> numbers() {
  std::mt19937_64 engine(5);
  std::vector<Rational> result{0, 1, -1, 2, Rational(1, 2), Rational(-7, 3)};
  for (const unsigned bits : {2U, 5U, 16U, 31U, 33U, 61U, 62U, 63U, 64U}) {
    for (int i = 0; i < 4; ++i) {
      const std::uint64_t top = engine() >> (64 - bits), bottom = (engine() >> (64 - bits)) | 1U;
      result.emplace_back(top, bottom);
      result.push_back(-Rational(bottom, top | 1U));
      result.emplace_back(top);
    }
  }
  for (int i = 0; i < 8; ++i) {
    result.push_back(parse_rational(std::to_string(engine()) + std::to_string(engine()) + "/" +
                                    std::to_string(engine()) + std::to_string(engine() | 1U)));
    result.push_back(Rational(1) / result.back());
  }
  return result;
}

/// The text of a result of GMP.
std::string gmp(void (*operation)(mpq_ptr, mpq_srcptr, mpq_srcptr), const Rational& a,
                const Rational& b) {
  mpq_t result;
  mpq_init(result);
  operation(result, a.raw(), b.raw());
  std::string text(
      mpz_sizeinbase(mpq_numref(result), 10) + mpz_sizeinbase(mpq_denref(result), 10) + 3, '\0');
  mpq_get_str(text.data(), 10, result);
  mpq_clear(result);
  return text.substr(0, text.find('\0'));
}

/// How many of the results of each operator on a and b, of all its forms, are not GMP's.
int differing(const Rational& a, const Rational& b) {
  int wrong = 0;
  const auto check = [&](const Rational& value, const std::string& expected) {
    wrong += to_text(value) == expected ? 0 : 1;
  };
  const auto changed = [&](auto change) {
    Rational value = a;
    change(value);
    return value;
  };
  const std::string sum = gmp(mpq_add, a, b), difference = gmp(mpq_sub, a, b),
                    product = gmp(mpq_mul, a, b);
  check(a + b, sum);
  check(Rational(a) + b, sum);
  check(changed([&](Rational& x) { x += b; }), sum);
  check(a - b, difference);
  check(Rational(a) - b, difference);
  check(changed([&](Rational& x) { x -= b; }), difference);
  check(a * b, product);
  check(Rational(a) * b, product);
  check(changed([&](Rational& x) { x *= b; }), product);
  if (b != 0) {
    const std::string ratio = gmp(mpq_div, a, b);
    check(a / b, ratio);
    check(Rational(a) / b, ratio);
    check(changed([&](Rational& x) { x /= b; }), ratio);
  }
  const int order = mpq_cmp(a.raw(), b.raw());
  wrong += ((a < b) == (order < 0) && (a == b) == (order == 0) && (a >= b) == (order >= 0)) ? 0 : 1;
  return wrong;
}

TEST_CASE("sums, products and comparisons of rational numbers are those of GMP") {
  const std::vector<Rational> all = numbers();
  int wrong = 0;
  for (const Rational& a : all) {
    for (const Rational& b : all) wrong += differing(a, b);
  }
  CHECK(wrong == 0);
}

TEST_CASE("a rational number may be both operands and the result") {
  for (const Rational& a : numbers()) {
    Rational value = a;
    const Rational& itself = value;
    value -= itself;
    CHECK(value == 0);
    value = a;
    value += itself;
    CHECK(value == a * 2);
    value = a;
    value *= itself;
    CHECK(value == a * a);
    if (a == 0) continue;
    value = a;
    value /= itself;
    CHECK(value == 1);
  }
}

TEST_CASE("rational numbers are copied, moved, assigned and negated") {
  for (const Rational& a : numbers()) {
    for (const Rational& b : {Rational(0), Rational(5), Rational(2, 7), exact(1e300)}) {
      Rational copy(a), assigned(b), moved(b);
      assigned = a;
      moved = std::move(copy);
      CHECK(assigned == a);
      CHECK(moved == a);
      CHECK(-(-a) == a);
      CHECK(abs(-a) == abs(a));
      CHECK(a.sign() == -(-a).sign());
    }
  }
}

TEST_CASE("whole numbers and doubles become rational numbers exactly") {
  CHECK(to_text(Rational(std::numeric_limits<std::int64_t>::min())) == "-9223372036854775808");
  CHECK(to_text(Rational(std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615");
  CHECK(Rational(6, -4) == Rational(-3, 2));
  CHECK(Rational(0.75) == Rational(3, 4));
  CHECK_THROWS_AS(Rational(1, 0), std::overflow_error);
  CHECK_THROWS_AS(Rational(1) / Rational(0), std::overflow_error);
  CHECK(numerator(Rational(-6, 4)) == -3);
  CHECK(denominator(Rational(-6, 4)) == 2);
  CHECK(Rational(Integer("6"), Integer("-4")) == Rational(-3, 2));
}

TEST_CASE("equal rational numbers have one hash, and others nearly never") {
  std::unordered_set<Rational> seen;
  for (const Rational& a : numbers()) {
    seen.insert(a);
    CHECK(std::hash<Rational>{}(a) == std::hash<Rational>{}(a * 6 / 6));
  }
  std::unordered_set<std::size_t> hashes;
  for (const Rational& a : seen) hashes.insert(std::hash<Rational>{}(a));
  CHECK(hashes.size() == seen.size());
}

TEST_CASE("whole numbers of any size") {
  const Integer large("-123456789012345678901234567890");
  CHECK(large.str() == "-123456789012345678901234567890");
  CHECK((large * large - large * large).sign() == 0);
  CHECK((large + 1 - large).str() == "1");
  CHECK((large / 7 * 7 + large % 7) == large);
  CHECK((Integer(-7) / 2).signed_value() == -3);  // towards 0
  CHECK((Integer(-7) % 2).signed_value() == -1);
  CHECK(gcd(Integer(12), Integer(18)) == 6);
  CHECK(lcm(Integer(4), Integer(6)) == 12);
  CHECK(pow(Integer(10), 20).str() == "100000000000000000000");
  CHECK(abs(large) > large);
  CHECK(Integer(0).bits() == 0);
  CHECK(Integer(255).bits() == 8);
  CHECK(Integer(256).bits() == 9);
  CHECK(Integer(std::numeric_limits<std::uint64_t>::max()).unsigned_value() ==
        std::numeric_limits<std::uint64_t>::max());
  CHECK_THROWS_AS(Integer(1) / 0, std::overflow_error);
}

TEST_CASE(
    "a whole number is read from decimal digits, perhaps with a sign, and from nothing else") {
  CHECK(Integer("5") == 5);
  CHECK(Integer("+5") == 5);
  CHECK(Integer("-5") == -5);
  CHECK(Integer("-0") == 0);
  CHECK(Integer("007") == 7);
  for (const std::string wrong :
       {"", "+", "-", "+-5", "--5", "- 5", " 5", "5 ", "1 2", "12x", "0x1", "1.0"}) {
    INFO(wrong);
    CHECK_THROWS_AS(Integer(wrong), InputError);
  }
}

}  // namespace
}  // namespace speclab::arithmetic_test
