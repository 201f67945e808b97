// Where predictions are made and where not, and that both arithmetics agree.
#include <cmath>
#include <set>

#include "asked.h"
#include "catch.h"
#include "model/registry.h"
#include "theory/predictions.h"

namespace speclab::prediction_scope_test {
namespace {

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
                                  "spectr-coupled(K=2)",
                                  "sample-match",
                                  "sample-match(draft=argmax)",
                                  "target-only(K=2)",
                                  "one-hot(K=2)",
                                  "naive-tree(K=3)",
                                  "canonical(K=2)",
                                  "canonical(K=3)",
                                  "traversal(K=2)",
                                  "rrs-without(K=2)",
                                  "spechub(K=2)",
                                  "best-and-tail(nodes=3)",
                                  "path-block(K=2)",
                                  "recursive-block(K=2)",
                                  "recycle(rule=block,K=2)",
                                  "gumbel",
                                  "gumbel-list(K=2)",
                                  "gumbel-list(K=2,clocks=all)",
                                  "poisson-list(K=2)",
                                  "relaxed(pi=ensemble,weight=1/3)",
                                  "relaxed(pi=fuzzy,divergence=tv,threshold=1/3)",
                                  "relaxed(pi=cascade-opt,alpha=1/2)",
                                  "relaxed(pi=cascade-top,alpha=1/4)",
                                  "biased(eps=1/10,residual=optimal)",
                                  "biased(eps=1/10,residual=draft)",
                                  "lenient(l=1/2)",
                                  "lenient(l=2)",
                                  "sprinter(fp=1/4,tp=3/4)",
                                  "sprinter(fp=[0,1],tp=1)",
                                  "sprinter(fp=1,tp=1)",
                                  "sprinter-printed(fp=0,tp=1)"};

TEST_CASE("formulas give no prediction outside their hypotheses") {
  const auto chain = random_pair(5, 3, 4);
  CHECK_FALSE(
      find(setting(chain, "token", 2), "leviathan.expected_tokens", "iteration.expected_accepted"));
  CHECK_FALSE(
      find(setting(chain, "token", 2), "sun2024.section3.1", "iteration.expected_accepted"));
  CHECK_FALSE(find(setting(chain, "token", 2, 6), "yin2024.theorem1", "decode.rejections"));
  CHECK_FALSE(find(setting(toy(), "token", 2), "yin2024.theorem1", "decode.rejections"));
  CHECK_FALSE(find(setting(toy(), "sprinter(fp=[0,1],tp=1)", kUnbounded, 1), "zhong2025.theorem3.1",
                   "output.tv_to_target"));
  CHECK_FALSE(find(setting(toy(), "batch(M=2)", kUnbounded, 1), "yin2024.batch_uniform",
                   "decode.rejections"));
  // A token that is never drafted.
  const auto partly = iid({"1/2", "1/2", "0"}, {"1/3", "1/3", "1/3"});
  CHECK_FALSE(find(setting(partly, "batch(M=2)", kUnbounded, 1), "yin2024.batch_uniform",
                   "decode.rejections"));
  // A target call that costs nothing.
  Asked free_target = setting(toy(), "token", 2);
  free_target.latency = Latency{0.1, 0, 0, 0};
  for (const Prediction& prediction : predictions(free_target)) {
    CHECK(prediction.quantity != QuantityId::first_tokens_per_call);
  }
  // d = t and l = 2: half of the drafts are rejected and the residual is 0/0.
  const auto level = iid({"1/2", "1/2"}, {"1/2", "1/2"});
  CHECK(predict(setting(level, "lenient(l=2)", 2, 2)).empty());
  // Without horizon or length there is no draft length.
  for (const char* verifier : kVerifiers) {
    CAPTURE(verifier);
    CHECK(predict(setting(toy(), verifier, kUnbounded)).empty());
  }
  // A run that may end at an end-of-sequence token has fewer tokens and calls.
  Asked ending = setting(make_pair("bernoulli(draft=2/3,target=1/3,eos=1)"), "token", 2, 2);
  ending.lengths.iterations = 2;
  CHECK_FALSE(find(ending, "sun2024.theorem2", "iterations.expected_tokens[1]"));
  CHECK_FALSE(find(ending, "yin2024.theorem1", "decode.target_calls"));
  CHECK(find(ending, "yin2024.theorem1", "decode.rejections"));
}

TEST_CASE("work beyond the limit leaves a prediction out") {
  Asked asked = setting(random_pair(3, 3, 4), "block", 9, 9, Arithmetic::floating);
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
    const Decisions decisions(*pair, even);
    std::vector<std::string> verifiers(std::begin(kVerifiers), std::end(kVerifiers));
    verifiers.push_back(decisions.verifier());
    verifiers.push_back("sprinter-printed" + decisions.verifier().substr(8));
    for (const std::string& verifier : verifiers) {
      for (const auto& [gamma, horizon] : {std::pair{1, 3}, {2, 1}, {3, 3}, {kUnbounded, 2}}) {
        CAPTURE(pair->name(), verifier, gamma, horizon);
        Asked asked = setting(pair, verifier.c_str(), gamma, horizon);
        asked.lengths.iterations = 2;
        asked.latency = Latency{0.1, 0.01, 1};
        const auto exact_values = predictions(asked);
        asked.arithmetic = Arithmetic::floating;
        const auto values = predictions(asked);
        REQUIRE(values.size() == exact_values.size());
        for (std::size_t i = 0; i < values.size(); ++i) {
          CAPTURE(values[i].claim, path_of(values[i]));
          CHECK(claims.count(values[i].claim) == 1);
          made.insert(values[i].claim);
          CHECK(path_of(values[i]) == path_of(exact_values[i]));
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
}  // namespace speclab::prediction_scope_test
