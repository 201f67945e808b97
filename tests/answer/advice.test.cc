#include "answer/advice.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <map>
#include <random>

#include "answer/answer.h"
#include "answer/costs.h"
#include "answer/waiting_clusters.h"
#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "recording_text.h"
#include "temporary_file.h"

namespace speclab::advice_test {
namespace {

constexpr const char* kToy = "bernoulli(draft=2/3,target=1/3)";

AdviceRequest asked(Bench& bench, const std::string& pair,
                    const std::vector<std::string>& verifiers, int gammas, int horizon,
                    const std::string& costs) {
  AdviceRequest request;
  request.costs = read_costs(costs);
  request.threads = 1;
  for (const std::string& verifier : verifiers) {
    for (int gamma = 1; gamma <= gammas; ++gamma) {
      request.questions.push_back(
          bench.question(pair, verifier, {gamma, horizon, 0}, Arithmetic::floating));
    }
  }
  return request;
}

/// The speedup of a question by the exact interpreter.
double exact_speedup(Bench& bench, const Question& question, const CostModel& costs) {
  Answer answer = bench.answer(question, ByEnumeration{});
  add_costs(answer, costs);
  return answer.find(QuantityId::decode_speedup)->number;
}

TEST_CASE("the advice is the best by exact enumeration") {
  for (const char* costs :
       {"draft=0.05,target=1", "draft=0.2,target=1+0.05n", "draft=0.02,target=4+0.4n,rule=0.5"}) {
    CAPTURE(costs);
    Bench bench;
    const AdviceRequest request = asked(bench, kToy, {"token", "block"}, 3, 8, costs);
    const Advice advice = advise(bench, request);
    std::vector<double> exact;
    for (const Question& question : request.questions) {
      exact.push_back(exact_speedup(bench, question, request.costs));
    }
    exact.push_back(1);
    const double most = *std::max_element(exact.begin(), exact.end());
    // Where it is settled it is the best; a tie holds the best.
    CHECK((exact[advice.choice.best] == most ||
           std::any_of(advice.ties.begin(), advice.ties.end(),
                       [&](std::size_t i) { return exact[i] == most; })));
    if (advice.settled) CHECK(exact[advice.choice.best] == most);
    for (std::size_t i = 0; i < exact.size(); ++i) {
      CAPTURE(i);
      const Estimate& found = advice.candidates[i].speedup;
      CHECK(std::abs(found.mean - exact[i]) <= 6 * found.standard_error + 1e-12);
    }
  }
}

TEST_CASE("where drafting costs too much the advice is not to") {
  Bench bench;
  AdviceRequest request = asked(bench, kToy, {"token", "block"}, 3, 8, "draft=0.9,target=1");
  const Advice dear = advise(bench, request);
  CHECK_FALSE(dear.candidates[dear.choice.best].question.has_value());
  CHECK(dear.settled);
  CHECK(dear.choice.speedup.mean == 1);
  CHECK(dear.choice.lead.difference.low > 0);
  // The planted cost is what does it.
  request.costs = read_costs("draft=0.1,target=1");
  const Advice cheap = advise(bench, request);
  CHECK(cheap.candidates[cheap.choice.best].question.has_value());
  // So does a target that takes as long for four positions as for four calls.
  request.costs = read_costs("draft=0.01,target=n");
  const Advice slow = advise(bench, request);
  CHECK_FALSE(slow.candidates[slow.choice.best].question.has_value());
}

TEST_CASE("where nothing beats it the advice is not to speculate") {
  // Nothing is ever accepted and drafts cost nothing: one token a call either way.
  Bench bench;
  AdviceRequest request = asked(bench, "bernoulli(draft=1,target=0)", {"token"}, 2, 8, "target=1");
  request.most_trials = 256;
  const Advice advice = advise(bench, request);
  CHECK_FALSE(advice.candidates[advice.choice.best].question.has_value());
  CHECK(advice.choice.lead.difference.mean == 0);
  CHECK_FALSE(advice.settled);
}

TEST_CASE("the longest draft length asked is no bound that goes unsaid") {
  Bench bench;
  const auto notes = [&](const char* costs) {
    AdviceRequest request = asked(bench, kToy, {"token"}, 3, 8, costs);
    request.most_trials = 2048;
    return advise(bench, request).notes.size();
  };
  CHECK(notes("draft=0.01,target=1") == 1);
  CHECK(notes("draft=0.4,target=1") == 0);
}

TEST_CASE("equal candidates are a tie") {
  Bench bench;
  // Block and token verification are one rule at gamma = 1.
  AdviceRequest request = asked(bench, kToy, {"token", "block"}, 1, 4, "draft=0.01,target=1");
  request.most_trials = 4096;
  const Advice advice = advise(bench, request);
  CHECK_FALSE(advice.settled);
  CHECK(advice.ties == std::vector<std::size_t>{1});
  CHECK(advice.choice.lead.difference.low <= 0);
  CHECK(advice.trials == 4096);
}

TEST_CASE("the advice moves with the batch and with errors in the costs") {
  Bench bench;
  AdviceRequest request = asked(bench, kToy, {"token"}, 3, 8, "draft=0.02n,target=1");
  const TemporaryFile table("n,time\n1,1\n8,1.05\n64,8\n");
  request.costs.target = TimeCurve::read("@" + table.path());
  request.loads = {{.batch = 1}, {.batch = 16}, {.batch = 32}, {.draft = 50}, {.growth = 100}};
  const Advice advice = advise(bench, request);
  const auto drafts = [&](std::size_t i) {
    REQUIRE(advice.loads[i].choice.has_value());
    return advice.candidates[advice.loads[i].choice->best].question.has_value();
  };
  REQUIRE(advice.loads.size() == 5);
  CHECK(advice.loads[0].choice->best == advice.choice.best);
  CHECK(advice.loads[0].choice->speedup.mean == advice.choice.speedup.mean);
  CHECK(drafts(0));
  CHECK_FALSE(drafts(3));
  CHECK_FALSE(drafts(4));
  // Sixteen sequences of four positions are measured, thirty-two are not.
  CHECK(advice.loads[1].choice.has_value());
  CHECK_FALSE(drafts(1));
  CHECK_FALSE(advice.loads[2].choice.has_value());
  CHECK(advice.loads[2].missing.find("only for 1 to 64") != std::string::npos);
}

TEST_CASE("advice does not depend on the threads") {
  Bench bench;
  AdviceRequest request = asked(bench, kToy, {"token", "block"}, 3, 8, "draft=0.1,target=1+0.1n");
  const Advice one = advise(bench, request);
  request.threads = 3;
  const Advice three = advise(bench, request);
  CHECK(one.choice.best == three.choice.best);
  CHECK(one.trials == three.trials);
  for (std::size_t i = 0; i < one.candidates.size(); ++i) {
    CHECK(one.candidates[i].speedup.mean == three.candidates[i].speedup.mean);
    CHECK(one.candidates[i].speedup.low == three.candidates[i].speedup.low);
  }
}

/// The mean of the largest of N independent values, from P(value <= i).
template <class AtMost>
double mean_largest(int of, const AtMost& at_most) {
  double mean = 0;
  for (int i = 0; at_most(i) < 1; ++i) mean += 1 - std::pow(at_most(i), of);
  return mean;
}

TEST_CASE("a batch that waits takes the calls of its slowest decode") {
  // Token verification, gamma 1, accepts with probability 2/3: after i iterations there are i and
  // as many more tokens as were accepted, so that P(calls <= i) = P(i + Bin(i, 2/3) >= 64).
  const auto calls_at_most = [](int i) {
    if (2 * i < 64) return 0.0;
    if (i >= 64) return 1.0;
    const boost::math::binomial_distribution<> accepted(i, 2.0 / 3);
    return 1 - boost::math::cdf(accepted, 63 - i);
  };
  Bench bench;
  AdviceRequest request = asked(bench, kToy, {"token"}, 1, 64, "draft=0.002n,target=1+0.001n");
  request.most_trials = 20'000;
  request.loads = usual_loads(request.costs, std::vector<int>{1, 8, 100});
  const Advice advice = advise(bench, request);
  const auto speedup = [&](std::size_t i) { return advice.loads.at(i).choice.value().speedup; };
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(advice.loads.at(i).load.waits == (i == 2 || i == 4));
    REQUIRE(advice.loads[i].choice.value().best == 0);
  }
  for (const auto& [load, batch] : {std::pair(2U, 8), {4U, 100}}) {
    const double slowest = mean_largest(batch, calls_at_most);
    const double step = 0.002 * batch, call = 1 + 0.001 * 2 * batch, single = 1 + 0.001 * batch;
    const double expected = 64 * single / (slowest * (call + step));
    const Estimate found = speedup(load);
    CAPTURE(batch, expected, found.mean);
    CHECK(found.least <= expected);
    CHECK(expected <= found.most);
    CHECK(found.standard_error < 0.01 * expected);
    CHECK(found.high < speedup(load - 1).low);  // where each is replaced when it ends
  }
}

TEST_CASE("a batch that waits has enough trials, or says how many it needs") {
  Bench bench;
  AdviceRequest request = asked(bench, kToy, {"token"}, 4, 16, "draft=0.0001n,target=1+0.0001n");
  request.most_trials = 20'000;
  request.loads = {{.batch = 1000, .waits = true}, {.batch = 3000, .waits = true}};
  const Advice advice = advise(bench, request);
  REQUIRE(advice.loads[0].choice.has_value());
  CHECK(advice.loads[0].choice->speedup.standard_error > 0);
  CHECK_THAT(advice.loads[1].missing, Containing("need 24064 trials"));
  // Every candidate has the trials of the first round.
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(advice.candidates[i].clusters.size() >= kLeastWaiting * 1024 / kClusterTrials);
  }
  // Costs that do not grow with a batch are refused for that reason.
  request.costs = read_costs("draft=0.1,target=1");
  CHECK_THAT(advise(bench, request).loads[1].missing, Containing("costs by width"));
}

