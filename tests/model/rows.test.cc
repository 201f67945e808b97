#include "model/rows.h"

#include "catch.h"
#include "model/families/json_law.h"
#include "model/normalise.h"
#include "model/registry.h"

namespace speclab::rows_test {

TEST_CASE("tables made in advance equal those made on demand") {
  for (const char* pair : {"markov(vocabulary=7,horizon=50,seed=10)", "tree(vocabulary=3,depth=4)",
                           "bernoulli(draft=1/3,target=2/3)"}) {
    CAPTURE(pair);
    const Rows<double> asked(make_pair(pair));
    for (State s = 0; s < asked.pair().states(); ++s) static_cast<void>(asked.table(s));
    for (const int threads : {1, 3}) {
      const Rows<double> ready(make_pair(pair));
      CHECK(ready.bytes() == 0);
      ready.make_tables(threads);
      CHECK(ready.bytes() == asked.bytes());
      for (State s = 0; s < asked.pair().states(); ++s) {
        const auto mine = ready.table(s).draft_alias().entries();
        const auto theirs = asked.table(s).draft_alias().entries();
        REQUIRE(mine.size() == theirs.size());
        for (std::size_t x = 0; x < mine.size(); ++x) {
          REQUIRE((mine[x].keep == theirs[x].keep && mine[x].other == theirs[x].other));
        }
        REQUIRE(ready.table(s).mass(1, 1, 0, ready.table(s).count_above(1, 1)) ==
                asked.table(s).mass(1, 1, 0, asked.table(s).count_above(1, 1)));
      }
      CHECK(ready.bytes() == asked.bytes());
    }
  }
}

TEST_CASE("a pair of many states makes its tables on demand") {
  const Rows<double> rows(make_pair("markov(vocabulary=64,horizon=70,seed=1)"));
  rows.make_tables(2);
  CHECK(rows.bytes() == 0);
  static_cast<void>(rows.table(5));
  CHECK(rows.bytes() > 0);
}

TEST_CASE("the state after a token is the pair's, looked up or not") {
  for (const char* text :
       {"bernoulli(draft=1/3,target=2/3)", "tree(vocabulary=3,depth=4)",
        "markov(vocabulary=7,horizon=50,seed=10)", "markov(vocabulary=120,horizon=80,seed=1)"}) {
    const Rows<double> rows(make_pair(text));
    const Pair& pair = rows.pair();
    CAPTURE(text, pair.states());
    for (State s = 0; s < pair.states(); ++s) {
      for (Token x = 0; x < pair.vocabulary(); ++x) REQUIRE(rows.next(s, x) == pair.next(s, x));
    }
  }
}

TEST_CASE("the index has a place for the rows and the table of every state") {
  // A chain of 120 tokens over 80 steps: next states are not looked up.
  const Rows<double> rows(make_pair("markov(vocabulary=120,horizon=80,seed=1)"));
  CHECK(rows.index_bytes() >= 2 * rows.pair().states() * sizeof(void*));
  CHECK(rows.index_bytes() < 5 * rows.pair().states() * sizeof(void*));
}

TEST_CASE("weights are divided by their sum, whatever it is") {
  for (const int size : {1, 2, 3, 4}) {
    std::vector<Rational> fractions(static_cast<std::size_t>(size), Rational(1));
    std::vector<double> doubles(fractions.size(), 1.0);
    normalise(std::span(fractions));
    normalise(std::span(doubles));
    for (std::size_t i = 0; i < fractions.size(); ++i) {
      CHECK(fractions[i] == Rational(1, size));
      CHECK(doubles[i] == 1.0 / size);
    }
  }
}

TEST_CASE("an object may have a key of one inside it") {
  CHECK(parse_json(R"({"a": {"b": 1}, "b": 2})", "text").at("b") == 2);
}

}  // namespace speclab::rows_test
