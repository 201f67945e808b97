// What is made of a tally, against the same computed from every single trial.
#include "simulate/estimate.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "catch.h"
#include "toy.h"

namespace speclab::estimate_test {
namespace {

constexpr std::uint64_t kTrials = 300;

struct Simulated {
  Tally tally;
  Estimates estimates;
  std::vector<Tally> singly;  ///< each trial for itself
};

Simulated simulated(const char* verifier, const char* pair, Lengths lengths, bool law = false) {
  const Rows<double> rows(make_pair(pair));
  const Verifier ready = make_verifier(verifier);
  SimulateRequest request{.lengths = lengths,
                          .law = law,
                          .drafting = ready.info->drafting,
                          .trials = kTrials,
                          .threads = 1};
  Simulated result;
  result.tally = run_trials(ready, rows, request).tally;
  result.estimates = estimate(result.tally, rows, request);
  request.trials = 1;
  for (std::uint64_t i = 0; i < kTrials; ++i) {
    request.first_trial = i;
    result.singly.push_back(run_trials(ready, rows, request).tally);
  }
  return result;
}

double number(WideCount value) { return static_cast<double>(value); }

struct Line {
  double mean = 0;
  double error = 0;  ///< of the mean, with n - 1
};

/// Of one number a trial.
template <class Number>
Line line(const std::vector<Tally>& trials, const Number& of) {
  Line result;
  const auto n = static_cast<double>(trials.size());
  for (const Tally& trial : trials) result.mean += of(trial) / n;
  double squares = 0;
  for (const Tally& trial : trials) squares += std::pow(of(trial) - result.mean, 2);
  result.error = std::sqrt(squares / (n - 1) / n);
  return result;
}

/// A ratio of two numbers a trial, its error that of the mean of a - ratio b.
template <class Above, class Below>
Line ratio(const std::vector<Tally>& trials, const Above& above, const Below& below) {
  const double under = line(trials, below).mean;
  const double r = line(trials, above).mean / under;
  return {r, line(trials, [&](const Tally& t) { return above(t) - r * below(t); }).error / under};
}

void check_line(const Estimate& estimate, const Line& line) {
  CHECK(estimate.mean == Approx(line.mean).epsilon(1e-12));
  CHECK(estimate.standard_error == Approx(line.error).epsilon(1e-9));
  CHECK(estimate.low < estimate.mean);
  CHECK(estimate.high > estimate.mean);
  // 300 trials: 1.96 standard errors, and room for rare events of the whole range.
  CHECK(estimate.high - estimate.low > 3.6 * line.error);
  CHECK(estimate.least < estimate.low);
  CHECK(estimate.most > estimate.high);
}

TEST_CASE("means and ratios of a decode have the errors of their trials") {
  const auto tokens = [](const Tally& t) { return number(t.tokens.sum); };
  const auto calls = [](const Tally& t) { return number(t.target_calls.sum); };
  const auto steps = [](const Tally& t) { return number(t.draft_steps.sum); };
  const auto iterations = [](const Tally& t) { return number(t.iterations.sum); };
  for (const char* verifier : {"token", "sprinter(fp=1/3,tp=2/3)"}) {
    CAPTURE(verifier);
    // An end-of-sequence token, so that all three vary, and not alike.
    const Simulated run = simulated(verifier, "bernoulli(draft=2/3,target=1/3,eos=1)", {3, 9, 0});
    const Findings<Estimate>& found = run.estimates.found;
    check_line(found.at(QuantityId::decode_tokens), line(run.singly, tokens));
    check_line(found.at(QuantityId::target_calls), line(run.singly, calls));
    check_line(found.at(QuantityId::draft_steps), line(run.singly, steps));
    check_line(found.at(QuantityId::acceptance_length), ratio(run.singly, tokens, calls));
    for (int i = 1; i <= 3; ++i) {
      const auto reached = [&](const Tally& t) {
        const auto at = static_cast<std::size_t>(i) - 1;
        return at < t.positions.size() ? number(t.positions[at].sum) : 0.0;
      };
      const Line rate = ratio(run.singly, reached, iterations);
      if (rate.error > 0) check_line(*found.find(QuantityId::position_rates, {i}), rate);
    }
    const auto time = [&](const Tally& t) { return 0.3 * steps(t) + 2 * calls(t); };
    const auto baseline = [&](const Tally& t) { return 2 * tokens(t); };
    const TimeEstimates modelled = estimate_time(*run.estimates.decode, 0.3, 2, 2);
    check_line(modelled.time, line(run.singly, time));
    check_line(modelled.speedup, ratio(run.singly, baseline, time));
  }
}

TEST_CASE("what an undefined draw ends is kept in every quantity") {
  // One token of spectr-gbv on fair coins is undefined with probability 2/9 (of 300: 67 +- 7).
  const Simulated run = simulated("spectr-gbv(K=2)", "bernoulli(draft=1/2,target=1/2)", {1, 1, 0});
  const auto undefined = static_cast<double>(run.tally.undefined_trials);
  REQUIRE(undefined > 20);
  REQUIRE(undefined < 120);
  const Findings<Estimate>& found = run.estimates.found;
  CHECK(found.at(QuantityId::iteration_undefined).mean == Approx(undefined / kTrials));
  CHECK(found.at(QuantityId::iteration_undefined).low > 0.05);
  CHECK(found.at(QuantityId::decode_tokens).mean == Approx(1 - undefined / kTrials));
  CHECK(found.at(QuantityId::decode_tokens).low < 1 - undefined / kTrials);
  double distance = undefined / kTrials / 2;
  for (const std::uint64_t count : run.tally.outputs) {
    distance += std::abs(static_cast<double>(count) / kTrials - 0.5) / 2;
  }
  CHECK(found.at(QuantityId::tv_to_target).mean == Approx(distance));
  CHECK(found.at(QuantityId::tv_to_target).least > 0.05);
}

TEST_CASE("an undefined draw of a later iteration is counted too") {
  // One iteration is undefined with probability 2/9, one of two with 32/81 (of 300: 119 +- 9).
  const Simulated run = simulated("spectr-gbv(K=2)", "bernoulli(draft=1/2,target=1/2)", {1, {}, 2});
  CHECK(run.tally.undefined_trials > 70);
  CHECK(run.tally.undefined_trials < 170);
  CHECK(run.tally.undefined_trials > run.tally.undefined_iterations);
}

TEST_CASE("a decode's distance is that of its outputs from the target's products") {
  const Simulated run = simulated("token", "bernoulli(draft=2/3,target=1/3)", {2, 3, 0});
  REQUIRE(run.tally.outputs.size() == 8);
  double distance = 0;
  for (unsigned sequence = 0; sequence < 8; ++sequence) {
    double law = 1;
    for (int i = 0; i < 3; ++i) law *= (sequence >> i & 1U) == 0 ? 2.0 / 3 : 1.0 / 3;
    distance += std::abs(static_cast<double>(run.tally.outputs[sequence]) / kTrials - law) / 2;
  }
  const Estimate& found = run.estimates.found.at(QuantityId::tv_to_target);
  CHECK(found.mean == Approx(distance));
  CHECK(found.least == 0);
}

TEST_CASE("the law of the tokens is found where laws are requested") {
  for (const bool law : {false, true}) {
    const Simulated run = simulated("token", "bernoulli(draft=2/3,target=1/3)", {2, {}, 2}, law);
    CHECK((run.estimates.found.find(QuantityId::tokens_law, {1, 1}) != nullptr) == law);
  }
}

TEST_CASE("no interval is a point where another value is possible, none leaves its range") {
  // Equal models: every trial is alike, in every quantity but the tokens themselves.
  const Simulated run = simulated("token", "iid(draft=[1],target=[1])", {2, 4, 2}, true);
  const Findings<Estimate>& found = run.estimates.found;
  const double room = 1 - std::pow(0.025, 1.0 / kTrials);
  const auto check = [&](QuantityId id, double mean, double low, double high,
                         const QuantityIndex& index = {}) {
    const Estimate& estimate = *found.find(id, index);
    CAPTURE(quantity(id).path());
    CHECK(estimate.mean == Approx(mean));
    CHECK(estimate.low == Approx(mean - room * (mean - low)).margin(1e-9));
    CHECK(estimate.high == Approx(mean + room * (high - mean)).margin(1e-9));
    CHECK(estimate.least >= low);
    CHECK(estimate.most <= high);
  };
  check(QuantityId::expected_accepted, 2, 0, 2);
  check(QuantityId::accepted_law, 1, 0, 1, {2});
  check(QuantityId::accepted_law, 0, 0, 1, {0});
  check(QuantityId::iteration_undefined, 0, 0, 1);
  check(QuantityId::expected_tokens, 6, 0, 6, {2});
  check(QuantityId::decode_tokens, 4, 0, 4);
  check(QuantityId::target_calls, 2, 1, 4);  // 3 tokens, then 1
  check(QuantityId::draft_steps, 3, 1, 7);   // 2 + 1; at most 2 + 2 + 2 + 1
  check(QuantityId::rejections, 0, 0, 4);
  check(QuantityId::tv_to_target, 0, 0, 1);
  check(QuantityId::output_law, 1, 0, 1, {0, 0, 0, 0});
  const Estimate& length = found.at(QuantityId::acceptance_length);
  CHECK(length.low < length.mean - 1e-3);
  CHECK(length.high > length.mean + 1e-3);
  const Estimate& rate = *found.find(QuantityId::position_rates, {1});
  CHECK(rate.mean == 1);
  CHECK(rate.low < 1 - 1e-3);
  CHECK(rate.most == 1);
  const TimeEstimates modelled = estimate_time(*run.estimates.decode, 1, 10, 10);
  CHECK(modelled.time.mean == 23);
  CHECK(modelled.time.low < 22.9);
  CHECK(modelled.time.high > 23.1);
  CHECK(modelled.speedup.low < modelled.speedup.mean - 1e-3);
  CHECK(modelled.speedup.high > modelled.speedup.mean + 1e-3);
  // Without a draft model there are no draft steps, however many trials there are.
  const Simulated plain = simulated("autoregressive", "iid(draft=[1],target=[1])", {2, 4, 0});
  CHECK(plain.estimates.found.at(QuantityId::draft_steps).most == 0);
  CHECK(estimate_time(*plain.estimates.decode, 1, 10, 10).time.most <= 40);
}

}  // namespace
}  // namespace speclab::estimate_test
