// Trials that draw the output, so that few of them suffice to compare verifiers: against exact
// laws. A coin that depends on its token is found by the law of tau.
//
// False alarms: every test is at 1e-9, and fewer than 200 are made.
#include <vector>

#include "catch.h"
#include "model/registry.h"
#include "simulate/engine.h"
#include "simulate/output_program.h"
#include "simulate/simulate.h"
#include "simulate/statistics.h"
#include "six_tokens.h"

namespace speclab::paired_draws_test {
namespace {

using six_tokens::decode_request;
using six_tokens::exact_decode;
using six_tokens::kSmallChain;
using six_tokens::output_law;

constexpr double kLevel = 1e-9;

SimulateRequest request_for(Draws draws, std::uint64_t trials = decode_request().trials) {
  SimulateRequest request = decode_request();
  request.draws = draws;
  request.trials = trials;
  return request;
}

Tally tally_of(std::string_view verifier, const SimulateRequest& request) {
  const Rows<double> rows(make_pair(kSmallChain));
  return run_trials(make_verifier(verifier), rows, request).tally;
}

/// One number for the token and for whether it is accepted.
template <class Numbers>
struct SameCoin : Numbers {
  using Numbers::Numbers;
  double token() { return last_ = Numbers::token(); }
  double coin() {
    Numbers::coin();
    return last_;
  }
  double last_ = 0;
};

}  // namespace

TEST_CASE("decodes drawn from their output have the exact laws of tokens and of tau") {
  for (const char* verifier : {"token", "block", "rrs(K=2)", "kseq(K=2)", "gumbel", "sample-match",
                               "sample-match(draft=argmax)", "greedy-block"}) {
    CAPTURE(verifier);
    const ExactNumbers<double> exact = exact_decode(verifier);
    const std::vector<double> law = output_law(exact);
    const Tally tally = tally_of(verifier, request_for(Draws::output));
    CHECK_FALSE(fit_test(law, output_counts(tally, law.size())).rejects(kLevel));
    CHECK_FALSE(fit_test(exact.accepted_law, tally.accepted).rejects(kLevel));
    const Spread calls = spread_of(tally.target_calls, tally.trials, {0, 6});
    CHECK(mean_p_bound(calls, exact.decode->target_calls) > kLevel);
    CHECK(mean_p_bound(calls, exact.decode->target_calls * 1.01) < kLevel);
  }
}

TEST_CASE("whole decodes drawn from their output have the exact means, ends of sequences too") {
  for (const char* pair : {"markov(vocabulary=3,horizon=9,seed=5)",
                           "iid(draft=[1/2,1/4,1/4],target=[1/4,1/2,1/4],eos=2)"}) {
    for (const int gamma : {1, 3, kUnbounded}) {
      for (const char* verifier : {"token", "block", "rrs(K=2)", "gumbel", "greedy-block"}) {
        // Two drafts of nine tokens are too many to enumerate here.
        if (gamma == kUnbounded && make_verifier(verifier).drafts > 1) continue;
        CAPTURE(pair, gamma, verifier);
        const ExactRequest exact_request{.lengths = {gamma, 9}};
        const auto exact = *run_named<double>(verifier, pair, exact_request).decode;
        SimulateRequest request = request_for(Draws::output, 20000);
        request.lengths = exact_request.lengths;
        const Rows<double> rows(make_pair(pair));
        const Tally tally = run_trials(make_verifier(verifier), rows, request).tally;
        const auto agrees = [&](const Moments& moments, double expected, double most) {
          return mean_p_bound(spread_of(moments, tally.trials, {0, most}), expected) > kLevel;
        };
        CHECK(agrees(tally.tokens, exact.tokens, 9));
        CHECK(agrees(tally.target_calls, exact.target_calls, 9));
        CHECK(agrees(tally.rejections, exact.rejections, 9));
        CHECK(agrees(tally.draft_steps, exact.draft_steps, 81));
        CHECK_FALSE(agrees(tally.target_calls, 1.1 * exact.target_calls, 9));
      }
    }
  }
}

TEST_CASE("verifiers that are drawn from their output emit the same tokens") {
  const SimulateRequest request = request_for(Draws::output, 2000);
  const Tally token = tally_of("token", request);
  for (const char* verifier :
       {"block", "rrs(K=2)", "kseq(K=3)", "gumbel", "sample-match", "greedy-block"}) {
    CAPTURE(verifier);
    const Tally other = tally_of(verifier, request);
    CHECK(other.outputs == token.outputs);
    CHECK_FALSE(other.accepted == token.accepted);
  }
  // Drawn by their decisions they do not.
  const SimulateRequest decisions = request_for(Draws::decisions, 2000);
  CHECK_FALSE(tally_of("block", decisions).outputs == tally_of("token", decisions).outputs);
}

/// Whether trials of a program have another law of tau than its verifier.
template <class Program, class View, class Numbers>
bool another_tau(const char* name) {
  const Rows<double> rows(make_pair(kSmallChain));
  const Verifier verifier = make_verifier(name);
  const TrialPlan plan = make_plan(rows, request_for(Draws::output));
  Tally tally;
  Trials<Program, View, Numbers>(Program(verifier), rows, plan).run(0, 300000, tally);
  return fit_test(exact_decode(name).accepted_law, tally.accepted).rejects(kLevel);
}

TEST_CASE("a coin that is not independent of its token changes the law of tau") {
  using Plain = PairView<double>;
  using Carried = CarriedView<double>;
  using Ahead = OutputNumbersAhead;
  CHECK_FALSE(another_tau<OutputProgram, Plain, OutputNumbers>("block"));
  CHECK(another_tau<OutputProgram, Plain, SameCoin<OutputNumbers>>("block"));
  CHECK_FALSE(another_tau<OutputBlockProgram, Carried, Ahead>("greedy-block"));
  CHECK(another_tau<OutputBlockProgram, Carried, SameCoin<Ahead>>("greedy-block"));
}

TEST_CASE("the output is drawn of forms alone, and of one with a carry over decodes alone") {
  const auto drawn = [](const char* verifier, std::string_view pair, const Lengths& lengths) {
    return draws_output(make_verifier(verifier), *make_pair(pair), lengths);
  };
  const Lengths decode{2, 6};
  const Lengths iteration{2, {}};
  CHECK(drawn("token", kSmallChain, decode));
  CHECK(drawn("token", kSmallChain, iteration));
  CHECK(drawn("greedy-block", kSmallChain, decode));
  CHECK_FALSE(drawn("greedy-block", kSmallChain, iteration));
  CHECK_FALSE(drawn("slot-block(K=2)", kSmallChain, decode));
  // Its draft begins anew with each iteration.
  constexpr std::string_view kResets =
      "latent(target=[[2/3,1/3],[1/2,1/2],[0,1]],next=[[1,2],[1,2],[1,2]],"
      "prior=[1/2,1/2],draft=[[0,1],[1,0],[2/3,1/3],[0,1]],reading=conditioned)";
  CHECK_FALSE(drawn("token", kResets, decode));
  CHECK_FALSE(drawn("greedy-block", kResets, decode));
  CHECK_THROWS_AS(tally_of("slot-block(K=2)", request_for(Draws::output, 2)), std::logic_error);
}

}  // namespace speclab::paired_draws_test
