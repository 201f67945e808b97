// Control variates of trials that make each decision: decisions by the streams of each iteration's
// state, means of 0, and of one drafted token the sums by hand.
//
// False alarms: a mean is refused beyond 7 standard errors of 200 sums (4e-11), and fewer than 200
// are tested. Power: that of an output that does not follow the target is off by 14 of 1,000 sums,
// and those of terms with a wrong mean by more.
#include "simulate/controlled_sampler.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "catch.h"
#include "model/registry.h"
#include "resetting_pairs.h"
#include "run/any_program.h"
#include "run/runs.h"
#include "simulate/engine.h"
#include "simulate/trial.h"
#include "toy.h"

namespace speclab::controlled_sampler_test {
namespace {

/// Standard errors beyond which a mean is not 0.
constexpr double kFar = 7;

constexpr const char* kVerifiers[] = {
    "token",           "block",           "greedy-block",          "rrs(K=2)",
    "kseq(K=3)",       "slot-block(K=2)", "traversal(K=2)",        "spectr-coupled(K=2)",
    "path-block(K=2)", "sample-match",    "recursive-greedy(K=2)", "target-only(tree=2-1,draw=top)",
    "canonical(K=2)"};

constexpr const char* kPairs[] = {
    "markov(vocabulary=3,horizon=9,seed=5)",
    "iid(draft=[1/2,1/4,1/4],target=[1/4,1/2,1/4],eos=2)",
};

/// Its draft begins anew with each iteration.
const std::string kResets = latent("conditioned");

/// Decisions alone, each iteration's by the stream of its state and visit.
template <class View>
class Uncontrolled : public CheckedSampler {
 public:
  Uncontrolled(std::uint64_t key, std::uint64_t trial, std::uint32_t run)
      : CheckedSampler(key, trial, run), key_(key), trial_(trial) {}
  void begin(const View& view, const typename View::Node& root, int) {
    const State state = view.state(root);
    const auto visit = static_cast<std::uint32_t>(std::ranges::count(begun_, state));
    begun_.push_back(state);
    static_cast<CheckedSampler&>(*this) =
        CheckedSampler(key_ ^ stream_key(0, state), trial_, visit);
  }
  void emitted(const Rows<double>&, const TrialPlan&, std::span<const Token>, std::uint64_t) {}
  void ended(const TrialPlan&, std::uint64_t) {}
  [[nodiscard]] ControlVariates controls() const { return {}; }
  [[nodiscard]] Companions companions() const { return {}; }

 private:
  std::uint64_t key_, trial_;
  std::vector<State> begun_;
};

/// The trials first .. last - 1 with decisions by a sampler.
template <template <class> class Sampler>
Tally trials_by(const char* verifier, const Rows<double>& rows, const TrialPlan& plan,
                std::uint64_t first, std::uint64_t last) {
  const Verifier ready = prepare(make_verifier(verifier), rows.pair_pointer());
  return with_runs(*ready.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using View = V<double>;
    Trials<AnyProgram<View>, View, Sampler<View>> trials(
        AnyProgram<View>(ready.program.get(), runs.doubles), rows, plan, ready.info->drafting);
    Tally tally;
    trials.run(first, last, tally);
    return tally;
  });
}

Tally tally_of(const char* verifier, const Rows<double>& rows, SimulateRequest request,
               Draws draws) {
  request.draws = draws;
  return run_trials(make_verifier(verifier), rows, request).tally;
}

double control(const Tally& tally, ControlVariate of) {
  return tally.control_sums()[static_cast<std::size_t>(of)];
}

/// The mean of independent sums in their standard errors; 0 where all are 0.
double errors_off(const std::vector<double>& sums) {
  const auto n = static_cast<double>(sums.size());
  double mean = 0, squares = 0;
  for (const double sum : sums) mean += sum / n;
  for (const double sum : sums) squares += (sum - mean) * (sum - mean);
  return squares > 0 ? mean / std::sqrt(squares / (n - 1) / n) : mean;
}

}  // namespace

TEST_CASE("trials with control variates make the decisions of their streams") {
  for (const char* pair : kPairs) {
    const Rows<double> rows(make_pair(pair));
    for (const char* verifier : kVerifiers) {
      for (const Lengths& lengths : {Lengths{2, 9}, Lengths{2, {}}}) {
        CAPTURE(pair, verifier, lengths.horizon.has_value());
        const SimulateRequest request{.lengths = lengths, .trials = 500, .seed = 4};
        Tally controlled = tally_of(verifier, rows, request, Draws::controlled);
        CHECK(controlled.controls != Tally().controls);
        controlled.controls = {};
        controlled.companions = {};
        CHECK(controlled ==
              trials_by<Uncontrolled>(verifier, rows, make_plan(rows, request), 0, request.trials));
      }
    }
  }
}

TEST_CASE("controls are the same whole numbers for any number of threads and division") {
  const Rows<double> rows(make_pair(kPairs[0]));
  SimulateRequest request{.lengths = {2, 9}, .trials = 500, .threads = 1};
  const Tally whole = tally_of("slot-block(K=2)", rows, request, Draws::controlled);
  request.threads = 3;
  CHECK(whole == tally_of("slot-block(K=2)", rows, request, Draws::controlled));
  request.trials = 123;
  Tally parts = tally_of("slot-block(K=2)", rows, request, Draws::controlled);
  request.first_trial = 123;
  request.trials = 377;
  parts += tally_of("slot-block(K=2)", rows, request, Draws::controlled);
  CHECK(whole == parts);
}

