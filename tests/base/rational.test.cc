#include "base/rational.h"

#include <string>

#include "base/error.h"
#include "catch.h"

namespace speclab::rational_test {
namespace {

TEST_CASE("parse_rational reads whole numbers, decimals and fractions exactly") {
  CHECK(parse_rational("3") == 3);
  CHECK(parse_rational("-3") == -3);
  CHECK(parse_rational("+3") == 3);
  CHECK(parse_rational("2/6") == Rational(1, 3));
  CHECK(parse_rational("-2/6") == Rational(-1, 3));
  CHECK(parse_rational("0.25") == Rational(1, 4));
  CHECK(parse_rational(".1") == Rational(1, 10));
  CHECK(parse_rational("1.") == 1);
  CHECK(parse_rational("2.5e-3") == Rational(1, 400));
  CHECK(parse_rational("1e3") == 1000);
  CHECK(parse_rational("0.1") != exact(0.1));
  CHECK(parse_rational("0007/0014") == Rational(1, 2));
}

TEST_CASE("parse_rational refuses what is not a number, in one line that shows it") {
  for (const std::string text :
       {"",    "-",   "a",   "1/",      "/2",           "1/-2",          "--1",          "1.2.3",
        ".",   "e5",  "1e",  "1e99999", "1e9999999999", "1e-2147483648", "1e2147483647", "0x10",
        "inf", "nan", "1 2", "1/2/3"}) {
    INFO(text);
    CHECK_THROWS_AS(parse_rational(text), InputError);
  }
  CHECK_THROWS_WITH(parse_rational("1/0"), Containing("'1/0' divides by zero"));
  CHECK_THROWS_WITH(parse_rational("half"), Containing("'half' is not a number"));
}

TEST_CASE("to_text writes lowest terms and reads back") {
  CHECK(to_text(Rational(22, 18)) == "11/9");
  CHECK(to_text(Rational(6, 2)) == "3");
  CHECK(to_text(Rational(-1, 4)) == "-1/4");
  const Rational value = parse_rational("123456789012345678901/987654321");
  CHECK(parse_rational(to_text(value)) == value);
}

TEST_CASE("to_double rounds to the nearest double and exact undoes it") {
  CHECK(to_double(Rational(1, 3)) == 1.0 / 3.0);
  CHECK(to_double(Rational(2, 3)) == 2.0 / 3.0);
  CHECK(to_double(Rational(-2, 3)) == -2.0 / 3.0);
  for (int bottom = 1; bottom < 200; ++bottom) {
    CHECK(to_double(Rational(7, bottom)) == 7.0 / bottom);  // IEEE division rounds to nearest
  }
  for (const double value : {0.0, 0.1, 1e-300, 5e-324, 1e300, -2.5}) {
    CHECK(to_double(exact(value)) == value);
  }
  CHECK(exact(0.5) == Rational(1, 2));
}

TEST_CASE("from_rational, positive_part and min_one serve both arithmetics") {
  CHECK(from_rational<Rational>(Rational(1, 3)) == Rational(1, 3));
  CHECK(from_rational<double>(Rational(1, 3)) == 1.0 / 3.0);
  CHECK(positive_part(Rational(-1, 3)) == 0);
  CHECK(positive_part(0.25) == 0.25);
  CHECK(min_one(Rational(4, 3)) == 1);
  CHECK(min_one(0.25) == 0.25);
  CHECK(arithmetic_name<Rational>() == "rational");
  CHECK(arithmetic_name<double>() == "double");
}

}  // namespace
}  // namespace speclab::rational_test
