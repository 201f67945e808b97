// The rules that engines run on one chain, simulated, against their exact laws.
//
// False alarms: every check has a level of 1e-12 and at most 1000 are made, so right programs fail
// this file with a probability of at most 1e-9 over the choice of seeds.
#include <fmt/format.h>

#include "catch.h"
#include "model/registry.h"
#include "simulate/simulate.h"
#include "simulate/statistics.h"
#include "simulated_law.h"
#include "theory/daliri2024.h"
#include "theory/miao2023.h"
#include "toy.h"

namespace speclab::rules_test {
namespace {

constexpr double kLevel = 1e-12;
constexpr int kGamma = 3;

Tally simulate(std::string_view spec, const Rows<double>& rows, std::optional<int> horizon,
               std::uint64_t trials, std::uint64_t seed) {
  return run_trials(make_verifier(spec), rows,
                    {.lengths = {.gamma = kGamma, .horizon = horizon},
                     .law = horizon.has_value(),
                     .trials = trials,
                     .seed = seed,
                     .threads = 1})
      .tally;
}

/// The law of tau of one iteration, and that of the tokens of a decode, which cuts its windows.
void check_laws(const std::string& spec) {
  constexpr int kHorizon = 4;
  constexpr std::uint64_t kTrials = 20000;
  constexpr std::string_view kPair = "tree(vocabulary=3,depth=4,seed=5)";
  const Rows<double> rows(make_pair(kPair));
  const auto exact = run_named<double>(
      spec, kPair, {.lengths = {.gamma = kGamma, .horizon = kHorizon}, .law = true});
  const Tally tally = simulate(spec, rows, kHorizon, kTrials, 3);
  CAPTURE(spec);
  CHECK_FALSE(fit_test(exact.accepted_law, tally.accepted).rejects(kLevel));
  const auto law = output_law(*exact.decode, rows.vocabulary(), kHorizon);
  CHECK_FALSE(fit_test(law, output_counts(tally, law.size())).rejects(kLevel));
  CHECK(tally.undefined_trials == 0);
}

TEST_CASE("simulated rules follow their exact laws") {
  for (const char* spec : {"sample-match",
                           "sample-match(draft=argmax)",
                           "gumbel",
                           "relaxed(pi=ensemble,weight=1/2,bonus=relaxed)",
                           "relaxed(pi=fuzzy,divergence=tv,threshold=1/3)",
                           "relaxed(pi=fuzzy,divergence=kl,threshold=1/4)",
                           "relaxed(pi=fuzzy,divergence=js,threshold=3/50)",
                           "relaxed(pi=cascade-opt,alpha=1/2)",
                           "relaxed(pi=cascade-top,alpha=1/4)",
                           "typical(eps=2/5,alpha=4/5)",
                           "typical(eps=2/5,alpha=4/5,correction=argmax)",
                           "top-within(n=2,delta=1/5,correction=argmax,bonus=argmax)",
                           "entropy-verify(alpha=2/5,theta=1/2)",
                           "entropy-verify(alpha=1/4,theta=1)",
                           "fly(window=1,theta=1/2)",
                           "fly(window=1,theta=1/2,draft=argmax)",
                           "fly-released(window=1,theta=1/2)",
                           "hsd-released",
                           "stopping(verify=greedy-block,stop=law,theta=1/2)",
                           "stopping(verify=greedy-block,stop=own-keep,theta=1/2)"}) {
    check_laws(spec);
  }
  for (const char* verify : {"token", "block"}) {
    for (const char* stop : {"law", "own-keep", "own-drop", "own-drop-renormalised"}) {
      check_laws(fmt::format("stopping(verify={},stop={},theta=1/2)", verify, stop));
    }
  }
}

/// P(tau >= 1) at a vocabulary of 1024, against an expected value where there is one.
void check_large(const char* spec, std::optional<double> expected = std::nullopt) {
  constexpr std::uint64_t kTrials = 2000;
  const Rows<double> rows(make_pair("zipf(vocabulary=1024,draft=1,target=6/5)"));
  const Tally tally = simulate(spec, rows, std::nullopt, kTrials, 4);
  CAPTURE(spec);
  CHECK(tally.trials == kTrials);
  CHECK(tally.undefined_iterations == 0);
  if (!expected) return;
  const std::vector<std::uint64_t> counts{tally.accepted[0], kTrials - tally.accepted[0]};
  CHECK_FALSE(fit_test(std::vector<double>{1 - *expected, *expected}, counts).rejects(kLevel));
}

TEST_CASE("every rule can be simulated at a large vocabulary") {
  const Rows<double> rows(make_pair("zipf(vocabulary=1024,draft=1,target=6/5)"));
  const auto draft = rows.draft(0), target = rows.target(0);
  double gumbel = 0;
  for (std::size_t i = 0; i < draft.size(); ++i) gumbel += gumbel_match(draft, target, i);
  const auto step = sample_match_step(draft, target);
  check_large("gumbel", gumbel);
  check_large("sample-match", 1 - step.rejection());
  check_large("relaxed(pi=ensemble,weight=1/2)", 1 - total_variation<double>(draft, target) / 2);
  check_large("relaxed(pi=fuzzy,divergence=js,threshold=1/100)");
  check_large("relaxed(pi=cascade-top,alpha=1/4)");
  check_large("typical(eps=9/100,alpha=3/10)");
  check_large("top-within(n=10,delta=1/10)");
  check_large("entropy-verify(alpha=1/4,theta=3/4)");
  check_large("fly(window=1,theta=1/2)");
  check_large("fly-released(window=1,theta=1/2)");
  check_large("hsd-released");
  check_large("stopping(verify=token,stop=own-drop-renormalised,theta=1/100)");
  check_large("stopping(verify=block,stop=own-keep,theta=1/100)");
  check_large("stopping(verify=greedy-block,stop=own-keep,theta=1/100)");
}

}  // namespace
}  // namespace speclab::rules_test
