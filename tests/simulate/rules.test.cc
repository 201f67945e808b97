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
#include "vectors.h"
#include "verifiers/biased/accepted_set.h"
#include "verifiers/biased/entropy_verify.h"
#include "verifiers/biased/fly.h"
#include "verifiers/biased/relaxed.h"
#include "verifiers/chain/gumbel.h"
#include "verifiers/chain/hsd_released.h"
#include "verifiers/chain/sample_match.h"
#include "verifiers/chain/stopping.h"

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
template <class Program>
void check_laws(const char* spec) {
  constexpr int kHorizon = 4;
  constexpr std::uint64_t kTrials = 20000;
  const auto program = program_of<Program>(spec);
  using View = ViewOf<Program, double>;
  const Rows<double> rows(make_pair("tree(vocabulary=3,depth=4,seed=5)"));
  ExactRequest request{.lengths = {.gamma = kGamma}};
  const ExactNumbers<double> once = run_with<View>(any_runner<View>(program), rows, request);
  request.lengths.horizon = kHorizon;
  request.law = true;
  const ExactNumbers<double> whole = run_with<View>(any_runner<View>(program), rows, request);
  const Tally tally = simulate(spec, rows, kHorizon, kTrials, 3);
  CAPTURE(spec);
  CHECK_FALSE(fit_test(once.accepted_law, tally.accepted).rejects(kLevel));
  const auto law = output_law(*whole.decode, rows.vocabulary(), kHorizon);
  CHECK_FALSE(fit_test(law, output_counts(tally, law.size())).rejects(kLevel));
  CHECK(tally.undefined_trials == 0);
}

TEST_CASE("simulated rules follow their exact laws") {
  check_laws<SampleMatch>("sample-match");
  check_laws<SampleMatch>("sample-match(draft=argmax)");
  check_laws<Gumbel>("gumbel");
  check_laws<Relaxed>("relaxed(pi=ensemble,weight=1/2,bonus=relaxed)");
  check_laws<Relaxed>("relaxed(pi=fuzzy,divergence=tv,threshold=1/3)");
  check_laws<Relaxed>("relaxed(pi=fuzzy,divergence=kl,threshold=1/4)");
  check_laws<Relaxed>("relaxed(pi=fuzzy,divergence=js,threshold=3/50)");
  check_laws<Relaxed>("relaxed(pi=cascade-opt,alpha=1/2)");
  check_laws<Relaxed>("relaxed(pi=cascade-top,alpha=1/4)");
  check_laws<Typical>("typical(eps=2/5,alpha=4/5)");
  check_laws<Typical>("typical(eps=2/5,alpha=4/5,correction=argmax)");
  check_laws<TopWithin>("top-within(n=2,delta=1/5,correction=argmax,bonus=argmax)");
  check_laws<EntropyVerify>("entropy-verify(alpha=2/5,theta=1/2)");
  check_laws<EntropyVerify>("entropy-verify(alpha=1/4,theta=1)");
  check_laws<Fly>("fly(window=1,theta=1/2)");
  check_laws<Fly>("fly(window=1,theta=1/2,draft=argmax)");
  check_laws<FlyReleased>("fly-released(window=1,theta=1/2)");
  check_laws<HsdReleased>("hsd-released");
  for (const char* verify : {"token", "block"}) {
    for (const char* stop : {"law", "own-keep", "own-drop", "own-drop-renormalised"}) {
      check_laws<Stopping>(
          fmt::format("stopping(verify={},stop={},theta=1/2)", verify, stop).c_str());
    }
  }
  check_laws<Stopping>("stopping(verify=greedy-block,stop=law,theta=1/2)");
  check_laws<Stopping>("stopping(verify=greedy-block,stop=own-keep,theta=1/2)");
}

/// P(tau >= 1) at a vocabulary of 1024, against an expected value where there is one.
template <class Program>
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
  check_large<Gumbel>("gumbel", gumbel);
  check_large<SampleMatch>("sample-match", 1 - step.rejection());
  check_large<Relaxed>("relaxed(pi=ensemble,weight=1/2)",
                       1 - total_variation<double>(draft, target) / 2);
  check_large<Relaxed>("relaxed(pi=fuzzy,divergence=js,threshold=1/100)");
  check_large<Relaxed>("relaxed(pi=cascade-top,alpha=1/4)");
  check_large<Typical>("typical(eps=9/100,alpha=3/10)");
  check_large<TopWithin>("top-within(n=10,delta=1/10)");
  check_large<EntropyVerify>("entropy-verify(alpha=1/4,theta=3/4)");
  check_large<Fly>("fly(window=1,theta=1/2)");
  check_large<FlyReleased>("fly-released(window=1,theta=1/2)");
  check_large<HsdReleased>("hsd-released");
  check_large<Stopping>("stopping(verify=token,stop=own-drop-renormalised,theta=1/100)");
  check_large<Stopping>("stopping(verify=block,stop=own-keep,theta=1/100)");
  check_large<Stopping>("stopping(verify=greedy-block,stop=own-keep,theta=1/100)");
}

}  // namespace
}  // namespace speclab::rules_test
