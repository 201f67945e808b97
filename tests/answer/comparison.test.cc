#include "answer/comparison.h"

#include "answer/rows.h"
#include "catch.h"
#include "made_answer.h"

namespace speclab::comparison_test {
namespace {

Verdict verdict(const Value& value, double predicted, Relation relation,
                std::optional<Rational> exact = std::nullopt) {
  return compare(answer_with(value), {"claim", QuantityId::expected_accepted, std::nullopt,
                                      predicted, std::move(exact), relation})
      .verdict;
}

TEST_CASE(
    "fractions must be equal, doubles may differ by rounding, estimates within least and most") {
  const Value third = value_of(Rational(1, 3));
  CHECK(verdict(third, 1.0 / 3, Relation::equals, Rational(1, 3)) == Verdict::agrees);
  const Rational near = Rational(1, 3) + Rational(1, 1'000'000'000'000);
  CHECK(verdict(third, to_double(near), Relation::equals, near) == Verdict::differs);
  CHECK(verdict(third, to_double(near), Relation::equals) == Verdict::agrees);
  CHECK(verdict(third, to_double(near), Relation::at_most, near) == Verdict::bound_holds);
  CHECK(verdict(third, to_double(near), Relation::at_least, near) == Verdict::bound_missed);
  CHECK(verdict(value_of(0.5), 0.5 + 1e-8, Relation::equals) == Verdict::differs);
  CHECK(verdict(estimated(1, 0.1), 1.39, Relation::equals) == Verdict::agrees);
  CHECK(verdict(estimated(1, 0.1), 1.41, Relation::equals) == Verdict::differs);
  CHECK(verdict(estimated(1, 0.1), 0.59, Relation::at_most) == Verdict::bound_missed);
  CHECK(verdict(estimated(1, 0.1), 2, Relation::at_least) == Verdict::bound_missed);
}

TEST_CASE("an estimate's own ends decide, not its standard error") {
  // 0 standard error, and room below only; a little room above and much below.
  const Value sure = value_of(Estimate{1, 0, 0.9, 1, 0.8, 1});
  CHECK(verdict(sure, 0.85, Relation::equals) == Verdict::agrees);
  CHECK(verdict(sure, 0.75, Relation::equals) == Verdict::differs);
  CHECK(verdict(sure, 1 + 1e-6, Relation::equals) == Verdict::differs);
  const Value skew = value_of(Estimate{1, 0.1, 0.5, 1.05, 0.2, 1.1});
  CHECK(verdict(skew, 0.3, Relation::at_least) == Verdict::bound_holds);
  CHECK(verdict(skew, 0.3, Relation::equals) == Verdict::agrees);
  CHECK(verdict(skew, 1.2, Relation::equals) == Verdict::differs);
  CHECK(verdict(skew, 1.2, Relation::at_least) == Verdict::bound_missed);
  CHECK(verdict(skew, 0.1, Relation::at_most) == Verdict::bound_missed);
}

TEST_CASE("z is printed where there is a standard error, and otherwise why not") {
  const auto compared = [](double error, QuantityId id) {
    return compare(answer_with(estimated(1, error)),
                   {"claim", id, std::nullopt, 1.2, {}, Relation::equals});
  };
  const Comparison good = compared(0.1, QuantityId::expected_accepted);
  CHECK(good.z.value() == Approx(-2));
  CHECK(!compared(0, QuantityId::expected_accepted).z);
  CHECK(compared(0, QuantityId::expected_accepted).z_missing == "the standard error is 0");
  const Comparison none = compared(0.1, QuantityId::rejections);
  CHECK(none.verdict == Verdict::not_compared);
  CHECK(!none.z_missing.empty());
}

TEST_CASE("a closed form speaks of one element of a list") {
  Answer answer = empty_answer();
  answer.found.add_list(QuantityId::accepted_tail,
                        {value_of(Rational(2, 3)), value_of(Rational(5, 9))});
  const auto verdict_at = [&](int index) {
    return compare(answer, {"claim", QuantityId::accepted_tail, index, 5.0 / 9, Rational(5, 9),
                            Relation::equals})
        .verdict;
  };
  CHECK(verdict_at(1) == Verdict::differs);
  CHECK(verdict_at(2) == Verdict::agrees);
  CHECK(verdict_at(3) == Verdict::not_compared);
}

TEST_CASE("rows carry the equality beside the number, and bounds stand by themselves") {
  Answer answer = answer_with(value_of(Rational(11, 9)));
  const auto say = [&](const char* claim, const Rational& value, Relation relation) {
    answer.predictions.push_back(
        {claim, QuantityId::expected_accepted, std::nullopt, to_double(value), value, relation});
  };
  say("first", Rational(11, 9), Relation::equals);
  say("second", Rational(4, 3), Relation::equals);
  say("bound", Rational(4, 3), Relation::at_most);
  const auto rows = rows_of(answer);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].method == "exact");
  CHECK(rows[0].predicted_exact == Rational(11, 9));
  CHECK(rows[0].claim == "first");
  CHECK(rows[0].verdict == "agrees");
  CHECK(rows[1].method == "closed-form");
  CHECK(rows[1].exact == Rational(4, 3));
  CHECK(rows[1].verdict == "differs");
  CHECK(rows[2].method == "bound");
  CHECK_FALSE(rows[2].predicted.has_value());
  CHECK(rows[2].verdict == "bound holds");
  CHECK(rows[2].relation == "at_most");
}

}  // namespace
}  // namespace speclab::comparison_test
