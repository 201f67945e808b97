#include "base/threshold.h"

#include "base/error.h"
#include "catch.h"

namespace speclab::threshold_test {
namespace {

Rational R(const char* text) { return parse_rational(text); }

/// -sum p ln p
LogSum<Rational> entropy(const std::vector<Rational>& law) {
  LogSum<Rational> sum;
  for (const Rational& share : law) sum.add(Rational(-share), share);
  return sum;
}

TEST_CASE("a tie in fractions is a tie in doubles") {
  CHECK(compare(R("7/10") - R("1/2"), R("1/5")) == 0);
  CHECK(0.7 - 0.5 < 0.2);  // rounding turns it over
  CHECK(compare(0.7 - 0.5, 0.2) == 0);
  CHECK(compare(0.2, 0.7 - 0.5) == 0);
  CHECK(compare(0.2 + 1e-12, 0.2) == 1);
  CHECK(compare(0.2 - 1e-12, 0.2) == -1);
  CHECK(compare(R("1/5") + R("1e-30"), R("1/5")) == 1);
  CHECK(compare(0.0, 0.0) == 0);
  CHECK(compare(0.0, 1e-300) == -1);
}

TEST_CASE("the interval of a sum of logarithms contains it and is narrow") {
  const auto sum = entropy({R("1/3"), R("1/3"), R("1/3")});
  // ln 3 = 1.098612288668109691395245236922...
  const Rational low = R("1.09861228866810969139"), high = R("1.09861228866810969140");
  CHECK(exact(sum.value()) - exact(sum.error()) < low);
  CHECK(exact(sum.value()) + exact(sum.error()) > high);
  CHECK(sum.error() < 1e-13);
  CHECK(sum.compare(R("1.0986122")) == 1);
  CHECK(sum.compare(R("1.0986123")) == -1);
  CHECK(sum.compare(R("109861228866811/100000000000000")) == std::nullopt);
}

TEST_CASE("an entropy of 0 has no error") {
  const auto sum = entropy({R("1")});
  CHECK(sum.value() == 0);
  CHECK(sum.error() == 0);
  CHECK(sum.compare(R("0")) == 0);
  CHECK(sum.compare(R("1e-100")) == -1);
  CHECK(sum.compare(R("-1e-100")) == 1);
  LogSum<Rational> divergence;  // of equal laws
  divergence.add(R("1/2"), R("1"));
  divergence.add(R("0"), R("1/7"));
  CHECK(divergence.compare(R("0")) == 0);
}

TEST_CASE("against 0, powers decide where the interval does not") {
  // ln(1/2) + H(1/2, 1/2) = 0: the threshold of typical acceptance at a uniform law.
  auto sum = entropy({R("1/2"), R("1/2")});
  sum.add(R("1"), R("1/2"));
  CHECK(sum.compare(R("0")) == 0);
  for (const char* near : {"1/2", "500000000000000001/1000000000000000000",
                           "499999999999999999/1000000000000000000"}) {
    auto moved = entropy({R("1/2"), R("1/2")});
    moved.add(R("1"), R(near));
    CHECK(moved.compare(R("0")) == compare(R(near), R("1/2")));
  }
  CHECK(sign_of_logarithms({{R("2/3"), R("8")}, {R("-1"), R("4")}}) == 0);
  CHECK(sign_of_logarithms({{R("2/3"), R("8")}, {R("-1"), R("5")}}) == -1);
  CHECK(sign_of_logarithms({{R("2/3"), R("8")}, {R("-1"), R("3")}}) == 1);
  CHECK(sign_of_logarithms({{R("-1/2"), R("1/9")}, {R("-1"), R("3")}}) == 0);
  // Too many digits to decide.
  CHECK(sign_of_logarithms({{R("1/4294967291"), R("1/3")}, {R("1/4294967279"), R("3")}}) ==
        std::nullopt);
  CHECK(sign_of_logarithms({{R("1/100003"), R("1/3")}, {R("1/100019"), R("3")}}) == std::nullopt);
}

TEST_CASE("in doubles a comparison that the interval does not decide is a tie") {
  LogSum<double> sum;
  for (int i = 0; i < 3; ++i) sum.add(-1.0 / 3, 1.0 / 3);
  CHECK(sum.compare(std::log(3.0)) == 0);
  CHECK(sum.compare(1.0986122) == 1);
  CHECK(sum.compare(1.0986123) == -1);
  sum.add(1.0, 1.0 / 3);
  CHECK(sum.compare(0.0) == 0);
}

TEST_CASE("a comparison that is not decided is refused, naming the place and the two values") {
  const auto sum = entropy({R("1/3"), R("1/3"), R("1/3")});
  const ThresholdPlace place{"fly", 7, "the entropy", "theta"};
  CHECK(decide(sum, R("1"), place) == 1);
  CHECK_THROWS_WITH(decide(sum, R("109861228866811/100000000000000"), place),
                    Containing("fly: at state 7, the entropy is 1.098612288668") &&
                        Containing("theta = 1.09861228866811"));
  CHECK_THROWS_AS(decide(sum, R("109861228866811/100000000000000"), place), InputError);
}

}  // namespace
}  // namespace speclab::threshold_test
