// Claims held on one pair of the user's own.
#include "claims/engine/own_pair.h"

#include "catch.h"
#include "model/registry.h"

namespace speclab::own_pair_test {
namespace {

constexpr ClaimContext kQuick{.effort = Effort::quick};

const ClaimRow& claim(const std::string& id) { return *select_claims({id}).front(); }

Comparisons never(const Instance&) {
  return {{"one against two", Rational(1), Order::equal, Rational(2)}};
}
Comparisons always(const Instance&) {
  return {{"one against one", Rational(1), Order::equal, Rational(1)}};
}

ClaimRow planted(Check check) {
  ClaimRow row{};
  row.id = "planted";
  row.check = check;
  return row;
}

TEST_CASE("a true claim holds on a pair of the user's, with its comparisons counted") {
  for (const char* pair :
       {"iid(draft=[2/3,1/3],target=[1/3,2/3])", "iid(draft=[3/7,4/7],target=[2/5,3/5])",
        "tree(vocabulary=2,depth=4,seed=77)"}) {
    CAPTURE(pair);
    const OwnPairOutcome found = check_on_pair(claim("sun2025.theorem1"), make_pair(pair), kQuick);
    REQUIRE(found.result);
    CHECK(found.result->verdict == ClaimVerdict::holds);
    CHECK(found.result->comparisons > 0);
    for (const Evidence& evidence : found.result->evidence) {
      CHECK(evidence.pair == make_pair(pair)->name());
    }
    CHECK_FALSE(found.differs());
  }
}

TEST_CASE("a claim that is false as printed is violated by a pair that shows it, and by no other") {
  const ClaimRow& multiple = claim("yin2024.theorem4.multiple");
  const OwnPairOutcome shows =
      check_on_pair(multiple, make_pair("iid(draft=[1,0],target=[1/2,1/2])"), kQuick);
  REQUIRE(shows.result);
  CHECK(shows.result->verdict != ClaimVerdict::holds);
  CHECK_FALSE(shows.differs());
  const OwnPairOutcome other =
      check_on_pair(multiple, make_pair("iid(draft=[1/2,1/4,1/4],target=[1/5,2/5,2/5])"), kQuick);
  REQUIRE(other.result);
  CHECK(other.result->verdict == ClaimVerdict::holds);
}

TEST_CASE("a pair that refutes what is on record as true differs") {
  ClaimRow row = planted(never);
  row.places = {BatteryShape{.gammas = 1}};
  const PairPointer pair = make_pair("iid(draft=[2/3,1/3],target=[1/3,2/3])");
  CHECK(check_on_pair(row, pair, kQuick).differs());
  CHECK(check_on_pair(row, pair, kQuick).result->instances == 1);
  row.recorded = ClaimVerdict::refuted;
  CHECK_FALSE(check_on_pair(row, pair, kQuick).differs());
  row.recorded = ClaimVerdict::holds_with_correction;
  row.correction.statement = "when corrected";
  row.correction.check = always;
  CHECK_FALSE(check_on_pair(row, pair, kQuick).differs());
  CHECK(check_on_pair(row, pair, kQuick).result->verdict == ClaimVerdict::holds_with_correction);
  row.correction.check = never;
  const OwnPairOutcome neither = check_on_pair(row, pair, kQuick);
  CHECK(neither.differs());
  // Each reading has its own line of evidence.
  REQUIRE(neither.result->evidence.size() == 2);
  CHECK(neither.result->evidence[0].detail.starts_with("violated, gamma=1: "));
  CHECK(neither.result->evidence[1].detail.starts_with("as corrected: violated, gamma=1: "));
}

TEST_CASE("a claim that is searched without context alone is asked of pairs with context") {
  const PairPointer pair = make_pair(
      "automaton(draft=[[1/2,1/2],[1,0],[1/3,2/3]],target=[[1/3,2/3],[1/2,1/2],[1,0]],"
      "next=[[1,2],[0,1],[2,0]],start=0)");
  for (const char* id : {"sun2025.lemma5", "sun2025.equation24", "sun2025.appendixA",
                         "sun2025.sectionC1.greedy-ahead"}) {
    CAPTURE(id);
    const OwnPairOutcome found = check_on_pair(claim(id), pair, kQuick);
    REQUIRE(found.result);
    CHECK(found.result->comparisons > 0);
    CHECK_FALSE(found.differs());
  }
}

TEST_CASE("what is said of one position is asked of the state in which a pair begins") {
  const PairPointer pair = make_pair(
      "automaton(draft=[[1,0],[1/2,1/2]],target=[[0,1],[1/2,1/2]],next=[[0,0],[1,1]],start=1)");
  for (const char* id : {"miao2023.sample-match.acceptance", "miao2023.acceptance",
                         "yin2024.theorem5", "khisti2025.optimal", "holsman2025.fuzzy.line",
                         "speclab.recycle.acceptance", "speclab.spechub.acceptance"}) {
    CAPTURE(id);
    const OwnPairOutcome found = check_on_pair(claim(id), pair, kQuick);
    REQUIRE(found.result);
    CHECK(found.result->verdict == ClaimVerdict::holds);
    CHECK(found.result->comparisons > 0);
    CHECK_FALSE(found.differs());
  }
}

TEST_CASE("the common tokens of a draft are taken of pairs that have filters of their own") {
  for (const char* pair :
       {"bernoulli(draft=2/3,target=1/3,draft-vocabulary=[0,1])",
        "iid(draft=[1/2,1/4,1/4],target=[1/5,4/5,0],draft-vocabulary=[0,2],eos=1)"}) {
    CAPTURE(pair);
    const OwnPairOutcome found = check_on_pair(claim("timor2025.tli"), make_pair(pair), kQuick);
    REQUIRE(found.result);
    CHECK(found.result->verdict == ClaimVerdict::holds);
    CHECK(found.result->comparisons == 2);
  }
}

TEST_CASE("what two requests share is asked of pairs that begin in one context") {
  for (const char* id :
       {"speclab.batch.own-confidence", "speclab.batch.early-stop", "speclab.batch.best-budget",
        "speclab.batch.one-peak", "speclab.batch.products-fixed", "speclab.batch.products-best"}) {
    CAPTURE(id);
    const OwnPairOutcome several =
        check_on_pair(claim(id), make_pair("markov(vocabulary=2,horizon=4,seed=1)"), kQuick);
    CHECK_FALSE(several.result);
    CHECK_THAT(several.unasked, Containing("begins in several"));
    CHECK(check_on_pair(claim(id), make_pair("tree(vocabulary=2,depth=3,seed=4)"), kQuick).result);
  }
}

TEST_CASE("a check that would list too many cases is not made, and says how many they are") {
  struct Row {
    const char* id;
    const char* pair;
    const char* reason;
  };
  for (const auto& [id, pair, reason] : {
           Row{"yin2024.lemma1", "uniform(draft=20,target=10)", "3486784401 rules"},
           Row{"yin2024.figure4.region", "uniform(draft=64,target=40)", "over 1e15 rules"},
           Row{"lin2026.equation1.one-kernel", "uniform(draft=6,target=6)", "31757969376 kernels"},
           Row{"lin2026.equation1.one-kernel", "uniform(draft=60,target=60)", "595665 laws"},
           Row{"lin2026.lemma5.1",
               "automaton(draft=[[2/3,1/3,0,0],[1/4,3/4,0,0],[1/2,1/2,0,0]],target=[[1/3,2/3,0,0],"
               "[1/4,1/4,1/4,1/4],[1/4,1/4,1/4,1/4]],next=[[1,2,1,1],[1,2,1,1],[1,2,1,1]],start=0)",
               "1835008 pairs of kernels"},
           Row{"speclab.batch.own-confidence", "uniform(draft=8,target=8)",
               "1073741824 pairs of texts"},
           Row{"speclab.argmax.entropy",
               "iid(draft=[0.3333333333333333,0.6666666666666667],"
               "target=[0.3333333333333333,0.6666666666666667])",
               "over 1e15 factors in a power"},
       }) {
    CAPTURE(id, pair);
    const OwnPairOutcome found = check_on_pair(claim(id), make_pair(pair), kQuick);
    CHECK_FALSE(found.result);
    CHECK_THAT(found.unasked, Containing(reason));
    CHECK_THAT(found.unasked, Containing("over the limit of"));
  }
}

TEST_CASE("a claim is asked at the lengths at which its check stays within its limit") {
  const OwnPairOutcome found =
      check_on_pair(claim("sun2024.lemma1"), make_pair("uniform(draft=64,target=32)"), kQuick);
  REQUIRE(found.result);
  CHECK(found.result->verdict == ClaimVerdict::holds);
  CHECK(found.result->instances == 1);
}

TEST_CASE("what is said along the target's texts counts the repeated end-of-sequence token") {
  const PairPointer pair = make_pair("bernoulli(draft=2/3,target=1/3,eos=1)");
  for (const char* id :
       {"speclab.text-identity.marginal-product", "speclab.text-identity.overlap-product"}) {
    CAPTURE(id);
    const OwnPairOutcome found = check_on_pair(claim(id), pair, kQuick);
    REQUIRE(found.result);
    CHECK(found.result->verdict == ClaimVerdict::holds_with_correction);
    CHECK_FALSE(found.differs());
    REQUIRE_FALSE(found.result->evidence.empty());
    CHECK_THAT(found.result->evidence.front().detail, Containing("11/9 > 32/27"));
  }
}

TEST_CASE("an iteration is judged from the state in which a pair begins, not from state 0") {
  // From state 0 the first token is wrong, so that the claim would say nothing.
  const OwnPairOutcome found =
      check_on_pair(claim("engines.stop-own-drop.first-token"),
                    make_pair("automaton(draft=[[1/4,3/4],[2/3,1/3]],target=[[3/4,1/4],[1/3,2/3]],"
                              "next=[[0,0],[1,1]],start=1)"),
                    kQuick);
  REQUIRE(found.result);
  CHECK(found.result->verdict == ClaimVerdict::refuted);
  CHECK_THAT(found.result->evidence.front().detail, Containing("2/27 > 0"));
}

TEST_CASE("a threshold that depends on the entropy is that of a pair with many tokens") {
  for (const char* pair : {"uniform(draft=6,target=6)", "uniform(draft=7,target=8)",
                           "iid(draft=[1/4,1/12,1/6,1/12,1/4,1/6],"
                           "target=[19/100,19/100,19/100,19/100,3/25,3/25])"}) {
    for (const char* id : {"engines.typical-match", "engines.typical-path"}) {
      CAPTURE(pair, id);
      const OwnPairOutcome found = check_on_pair(claim(id), make_pair(pair), kQuick);
      REQUIRE(found.result);
      CHECK(found.result->verdict == ClaimVerdict::holds);
      CHECK_FALSE(found.differs());
    }
  }
}

TEST_CASE("a claim on two tokens is asked of no pair of three") {
  // On it gumbel-list(K=2) accepts less often than rrs(K=2): 439/520 against 17/20.
  const OwnPairOutcome three =
      check_on_pair(claim("rowan2025.two-tokens"),
                    make_pair("iid(draft=[1/2,1/4,1/4],target=[1/5,2/5,2/5])"), kQuick);
  CHECK_FALSE(three.result);
  CHECK_FALSE(three.differs());
  CHECK_THAT(three.unasked, Containing("V <= 2"));
  const OwnPairOutcome two = check_on_pair(claim("rowan2025.two-tokens"), make_pair(kToy), kQuick);
  REQUIRE(two.result);
  CHECK(two.result->verdict == ClaimVerdict::holds);
}

TEST_CASE("a claim that cannot be asked of a pair says why") {
  const PairPointer toy = make_pair("iid(draft=[2/3,1/3],target=[1/3,2/3])");
  const PairPointer tree = make_pair("tree(vocabulary=2,depth=3,seed=4)");
  const auto why = [](const ClaimRow& row, const PairPointer& pair) {
    const OwnPairOutcome found = check_on_pair(row, pair, kQuick);
    CHECK_FALSE(found.result);
    CHECK_FALSE(found.differs());
    return found.unasked;
  };
  ClaimRow row = planted(always);
  row.places = {NamedPair{"iid(draft=[1],target=[1])", 1}};
  CHECK_THAT(why(row, toy), Containing("instances of its own"));
  row.places = {BatteryShape{.contexts = false}};
  CHECK_THAT(why(row, tree), Containing("without context"));
  row.places = {SearchSpace{.gammas = 1, .memoryless = true}};
  CHECK_THAT(why(row, tree), Containing("without context"));
  row.places = {SearchSpace{.gammas = 1}};
  CHECK_THAT(why(row, make_pair("markov(vocabulary=2,horizon=3,seed=1)")),
             Containing("begins in several"));
  row.places = {BatteryShape{.gammas = 1}};
  CHECK_THAT(why(row, make_pair("zipf(vocabulary=10000,draft=1,target=2)")), Containing("large"));
  const Filter nothing{"pigs fly", [](const Instance&) { return false; }};
  row.places = {Place(BatteryShape{}).only(nothing)};
  CHECK_THAT(why(row, toy), Containing("pigs fly"));
  row.places = {BatteryShape{}};
  row.check = [](const Instance&) { return Comparisons{}; };
  CHECK_THAT(why(row, toy), Containing("says nothing"));
}

}  // namespace
}  // namespace speclab::own_pair_test
