// The prover's arithmetic against fractions, and what it records.
#include "prove/number.h"

#include <initializer_list>
#include <random>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "catch.h"
#include "prove/condition_text.h"
#include "prove/equalities.h"

namespace speclab::number_test {
namespace {

/// The parameters of these tests: x, y, z at 1/3, 2/5, 3/2.
const std::vector<Rational> kPoint{Rational(1, 3), Rational(2, 5), Rational(3, 2)};

struct Fixture {
  Functions functions{3};
  CellRun run{functions, Sample{kPoint}, {}};
  CurrentRun current{run};
  Number x = Number::of(run.parameter(0));
  Number y = Number::of(run.parameter(1));
  Number z = Number::of(run.parameter(2));
};

TEST_CASE("equal functions are one number however they are made") {
  Fixture f;
  CHECK(((f.x + f.y) * (f.x + f.y)).function() ==
        (f.x * f.x + 2 * f.x * f.y + f.y * f.y).function());
  CHECK((f.x / f.y * f.y).function() == f.x.function());
  CHECK(((f.x * f.x - f.y * f.y) / (f.x - f.y)).function() == (f.x + f.y).function());
  CHECK((f.x - f.x).function() == Functions::kZeroFunction);
  CHECK((f.x * f.y).function() != (f.x * f.z).function());
  CHECK((f.x + 1).function() != f.x.function());
  CHECK(f.functions.error_bound() < 1e-40);
}

/// A random expression in both arithmetics.
void check_random(Fixture& f, std::mt19937_64& engine) {
  std::vector<std::pair<Number, Rational>> made{
      {f.x, kPoint[0]}, {f.y, kPoint[1]}, {f.z, kPoint[2]}, {Number(2), Rational(2)}};
  for (int i = 0; i < 12; ++i) {
    const auto [a, u] = made[engine() % made.size()];
    const auto [b, v] = made[engine() % made.size()];
    const auto kind = engine() % 4;
    if (kind == 0) made.emplace_back(a + b, u + v);
    if (kind == 1) made.emplace_back(a - b, u - v);
    if (kind == 2) made.emplace_back(a * b, u * v);
    if (kind == 3 && v != 0) made.emplace_back(a / b, u / v);
  }
  for (const auto& [number, value] : made) {
    CHECK(f.run.value(number.function()) == value);
    const Factored factored = f.functions.factored(number.function());
    const Polynomial above = f.functions.factors().numerator(factored);
    const Polynomial below = f.functions.factors().denominator(factored);
    const std::span<const Rational> point(kPoint);
    CHECK(above.at(point) / below.at(point) == value);
  }
}

TEST_CASE("values at the sample and polynomial forms agree with fractions") {
  std::mt19937_64 engine(11);
  for (int i = 0; i < 60; ++i) {
    Fixture f;
    check_random(f, engine);
  }
}

TEST_CASE("residues are those of the fractions") {
  std::mt19937_64 engine(5);
  const std::uint64_t prime = RandomResidue::prime_of(0);
  const auto residue = [prime](const Rational& value) {
    return RandomResidue::of(numerator(value), prime) /
           RandomResidue::of(denominator(value), prime);
  };
  std::vector<RandomResidue> point;
  for (const Rational& value : kPoint) point.push_back(residue(value));
  Polynomial polynomial = Polynomial::constant(Integer(-7));
  for (int i = 0; i < 20; ++i) {
    const Polynomial parameter = Polynomial::parameter(engine() % 3);
    polynomial = polynomial * parameter + Polynomial::constant(Integer(static_cast<long>(i) - 9));
    CHECK(polynomial.at(std::span<const RandomResidue>(point)) ==
          residue(polynomial.at(std::span<const Rational>(kPoint))));
  }
  CHECK(residue(2) - residue(3) == residue(-1));
  CHECK(residue(Rational(-1, 2)) * residue(2) == residue(Rational(Integer(prime - 1))));
  for (std::size_t field = 0; field < RandomResidue::kFields; ++field) {
    for (int i = 0; i < 100; ++i) {
      const RandomResidue a = RandomResidue::random(field);
      const RandomResidue b = RandomResidue::random(field);
      CHECK(a / b * b == a);
    }
  }
  CHECK_THROWS_AS(residue(Rational(Integer(1), Integer(prime))), std::domain_error);
}

TEST_CASE("random primes are primes of 61 binary digits and differ") {
  std::set<std::uint64_t> primes;
  for (std::size_t field = 0; field < RandomResidue::kFields; ++field) {
    const std::uint64_t prime = RandomResidue::prime_of(field);
    CHECK(prime >> 60 == 1);
    CHECK(mpz_probab_prime_p(Integer(prime).raw(), 40) != 0);
    primes.insert(prime);
  }
  CHECK(primes.size() == RandomResidue::kFields);
  CHECK_FALSE(primes.contains((std::uint64_t{1} << 61) - 1));
}

TEST_CASE("constants are distinguished whatever a known prime makes of them") {
  Fixture f;
  const Rational prime(Integer((std::uint64_t{1} << 61) - 1));
  for (const Rational& value : {prime, Rational(1 + prime), Rational(1 / prime),
                                Rational(1 / (1 + prime)), Rational(1 - 2 * prime)}) {
    CAPTURE(to_text(value));
    const Function made = Number(value).function();
    CHECK(made != Functions::kZeroFunction);
    CHECK(made != Functions::kOneFunction);
    CHECK(f.functions.factored(made).coefficient == value);
    CHECK((f.x + Number(prime) * f.y).function() != f.x.function());
  }
  CHECK(f.functions.error_bound() < 1e-40);
  // A number of a million binary digits may have thousands of the primes among
  // its divisors.
  const double before = f.functions.error_bound();
  Number(Rational(pow(Integer(2), 1'000'000)));
  CHECK(f.functions.error_bound() > 1e6 * before);
  CHECK(f.functions.error_bound() < 1e-20);
}

TEST_CASE("a comparison is recorded once and only where it depends on the pair") {
  Fixture f;
  CHECK(f.x < f.y);
  CHECK(f.run.records().size() == 1);
  CHECK(f.run.records()[0].taken.signs == kNegative);
  CHECK(f.run.records()[0].others == kNotNegative);
  CHECK_FALSE(f.y < f.x);
  CHECK(2 * f.x < 2 * f.y);
  CHECK(f.x + f.z < f.y + f.z);
  CHECK((f.x - f.y) / (f.x - f.y) == Number(1));
  CHECK(f.run.records().size() == 1);
  CHECK(f.x * f.z < f.y * f.z);  // z > 0 is not known
  CHECK(f.run.records().size() == 2);
  CHECK(f.run.records()[1].taken.signs == kPositive);
}

TEST_CASE("a maximum records nothing where its sign is known") {
  Fixture f;
  const Number gap = f.y - f.x;
  CHECK(positive_part<Number>(gap).function() == gap.function());
  CHECK(f.run.records().size() == 1);
  CHECK(f.run.records()[0].others == kPositive);  // of x - y
  CHECK(positive_part<Number>(gap).function() == gap.function());
  CHECK(positive_part<Number>(Number(0) - gap).function() == Functions::kZeroFunction);
  CHECK(min_one<Number>(Number(1) - gap).function() == (Number(1) - gap).function());
  CHECK(min_one<Number>(Number(1) + gap).function() == Functions::kOneFunction);
  CHECK(f.run.records().size() == 1);
}

TEST_CASE("dividing by what is 0 here is no number and rounding is refused") {
  Fixture f;
  CHECK_THROWS_AS(f.x / (3 * f.x - 1), DividedByZero);
  CHECK(f.run.records().back().taken.signs == kZero);
  CHECK_THROWS_AS(to_double(f.x), InputError);
  CHECK_THROWS_AS(LogSum<Number>().add(f.x, f.y), InputError);
}

TEST_CASE("signs of sums and products") {
  CHECK(sum_signs(kPositive, kNotNegative) == kPositive);
  CHECK(sum_signs(kNotNegative, kNotNegative) == kNotNegative);
  CHECK(sum_signs(kPositive, kNegative) == kAnySign);
  CHECK(sum_signs(kZero, kNegative) == kNegative);
  CHECK(product_signs(kNegative, kNotNegative) == kNotPositive);
  CHECK(product_signs(kNonzero, kPositive) == kNonzero);
  CHECK(product_signs(kZero, kAnySign) == kZero);
  CHECK(negated(kNotPositive) == kNotNegative);
}

TEST_CASE("division without a remainder") {
  const Polynomial x = Polynomial::parameter(0);
  const Polynomial y = Polynomial::parameter(1);
  const Polynomial sum = x + y;
  const Polynomial difference = x - y;
  CHECK((sum * difference).divided_by(sum) == difference);
  CHECK_FALSE((sum * difference + x).divided_by(sum));
  CHECK_FALSE(x.divided_by(Integer(2) * x));
}

TEST_CASE("a point is moved onto equalities and along a line where none is linear") {
  Factors factors;
  const Polynomial d = Polynomial::parameter(0);
  const Polynomial t = Polynomial::parameter(1);
  const Factor conic = factors.enter(d * d + d * t + t * t - (d + t));
  const Factor line = factors.enter(d - t);
  std::vector<Rational> point{Rational(1, 3), Rational(1, 2)};
  CHECK(move_onto(std::vector<Condition>{{conic, kZero}}, factors, point));
  CHECK(point == std::vector<Rational>{Rational(10, 19), Rational(15, 19)});
  CHECK(move_onto(std::vector<Condition>{{line, kZero}}, factors, point));
  CHECK(point[0] == point[1]);
  CHECK_FALSE(meets(std::vector<Condition>{{line, kPositive}}, factors, point));
}

TEST_CASE("conditions read back as they are written") {
  const AllPairs family(Contexts::tree, 3, 1);
  Factors factors;
  for (const Condition& condition : family.ordered(factors)) {
    const std::string text = condition_text(family, factors, condition);
    CHECK(parse_condition(family, factors, text) == condition);
  }
  const Condition made = parse_condition(family, factors, "2*draft()[0]^3*target(1)[0] - 1 != 0");
  CHECK(condition_text(family, factors, made) == "2*draft()[0]^3*target(1)[0] - 1 != 0");
  CHECK_THROWS_AS(parse_condition(family, factors, "2*nobody - 1 = 0"), InputError);
  CHECK_THROWS_AS(parse_condition(family, factors, "draft()[0]"), InputError);
  CHECK_THROWS_AS(parse_condition(family, factors, "2*draft()[0] - 2 = 0"), InputError);
  const Condition square = parse_condition(family, factors, "draft()[0]*draft()[0]^2 - 1 > 0");
  CHECK(condition_text(family, factors, square) == "draft()[0]^3 - 1 > 0");
}

void check_refused(const AllPairs& family, Factors& factors,
                   std::initializer_list<const char*> texts) {
  for (const char* text : texts) {
    CAPTURE(text);
    CHECK_THROWS_AS(parse_condition(family, factors, text), InputError);
  }
}

TEST_CASE("a product of probabilities has the sum of their exponents or is refused") {
  const AllPairs family(Contexts::iid, 2, 1);
  Factors factors;
  check_refused(family, factors,
                {"draft[0]^2junk > 0", "draft[0]^ > 0", "draft[0]^0 > 0", "draft[0]^-1 > 0",
                 "draft[0]^256 > 0", "draft[0]^99999999999999999999 > 0", "draft[0]^4294967297 > 0",
                 "draft[0]^200*draft[0]^56 > 0", "2*draft[0]* - 1 > 0", "*draft[0] > 0",
                 "2**draft[0] - 1 > 0"});
  const Condition read = parse_condition(family, factors, "draft[0]^200*3*draft[0]^55 - 1 > 0");
  CHECK(condition_text(family, factors, read) == "3*draft[0]^255 - 1 > 0");
}

TEST_CASE("a text is read as a condition whole or refused") {
  const AllPairs family(Contexts::iid, 2, 1);
  Factors factors;
  check_refused(
      family, factors,
      {"", "0", "> 0", "draft[0] >", "draft[0] > 1", "draft[0] - target[0] >= 1", "draft[0] > 0 0",
       "draft[0] > 0 and more", "draft[0] > 0 + 1", "draft[0] target[0] > 0",
       "draft[0] - - target[0] > 0", "- draft[0] > 0", "draft[0] + > 0", "draft[0] => 0", "1 > 0"});
  CHECK(parse_condition(family, factors, "draft[0] - target[0] >= 0").signs == kNotNegative);
}

}  // namespace
}  // namespace speclab::number_test
