// The best scheduler of two requests that share a budget.
#include "theory/batch_schedule.h"

#include "catch.h"
#include "model/registry.h"

namespace speclab::batch_schedule_test {
namespace {

Rational most(const std::string& pair, int gamma, int budget) {
  const Rows<Rational> rows(make_pair(pair));
  return BestSchedule<Rational>(rows, gamma).accepted(0, 0, budget).value();
}

const std::string kContexts =
    "automaton(draft=[[1/2,1/2],[3/4,1/4]],target=[[1/4,3/4],[1/2,1/2]],next=[[0,1],[1,0]],start="
    "0)";

TEST_CASE("one admitted token is accepted with the sum of min(d, t), all with both decodes'") {
  const std::string toy = "bernoulli(draft=2/3,target=1/3)";
  CHECK(most(toy, 2, 0) == 0);
  CHECK(most(toy, 2, 1) == Rational(2, 3));
  // 2/3 + 4/9 of each.
  CHECK(most(toy, 2, 4) == 2 * Rational(10, 9));
  CHECK(most(toy, 2, 9) == most(toy, 2, 4));
  CHECK(most(toy, 1, 2) == Rational(4, 3));
}

TEST_CASE("the second token goes where its acceptance is likelier, given the first") {
  const Rows<Rational> rows(make_pair(kContexts));
  const auto overlap = [&](State state) {
    Rational sum(0);
    for (std::size_t x = 0; x < 2; ++x) {
      sum += std::min(rows.draft(state)[x], rows.target(state)[x]);
    }
    return sum;
  };
  Rational found = overlap(0);
  for (Token x = 0; x < 2; ++x) {
    const auto i = static_cast<std::size_t>(x);
    const Rational kept = std::min(Rational(1), Rational(rows.target(0)[i] / rows.draft(0)[i]));
    found += rows.draft(0)[i] * std::max(overlap(0), Rational(kept * overlap(rows.next(0, x))));
  }
  CHECK(most(kContexts, 2, 2) == found);
  CHECK(found > overlap(0) + Rational(1, 2));
}

TEST_CASE("each of two requests stands in a state of its own") {
  // From state 0 a draft is accepted with 1/2, then for ever; from state 3 with 3/5, then never.
  const Rows<Rational> rows(make_pair(
      "automaton(draft=[[1,0],[1,0],[1,0],[1,0]],target=[[1/2,1/2],[1,0],[0,1],[3/5,2/5]],"
      "next=[[1,1],[1,1],[2,2],[2,2]],start=0)"));
  BestSchedule<Rational> best(rows, 2);
  CHECK(best.accepted(0, 3, 1).value() == Rational(3, 5));
  CHECK(best.accepted(0, 3, 2).value() == Rational(11, 10));
  CHECK(best.accepted(0, 0, 2).value() == 1);
}

TEST_CASE("a scheduler that knows too many places has no optimum") {
  const Rows<double> rows(make_pair("zipf(vocabulary=64,draft=1,target=1.1)"));
  CHECK_FALSE(BestSchedule<double>(rows, 8).accepted(0, 0, 8).has_value());
}

}  // namespace
}  // namespace speclab::batch_schedule_test
