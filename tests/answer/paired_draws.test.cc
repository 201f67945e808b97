// What the trials of a comparison draw, and how many of them it saves.
#include <optional>
#include <vector>

#include "answer/advice.h"
#include "answer/bench.h"
#include "catch.h"

namespace speclab::paired_draws_test {
namespace {

/// The variances of two verifiers' rates and of their difference, over the same trials.
struct Variances {
  double first = 0, second = 0, difference = 0;
};

/// @param horizon  of whole decodes; without one, of first iterations
/// @param draws    of the trials; what comparisons draw where it is not given
Variances variances(Bench& bench, const char* first, const char* second, std::optional<int> horizon,
                    std::optional<Draws> draws = {}) {
  std::vector<Question> questions;
  for (const char* verifier : {first, second}) {
    questions.push_back(bench.question("markov(vocabulary=7,horizon=128,seed=10)", verifier,
                                       {8, horizon, 0}, Arithmetic::floating));
  }
  const BySimulation method{.draws = draws.value_or(paired_draws(questions))};
  std::vector<Cluster> clusters[2];
  std::vector<double> controls;
  for (std::size_t i = 0; i < 2; ++i) {
    add_clusters(bench, questions[i], method, 0, 64, controls, clusters[i]);
  }
  const Rate rate = horizon ? length_rate() : accepted_rate();
  const auto square = [](const Estimate& of) { return of.standard_error * of.standard_error; };
  return {square(rate_interval(clusters[0], rate)), square(rate_interval(clusters[1], rate)),
          square(paired_difference(clusters[0], rate, clusters[1], rate).difference)};
}

/// How many times as many trials of the verifiers' own decisions two of them would need unpaired.
double saved(Bench& bench, const char* first, const char* second, std::optional<int> horizon) {
  const Variances own = variances(bench, first, second, horizon, Draws::decisions);
  return (own.first + own.second) / variances(bench, first, second, horizon).difference;
}

TEST_CASE("verifiers that emit the same tokens need few trials") {
  Bench bench;
  CHECK(saved(bench, "token", "block", 128) > 10);
  CHECK(saved(bench, "token", "gumbel", 128) > 60);
  CHECK(saved(bench, "token", "rrs(K=2)", 128) > 100);
  CHECK(saved(bench, "rrs(K=2)", "kseq(K=2)", 128) > 1000);
  CHECK(saved(bench, "token", "sample-match", 128) > 10);
  CHECK(saved(bench, "block", "greedy-block", 128) > 5);
  // slot-block has no output form: both make their decisions.
  CHECK(saved(bench, "block", "slot-block(K=2)", 128) < 3);
}

TEST_CASE("one iteration of verifiers with an output form needs few trials") {
  Bench bench;
  CHECK(saved(bench, "token", "block", {}) > 3);
  CHECK(saved(bench, "token", "rrs(K=2)", {}) > 3);
  CHECK(saved(bench, "rrs(K=2)", "kseq(K=2)", {}) > 3);
  CHECK(saved(bench, "token", "gumbel", {}) > 3);
  // Verifiers of blocks share their drafts there.
  CHECK(saved(bench, "block", "greedy-block", {}) > 8);
}

TEST_CASE("a token that few trials draw has room in the intervals of means") {
  // All decodes without the third token have the same mean to 1e-9; it comes in 8 of 10,000.
  Bench bench;
  std::vector<Question> questions;
  for (const char* verifier : {"token", "gumbel"}) {
    questions.push_back(
        bench.question("iid(draft=[44991/100000,44991001/100000000,0,10017999/100000000],"
                       "target=[4999/10000,4999/10000,2/10000,0])",
                       verifier, {2, 4, 0}, Arithmetic::floating));
  }
  const double exact[] = {1.9713147274, 1.9712248312};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const BySimulation method{.seed = seed, .threads = 1, .draws = Draws::output};
    std::vector<Cluster> clusters[2];
    std::vector<double> controls;
    for (std::size_t i = 0; i < 2; ++i) {
      add_clusters(bench, questions[i], method, 0, 10, controls, clusters[i]);
      const Estimate found = rate_interval(clusters[i], length_rate());
      CHECK(found.least <= exact[i]);
      CHECK(exact[i] <= found.most);
    }
    const auto paired = paired_difference(clusters[0], length_rate(), clusters[1], length_rate());
    CHECK(paired.difference.least <= exact[0] - exact[1]);
    CHECK(exact[0] - exact[1] <= paired.difference.most);
    CHECK(paired.tail > 1e-3);
  }
}

TEST_CASE("comparisons draw outputs where all have an output form") {
  Bench bench;
  const auto drawn = [&](const char* second, std::optional<int> horizon) {
    std::vector<Question> questions;
    for (const char* verifier : {"token", second}) {
      questions.push_back(bench.question("markov(vocabulary=2,horizon=9,seed=1)", verifier,
                                         {3, horizon, 0}, Arithmetic::floating));
    }
    return paired_draws(questions);
  };
  CHECK(drawn("block", 9) == Draws::output);
  CHECK(drawn("block", {}) == Draws::output);
  CHECK(drawn("greedy-block", 9) == Draws::output);
  CHECK(drawn("greedy-block", {}) == Draws::decisions);
  CHECK(drawn("slot-block(K=2)", 9) == Draws::decisions);
}

}  // namespace
}  // namespace speclab::paired_draws_test
