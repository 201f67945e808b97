#include "model/registry.h"

#include <set>

#include "message_of.h"
#include "model/lengths.h"
#include "pairs.h"

namespace speclab::registry_test {
namespace {

TEST_CASE("every family is described, and its example works") {
  std::set<std::string_view> names;
  for (const PairFamily& family : pair_families()) {
    INFO(family.name);
    CHECK(names.insert(family.name).second);
    CHECK_FALSE(family.parameters.empty());
    CHECK_FALSE(family.source.empty());
    CHECK_FALSE(family.prose.empty());
    CHECK(family.prose.find('\n') == std::string_view::npos);
    if (family.example.empty()) continue;
    CHECK(parse_spec(family.example).name == family.name);
    check_pair(*make_pair(family.example));
  }
  CHECK(names.size() >= 8);
}

TEST_CASE("iterations may take every position of a pair and none beyond") {
  const PairPointer chain = make_pair("markov(vocabulary=2,horizon=6,seed=1)");
  CHECK_NOTHROW(check_lengths(*chain, {.gamma = 2, .horizon = 6, .iterations = 2}));
  CHECK_THROWS_WITH(check_lengths(*chain, {.gamma = 2, .horizon = 6, .iterations = 3}),
                    Containing("3 iterations of up to 3 tokens need 9 positions"));
  CHECK_THROWS_WITH(check_lengths(*chain, {.gamma = 2, .horizon = 7, .iterations = 0}),
                    Containing("a horizon of 7 is over the 6 positions"));
}

TEST_CASE("every family takes eos, which makes that token absorbing in both models") {
  for (const PairFamily& family : pair_families()) {
    if (family.example.empty()) continue;
    const PairPointer plain = make_pair(family.example);
    const std::string example(family.example);
    const PairPointer ending = make_pair(example.substr(0, example.size() - 1) + ",eos=1)");
    check_pair(*ending);
    CHECK(ending->end_token() == 1);
    CHECK(ending->name() == plain->name().substr(0, plain->name().size() - 1) + ",eos=1)");
    CHECK(plain->name().find("eos") == std::string::npos);
    CHECK_FALSE(plain->end_token());
    REQUIRE(ending->states() == plain->states() + 1);
    CHECK((laws_at<Rational>(*ending, 0) == laws_at<Rational>(*plain, 0)));
    CHECK(ending->next(0, 0) == plain->next(0, 0));
    const State ended = ending->next(0, 1);
    const auto laws = laws_at<Rational>(*ending, ended);
    CHECK(laws.draft[1] == 1);
    CHECK(laws.target[1] == 1);
    for (const Token x : {0, 1}) CHECK(ending->next(ended, x) == ended);
  }
  CHECK_THROWS_WITH(make_pair("bernoulli(draft=1/2,target=1/3,eos=2)"),
                    Containing("eos=2 must be a whole number from 0 to 1"));
}

TEST_CASE("bad spec texts are refused with the place and what to write") {
  const auto refused = [](const std::string& text, const std::string& message) {
    INFO(text.substr(0, 100));
    const std::string said = message_of([&] { make_pair(text); });
    CHECK_THAT(said, Containing(message));
    CHECK(said.find('\n') == std::string::npos);
    CHECK(said.size() < 500);
  };
  refused("bernouli(draft=1/2,target=1/3)", "did you mean 'bernoulli'?");
  refused("bernouli", "there is no pair family 'bernouli'; the families are ");
  refused("nothing-like-it", "the families are bernoulli, uniform, iid");
  refused("", "a name is expected");
  refused("bernoulli(draft=1/2)", "the parameter target is missing; add target=");
  refused("bernoulli(draft=3/2,target=1/3)", "draft=3/2 is out of range");
  refused("bernoulli(draft=1/2,target=-1/3)", "target=-1/3 is out of range");
  refused("bernoulli(draft=1/0,target=1/3)", "'1/0' divides by zero");
  refused("bernoulli(draft=x,target=1/3)", "draft: 'x' is not a number");
  refused("bernoulli(draft=1/2,target=1/3,seed=4)", "unknown parameter 'seed'; it takes draft");
  refused("bernoulli(draft=1/2,target=1/3,eso=1)", "did you mean 'eos'?");
  refused("uniform(draft=0,target=4)", "draft=0 must be a whole number from 1");
  refused("iid(draft=[1/2,0.499],target=[1/2,1/2])", "draft sums to 999/1000, not to 1");
  refused("iid(draft=[1/2,1/2],target=[-1/2,3/2])", "target, token 0: -1/2 is not a probability");
  refused("iid(draft=[1/2,1/2],target=[1])", "draft has 2 entries and target 1");
  refused("iid(draft=[],target=[])", "draft=[] is empty");
  refused("zipf(vocabulary=0,draft=1,target=1)", "vocabulary=0 must be a whole number from 1");
  refused("zipf(vocabulary=9,draft=1,target=-1)", "target=-1 is out of range");
  refused("markov(vocabulary=0)", "vocabulary=0 must be");
  refused("markov(horizon=0)", "horizon=0 must be");
  refused("markov(vocabulary=4096,horizon=1000)", "lower horizon or vocabulary");
  refused("tree(vocabulary=2,depth=40)", "lower depth or vocabulary");
  refused("tree(vocabulary=2,depth=2,denominator=0)", "denominator=0 must be");
  refused("ngram(draft=1)", "the parameter text is missing");
  refused("file()", "the parameter path is missing");
  refused("bernoulli(draft=" + std::string(1'000'000, '1') + ",target=0)", "bytes long");
}

}  // namespace
}  // namespace speclab::registry_test