TEST_CASE("of one drafted token the controls are those by hand") {
  // d = (2/3, 1/3), t = (1/3, 2/3): the overlap is 2/3; token 0 is accepted with probability 1/2,
  // token 1 always. An accepted 0 has the terms -1/6 and 1/2, a refused one -1/6 and -1/2, and 1
  // has 1/3 and 0.
  const Rows<double> rows(make_pair("bernoulli(draft=1/3,target=2/3)"));
  const Tally tally =
      tally_of("token", rows, {.lengths = {1, {}}, .trials = 1000}, Draws::controlled);
  const auto refused = static_cast<double>(tally.accepted.at(0));
  const double zeros = 2 * control(tally, ControlVariate::coins) + 2 * refused;
  CHECK(zeros > 600);
  CHECK(zeros < 733);
  CHECK(std::abs(zeros - std::round(zeros)) < 1e-6);
  CHECK(control(tally, ControlVariate::first_drafts) ==
        Approx(-zeros / 6 + (1000 - zeros) / 3).epsilon(1e-6));
  CHECK(control(tally, ControlVariate::other_drafts) == 0);
  // Without a horizon no output is drawn to its end.
  CHECK(control(tally, ControlVariate::output) == 0);
}

TEST_CASE("the second of two drafts is counted apart, at the weight where it branches off") {
  // All tokens are alike but for their number: with t = d every weight and every term is 0.
  const Rows<double> same(make_pair("iid(draft=[1/2,1/4,1/4],target=[1/2,1/4,1/4])"));
  const Tally none = tally_of("slot-block(K=2)", same, {.lengths = {2, {}}}, Draws::controlled);
  CHECK(control(none, ControlVariate::first_drafts) == 0);
  CHECK(control(none, ControlVariate::other_drafts) == 0);
  // Two drafts of one token, of weight 1/2 for token 0 and 1 for token 1, 2/3 in the mean. Of the
  // first the terms are -1/6 and 1/3: the sum is -1/6 of the trials and 1/2 of the number of 1s.
  // The second has the same terms after a first 0, and none after a first 1: nothing is larger.
  const Rows<double> rows(make_pair("bernoulli(draft=1/3,target=2/3)"));
  const Tally tally =
      tally_of("slot-block(K=2)", rows, {.lengths = {1, {}}, .trials = 900}, Draws::controlled);
  double left = 900;
  for (const auto of : {ControlVariate::first_drafts, ControlVariate::other_drafts}) {
    const double ones = 2 * (control(tally, of) + left / 6);
    CHECK(std::abs(ones - std::round(ones)) < 1e-6);
    CHECK(std::abs(ones - left / 3) < 90);  // 6.4 standard deviations and more
    left -= ones;
  }
}

TEST_CASE("control variates have the mean 0") {
  // The last two have coins below 0, undefined draws and drafts that begin anew.
  std::vector<const char*> verifiers(std::begin(kVerifiers), std::end(kVerifiers));
  verifiers.insert(verifiers.end(), {"spectr-gbv(K=2)", "batch-printed(M=2)"});
  for (const std::string& pair : std::vector<std::string>{kPairs[0], kPairs[1], kResets}) {
    const Rows<double> rows(make_pair(pair));
    for (const char* verifier : verifiers) {
      std::vector<double> sums[kControlVariates];
      for (std::uint64_t i = 0; i < 200; ++i) {
        const Tally tally = tally_of(
            verifier, rows,
            {.lengths = {2, 9}, .first_trial = 64 * i, .trials = 64, .seed = 8, .threads = 1},
            Draws::controlled);
        for (std::size_t j = 0; j < kControlVariates; ++j) {
          sums[j].push_back(tally.control_sums()[j]);
        }
      }
      for (std::size_t j = 0; j < kControlVariates; ++j) {
        CAPTURE(pair, verifier, j);
        CHECK(std::abs(errors_off(sums[j])) < kFar);
      }
    }
  }
}

TEST_CASE("an output has a control where it is known to follow the target") {
  const Rows<double> rows(make_pair(kPairs[0]));
  const SimulateRequest request{.lengths = {2, 9}, .trials = 200};
  for (const char* verifier : {"spectr-gbv(K=2)", "lenient(l=1/2)", "wrong-weight-coins"}) {
    CAPTURE(verifier);
    const Tally tally = tally_of(verifier, rows, request, Draws::controlled);
    CHECK(control(tally, ControlVariate::output) == 0);
    CHECK(control(tally, ControlVariate::coins) != 0);
  }
  const Rows<double> resets(make_pair(kResets));
  const Tally tally = tally_of("token", resets, request, Draws::controlled);
  CHECK(control(tally, ControlVariate::output) == 0);
  // Of the printed spectr-gbv its mean would not be 0.
  TrialPlan plan = make_plan(rows, request);
  plan.follows_target = true;
  std::vector<double> sums;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Tally of_some =
        trials_by<ControlledSampler>("spectr-gbv(K=2)", rows, plan, 64 * i, 64 * (i + 1));
    sums.push_back(control(of_some, ControlVariate::output));
  }
  CHECK(std::abs(errors_off(sums)) > kFar);
}

}  // namespace speclab::controlled_sampler_test
