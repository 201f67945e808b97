// Pairs whose draft begins anew with each iteration: states, roots, what is refused.
#include "model/content.h"
#include "model/families/tokeniser.h"
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

TEST_CASE("retokenised: a string as target tokens, shown, summed out or not made at all") {
  const std::string text =
      "retokenised(tokens=a-b-ab,target=[[1/4,1/4,1/2]],draft-tokens=a-b,draft=[[1/2,1/2],[1,0]],"
      "length=2,reading=";
  const PairPointer shown = make_pair(text + "conditioned)");
  check_pair(*shown);
  CHECK(shown->vocabulary() == 4);
  CHECK(shown->longest_draft() == 2);
  // After an a: aa, ab and ba have 1/4, 1/4 and 1/2, and are a a, ab and b a.
  const auto roots = shown->start();
  REQUIRE(roots.size() == 3);
  CHECK(roots[0].probability == Rational(1, 4));
  CHECK(roots[1].probability == Rational(1, 2));
  CHECK(roots[2].probability == Rational(1, 4));
  CHECK(laws_at<Rational>(*shown, roots[1].state).draft == fractions({"0", "1", "0", "0"}));
  CHECK(laws_at<Rational>(*shown, roots[1].state).target == fractions({"1/4", "1/4", "1/2", "0"}));
  const State ended = shown->next(roots[2].state, 2);
  CHECK(laws_at<Rational>(*shown, ended).draft == fractions({"0", "0", "0", "1"}));
  // After a b: aa and ab.
  CHECK(shown->roots(ended).size() == 2);

  const PairPointer summed = make_pair(text + "marginal)");
  check_pair(*summed);
  const State start = rooted(*summed, summed->start()[0].state);
  CHECK(laws_at<Rational>(*summed, start).draft == fractions({"1/4", "1/2", "1/4", "0"}));
  CHECK(laws_at<Rational>(*summed, summed->next(start, 1)).draft ==
        fractions({"1", "0", "0", "0"}));
  CHECK(laws_at<Rational>(*summed, summed->next(start, 2)).draft ==
        fractions({"0", "0", "0", "1"}));

  const PairPointer shared = make_pair(text + "shared)");
  check_pair(*shared);
  const State begun = shared->start()[0].state;
  CHECK(laws_at<Rational>(*shared, begun).draft == fractions({"1/2", "1/2", "0", "0"}));
  CHECK(laws_at<Rational>(*shared, shared->next(begun, 1)).draft ==
        fractions({"1", "0", "0", "0"}));
  // Of the drafter's tokens the target has b alone.
  CHECK(laws_at<Rational>(*make_pair("retokenised(tokens=b-c-bc,target=[[1,0,0]],draft-tokens=b-cb,"
                                     "draft=[[1/4,3/4]],length=1,reading=shared)"),
                          0)
            .draft == fractions({"1", "0", "0", "0"}));
}

TEST_CASE("a tokeniser cuts the longest token first, or joins the first token's neighbours first") {
  const TokenNames names{"a", "b", "c", "bc", "ab", "abc"};
  const Tokeniser longest(names, false), merges(names, true);
  CHECK(longest.tokens("abcab") == std::vector<int>{5, 4});
  CHECK(longest.tokens("bab") == std::vector<int>{1, 4});
  // b c is joined before a b, and a bc then makes abc.
  CHECK(merges.tokens("abcab") == std::vector<int>{5, 4});
  const Tokeniser few({"a", "b", "c", "bc", "ab"}, true);
  CHECK(few.tokens("abc") == std::vector<int>{0, 3});
  CHECK(few.tokens("ab") == std::vector<int>{4});
  CHECK(few.tokens("").empty());
  CHECK(Tokeniser({"a", "aa"}, true).tokens("aaa") == std::vector<int>{1, 0});
  CHECK(longest.characters() == "abc");
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
  const std::string strings = "retokenised(tokens=a-b-ab,target=[[1/4,1/4,1/2]],draft-tokens=";
  refused("retokenised(tokens=a-b-a,target=[[1,0,0]])", "tokens has 'a' twice");
  refused("retokenised(tokens=a--b,target=[[1,0,0]])", "tokens: token 1 has 0 characters");
  refused("retokenised(tokens=a-b.-c,target=[[1,0,0]])", "tokens has '.'; write tokens of letters");
  refused("retokenised(tokens=a-b,target=[[1,0,0]])",
          "tokens has 2 tokens and target, state 0 has 3 entries");
  refused("retokenised(tokens=a-bc,target=[[1,0]],draft-tokens=a,draft=[[1]],length=1)",
          "the token 'bc' has the character b, which is no token of the target; add b to tokens");
  refused(strings + "a-c,draft=[[1,0]],length=1)", "the token 'c' has the character c");
  refused(strings + "a-b,draft=[[1,0],[1,0],[1,0]],length=1)",
          "draft has 3 rows; give one, or one for each last character of the text, in the order of "
          "tokens: ab");
  refused(strings + "a-b,draft=[[1/2,1/2]],length=17)",
          "its drafter writes more than 65536 strings; give a smaller length");
  refused(strings + "ba,draft=[[1]],length=1,reading=shared)", "have no token in common");
  refused(strings + "a-b,draft=[[1/2,1/2]],length=3,reading=text)", "reading=text is not one of");
  refused("diffusion(target=[[1/2,1/2]],length=2,steps=3)", "steps=3 must be");
  CHECK_THROWS_WITH(check_lengths(*make_pair("mtp(target=[[1/2,1/2]],heads=2)"),
                                  {.gamma = kUnbounded, .horizon = 5}),
                    Containing("gamma inf is over the 2 tokens"));
}

}  // namespace
}  // namespace speclab::resetting_pairs_test
