// Whole decodes: prompts, horizons and the end-of-sequence token.
#include <map>

#include "catch.h"
#include "contract_breakers.h"
#include "model/families/json_law.h"
#include "toy.h"

namespace speclab::decode_test {
namespace {

using Law = std::map<std::vector<Token>, Rational>;

/// The target's joint law of `horizon` tokens, averaged over the prompt.
Law target_law(const Rows<Rational>& rows, int horizon) {
  std::map<std::pair<std::vector<Token>, State>, Rational> layer;
  for (const Start& start : rows.pair().start()) layer[{{}, start.state}] += start.probability;
  for (int n = 0; n < horizon; ++n) {
    decltype(layer) after;
    for (const auto& [key, mass] : layer) {
      for (Token x = 0; x < rows.vocabulary(); ++x) {
        const Rational share = rows.target(key.second)[static_cast<std::size_t>(x)];
        if (!(share > 0)) continue;
        auto tokens = key.first;
        tokens.push_back(x);
        after[{tokens, rows.next(key.second, x)}] += mass * share;
      }
    }
    layer = std::move(after);
  }
  Law law;
  for (const auto& [key, mass] : layer) law[key.first] += mass;
  return law;
}

TEST_CASE("the law of a decode is the target's, prompts and absorbing tokens included") {
  for (const char* pair :
       {"tree(vocabulary=3,depth=3,seed=5)", "tree(vocabulary=3,depth=3,seed=5,eos=2)",
        "bernoulli(draft=2/3,target=1/3,eos=1)", "markov(vocabulary=2,horizon=4,seed=3)",
        "markov(vocabulary=3,horizon=4,seed=3,eos=0)"}) {
    const Rows<Rational> rows(make_pair(pair));
    const Law expected = target_law(rows, 4);
    for (const char* verifier : {"autoregressive", "token", "block", "greedy-block"}) {
      CAPTURE(pair, verifier);
      // Rows of a double-valued pair are exact rationals too, so equality is exact.
      const ExactNumbers<Rational> result = run_exact(
          make_verifier(verifier), rows, {.lengths = {.gamma = 2, .horizon = 4}, .law = true});
      Law law(result.decode->law.begin(), result.decode->law.end());
      CHECK(law == expected);
      CHECK(result.decode->tv_to_target == 0);
    }
  }
}

TEST_CASE("decoding stops at the end-of-sequence token") {
  // Target: token 1 ends, with probability 1/3 at every position; horizon 4.
  const char* pair = "bernoulli(draft=2/3,target=1/3,eos=1)";
  const Rational q(2, 3);
  const Rational length = 1 + q + q * q + q * q * q;
  const ExactRequest request{.lengths = {.gamma = 2, .horizon = 4}, .law = true};
  for (const char* verifier : {"autoregressive", "token", "block", "greedy-block"}) {
    CAPTURE(verifier);
    const auto decode = *run_named(verifier, pair, request).decode;
    CHECK(decode.tokens == length);
    CHECK(decode.tv_to_target == 0);
    for (const auto& [tokens, probability] : decode.law) {
      bool ended = false;
      for (const Token token : tokens) {
        CHECK((!ended || token == 1));
        ended = ended || token == 1;
      }
    }
    CHECK(decode.law.size() == 5);
  }
  // One token a call: as many calls as tokens.
  CHECK(run_named("autoregressive", pair, request).decode->target_calls == length);
}

TEST_CASE("tokens after the end of the sequence are not counted in an iteration") {
  const ExactRequest request{.lengths = {.gamma = 2, .iterations = 3}};
  // Every draft is accepted; N(1) = 3 unless a token among the first two ends it.
  const char* pair = "bernoulli(draft=1/3,target=1/3,eos=1)";
  const Rational q(2, 3);
  Rational expected(0);
  for (int i = 0; i < 3; ++i) {
    Rational alive(1);
    for (int n = 0; n < 3 * i; ++n) alive *= q;
    expected += alive * (1 + q + q * q);
    for (const char* verifier : {"token", "block", "greedy-block"}) {
      CAPTURE(verifier, i);
      CHECK(run_named(verifier, pair, request).expected_tokens[static_cast<std::size_t>(i)] ==
            expected);
    }
  }
}

TEST_CASE("a correction after the end of the sequence is no rejection") {
  // Every draft is accepted, then the target corrects. The end has probability 1/3 at every
  // position of both: an iteration of two drafts counts its correction unless one of them ends it.
  const char* pair = "bernoulli(draft=1/3,target=1/3,eos=1)";
  const Rational q(2, 3);
  ExactRequest request{.lengths = {.gamma = 2}};
  const auto rejections = [&](int horizon) {
    request.lengths.horizon = horizon;
    return run_program(CorrectsAfterAll{}, pair, request).decode->rejections;
  };
  CHECK(rejections(2) == 0);
  CHECK(rejections(3) == q * q);
  CHECK(rejections(6) == q * q + q * q * q * q * q);  // the correction may be the end itself
  // At rho = 2 a position with both drafts is refused with 1/4 though d = t, the end's too. The
  // second position has both with 3/4 (2/3)^2 after a 0: 1/4 + 1/4 q 1/4 + 1/3 1/4.
  request.lengths.gamma = kUnbounded;
  request.lengths.horizon = 1;
  CHECK(run_named("wrong-largest-rho(K=2)", pair, request).decode->rejections == Rational(1, 4));
  request.lengths.horizon = 2;
  CHECK(run_named("wrong-largest-rho(K=2)", pair, request).decode->rejections == Rational(3, 8));
}

TEST_CASE("the prompt's weights are those of every expectation and of the law") {
  // After 0 nothing is accepted and 1 emitted, after 1 all drafts are 1; prompt (1/4, 3/4).
  const auto pair =
      read_json_pair(parse_json(R"({"vocabulary":2,"kind":"chain","prompt":["1/4","3/4"],
                     "draft":[["1","0"],["0","1"]],"target":[["0","1"],["1/3","2/3"]]})",
                                "test"),
                     "test");
  // After 0: tau = 0. After 1: each 1 is accepted with 2/3, else a 0 is emitted.
  const Rows<Rational> rows(pair);
  const ExactRequest request{.lengths = {.gamma = 1, .horizon = 1, .iterations = 1}, .law = true};
  for (const char* verifier : {"token", "block", "greedy-block", "rrs(K=1)"}) {
    CAPTURE(verifier);
    const ExactNumbers<Rational> found = run_exact(make_verifier(verifier), rows, request);
    CHECK(found.accepted_law == std::vector<Rational>{Rational(1, 2), Rational(1, 2)});
    CHECK(found.expected_tokens == std::vector<Rational>{Rational(3, 2)});
    CHECK(found.decode->rejections == Rational(1, 2));
    const Law law(found.decode->law.begin(), found.decode->law.end());
    CHECK(law == Law{{{0}, Rational(1, 4)}, {{1}, Rational(3, 4)}});
    CHECK(found.decode->tv_to_target == 0);
  }
  // The distance too: always accepting is off by 1 after 0, by 1/3 after 1.
  const ExactNumbers<Rational> wrong =
      run_exact(make_verifier("wrong-always-accept"), rows, request);
  CHECK(wrong.decode->tv_to_target == Rational(1, 4) + Rational(3, 4) * Rational(1, 3));
}

TEST_CASE("a draft longer than the horizon is cut there and draws no bonus token") {
  ExactRequest request{.lengths = {.horizon = 3}};
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    request.lengths.gamma = 3;
    const auto cut = run_named(verifier, kToy, request);
    request.lengths.gamma = kUnbounded;
    const auto unbounded = run_named(verifier, kToy, request);
    CHECK(cut.decode->rejections == unbounded.decode->rejections);
    CHECK(cut.decode->target_calls == unbounded.decode->target_calls);
    CHECK(cut.accepted_law == unbounded.accepted_law);
  }
}

TEST_CASE(
    "target calls and rejections of unbounded drafts: calls = 1 + rejections before the end") {
  // yin2024 section 3: E[target calls] = 1 + E[rejections at positions before the last].
  ExactRequest request{.lengths = {.gamma = kUnbounded, .horizon = 4}};
  const auto longer = *run_named("token", kToy, request).decode;
  request.lengths.horizon = 3;
  const auto shorter = *run_named("token", kToy, request).decode;
  CHECK(longer.target_calls == 1 + shorter.rejections);
}

}  // namespace
}  // namespace speclab::decode_test
