// Combinations of polynomials and remainders, and the answers of the solver that rest on them.
#include "prove/ideal.h"

#include <random>

#include "catch.h"
#include "proofs.h"
#include "prove/equalities.h"
#include "prove/solver.h"

namespace speclab::ideal_test {
namespace {

const Polynomial kX = Polynomial::parameter(0);
const Polynomial kY = Polynomial::parameter(1);

Polynomial number(int value) { return Polynomial::constant(Integer(value)); }

/// Coefficients from -2 to 2 for the products of x and y up to a degree.
Polynomial random_polynomial(int degree, std::mt19937_64& engine) {
  Polynomial sum;
  Polynomial row = number(1);
  for (int i = 0; i <= degree; ++i) {
    Polynomial product = row;
    for (int j = 0; i + j <= degree; ++j) {
      sum = sum + Integer(static_cast<int>(engine() % 5) - 2) * product;
      product = product * kY;
    }
    row = row * kX;
  }
  return sum;
}

/// The factor of a polynomial in lowest terms, entered whole; none for a constant.
std::optional<Factor> entered(Polynomial polynomial, Factors& factors) {
  if (polynomial.is_constant()) return std::nullopt;
  polynomial.divide_by(polynomial.content());
  return factors.enter(polynomial);
}

TEST_CASE("a polynomial is a combination of others where it is one") {
  const Polynomial zeros[] = {kX + kY, kX * kX - number(1)};
  CHECK(is_combination(kX * kY + number(1), zeros));
  CHECK(is_combination(Integer(3) * kX + Integer(3) * kY, zeros));
  CHECK_FALSE(is_combination(kX * kY, zeros));  // -1 at (1, -1)
  CHECK_FALSE(is_combination(kX + number(1), zeros));
  const Polynomial double_zero[] = {kX * kX};
  CHECK_FALSE(is_combination(kX, double_zero));  // zero there, and no combination
  const Polynomial halves[] = {Integer(2) * kX};
  CHECK(is_combination(kX, halves));  // 1/2 of it
  CHECK_FALSE(is_combination(number(1), halves));
}

TEST_CASE("random combinations are found, and what differs at a common zero is none") {
  std::mt19937_64 engine(5);
  int whole = 0;
  for (int i = 0; i < 60; ++i) {
    // Both are zero at (0, 0).
    const Polynomial zeros[] = {kX * random_polynomial(2, engine) + kY,
                                kY * random_polynomial(2, engine) + kX * kX};
    const Polynomial sum =
        random_polynomial(3, engine) * zeros[0] + random_polynomial(3, engine) * zeros[1];
    if (sum.degree() < 6) continue;  // its highest terms may be gone, and with them the promise
    ++whole;
    CHECK(is_combination(sum, zeros));
    CHECK_FALSE(is_combination(sum + number(1), zeros));
    CHECK_FALSE(is_combination(kX * sum + number(2), zeros));
  }
  CHECK(whole > 30);
}

TEST_CASE("a remainder has the polynomial's value where the equality holds") {
  std::mt19937_64 engine(6);
  // x = y^2 + 1, of which no x is left, and 2 x = y^2, where y^2 has the coefficient -1.
  for (const int c : {1, 2}) {
    const Polynomial zero = Integer(c) * kX - (kY * kY + number(2 - c));
    for (int i = 0; i < 60; ++i) {
      Factors factors;
      const auto equality = entered(zero, factors);
      const auto other = entered(random_polynomial(4, engine) + kY * kY * kY * kX, factors);
      REQUIRE(other);
      const Condition conditions[] = {{*other, kPositive}, {*equality, kZero}};
      const auto rests = remainders(conditions, factors);
      CHECK_FALSE(rests.contains(*equality));
      REQUIRE(rests.contains(*other));
      const Polynomial& rest = rests.at(*other);
      CHECK(rest.degree_in(c == 1 ? 0 : 1) < c);
      for (int y = -3; y <= 3; ++y) {
        const std::vector<Rational> point{Rational(y * y + 2 - c, c), Rational(y)};
        const std::span<const Rational> there(point);
        CHECK(rest.at(there) == factors[*other].at(there));
      }
    }
  }
  CHECK((kX * kX * kY - number(1)).monic_in() == std::nullopt);
  CHECK((kX * kY + kX).monic_in() == std::nullopt);
  CHECK((Integer(2) * kX + kY * kY).monic_in() == std::optional<std::size_t>(1));
}

/// Checks an answer at the points of a grid, and the point where there is one.
void check_answer(const std::vector<Condition>& conditions, const Factors& factors,
                  std::map<Solver::Answer, int>& answers) {
  constexpr int kUnits = 12;
  const auto solver = make_solver(2);
  Sample sample{{Rational(1, 3), Rational(1, 5)}};
  const Solver::Answer answer = solver->find(conditions, factors, sample, 10);
  ++answers[answer];
  for (const Condition& condition : conditions) {
    if (answer != Solver::Answer::found) break;
    const Signs there = sample.signs ? sample.signs(condition.factor)
                                     : sign_of(factors[condition.factor].at(sample.point));
    CHECK(within(there, condition.signs));
  }
  for (int x = 0; x <= kUnits; ++x) {
    for (int y = 0; y <= kUnits; ++y) {
      const std::vector<Rational> point{Rational(x, kUnits), Rational(y, kUnits)};
      if (meets(conditions, factors, point)) CHECK(answer == Solver::Answer::found);
    }
  }
}

TEST_CASE("the solver's points meet the conditions, and where it finds none a grid has none") {
  std::mt19937_64 engine(7);
  std::map<Solver::Answer, int> answers;
  for (int i = 0; i < 150; ++i) {
    Factors factors;
    std::vector<Condition> conditions;
    for (const Polynomial& law : {kX, kY}) {
      conditions.push_back({factors.enter(law), kNotNegative});
      conditions.push_back({*entered(law - number(1), factors), kNotPositive});
    }
    for (int k = 0; k < 4; ++k) {
      const auto factor = entered(random_polynomial(2, engine), factors);
      constexpr Signs kWanted[] = {kZero, kPositive, kNotNegative, kNegative};
      if (factor) conditions.push_back({*factor, kWanted[k < i % 3 ? 0 : engine() % 3 + 1]});
    }
    check_answer(conditions, factors, answers);
  }
  CHECK(answers[Solver::Answer::found] > 30);
  CHECK(answers[Solver::Answer::none] > 30);
  CHECK(answers[Solver::Answer::unknown] == 0);
}

TEST_CASE("greedy-block with three drafts and spectr-coupled with two are proved (long)") {
  for (const auto& [verifier, gamma] : {std::pair{"greedy-block", 3}, {"spectr-coupled(K=2)", 2}}) {
    CAPTURE(verifier);
    Prover prover(theorem_of(verifier, Contexts::iid, 2, gamma), {});
    finish(prover);
    CHECK(prover.verdict() == TheoremVerdict::proved);
  }
}

}  // namespace
}  // namespace speclab::ideal_test