TEST_CASE("sequences that are all alike wait for nobody") {
  // Draft and target are one: every decode of 12 tokens makes the same calls and draft steps, and
  // the horizon cuts the last window.
  constexpr const char* kAlike = "iid(draft=[1/2,1/2],target=[1/2,1/2])";
  Bench bench;
  AdviceRequest request = asked(bench, kAlike, {}, 0, 12, "draft=0.5+0.001n,target=1+0.001n");
  request.questions.push_back(bench.question(kAlike, "block", {4, 12, 0}, Arithmetic::floating));
  request.most_trials = 1024;
  request.loads = usual_loads(request.costs, std::vector<int>{8});
  const Advice advice = advise(bench, request);
  CHECK(advice.loads[1].load.waits);
  CHECK(advice.loads[1].choice.value().speedup.mean ==
        Approx(advice.loads[0].choice.value().speedup.mean));
}

TEST_CASE("a batch that waits without a draft waits for the longest text") {
  // Draft and target are one: all drafts are accepted, and a text of L tokens takes
  // ceil(L / 4) calls, L the first end-of-sequence token or 64.
  const auto length_at_most = [](int i) { return i >= 64 ? 1.0 : 1 - std::pow(0.75, i); };
  Bench bench;
  AdviceRequest request = asked(bench, "iid(draft=[3/4,1/4],target=[3/4,1/4],eos=1)", {}, 0, 64,
                                "draft=0.002n,target=1+0.001n");
  request.questions.push_back(bench.question("iid(draft=[3/4,1/4],target=[3/4,1/4],eos=1)", "token",
                                             {3, 64, 0}, Arithmetic::floating));
  request.most_trials = 20'000;
  request.loads = {{.batch = 8, .waits = true}};
  const Advice advice = advise(bench, request);
  const Estimate found = advice.loads[0].choice.value().speedup;
  const double tokens = mean_largest(8, length_at_most);
  const double calls = mean_largest(8, [&](int i) { return length_at_most(4 * i); });
  const double expected = tokens * 1.008 / (calls * (1.032 + 3 * 0.016));
  CAPTURE(expected, found.mean);
  CHECK(found.least <= expected);
  CHECK(expected <= found.most);
  CHECK(found.standard_error < 0.01 * expected);
}

