// How many trials a comparison of two verifiers saves by what their trials share.
#include <optional>
#include <vector>

#include "answer/advice.h"
#include "answer/bench.h"
#include "catch.h"

namespace speclab::paired_draws_test {
namespace {

/// How many times as many trials two verifiers would need without pairing.
/// @param horizon  of whole decodes; without one, of first iterations
double saved(Bench& bench, const char* first, const char* second, std::optional<int> horizon) {
  std::vector<Question> questions;
  for (const char* verifier : {first, second}) {
    questions.push_back(bench.question("markov(vocabulary=7,horizon=128,seed=10)", verifier,
                                       {8, horizon, 0}, Arithmetic::floating));
  }
  BySimulation method;
  method.draws = paired_draws(questions);
  std::vector<Cluster> clusters[2];
  for (std::size_t i = 0; i < 2; ++i) add_clusters(bench, questions[i], method, 0, 64, clusters[i]);
  const Rate rate = horizon ? length_rate() : accepted_rate();
  return *paired_difference(clusters[0], rate, clusters[1], rate).saved;
}

TEST_CASE("verifiers that emit the same tokens need few trials, over decodes too") {
  Bench bench;
  for (const auto horizon : {std::optional<int>{}, std::optional<int>{128}}) {
    CHECK(saved(bench, "token", "block", horizon) > 3);
    CHECK(saved(bench, "token", "rrs(K=2)", horizon) > 3);
    CHECK(saved(bench, "rrs(K=2)", "kseq(K=2)", horizon) > 3);
    CHECK(saved(bench, "token", "gumbel", horizon) > 3);
  }
  CHECK(saved(bench, "block", "greedy-block", 128) > 3);
  // slot-block has no output form: both make their decisions.
  CHECK(saved(bench, "block", "slot-block(K=2)", 128) < 3);
}

TEST_CASE("verifiers of blocks share their drafts for one iteration") {
  Bench bench;
  CHECK(saved(bench, "block", "greedy-block", {}) > 8);
}

}  // namespace
}  // namespace speclab::paired_draws_test
