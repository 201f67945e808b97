// How many trials a comparison of two verifiers saves by what their trials share.
#include <vector>

#include "answer/advice.h"
#include "answer/bench.h"
#include "catch.h"

namespace speclab::paired_draws_test {
namespace {

TEST_CASE("verifiers that emit the same tokens need few trials, over decodes too") {
  Bench bench;
  const auto saved = [&bench](const char* first, const char* second) {
    std::vector<Question> questions;
    for (const char* verifier : {first, second}) {
      questions.push_back(bench.question("markov(vocabulary=7,horizon=128,seed=10)", verifier,
                                         {8, 128, 0}, Arithmetic::floating));
    }
    BySimulation method;
    method.draws = paired_draws(questions);
    std::vector<Cluster> clusters[2];
    for (std::size_t i = 0; i < 2; ++i)
      add_clusters(bench, questions[i], method, 0, 64, clusters[i]);
    return *paired_difference(clusters[0], length_rate(), clusters[1], length_rate()).saved;
  };
  CHECK(saved("token", "block") > 3);
  CHECK(saved("token", "rrs(K=2)") > 3);
  CHECK(saved("rrs(K=2)", "kseq(K=2)") > 3);
  CHECK(saved("token", "gumbel") > 3);
  // greedy-block has no output form: both make their decisions.
  CHECK(saved("block", "greedy-block") < 3);
}

}  // namespace
}  // namespace speclab::paired_draws_test
