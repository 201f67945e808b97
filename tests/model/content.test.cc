#include "model/content.h"

#include <set>
#include <vector>

#include "base/error.h"
#include "catch.h"
#include "model/carries/power_law.h"
#include "model/registry.h"
#include "model/state_table.h"
#include "model/view.h"
#include "scratch.h"
#include "stops.h"
#include "system/interrupt_scope.h"

namespace speclab::content_test {
namespace {

std::uint64_t digest(const std::string& pair) { return content_digest(*make_pair(pair)); }

TEST_CASE("a pair has one content under any name") {
  const std::uint64_t toy = digest("bernoulli(draft=2/3,target=1/3)");
  CHECK(digest("iid(draft=[1/3,2/3],target=[2/3,1/3])") == toy);
  CHECK(digest("iid(draft=[2/6,4/6],target=[4/6,2/6])") == toy);
  const Scratch scratch;
  const auto file = [&](const char* name, const char* first) {
    return "file(" +
           scratch.write(name, std::string(R"({"vocabulary":2,"kind":"iid","draft":[")") + first +
                                   R"(","2/3"],"target":["4/6","1/3"]})") +
           ")";
  };
  CHECK(digest(file("a.json", "1/3")) == toy);
  CHECK(digest(file("other.json", "2/6")) == toy);
  // A chain with equal rows is still a chain of states, all equivalent.
  CHECK(digest("uniform(draft=2,target=2)") == digest("iid(draft=[1/2,1/2],target=[1/2,1/2])"));
}

TEST_CASE("everything that a decode depends on is part of the content") {
  const std::vector<std::string> pairs{"bernoulli(draft=2/3,target=1/3)",
                                       "bernoulli(draft=1/3,target=2/3)",
                                       "bernoulli(draft=2/3,target=1/4)",
                                       "bernoulli(draft=2/3,target=1/3,eos=1)",
                                       "bernoulli(draft=2/3,target=1/3,eos=0)",
                                       "iid(draft=[1/3,2/3,0],target=[2/3,1/3,0])",
                                       "markov(vocabulary=2,horizon=3,seed=10)",
                                       "markov(vocabulary=2,horizon=4,seed=10)",
                                       "markov(vocabulary=2,horizon=3,seed=11)",
                                       "tree(vocabulary=2,depth=2,seed=1,denominator=12)",
                                       "tree(vocabulary=2,depth=3,seed=1,denominator=12)"};
  std::set<std::uint64_t> digests;
  for (const std::string& pair : pairs) digests.insert(digest(pair));
  CHECK(digests.size() == pairs.size());
  // The prompts' law, on one automaton.
  const Scratch scratch;
  const auto chain = [&](const char* prompt) {
    return digest(
        "file(" +
        scratch.write("chain.json", std::string(R"({"vocabulary":2,"kind":"chain","prompt":)") +
                                        prompt +
                                        R"(,"draft":[["1/2","1/2"],["1/4","3/4"]],)"
                                        R"("target":[["1/3","2/3"],["1/5","4/5"]]})") +
        ")");
  };
  CHECK(chain(R"(["1/2","1/2"])") != chain(R"(["1/3","2/3"])"));
}

TEST_CASE("making the rows of a large vocabulary is interruptible") {
  const PairPointer exact = make_pair("uniform(draft=2,target=1000)");
  const PairPointer doubles = make_pair("zipf(vocabulary=1000,draft=1,target=1.1)");
  std::vector<double> draft(1000), target(1000);
  std::vector<Rational> exact_draft(1000), exact_target(1000);
  exact->rows(0, draft, target);
  const InterruptScope scope;
  raise_interrupt();
  CHECK_THROWS_AS(exact->rows(0, draft, target), Error);
  CHECK_THROWS_AS(doubles->rows(0, exact_draft, exact_target), Error);
  CHECK_THROWS_AS(content_digest(*doubles), Error);
  CHECK_THROWS_AS(StateTable(draft, target, true), Error);
}

TEST_CASE("raising a row of fractions to a power is interruptible") {
  const Rows<Rational> rows(make_pair("uniform(draft=1000,target=999)"));
  const Laws<Rational> laws = laws_at(rows, 0);
  CHECK_NOTHROW(PowerLaw<Rational>(laws, Rational(1, 2), 3));
  const InterruptScope scope;
  raise_interrupt();
  CHECK(stops([&] { PowerLaw<Rational>(laws, Rational(1, 2), 3); }));
}

}  // namespace
}  // namespace speclab::content_test
