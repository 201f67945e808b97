// What the trials of a comparison draw, and how many of them it saves.
#include <cmath>
#include <optional>
#include <vector>

#include "answer/advice.h"
#include "answer/answer.h"
#include "answer/bench.h"
#include "catch.h"

namespace speclab::paired_draws_test {
namespace {

/// How many times as many trials of the verifiers' own decisions two of them would need unpaired.
/// @param horizon  of whole decodes; without one, of first iterations
double saved(Bench& bench, const char* first, const char* second, std::optional<int> horizon,
             const char* pair = "markov(vocabulary=7,horizon=128,seed=10)") {
  constexpr std::size_t kCount = 128;
  std::vector<Cluster> clusters[2];
  double unpaired = 0;
  std::vector<Question> questions;
  for (const char* verifier : {first, second}) {
    questions.push_back(bench.question(pair, verifier, {8, horizon, 0}, Arithmetic::floating));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const Question& question = questions[i];
    add_clusters(bench, question, questions, {}, 0, kCount, clusters[i]);
    const Answer plain = bench.answer(question, BySimulation{.trials = kCount * kClusterTrials});
    const auto id = horizon ? QuantityId::acceptance_length : QuantityId::expected_accepted;
    unpaired += std::pow(plain.find(id)->estimate->standard_error, 2);
  }
  const Rate rate = horizon ? length_rate() : accepted_rate();
  const auto difference = paired_difference(clusters[0], rate, clusters[1], rate).difference;
  return unpaired / std::pow(difference.standard_error, 2);
}

TEST_CASE("decodes of verifiers that are counted in expectation need few trials") {
  Bench bench;
  CHECK(saved(bench, "token", "block", 128) > 10);
  CHECK(saved(bench, "token", "gumbel", 128) > 60);
  CHECK(saved(bench, "token", "rrs(K=2)", 128) > 100);
  CHECK(saved(bench, "rrs(K=2)", "kseq(K=2)", 128) > 1000);
  CHECK(saved(bench, "token", "sample-match", 128) > 10);
}

TEST_CASE("decodes of other verifiers need a fourth of the trials or less, by their controls") {
  Bench bench;
  CHECK(saved(bench, "token", "greedy-block", 128) > 7);
  CHECK(saved(bench, "block", "greedy-block", 128) > 10);
  CHECK(saved(bench, "block", "path-block(K=2)", 128) > 8);
  CHECK(saved(bench, "token", "slot-block(K=2)", 128) > 5);
  CHECK(saved(bench, "token", "traversal(K=2)", 128) > 4);
  CHECK(saved(bench, "rrs(K=2)", "traversal(K=2)", 128) > 4);
  CHECK(saved(bench, "slot-block(K=2)", "traversal(K=2)", 128) > 4);
}

TEST_CASE("iterations that begin in one state share their drafts and coins") {
  // Six to one where only the first ones of a decode do.
  Bench bench;
  CHECK(saved(bench, "slot-block(K=2)", "traversal(K=2)", 128,
              "iid(draft=[1/2,1/4,1/4],target=[1/4,1/2,1/4])") > 9);
}

TEST_CASE("a verifier decides where one that it is compared with has to") {
  Bench bench;
  const auto question = [&](const char* verifier, int gamma) {
    return bench.question("uniform(draft=7,target=3)", verifier, {gamma, 12, 0},
                          Arithmetic::floating);
  };
  const auto decides = [&](const Question& of, const std::vector<Question>& compared) {
    std::vector<Cluster> clusters;
    add_clusters(bench, of, compared, {}, 0, 2, clusters);
    CHECK(clusters[0].companions_of.value_or(of.lengths.gamma) == of.lengths.gamma);
    return clusters[0].companions_of.has_value();
  };
  const Question token = question("token", 4), slot = question("slot-block(K=2)", 4);
  CHECK_FALSE(decides(token, {}));
  CHECK_FALSE(decides(token, {token, question("rrs(K=2)", 4)}));
  CHECK_FALSE(decides(token, {token, question("slot-block(K=2)", 5)}));
  CHECK(decides(token, {token, slot}));
  CHECK(decides(slot, {token, slot}));
  // Companions are of two verifiers that draft and follow the target.
  const Question none = question("autoregressive", 4), lenient = question("lenient(l=1/2)", 4);
  CHECK_FALSE(decides(slot, {slot}));
  CHECK_FALSE(decides(slot, {slot, none}));
  CHECK_FALSE(decides(slot, {slot, lenient}));
  CHECK_FALSE(decides(lenient, {token, slot, lenient}));
  CHECK(decides(slot, {token, slot, lenient, none}));
}

TEST_CASE("few trials have no companions, and no verifier decides for one without a draft") {
  Bench bench;
  std::vector<Question> questions;
  for (const char* verifier : {"token", "slot-block(K=2)", "autoregressive"}) {
    questions.push_back(
        bench.question("uniform(draft=7,target=3)", verifier, {4, 12, 0}, Arithmetic::floating));
  }
  const auto cluster = [&](std::size_t compared, std::uint64_t trials) {
    std::vector<Cluster> clusters;
    const std::vector<Question> both{questions[0], questions[compared]};
    add_clusters(bench, both[0], both, {.trials = trials}, 0, 1, clusters);
    return clusters[0];
  };
  CHECK(cluster(1, 3584).companions_of == 4);
  CHECK_FALSE(cluster(1, 3583).companions_of);
  // Calls in expectation are no whole number.
  CHECK(cluster(1, 3583).calls == std::round(cluster(1, 3583).calls));
  CHECK(cluster(2, 3584).calls != std::round(cluster(2, 3584).calls));
}

TEST_CASE("first iterations share their drafts and have controls") {
  Bench bench;
  CHECK(saved(bench, "token", "block", {}) > 6);
  CHECK(saved(bench, "token", "rrs(K=2)", {}) > 5);
  CHECK(saved(bench, "block", "greedy-block", {}) > 15);
  CHECK(saved(bench, "slot-block(K=2)", "traversal(K=2)", {}) > 7);
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
    const BySimulation method{.seed = seed, .threads = 1};
    std::vector<Cluster> clusters[2];
    for (std::size_t i = 0; i < 2; ++i) {
      add_clusters(bench, questions[i], questions, method, 0, 10, clusters[i]);
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

/// One question of a comparison that controls may lead astray, and its exact answer.
struct Astray {
  const char* pair;
  const char* verifier;
  Lengths lengths;
  std::size_t clusters;
};

TEST_CASE("controls that are rounding, alike or without their rare terms lead no rate astray") {
  Bench bench;
  for (const Astray& at :
       {// All tokens of the target have the same ratio: the output's control is rounding, and
        // goes with the tokens up to the end.
        Astray{"uniform(draft=7,target=3,eos=1)", "token", {3, 12, 0}, 64},
        Astray{"uniform(draft=7,target=3,eos=1)", "rrs(K=2)", {3, 12, 0}, 64},
        Astray{"iid(draft=[3/10,1/10,6/10],target=[3/4,1/4,0])", "rrs(K=2)", {3, 12, 0}, 64},
        // Refusals are rare: drafts and coins go with each other but for their rounding.
        Astray{"bernoulli(draft=0.001,target=0.00001)", "greedy-block", {3, 12, 0}, 32},
        Astray{"bernoulli(draft=0.005,target=0.0005)", "greedy-block", {3, 12, 0}, 32},
        // Weights are products below 1e-308, of which no quotient is a number.
        Astray{"bernoulli(draft=1/2,target=1e-104)", "traversal(K=2)", {4, 6, 0}, 17},
        Astray{"bernoulli(draft=1/2,target=1e-104)", "recursive-greedy(K=2)", {4, 6, 0}, 64},
        // The fourth token is never drafted in so few trials: controls are nearly constant.
        Astray{"iid(draft=[299999/500000,299999/1000000,1/10,3/1000000],"
               "target=[6/10,3/10,1/10,0],eos=2)",
               "greedy-block",
               {3, 12, 0},
               32}}) {
    const Question question =
        bench.question(at.pair, at.verifier, at.lengths, Arithmetic::floating);
    const double exact =
        bench.answer(question, ByEnumeration{}).find(QuantityId::acceptance_length)->number;
    int missed = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      std::vector<Cluster> clusters;
      add_clusters(bench, question, {}, {.seed = seed, .threads = 1}, 0, at.clusters, clusters);
      const Estimate found = rate_interval(clusters, length_rate());
      CAPTURE(at.pair, at.verifier, seed, found.mean, found.standard_error, exact);
      CHECK(found.low <= found.mean);
      CHECK(found.mean <= found.high);
      CHECK(found.least <= exact);
      CHECK(exact <= found.most);
      missed += exact < found.low || found.high < exact;
    }
    // Binomial(30, 0.05): 12 and more have a chance of 1e-8.
    CAPTURE(at.pair, at.verifier);
    CHECK(missed < 12);
  }
}

}  // namespace
}  // namespace speclab::paired_draws_test
