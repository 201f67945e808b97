// Pairs whose draft begins anew with each iteration (Pair::roots): exact laws of one iteration, of
// decodes and of the long run, with and without a carry, against numbers that were worked out by
// hand or by a program that shares nothing with this one.
#include "base/error.h"
#include "catch.h"
#include "resetting_pairs.h"
#include "theory/predictions.h"
#include "toy.h"

namespace speclab::resetting_test {
namespace {

Rational accepted(const char* verifier, const std::string& pair, int gamma) {
  return run_named(verifier, pair, {.lengths = {.gamma = gamma}}).expected_accepted;
}

TEST_CASE("summing out the latent variable can lose accepted tokens") {
  // Given z: of 0 and 1, E[tau] is 1/3 and 5/3 by token verification. Summed out: 2/3 + 3/12.
  CHECK(accepted("token", latent("conditioned"), 2) == 1);
  CHECK(accepted("token", latent("marginal"), 2) == Rational(11, 12));
  CHECK(accepted("block", latent("conditioned"), 2) == 1);
  CHECK(accepted("block", latent("marginal"), 2) == 1);
}

TEST_CASE("the long run falls as the draft grows, as the longer iterations end in a worse state") {
  // gamma = 2: from state 0 one token is accepted and the second refused, and so on.
  const auto length = [](int gamma) {
    const Rows<Rational> rows(make_pair(kFalling));
    return run_exact(make_verifier("token"), rows, {.lengths = {.gamma = gamma}, .long_run = true})
        .at(QuantityId::long_run_length);
  };
  CHECK(length(1) == Rational(3, 2));
  CHECK(length(2) == 2);
  CHECK(length(3) == Rational(15, 8));
}

TEST_CASE("statements about two iterations that need laws of the prefix alone fail") {
  // The first of all pairs of two tokens, at most two contexts and probabilities 0, 1/2 and 1.
  const auto second = [](const char* verifier, const std::string& pair, int gamma) {
    return run_named(verifier, pair, {.lengths = {.gamma = gamma, .iterations = 2}})
        .expected_tokens.at(1);
  };
  // E[N(2)] of token falls as gamma grows.
  const std::string falls =
      "blocks(draft=[[1,0],[1/2,1/2],[0,1],[1,0],[0,1],[0,1]],target=[[1,0],[1/2,1/2]],"
      "next=[[1,0],[1,0]],start=0)";
  CHECK(second("token", falls, 2) == Rational(81, 16));
  CHECK(second("token", falls, 3) == 5);
  // E[N(2)] of block is below that of token.
  const std::string behind =
      "blocks(draft=[[1/2,1/2],[1,0],[1/2,1/2],[1/2,1/2],[1,0],[1,0]],target=[[1,0],[1/2,1/2]],"
      "next=[[1,0],[0,0]],start=0)";
  CHECK(second("token", behind, 3) == Rational(305, 64));
  CHECK(second("block", behind, 3) == Rational(19, 4));
}

TEST_CASE("every rule stays lossless where the draft begins anew, carries included") {
  for (const std::string& pair :
       {kFalling, latent("conditioned"), latent("marginal"),
        std::string("mtp(target=[[1/3,2/3],[3/4,1/4]],heads=3)"),
        std::string("mtp(target=[[1/3,2/3],[3/4,1/4],[1/2,1/2]],next=[[1,2],[0,2],[2,0]],heads=3,"
                    "sees=last)"),
        std::string("diffusion(target=[[1/3,2/3],[3/4,1/4]],length=3,steps=2)"),
        std::string("lookup(target=[[1/5,4/5],[4/5,1/5]],match=1,length=3,window=3)")}) {
    const int gamma = pair.starts_with("latent") ? 2 : 3;
    for (const char* verifier :
         {"token", "block", "greedy-block", "gumbel", "rrs(K=2)", "recursive-greedy(K=2)",
          "slot-block(K=2)", "target-only(tree=2-1-1,draw=top)"}) {
      if (gamma == 2 && std::string_view(verifier).starts_with("target-only")) continue;
      CAPTURE(pair, verifier);
      const auto found =
          run_named(verifier, pair, {.lengths = {.gamma = gamma, .horizon = gamma + 3}});
      CHECK(found.decode->tv_to_target == 0);
      CHECK(found.decode->undefined_mass == 0);
    }
  }
}

TEST_CASE("block verification accepts the most of one iteration, whatever the draft depends on") {
  for (const std::string& pair :
       {kFalling, latent("marginal"), latent("conditioned"),
        std::string("diffusion(target=[[1/3,2/3],[3/4,1/4]],length=2)")}) {
    CAPTURE(pair);
    CHECK(accepted("block", pair, 2) >= accepted("token", pair, 2));
    CHECK(accepted("greedy-block", pair, 2) >= accepted("block", pair, 2));
  }
}

TEST_CASE("heads that see enough are the target, and accept every draft") {
  for (const char* pair :
       {"diffusion(target=[[1/3,2/3],[3/4,1/4]],length=3,steps=3)",
        "mtp(target=[[1/3,2/3],[3/4,1/4]],heads=3,sees=last)", "mtp(target=[[1/3,2/3]],heads=3)"}) {
    CAPTURE(pair);
    CHECK(accepted("token", pair, 3) == 3);
  }
  // Medusa's heads on the chain: the second draws from (1/3)(1/3, 2/3) + (2/3)(3/4, 1/4) = (11/18,
  // 7/18) after any first token.
  CHECK(accepted("token", "mtp(target=[[1/3,2/3],[3/4,1/4]],heads=3)", 1) == 1);
  const Rational second = Rational(1, 3) * (Rational(1, 3) + Rational(7, 18)) +
                          Rational(2, 3) * (Rational(11, 18) + Rational(1, 4));
  CHECK(accepted("token", "mtp(target=[[1/3,2/3],[3/4,1/4]],heads=3)", 2) == 1 + second);
}

TEST_CASE("prompt lookup repeats what followed") {
  // The target goes 0, 1, 0, 1, ...: from position 3 on every draft is right. The first iteration
  // drafts 0 0 0 and accepts one; its correction is 1; the second drafts 1 1 1, corrected to 0; the
  // third finds the 0 before and drafts 1 0 1.
  const ExactRequest request{.lengths = {.gamma = 3, .iterations = 3}};
  const auto found = run_named("token",
                               "lookup(target=[[1,0],[0,1]],next=[[1,1],[0,0]],match=1,length=3,"
                               "window=4)",
                               request);
  CHECK(found.expected_tokens == std::vector<Rational>{2, 3, 7});
}

TEST_CASE("an automaton with roots is the same pair as the blocks it writes out") {
  // States 0 and 1 are the roots of the target's states, 2 to 5 the offsets 1 and 2 after them.
  const char* written =
      "automaton(draft=[[1,0],[1,0],[0,1],[0,1],[1,0],[1,0],[1/2,1/2],[1/2,1/2],[1,0],[1,0]],"
      "target=[[1,0],[1/2,1/2],[1,0],[1/2,1/2],[1,0],[1/2,1/2],[1,0],[1/2,1/2],[1,0],[1/2,1/2]],"
      "next=[[3,2],[6,7],[5,4],[4,5],[1,0],[0,1],[9,8],[8,9],[1,0],[0,1]],start=0,"
      "root=[0,1,0,1,0,1,0,1,0,1])";
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    CAPTURE(verifier);
    const ExactRequest request{.lengths = {.gamma = 3, .horizon = 6, .iterations = 3}};
    const auto one = run_named(verifier, kFalling, request);
    const auto two = run_named(verifier, written, request);
    CHECK(one.accepted_law == two.accepted_law);
    CHECK(one.expected_tokens == two.expected_tokens);
    CHECK(one.decode->target_calls == two.decode->target_calls);
    CHECK(two.decode->tv_to_target == 0);
  }
}

TEST_CASE("closed forms of one iteration stay and agree, those of several are left out") {
  for (const std::string& pair : {kFalling, latent("conditioned"), latent("marginal")}) {
    for (const char* verifier : {"token", "block", "greedy-block", "target-only(K=2)", "rrs(K=2)",
                                 "sample-match", "autoregressive"}) {
      CAPTURE(pair, verifier);
      const ExactRequest request{.lengths = {.gamma = 2, .horizon = 5, .iterations = 3}};
      const PairPointer made = make_pair(pair);
      const auto found = run_exact(make_verifier(verifier), Rows<Rational>(made), request);
      const auto forms = predict({.pair = made,
                                  .verifier = make_verifier(verifier).spec,
                                  .lengths = request.lengths,
                                  .arithmetic = Arithmetic::rational});
      CHECK_FALSE(forms.empty());
      for (const Prediction& form : forms) {
        QuantityIndex index;
        if (form.index) index.push_back(*form.index);
        CAPTURE(form.claim, quantity(form.quantity).path(), index_text(index));
        const bool first = quantity(form.quantity).scope == QuantityScope::iteration ||
                           (form.quantity == QuantityId::expected_tokens && form.index == 1) ||
                           form.quantity == QuantityId::tv_to_target;
        CHECK(first);
        REQUIRE(form.exact);
        const Rational& value = found.at(form.quantity, index);
        if (form.relation == Relation::equals) CHECK(value == *form.exact);
        if (form.relation == Relation::at_most) CHECK(value <= *form.exact);
        if (form.relation == Relation::at_least) CHECK(value >= *form.exact);
      }
    }
  }
}

TEST_CASE("a draft over the longest is refused with both numbers") {
  CHECK_THROWS_WITH(accepted("token", kFalling, 4),
                    Containing("gamma 4 is over the 3 tokens that the draft of"));
}

}  // namespace
}  // namespace speclab::resetting_test
