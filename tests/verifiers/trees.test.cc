// The spec texts of the rules that verify a draft tree.
#include <string>

#include "base/error.h"
#include "base/spec.h"
#include "catch.h"
#include "verifiers/biased/typical_match.h"
#include "verifiers/chain/match_with_stop.h"
#include "verifiers/several/naive_tree.h"
#include "verifiers/several/one_hot.h"
#include "verifiers/several/rrs_without.h"
#include "verifiers/several/sglang.h"
#include "verifiers/several/spechub.h"
#include "verifiers/several/target_only.h"
#include "verifiers/several/traversal.h"

namespace speclab::trees_test {
namespace {

/// The canonical form of a spec text, or the message with which it is refused.
template <class Program>
std::string read_as(const std::string& text) {
  try {
    const Spec parsed = parse_spec(text);
    SpecReader spec(parsed);
    Program::read(spec);
    spec.finish();
    return spec.canonical();
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST_CASE("tree rules: canonical forms") {
  CHECK(read_as<Sglang>("sglang(acc=0.75,single=3/10,draw=top,tree=2-1)") ==
        "sglang(tree=2-1,draw=top,single=3/10,acc=3/4)");
  CHECK(read_as<Sglang>("sglang(K=2)") == "sglang(K=2,single=1,acc=1)");
  CHECK(read_as<RecursiveWithout>("rrs-without(tree=3-2)") == "rrs-without(tree=3-2,draw=without)");
  CHECK(read_as<TraversalWithout>("traversal-without(tree=2,draw=without)") ==
        "traversal-without(tree=2,draw=without)");
}

TEST_CASE("SpecHub has pairs of drafts") {
  CHECK(read_as<SpecHub>("spechub(K=2)") == "spechub(K=2)");
  CHECK(read_as<SpecHub>("spechub(tree=2-1-2)") == "spechub(tree=2-1-2,draw=without)");
  for (const char* drafts : {"K=3", "tree=3", "tree=2-3", "ranks=[[0],[1]]"}) {
    CHECK_THAT(read_as<SpecHub>(std::string("spechub(") + drafts + ")"),
               Containing("at most two children"));
  }
}

TEST_CASE("shapes of trees that are drawn without replacement") {
  CHECK(read_as<RecursiveWithout>("rrs-without(ranks=[[0],[1]])") ==
        "rrs-without(ranks=[[0],[1]])");
  CHECK(read_as<TraversalWithout>("traversal-without(depth=2,nodes=3,grow=sequoia)") ==
        "traversal-without(grow=sequoia,nodes=3,depth=2,width=3)");
  CHECK(read_as<TargetOnly>("target-only(ranks=[[0],[1]],draw=without)") ==
        "target-only(ranks=[[0],[1]],draw=without)");
  CHECK(read_as<TargetOnly>("target-only(ranks=[[0],[1]])") == "target-only(ranks=[[0],[1]])");
}

TEST_CASE("rules that draw in one way take ranks with that way written, and with no other") {
  CHECK(read_as<RecursiveWithout>("rrs-without(ranks=[[0],[1]],draw=without)") ==
        "rrs-without(ranks=[[0],[1]],draw=without)");
  CHECK(read_as<TraversalWithout>("traversal-without(draw=without,ranks=[[0],[1]])") ==
        "traversal-without(ranks=[[0],[1]],draw=without)");
  CHECK_THAT(read_as<RecursiveWithout>("rrs-without(ranks=[[0],[1]],draw=top)"),
             Containing("draw=top is not one of without"));
}

TEST_CASE("K without replacement: so many children of the root, one below") {
  CHECK(read_as<RecursiveWithout>("rrs-without(K=2)") == "rrs-without(K=2)");
  CHECK_THAT(read_as<TraversalWithout>("traversal-without(K=2,tree=2-1)"), Containing("keep one"));
}

TEST_CASE("tree rules: bad parameters are refused") {
  CHECK_THAT(read_as<Sglang>("sglang(K=2,acc=0)"), Containing("acc=0 divides by zero"));
  CHECK_THAT(read_as<Sglang>("sglang(K=2,acc=3/2)"), Containing("acc=3/2 is out of range"));
  CHECK_THAT(read_as<Sglang>("sglang(K=2,single=-1)"), Containing("single=-1 is out of range"));
  CHECK_THAT(read_as<TargetOnly>("target-only"), Containing("the drafts are missing"));
  CHECK_THAT(read_as<TargetOnly>("target-only(tree=2-1)"), Containing("draw is missing"));
  CHECK_THAT(read_as<OneHot>("one-hot(tree=2-1,draw=toop)"), Containing("did you mean 'top'?"));
  CHECK_THAT(read_as<NaiveTree>("naive-tree(tree=2-1,draw=with)"), Containing("K is missing"));
  CHECK_THAT(read_as<TraversalCounted>("traversal(tree=2-1)"), Containing("K is missing"));
  CHECK_THAT(read_as<RecursiveWithout>("rrs-without(tree=2,draw=with)"),
             Containing("draw=with is not one of without"));
  CHECK_THAT(read_as<TraversalWithout>("traversal-without"), Containing("the drafts are missing"));
  CHECK_THAT(read_as<Typical>("typical(eps=1/5,alpha=1,tree=2,draw=top,draft=argmax)"),
             Containing("tree and draft are both given"));
}

TEST_CASE("one chain or a tree: canonical forms") {
  const std::string chain = "typical(eps=1/5,alpha=1,correction=target,bonus=target,draft=";
  CHECK(read_as<Typical>("typical(eps=1/5,alpha=1)") == chain + "sampled)");
  CHECK(read_as<Typical>("typical(eps=1/5,alpha=1,draft=argmax)") == chain + "argmax)");
  CHECK(read_as<TypicalMatch>("typical-match(eps=1/5,alpha=1,tree=2-1,draw=top)") ==
        "typical-match(eps=1/5,alpha=1,tree=2-1,draw=top)");
}

TEST_CASE("match-with-stop reads no draft law") {
  CHECK_THAT(read_as<MatchWithStop>("match-with-stop(stop=own-drop-renormalised,theta=1/2)"),
             Containing("give stop=own-drop"));
}

}  // namespace
}  // namespace speclab::trees_test
