#include "model/content.h"

#include <set>

#include "catch.h"
#include "model/registry.h"
#include "scratch.h"

namespace speclab {
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
  // A chain that always goes to the same rows is still a chain of states that differ in nothing.
  CHECK(digest("uniform(draft=2,target=2)") == digest("iid(draft=[1/2,1/2],target=[1/2,1/2])"));
}

TEST_CASE("whatever a decode can see is part of the content") {
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

}  // namespace
}  // namespace speclab
