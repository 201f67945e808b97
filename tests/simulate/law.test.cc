// Simulation against the exact law of every verifier, and how often a wrong one is found out.
//
// False alarms: every check has a level of kFamily / kChecks, and at most kChecks checks are made,
// so a right program fails this file with a probability of at most 1e-9 over the choice of seeds.
// The tests' p-values are bounds that hold at any sample size.
#include <vector>

#include "catch.h"
#include "greedy_carry.h"
#include "simulate/engine.h"
#include "simulate/simulate.h"
#include "simulate/statistics.h"
#include "simulate/trial.h"
#include "simulated_law.h"
#include "toy.h"

namespace speclab::law_test {
namespace {

constexpr double kFamily = 1e-9;
constexpr int kChecks = 10000;
constexpr double kLevel = kFamily / kChecks;

void check_fit(const FitTest& test, int& checks) {
  ++checks;
  CAPTURE(test.sample, test.statistic, test.degrees, test.p_value, test.outside);
  CHECK_FALSE(test.too_small);
  CHECK_FALSE(test.rejects(kLevel));
}

/// The laws of the output and of tau, and the means of a decode.
void check_decode(const Verifier& verifier, std::string_view pair, int gamma, int& checks) {
  constexpr int kHorizon = 3;
  CAPTURE(verifier.name, pair, gamma);
  const Rows<double> rows(make_pair(pair));
  const Lengths lengths{.gamma = gamma, .horizon = kHorizon};
  const ExactNumbers<double> expected =
      run_exact(verifier, rows, {.lengths = lengths, .law = true});
  const SimulateRequest request{.lengths = lengths, .trials = 20000, .seed = 7};
  const Tally tally = run_trials(verifier, rows, request).tally;
  REQUIRE(tally.trials == request.trials);
  const auto& decode = *expected.decode;
  const auto law = output_law(decode, rows.vocabulary(), kHorizon);
  check_fit(fit_test(law, output_counts(tally, law.size())), checks);
  REQUIRE(tally.accepted.size() <= expected.accepted_law.size());
  check_fit(fit_test(expected.accepted_law, tally.accepted), checks);
  const double n = static_cast<double>(request.trials);
  const auto check_mean = [&](const Moments& moments, double exact_mean) {
    ++checks;
    const double mean = static_cast<double>(moments.sum) / n;
    CAPTURE(mean, exact_mean);
    CHECK(mean_p_bound(mean, exact_mean, kHorizon, request.trials) > kLevel);
  };
  check_mean(tally.rejections, decode.rejections);
  check_mean(tally.target_calls, decode.target_calls);
  check_mean(tally.tokens, decode.tokens);
}

TEST_CASE("every verifier's simulated laws are its exact laws (long)") {
  int checks = 0;
  for (const VerifierInfo& row : verifier_rows()) {
    const Verifier verifier = make_verifier(row.example);
    for (const std::string_view pair :
         {kToy, std::string_view("tree(vocabulary=3,depth=3,seed=5)"),
          std::string_view("iid(draft=[0,1/2,1/2],target=[1/2,1/2,0])"),
          std::string_view("markov(vocabulary=3,horizon=4,seed=2)"),
          std::string_view("tree(vocabulary=3,depth=2,seed=8,eos=0)")}) {
      for (const int gamma : {1, 3, kUnbounded}) check_decode(verifier, pair, gamma, checks);
    }
  }
  for (const char* three : {"canonical(K=3)", "spectr-coupled(K=3)"}) {
    const Verifier verifier = make_verifier(three);
    check_decode(verifier, kToy, 2, checks);
    check_decode(verifier, "iid(draft=[1/8,1/4,5/8],target=[1/2,3/8,1/8])", 2, checks);
  }
  CHECK(checks >= 4 * 5 * 3 * 5);
  CHECK(checks <= kChecks);
}

TEST_CASE("tokens after each iteration agree with their exact means") {
  const Rows<double> rows(make_pair("tree(vocabulary=3,depth=3,seed=5)"));
  int checks = 0;
  for (const char* name : {"autoregressive", "token", "block", "greedy-block"}) {
    const Verifier verifier = make_verifier(name);
    const ExactNumbers<double> expected =
        run_exact(verifier, rows, {.lengths = {.gamma = 2, .iterations = 3}});
    const SimulateRequest request{.lengths = {.gamma = 2, .iterations = 3}, .trials = 100000};
    const Tally tally = run_trials(verifier, rows, request).tally;
    for (std::size_t i = 0; i < 3; ++i) {
      ++checks;
      CAPTURE(name, i);
      const double mean =
          static_cast<double>(tally.emitted[i].sum) / static_cast<double>(request.trials);
      CHECK(mean_p_bound(mean, expected.expected_tokens[i], 3.0 * static_cast<double>(i + 1),
                         request.trials) > kLevel);
    }
  }
  CHECK(checks == 12);
}

/// The tally of a program that is not in the registry, on the toy pair.
template <class Program>
Tally tally_program(const Program& program, const Rows<double>& rows, int gamma, int horizon,
                    std::uint64_t seed, std::uint64_t trials) {
  const TrialPlan plan =
      make_plan(rows, {.lengths = {.gamma = gamma, .horizon = horizon}, .seed = seed});
  Tally tally;
  Trials<Program>(program, rows, plan).run(0, trials, tally);
  return tally;
}

/// Simulates a wrong program at the sample size for a power of 0.9 and counts how often the test
/// against the target's law finds it out.
template <class Program>
void check_power(const Program& program, int gamma, int horizon) {
  const Rows<double> rows(make_pair(kToy));
  const ExactRequest request{.lengths = {.gamma = gamma, .horizon = horizon}, .law = true};
  const auto law = [&](const DecodeNumbers<double>& decode) {
    return output_law(decode, rows.vocabulary(), horizon);
  };
  const auto target = law(*run_named<double>("autoregressive", kToy, request).decode);
  const auto wrong = law(*run_program<Program, double>(program, kToy, request).decode);
  constexpr double kPower = 0.9;
  const std::uint64_t trials = fit_sample_size(target, wrong, kLevel, kPower);
  CAPTURE(trials);
  CHECK(trials < 50000);
  constexpr std::uint64_t kRepeats = 100;
  std::uint64_t found = 0;
  std::uint64_t own_law_refuted = 0;
  for (std::uint64_t seed = 0; seed < kRepeats; ++seed) {
    const auto counts =
        output_counts(tally_program(program, rows, gamma, horizon, seed, trials), target.size());
    found += fit_test(target, counts).rejects(kLevel);
    own_law_refuted += fit_test(wrong, counts).rejects(kLevel);
  }
  // A power of 0.9 finds fewer than 70 of 100 with a probability below 1e-8.
  CHECK(found >= 70);
  CHECK(own_law_refuted == 0);
}

TEST_CASE("a missing and a flat carry are found out with the stated power") {
  check_power(Greedy<Carry::none>{}, 2, 2);
  check_power(Greedy<Carry::none>{}, 3, 3);
  check_power(Greedy<Carry::flat>{}, 2, 3);
  check_power(Greedy<Carry::flat>{}, 2, 4);
}

/// Block verification that always accepts the whole draft.
struct AcceptsAll {
  static constexpr bool kCarries = false;
  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    for (int i = 0; i < window.drafts; ++i) {
      const Token x = choices.draft(view.at(out.node).draft());
      out.accept(x, view.next(out.node, x));
    }
    out.finish(view, choices, window);
  }
};

TEST_CASE("accepting everything is found out with the stated power") {
  check_power(AcceptsAll{}, 1, 1);
  check_power(AcceptsAll{}, 3, 3);
}

TEST_CASE("an output outside the target's support is found out at once") {
  const Rows<double> rows(make_pair("iid(draft=[1/2,1/2],target=[0,1])"));
  const Tally tally = tally_program(AcceptsAll{}, rows, 1, 1, 1, 100);
  const FitTest test = fit_test(std::vector<double>{0, 1, 0}, output_counts(tally, 3));
  CHECK(test.outside > 0);
  CHECK(test.rejects(1e-300));
}

}  // namespace
}  // namespace speclab::law_test
