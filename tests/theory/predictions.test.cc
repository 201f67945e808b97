#include "theory/predictions.h"

#include "asked.h"
#include "catch.h"
#include "model/registry.h"

namespace speclab::predictions_test {
namespace {

TEST_CASE("predictions of the toy pair") {
  const std::string tau = "iteration.expected_accepted";
  CHECK(exactly(setting(toy(), "token", 2), "sun2024.theorem2", tau) == R("10/9"));
  CHECK(exactly(setting(toy(), "block", 2), "sun2025.theorem2", tau) == R("11/9"));
  CHECK(exactly(setting(toy(), "greedy-block", 2), "sun2024.theorem1", tau) == R("4/3"));
  CHECK(exactly(setting(toy(), "greedy-block", 2), "sun2024.section3.1", tau) == R("4/3"));
  CHECK(exactly(setting(toy(), "token", 2), "leviathan.expected_tokens", tau) == R("10/9"));
  CHECK(exactly(setting(toy(), "spectr-gbv(K=2)", 1), "lin2026.theorem5.3", tau) == R("5/6"));
  CHECK(exactly(setting(toy(), "spectr-gbv(K=2)", 2), "lin2026.theorem5.3", tau) == R("19/12"));
  CHECK(exactly(setting(toy(), "spectr-gbv(K=1)", 2), "lin2026.theorem5.3", tau) == R("4/3"));
  CHECK(exactly(setting(toy(), "rrs(K=2)", 1), "miao2023.acceptance", tau) == R("7/9"));
  CHECK(exactly(setting(toy(), "rrs(K=2)", 1), "hu2025.optimum", tau) == R("8/9"));
  CHECK(exactly(setting(toy(), "block", 2), "sun2025.lemma3", "iteration.accepted_law[1]") ==
        R("1/9"));
  const int inf = kUnbounded;
  const std::string rejections = "decode.rejections", calls = "decode.target_calls";
  CHECK(exactly(setting(toy(), "token", inf, 2), "yin2024.theorem1", rejections) == R("2/3"));
  CHECK(exactly(setting(toy(), "token", inf, 2), "yin2024.theorem1", calls) == R("4/3"));
  CHECK(exactly(setting(toy(), "batch(M=2)", inf, 2), "yin2024.theorem3", rejections) ==
        R("43/81"));
  CHECK(exactly(setting(toy(), "batch(M=3)", inf, 1), "yin2024.batch_bernoulli", rejections) ==
        R("4/27"));
  const std::string tv = "output.tv_to_target";
  CHECK(exactly(setting(toy(), "sprinter(fp=1/2,tp=1)", inf, 1), "zhong2025.theorem3.1", tv) ==
        R("1/6"));
  CHECK(exactly(setting(toy(), "biased(eps=1/6)", inf, 1), "yin2024.theorem5", rejections) ==
        R("1/6"));
  CHECK(exactly(setting(toy(), "biased(eps=1/6)", inf, 1), "yin2024.theorem4", tv) == R("1/6"));
  CHECK(exactly(setting(toy(), "sample-match(draft=argmax)", 1), "miao2023.sample_match", tau) ==
        R("1/3"));
  CHECK(exactly(setting(toy(), "rrs(K=2)", 2), "miao2023.acceptance",
                "iteration.accepted_law[0]") == R("2/9"));
  // 1/2 less (1/2) (1 - (1/2)^2) is left of uniform laws of which one holds half of the other.
  const auto uniform = iid({"1/4", "1/4", "1/4", "1/4"}, {"1/2", "0", "1/2", "0"});
  CHECK(exactly(setting(uniform, "batch(M=3)", inf, 1), "yin2024.batch_uniform", rejections) ==
        R("1/8"));
  Asked iterations = setting(toy(), "block", 2);
  iterations.lengths.iterations = 4;
  CHECK(exactly(iterations, "sun2025.theorem2", "iterations.expected_tokens[4]") == R("80/9"));
}

TEST_CASE("with context the tokens of block are predicted, and optimal at i = 1 only") {
  Asked asked = setting(make_pair("tree(vocabulary=2,depth=3,seed=4)"), "block", 2);
  asked.lengths.iterations = 3;
  const std::string first = "iterations.expected_tokens[1]";
  const std::string third = "iterations.expected_tokens[3]";
  CHECK(exactly(asked, "sun2025.theorem2", first) == exactly(asked, "sun2025.lemma3", first));
  CHECK_FALSE(find(asked, "sun2025.theorem2", third).has_value());
  CHECK(find(asked, "sun2025.lemma3", third)->relation == Relation::equals);
  // Token has never more than block, context or not.
  asked.verifier = parse_spec("token");
  const auto token = find(asked, "sun2025.theorem2", third);
  REQUIRE(token.has_value());
  CHECK(token->relation == Relation::at_most);
}

TEST_CASE("the residual of biased verification is the one that is named") {
  // Of (2/3, 1/3) 1/2 and 1/3 are accepted; the remaining 1/6 follows the residual.
  const auto distance = [](const char* verifier) {
    return exactly(setting(toy(), verifier, kUnbounded, 1), "yin2024.equation1",
                   "output.tv_to_target");
  };
  CHECK(distance("biased(eps=1/6)") == R("1/6"));
  CHECK(distance("biased(eps=1/6,residual=optimal)") == R("1/6"));
  CHECK(distance("biased(eps=1/6,residual=standard)") == R("1/6"));
  CHECK(distance("biased(eps=1/6,residual=target)") == R("2/9"));
  CHECK(distance("biased(eps=1/6,residual=draft)") == R("5/18"));
}

TEST_CASE("drafts end where the pair does") {
  const auto pair = make_pair("markov(vocabulary=2,horizon=2,seed=10)");
  const auto of_iterations = [&pair](const char* verifier, int gamma) {
    std::vector<std::pair<std::string, Rational>> found;
    for (const Prediction& prediction : predictions(setting(pair, verifier, gamma))) {
      if (prediction.exact && path_of(prediction).starts_with("iteration.")) {
        found.emplace_back(prediction.claim + " " + path_of(prediction), *prediction.exact);
      }
    }
    return found;
  };
  for (const char* verifier : {"token", "block", "rrs(K=2)", "biased(eps=1/6)"}) {
    CAPTURE(verifier);
    CHECK(of_iterations(verifier, 5) == of_iterations(verifier, 2));
    CHECK_FALSE(of_iterations(verifier, 2).empty());
  }
}

TEST_CASE("the tokens that match by chance have the law of their coins") {
  // The likeliest draft, of target probability 1/3, twice.
  const Asked twice = setting(toy(), "sample-match(draft=argmax)", 2);
  const std::string claim = "miao2023.sample_match", law = "iteration.accepted_law";
  CHECK(exactly(twice, claim, law + "[0]") == R("2/3"));
  CHECK(exactly(twice, claim, law + "[1]") == R("2/9"));
  CHECK(exactly(twice, claim, law + "[2]") == R("1/9"));
}

TEST_CASE("k-sequential selection has no exact value, only doubles") {
  const auto found =
      find(setting(toy(), "kseq(K=2)", 1), "sun2023.acceptance", "iteration.expected_accepted");
  REQUIRE(found.has_value());
  CHECK_FALSE(found->exact.has_value());
  CHECK(found->value == Approx(0.8114195153).margin(5e-11));
}

TEST_CASE("expected rejections of the chains of yin2024's figures") {
  const auto rejections = [](int horizon, const std::string& verifier, const char* claim) {
    const auto pair =
        make_pair("markov(vocabulary=7,horizon=" + std::to_string(horizon) + ",seed=10)");
    const auto found =
        find(setting(pair, verifier.c_str(), kUnbounded, horizon, Arithmetic::floating), claim,
             "decode.rejections");
    REQUIRE(found.has_value());
    return found->value;
  };
  const auto batch = [&](int horizon, int batches) {
    return rejections(horizon, "batch(M=" + std::to_string(batches) + ")", "yin2024.theorem3");
  };
  CHECK(rejections(50, "token", "yin2024.theorem1") == Approx(16.404890).margin(1e-6));
  CHECK(batch(50, 1) == Approx(16.404890).margin(1e-6));
  CHECK(batch(50, 2) == Approx(15.002349).margin(1e-6));
  CHECK(batch(50, 4) == Approx(14.090080).margin(1e-6));
  CHECK(batch(50, 5) == Approx(13.868446).margin(1e-6));
  CHECK(batch(50, 1000) == Approx(12.118779).margin(1e-6));
  CHECK(rejections(100, "token", "yin2024.theorem1") == Approx(33.534849).margin(1e-6));
  CHECK(batch(100, 2) == Approx(30.867525).margin(1e-6));
}

TEST_CASE("leviathan's theorem 3.8") {
  Asked asked = setting(toy(), "token", 3);
  CHECK_FALSE(
      find(asked, "leviathan.theorem3.8", "modelled_time.first_iteration_tokens").has_value());
  asked.latency = Latency{.draft = 0.25, .verifier = 0, .target = 2, .single = 2};
  // a = 2/3, c = 1/8: (1 + 2/3 + 4/9 + 8/27) / (1 + 3/8)
  CHECK(exactly(asked, "leviathan.theorem3.8", "modelled_time.first_iteration_tokens") ==
        R("65/27") / R("11/8"));
  for (int gamma = 4; gamma <= 9; ++gamma) {
    asked.lengths.gamma = gamma;
    Rational tokens(0);
    for (int i = 0; i <= gamma; ++i) tokens = 1 + R("2/3") * tokens;
    CAPTURE(gamma);
    CHECK(exactly(asked, "leviathan.theorem3.8", "modelled_time.first_iteration_tokens") ==
          tokens / (1 + R("1/8") * gamma));
  }
  asked.lengths.gamma = 3;
  asked.pair = iid({"1/2", "1/2"}, {"1/2", "1/2"});
  CHECK(exactly(asked, "leviathan.theorem3.8", "modelled_time.first_iteration_tokens") ==
        R("4") / R("11/8"));
}

TEST_CASE("every lossless verifier is predicted to be lossless") {
  const auto lossless = [](const Asked& asked) {
    bool said = false;
    for (const Prediction& prediction : predict(asked)) {
      if (prediction.quantity != QuantityId::tv_to_target) continue;
      CHECK(*prediction.exact == 0);
      CHECK(prediction.relation == Relation::equals);
      said = true;
    }
    return said;
  };
  for (const char* verifier :
       {"autoregressive", "token", "block", "greedy-block", "rrs(K=2)", "kseq(K=2)", "batch(M=2)",
        "slot-block(K=2)", "lenient(l=1)", "sprinter(fp=0,tp=1)"}) {
    CAPTURE(verifier);
    CHECK(lossless(setting(toy(), verifier, kUnbounded, 3)));
    CHECK(lossless(setting(toy(), verifier, 2, 3)));
    CHECK_FALSE(lossless(setting(toy(), verifier, 2)));
  }
}

TEST_CASE("slot-block is never below block") {
  const std::string tau = "iteration.expected_accepted";
  const auto found = find(setting(toy(), "slot-block(K=2)", 2), "slot-block.above-block", tau);
  REQUIRE(found.has_value());
  CHECK(*found->exact == R("11/9"));
  CHECK(found->relation == Relation::at_least);
  const auto single = find(setting(toy(), "slot-block(K=1)", 2), "slot-block.above-block", tau);
  REQUIRE(single.has_value());
  CHECK(single->relation == Relation::equals);
}

}  // namespace
}  // namespace speclab::predictions_test
