// Pairs whose draft begins anew with each iteration: states, roots, what is refused.
#include "base/error.h"
#include "model/content.h"
#include "model/lengths.h"
#include "model/rows.h"
#include "pairs.h"

namespace speclab::resetting_pairs_test {
namespace {

/// The state after a new iteration began, where one root alone is possible.
State rooted(const Pair& pair, State state) {
  const auto roots = pair.roots(state);
  REQUIRE(roots.size() == 1);
  CHECK(roots[0].probability == 1);
  return roots[0].state;
}

TEST_CASE(
    "blocks: the draft's law is that of the root and the offset, the target's of the prefix") {
  const PairPointer pair =
      make_pair("blocks(draft=[[1/2,1/2],[1,0],[1/4,3/4],[0,1]],target=[[1/3,2/3],[3/4,1/4]])");
  check_pair(*pair);
  CHECK(pair->resets());
  CHECK(pair->longest_draft() == 2);
  const State start = pair->start().front().state;
  CHECK(laws_at<Rational>(*pair, start).draft == fractions({"1/2", "1/2"}));
  const State inside = pair->next(start, 1);
  CHECK(laws_at<Rational>(*pair, inside).draft == fractions({"1", "0"}));
  CHECK(laws_at<Rational>(*pair, inside).target == fractions({"3/4", "1/4"}));
  const State begun = rooted(*pair, inside);
  CHECK(laws_at<Rational>(*pair, begun).draft == fractions({"1/4", "3/4"}));
  CHECK(laws_at<Rational>(*pair, begun).target == fractions({"3/4", "1/4"}));
  CHECK(rooted(*pair, begun) == begun);
  // After two tokens the draft has no further law of its own.
  CHECK(pair->next(inside, 0) == start);
  CHECK(rooted(*pair, start) == start);
  const Rows<Rational> rows(pair);
  CHECK(rows.resets());
  REQUIRE(rows.roots(inside).size() == 1);
  CHECK(rows.roots(inside)[0].state == begun);
  CHECK_FALSE(Rows<Rational>(make_pair("bernoulli(draft=1/2,target=1/3)")).resets());
}

TEST_CASE("latent: the verifier is shown z, or the law with z summed out") {
  const std::string text =
      "latent(target=[[2/3,1/3]],prior=[1/4,3/4],draft=[[0,1],[1,0],[2/3,1/3],[0,1]],reading=";
  const PairPointer shown = make_pair(text + "conditioned)");
  REQUIRE(shown->start().size() == 2);
  CHECK(shown->start()[0].probability == Rational(1, 4));
  CHECK(shown->roots(shown->next(shown->start()[1].state, 0)).size() == 2);
  CHECK(laws_at<Rational>(*shown, shown->start()[1].state).draft == fractions({"2/3", "1/3"}));
  const PairPointer summed = make_pair(text + "marginal)");
  REQUIRE(summed->start().size() == 1);
  const State start = summed->start()[0].state;
  CHECK(laws_at<Rational>(*summed, start).draft == fractions({"1/2", "1/2"}));
  // After a 1: z = 0 and 1 have the weights 1/4 and 3/4 * 1/3.
  CHECK(laws_at<Rational>(*summed, summed->next(start, 1)).draft == fractions({"1/2", "1/2"}));
  CHECK(laws_at<Rational>(*summed, summed->next(start, 0)).draft == fractions({"0", "1"}));
}

TEST_CASE("filters and the end of a sequence keep the roots") {
  const std::string text = "mtp(target=[[1/3,2/3],[3/4,1/4]],heads=2";
  const PairPointer plain = make_pair(text + ")");
  for (const char* more : {",draft-top-k=1)", ",eos=0)"}) {
    const PairPointer pair = make_pair(text + more);
    CHECK(pair->resets());
    CHECK(pair->longest_draft() == 2);
    const State start = plain->start()[0].state;
    CHECK(pair->roots(pair->next(start, 1))[0].state ==
          plain->roots(plain->next(start, 1))[0].state);
  }
  const PairPointer ending = make_pair(text + ",eos=0)");
  const State over = ending->next(ending->start()[0].state, 0);
  CHECK(rooted(*ending, over) == over);
}

TEST_CASE("what a new iteration begins in is part of the content") {
  const std::string text =
      "automaton(draft=[[1,0],[0,1],[1,0]],target=[[1/2,1/2],[1/2,1/2],[1/2,1/2]],"
      "next=[[1,2],[0,0],[0,0]],start=0,root=";
  CHECK(content_digest(*make_pair(text + "[0,1,2])")) !=
        content_digest(*make_pair(text + "[0,0,2])")));
  CHECK(content_digest(*make_pair(text + "[0,0,2])")) !=
        content_digest(*make_pair(text + "[0,0,0])")));
}

TEST_CASE("an automaton's roots are checked") {
  const std::string text =
      "automaton(draft=[[1,0],[0,1]],target=[[1/2,1/2],[1/2,1/2]],next=[[0,1],[1,0]],start=1,root=";
  const PairPointer pair = make_pair(text + "[0,0])");
  check_pair(*pair);
  CHECK(pair->name() == text + "[0,0])");
  CHECK(pair->start()[0].state == 0);  // of state 1, where the first iteration begins
  CHECK_THROWS_WITH(make_pair(text + "[1,0])"),
                    Containing("root, state 0: the root of its root 1 is 0; a root is its own"));
  CHECK_THROWS_WITH(make_pair(text + "[0])"), Containing("root has 1 entries"));
  CHECK_THROWS_WITH(make_pair(text + "[0,2])"), Containing("root: 2 is not a state"));
  CHECK_THROWS_WITH(
      make_pair("automaton(draft=[[1,0],[0,1],[0,1]],target=[[1,0],[1,0],[0,1]],"
                "next=[[0,0],[2,0],[2,2]],root=[0,0,2])"),
      Containing("root, state 1: from it and from its root 0 the same tokens lead to the states 2 "
                 "and 0, whose target laws differ"));
}

TEST_CASE("a draft that begins anew: what is wrong in a spec") {
  const auto refused = [](const std::string& text, const char* message) {
    CAPTURE(text);
    CHECK_THROWS_WITH(make_pair(text), Containing(message));
  };
  refused("mtp(target=[[1/2,1/2],[1,0],[0,1]],heads=2)", "add next=[[..],..]");
  refused("mtp(target=[[1/2,1/2],[1]],heads=2)", "target, state 1 has 1 entries");
  refused("mtp(target=[[1/2,1/3]],heads=2)", "target, state 0 sums to 5/6");
  refused("mtp(target=[[1/2,1/2]],heads=2,next=[[0,1]])", "next, state 0: 1 is not a state");
  refused("mtp(target=[[1/2,1/2]],heads=0)", "heads=0 must be a whole number from 1");
  refused("blocks(draft=[[1,0],[1,0],[0,1]],target=[[1,0],[0,1]])",
          "draft has 3 rows; give as many for each of the 2 states of the target");
  refused("latent(target=[[1,0]],prior=[1/2,1/3],draft=[[1,0],[0,1]],reading=marginal)",
          "prior sums to 5/6");
  refused("latent(target=[[1,0]],prior=[1/2,1/2],draft=[[1,0],[0,1]])", "reading is missing");
  refused("lookup(target=[[1/2,1/2]],match=3,length=2,window=3)", "window=3 has no room");
  refused("lookup(target=[[1/2,1/2]],match=1,length=2,window=20)", "give a smaller window");
  refused("diffusion(target=[[1/2,1/2]],length=2,steps=3)", "steps=3 must be");
  CHECK_THROWS_WITH(check_lengths(*make_pair("mtp(target=[[1/2,1/2]],heads=2)"),
                                  {.gamma = kUnbounded, .horizon = 5}),
                    Containing("gamma inf is over the 2 tokens"));
}

}  // namespace
}  // namespace speclab::resetting_pairs_test
