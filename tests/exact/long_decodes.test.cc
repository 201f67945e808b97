// Long decodes of chains in fractions, and the sums that they are made of.
#include <map>
#include <utility>

#include "base/gathered.h"
#include "catch.h"
#include "toy.h"

namespace speclab::long_decodes_test {
namespace {

struct Expected {
  Rational calls;
  Rational rejections;
};

/// Token verification as a walk over (position, drafts left in the iteration, state), one token a
/// step: accepted with min(d, t), corrected with [t - d]+, a bonus token with t.
Expected by_steps(const Rows<Rational>& rows, int gamma, int horizon) {
  using Place = std::pair<int, State>;
  std::map<Place, Rational> layer;
  for (const Start& start : rows.pair().start()) layer[{-1, start.state}] += start.probability;
  Expected sums{0, 0};
  for (int n = 0; n < horizon; ++n) {
    std::map<Place, Rational> after;
    for (const auto& [place, mass] : layer) {
      const bool begins = place.first < 0;
      if (begins) sums.calls += mass;
      const int left = begins ? std::min(gamma, horizon - n) : place.first;
      for (Token x = 0; x < rows.vocabulary(); ++x) {
        const State next = rows.next(place.second, x);
        const Rational& d = rows.draft(place.second)[static_cast<std::size_t>(x)];
        const Rational& t = rows.target(place.second)[static_cast<std::size_t>(x)];
        if (left == 0) {
          after[{-1, next}] += mass * t;
          continue;
        }
        after[{left - 1, next}] += mass * std::min(d, t);
        const Rational corrected = mass * positive_part<Rational>(t - d);
        sums.rejections += corrected;
        after[{-1, next}] += corrected;
      }
    }
    layer = std::move(after);
  }
  return sums;
}

TEST_CASE("a long decode of a chain in fractions is the walk token by token") {
  // The laws after 16 tokens have more factors than are worth one denominator.
  for (const auto& [pair, gamma, horizon] :
       {std::tuple{"markov(vocabulary=2,horizon=50,seed=1)", 4, 50},
        std::tuple{"markov(vocabulary=3,horizon=20,seed=2)", 3, 20},
        std::tuple{"markov(vocabulary=16,horizon=2,seed=3)", 1, 2}}) {
    CAPTURE(pair);
    const Rows<Rational> rows(make_pair(pair));
    const Expected expected = by_steps(rows, gamma, horizon);
    const auto found =
        run_exact(make_verifier("token"), rows, {.lengths = {.gamma = gamma, .horizon = horizon}});
    CHECK(found.at(QuantityId::decode_tokens) == horizon);
    CHECK(found.at(QuantityId::target_calls) == expected.calls);
    CHECK(found.at(QuantityId::rejections) == expected.rejections);
  }
}

TEST_CASE("long decodes in doubles are those in fractions") {
  const PairPointer pair = make_pair("markov(vocabulary=2,horizon=50,seed=1)");
  const Rows<Rational> rows(pair);
  const Rows<double> near(pair);
  for (const char* verifier : {"token", "block", "rrs(K=2)"}) {
    CAPTURE(verifier);
    const auto exact =
        run_exact(make_verifier(verifier), rows, {.lengths = {.gamma = 4, .horizon = 50}});
    const auto rounded =
        run_exact(make_verifier(verifier), near, {.lengths = {.gamma = 4, .horizon = 50}});
    CHECK(exact.at(QuantityId::decode_tokens) == 50);
    for (const QuantityId id : {QuantityId::target_calls, QuantityId::rejections,
                                QuantityId::draft_steps, QuantityId::acceptance_length}) {
      CHECK(std::abs(to_double(exact.at(id)) - rounded.at(id)) < 1e-11);
    }
  }
}

TEST_CASE("a sum of fractions is theirs however it is reduced") {
  Rational expected;
  UnreducedSum sum;
  for (long i = 1; i <= 200; ++i) {
    // 1/(i (i + 1)) = 1/i - 1/(i + 1): all but two of the factors cancel.
    for (const Rational& term : {Rational(1L, i), Rational(-1L, i + 1)}) {
      expected += term;
      sum += UnreducedSum(term);
    }
    CHECK(sum.reduced() == expected);
  }
  CHECK(sum.reduced() == Rational(200, 201));
  const UnreducedSum third(Integer(2L), Integer(6L));
  CHECK((third * UnreducedSum(Rational(3, 4))).reduced() == Rational(1, 4));
}

TEST_CASE("one denominator is refused where it would be far longer than each fraction's own") {
  OneDenominator few;
  for (const Rational& value : {Rational(1, 6), Rational(3, 4), Rational(5, 9)}) few.include(value);
  REQUIRE(few.worth());
  CHECK(few.bottom() == Integer(36L));
  CHECK(few.top(Rational(5, 9)) == Integer(20L));
  OneDenominator many;
  for (unsigned i = 0; i < 100; ++i) many.include(Rational(Integer(1L), pow(Integer(2L), 100) + i));
  CHECK_FALSE(many.worth());
}

}  // namespace
}  // namespace speclab::long_decodes_test
