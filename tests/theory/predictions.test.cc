#include "theory/predictions.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "catch.h"
#include "model/registry.h"
#include "small_pairs.h"

namespace speclab {
namespace {

Setting setting(PairPointer pair, const char* verifier, int gamma,
                std::optional<int> horizon = std::nullopt,
                Arithmetic arithmetic = Arithmetic::rational) {
  Setting asked;
  asked.pair = std::move(pair);
  asked.verifier = parse_spec(verifier);
  asked.gamma = gamma;
  asked.horizon = horizon;
  asked.arithmetic = arithmetic;
  return asked;
}

/// The one prediction of `claim` about `quantity`, or nothing.
std::optional<Prediction> find(const Setting& asked, const std::string& claim,
                               const std::string& quantity) {
  std::optional<Prediction> found;
  for (const Prediction& prediction : predict(asked)) {
    if (prediction.claim != claim || prediction.quantity != quantity) continue;
    CHECK_FALSE(found.has_value());
    found = prediction;
  }
  return found;
}

Rational exactly(const Setting& asked, const std::string& claim, const std::string& quantity) {
  const auto found = find(asked, claim, quantity);
  REQUIRE(found.has_value());
  REQUIRE(found->exact.has_value());
  CHECK(found->value == to_double(*found->exact));
  return *found->exact;
}

Rational R(const char* text) { return parse_rational(text); }

const char* const kVerifiers[] = {"autoregressive",
                                  "token",
                                  "block",
                                  "block-listing",
                                  "greedy-block",
                                  "rrs(K=2)",
                                  "kseq(K=3)",
                                  "batch(M=2)",
                                  "batch-printed(M=2)",
                                  "spectr-gbv(K=2)",
                                  "slot-block(K=2)",
                                  "biased(eps=1/10,residual=optimal)",
                                  "biased(eps=1/10,residual=draft)",
                                  "lenient(l=1/2)",
                                  "lenient(l=2)",
                                  "sprinter(fp=1/4,tp=3/4)",
                                  "sprinter(fp=[0,1],tp=1)",
                                  "sprinter(fp=1,tp=1)",
                                  "sprinter-printed(fp=0,tp=1)",
                                  "sprinter-trained(lambda=1,tau=1/2)"};

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
  const std::string rejections = "rejections.expected", calls = "target_calls.expected";
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
  Setting iterations = setting(toy(), "block", 2);
  iterations.iterations = 4;
  CHECK(exactly(iterations, "sun2025.theorem2", "iterations.expected_tokens[3]") == R("80/9"));
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
             "rejections.expected");
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

TEST_CASE("leviathan's speedup") {
  Setting asked = setting(toy(), "token", 3);
  CHECK_FALSE(find(asked, "leviathan.speedup", "speedup").has_value());
  asked.latency = Latency{.draft = 0.25, .verifier = 0, .target = 2};
  // a = 2/3, c = 1/8: (1 + 2/3 + 4/9 + 8/27) / (1 + 3/8)
  CHECK(exactly(asked, "leviathan.speedup", "speedup") == R("65/27") / R("11/8"));
  asked.pair = iid({"1/2", "1/2"}, {"1/2", "1/2"});
  CHECK(exactly(asked, "leviathan.speedup", "speedup") == R("4") / R("11/8"));
}

TEST_CASE("formulas are silent outside their hypotheses") {
  const auto chain = random_pair(5, 3, 4);
  CHECK_FALSE(
      find(setting(chain, "token", 2), "leviathan.expected_tokens", "iteration.expected_accepted"));
  CHECK_FALSE(
      find(setting(chain, "token", 2), "sun2024.section3.1", "iteration.expected_accepted"));
  CHECK_FALSE(find(setting(chain, "token", 2, 6), "yin2024.theorem1", "rejections.expected"));
  CHECK_FALSE(find(setting(toy(), "token", 2), "yin2024.theorem1", "rejections.expected"));
  CHECK_FALSE(find(setting(toy(), "sprinter(fp=[0,1],tp=1)", kUnbounded, 1), "zhong2025.theorem3.1",
                   "output.tv_to_target"));
  CHECK_FALSE(find(setting(toy(), "batch(M=2)", kUnbounded, 1), "yin2024.batch_uniform",
                   "rejections.expected"));
  // d = t and l = 2: half of the drafts are rejected and the residual is 0/0.
  const auto level = iid({"1/2", "1/2"}, {"1/2", "1/2"});
  CHECK(predict(setting(level, "lenient(l=2)", 2, 2)).empty());
  // Without horizon or length there is no draft length.
  for (const char* verifier : kVerifiers) {
    CHECK(predict(setting(toy(), verifier, kUnbounded)).empty());
  }
  // A run that may end at an end-of-sequence token has fewer tokens and calls.
  Setting ending = setting(make_pair("bernoulli(draft=2/3,target=1/3,eos=1)"), "token", 2, 2);
  ending.iterations = 2;
  CHECK_FALSE(find(ending, "sun2024.theorem2", "iterations.expected_tokens[0]"));
  CHECK_FALSE(find(ending, "yin2024.theorem1", "target_calls.expected"));
  CHECK(find(ending, "yin2024.theorem1", "rejections.expected"));
}

TEST_CASE("work beyond the limit leaves a prediction out") {
  Setting asked = setting(random_pair(3, 3, 4), "block", 9, 9, Arithmetic::floating);
  CHECK(find(asked, "sun2025.theorem2", "iteration.expected_accepted").has_value());
  asked.max_work = 10;
  CHECK_FALSE(find(asked, "sun2025.theorem2", "iteration.expected_accepted").has_value());
  // What costs nothing stays.
  CHECK(find(asked, "sun2025.theorem1", "output.tv_to_target").has_value());
}

TEST_CASE("every prediction is finite, names a row's claim and agrees in both arithmetics") {
  std::set<std::string> claims;
  for (const PredictionRow& row : prediction_rows()) {
    CHECK_FALSE(row.prose.empty());
    CHECK_FALSE(row.source.empty());
    claims.insert(std::string(row.claim));
  }
  std::set<std::string> made;
  std::vector<PairPointer> pairs{toy(), iid({"1"}, {"1"}), iid({"1", "0"}, {"0", "1"}),
                                 iid({"1/2", "1/2"}, {"1/2", "1/2"}),
                                 iid({"1/4", "1/4", "1/4", "1/4"}, {"1/2", "0", "1/2", "0"})};
  for (unsigned seed = 1; seed <= 10; ++seed) {
    pairs.push_back(random_pair(seed, 1 + seed % 3, 1 + seed % 4));
  }
  for (const auto& pair : pairs) {
    for (const char* verifier : kVerifiers) {
      for (const auto& [gamma, horizon] : {std::pair{1, 3}, {2, 1}, {3, 3}, {kUnbounded, 2}}) {
        CAPTURE(pair->name(), verifier, gamma, horizon);
        Setting asked = setting(pair, verifier, gamma, horizon);
        asked.iterations = 2;
        asked.latency = Latency{0.1, 0.01, 1};
        const auto exact_values = predict(asked);
        asked.arithmetic = Arithmetic::floating;
        const auto values = predict(asked);
        REQUIRE(values.size() == exact_values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          CAPTURE(values[i].claim, values[i].quantity);
          CHECK(claims.count(values[i].claim) == 1);
          made.insert(values[i].claim);
          CHECK(values[i].quantity == exact_values[i].quantity);
          CHECK(std::isfinite(values[i].value));
          CHECK(values[i].value >= 0);
          CHECK(values[i].value == Approx(exact_values[i].value).margin(1e-12));
          CHECK_FALSE(values[i].exact.has_value());
        }
      }
    }
  }
  CHECK(made == claims);
}

}  // namespace
}  // namespace speclab