TEST_CASE("clusters are the engine's trials") {
  Bench bench;
  // Few enough that nothing goes with their controls, and of a verifier without an output form.
  const Question question = bench.question(kToy, "greedy-block", {2, 4, 0}, Arithmetic::floating);
  const BySimulation method{
      .trials = 4 * kClusterTrials, .seed = 5, .threads = 1, .draws = Draws::controlled};
  std::vector<Cluster> clusters;
  add_clusters(bench, question, {}, method, 0, 4, clusters);
  const Answer whole = bench.answer(question, method);
  CHECK(rate_interval(clusters, length_rate()).mean ==
        Approx(whole.find(QuantityId::acceptance_length)->number));
  CHECK(rate_interval(clusters, accepted_rate()).mean ==
        Approx(whole.find(QuantityId::expected_accepted)->number));
}

TEST_CASE("the best draft length of an n-gram pair is that of long simulations") {
  std::string text;
  const char* const words[] = {"the cat sat on the mat and ", "the dog sat on a log and ",
                               "a cat saw the dog on the mat then ", "the end of a long day and "};
  for (int i = 0; i < 400; ++i) text += words[(i * i + i / 3) % 4];
  const TemporaryFile file(text);
  const std::string pair = "ngram(text=" + file.path() + ",draft=1,target=3)";
  Bench bench;
  AdviceRequest request = asked(bench, pair, {"block"}, 5, 48, "draft=0.1,target=1+0.02n");
  request.most_trials = 16'384;
  const Advice advice = advise(bench, request);
  std::map<int, double> speedups;
  for (const Question& question : request.questions) {
    Answer answer = bench.answer(question, BySimulation{.trials = 20'000, .seed = 77});
    add_costs(answer, request.costs);
    speedups[question.lengths.gamma] = answer.find(QuantityId::decode_speedup)->number;
  }
  const auto best = std::max_element(speedups.begin(), speedups.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  REQUIRE(advice.settled);
  REQUIRE(advice.candidates[advice.choice.best].question.has_value());
  CHECK(advice.candidates[advice.choice.best].question->lengths.gamma == best->first);
}

TEST_CASE("advice on a recording") {
  // Four hundred paths of three tokens drawn from an independent pair: E[tokens] of token
  // verification at gamma = 1 is 5/3, at gamma = 3 65/27.
  const Rows<double> rows(speclab::make_pair(kToy));
  std::mt19937_64 engine(3);
  std::discrete_distribution<Token> draft{1, 2};
  std::string text = recording_head(2);
  for (int prompt = 0; prompt < 400; ++prompt) {
    const std::vector<Token> tokens{draft(engine), draft(engine), draft(engine)};
    text += recorded_path(rows, 0, tokens).line();
  }
  const TemporaryFile file(text);
  Bench bench;
  AdviceRequest request;
  request.costs = read_costs("draft=0.1,target=1");
  for (const char* verifier : {"token", "block"}) {
    for (const int gamma : {1, 3}) {
      request.questions.push_back(bench.question("recorded(" + file.path() + ")", verifier,
                                                 {gamma, std::nullopt, 0}, Arithmetic::floating));
    }
  }
  const Advice advice = advise_recorded(request);
  const double exact[] = {5.0 / 3 / 1.1, 65.0 / 27 / 1.3};
  for (const std::size_t i : {0U, 1U}) {
    const Estimate& found = advice.candidates[i].speedup;
    CHECK(advice.candidates[i].clusters.size() == 400);
    CHECK(std::abs(found.mean - exact[i]) < 6 * found.standard_error);
    CHECK(found.standard_error < 0.05);
  }
  // Block verification accepts more of every path on average; the longer draft pays.
  REQUIRE(advice.candidates[advice.choice.best].question.has_value());
  CHECK(advice.candidates[advice.choice.best].question->verifier.name == "block");
  CHECK(advice.candidates[advice.choice.best].question->lengths.gamma == 3);
  request.costs = read_costs("draft=2,target=1");
  const Advice dear = advise_recorded(request);
  CHECK_FALSE(dear.candidates[dear.choice.best].question.has_value());
  CHECK(dear.settled);
}

TEST_CASE("advice that cannot be given is refused") {
  Bench bench;
  CHECK_THROWS_AS(advise(bench, {}), InputError);
  AdviceRequest request =
      asked(bench, kToy, {"sprinter(fp=1/2,tp=1)"}, 1, 4, "draft=0.1,target=1+0.1n");
  CHECK_THROWS_AS(advise(bench, request), InputError);
}

}  // namespace
}  // namespace speclab::advice_test
