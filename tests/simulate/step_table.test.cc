// Steps drawn whole, against exact laws and against the verifiers' own decisions.
//
// False alarms: every test is at 1e-9, and fewer than 200 are made. The planted faults show what
// the tests find: each changes one entry of a table.
#include "simulate/step_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "catch.h"
#include "simulate/engine.h"
#include "simulate/simulate.h"
#include "simulate/statistics.h"
#include "simulate/step_lanes.h"
#include "simulate/step_program.h"
#include "six_tokens.h"
#include "toy.h"

namespace speclab::step_table_test {
namespace {

using namespace six_tokens;

constexpr double kLevel = 1e-9;

/// The weights of token verification's steps: min(d, t), [t - d]+, and t as the bonus.
std::vector<double> token_weights(const Rows<double>& rows) {
  std::vector<double> weights;
  const auto add = [&](State state, const auto& weight) {
    for (std::size_t x = 0; x < rows.draft(state).size(); ++x) {
      weights.push_back(weight(rows.draft(state)[x], rows.target(state)[x]));
    }
  };
  for (State state = 0; state < rows.pair().states(); ++state) {
    add(state, [](double d, double t) { return std::fmin(d, t); });
    add(state, [](double d, double t) { return std::fmax(0.0, t - d); });
    add(state, [](double, double) { return 0.0; });
    add(state, [](double, double t) { return t; });
  }
  return weights;
}

using Units = std::map<std::pair<Token, bool>, WideCount>;  ///< by outcome

/// How many words draw each outcome.
Units units_of(const StepTable& table, State state, bool bonus) {
  const WideCount room = (WideCount{1} << 64) >> table.bits();
  Units units;
  for (std::uint64_t cell = 0; cell < std::uint64_t{1} << table.bits(); ++cell) {
    const std::size_t at = table.row(state) + (std::size_t{bonus} << table.bits()) + cell;
    const WideCount keep = table.cells()[at].keep;
    REQUIRE(keep <= room);
    const std::uint64_t first = cell << (64 - table.bits());
    const auto add = [&](std::uint64_t word, WideCount count) {
      const StepTable::Outcome outcome = table.draw(state, bonus, word);
      units[{outcome.token, outcome.ends}] += count;
    };
    if (keep > 0) add(first, keep);
    if (keep > 0) add(first + static_cast<std::uint64_t>(keep - 1), 0);
    if (keep < room) add(first + static_cast<std::uint64_t>(keep), room - keep);
    if (keep < room) add(first + static_cast<std::uint64_t>(room - 1), 0);
  }
  return units;
}

TEST_CASE("a table draws each outcome by its weight, cut to a multiple of 2^-64") {
  for (const std::string_view pair :
       {std::string_view("markov(vocabulary=7,horizon=4,seed=3)"), std::string_view(kToy),
        std::string_view("iid(draft=[1],target=[1])"),
        std::string_view("iid(draft=[1/2,1/2,0,0],target=[0,0,1/4,3/4])"),
        std::string_view("iid(draft=[500001/1000000,499999/1000000],target=[1/2,1/2])"),
        std::string_view("zipf(vocabulary=64,draft=1,target=6/5)")}) {
    CAPTURE(pair);
    const Rows<double> rows(make_pair(pair));
    const std::vector<double> weights = token_weights(rows);
    const StepTable table(rows, weights);
    const auto made = StepTable::make(make_verifier("token"), rows);
    REQUIRE(made != nullptr);
    const auto vocabulary = static_cast<std::size_t>(rows.vocabulary());
    for (std::size_t i = 0; i < 2 * rows.pair().states(); ++i) {
      const double* row = &weights[2 * vocabulary * i];
      const bool bonus = i % 2 == 1;
      Units units = units_of(table, static_cast<State>(i / 2), bonus);
      Units enumerated = units_of(*made, static_cast<State>(i / 2), bonus);
      const double* likeliest = std::max_element(row, row + 2 * vocabulary);
      for (std::size_t x = 0; x < 2 * vocabulary; ++x) {
        const std::pair outcome{static_cast<Token>(x % vocabulary), x >= vocabulary};
        const auto expected = static_cast<WideCount>(std::ldexp(row[x], 64));
        CAPTURE(i, x);
        if (row + x != likeliest) CHECK(units[outcome] == expected);
        // The enumerated decisions have the same law up to the rounding of doubles.
        CHECK(std::abs(std::ldexp(static_cast<double>(enumerated[outcome]), -64) - row[x]) <=
              0x1p-50);
      }
      WideCount sum = 0;
      for (const auto& [outcome, count] : units) sum += count;
      CHECK(sum == WideCount{1} << 64);
    }
  }
}

TEST_CASE("verifiers that are made of steps have tables on small pairs, and no others") {
  const auto has = [](const char* verifier, std::string_view pair) {
    const Rows<double> rows(make_pair(pair));
    return StepTable::make(make_verifier(verifier), rows) != nullptr;
  };
  for (const char* verifier :
       {"token", "lenient(l=1/2)", "sample-match", "target-only(K=1)", "biased(eps=1/10)"}) {
    CHECK(has(verifier, kToy));
    CHECK(has(verifier, "uniform(draft=40,target=30)"));
    CHECK_FALSE(has(verifier, "uniform(draft=80,target=70)"));
  }
  for (const char* verifier : {"block", "target-only(K=2)", "rrs(K=1)", "wrong-always-accept",
                               "autoregressive", "target-only(tree=1-1,draw=top)"}) {
    CHECK_FALSE(has(verifier, kToy));
  }
}

TEST_CASE("decodes of steps have the exact laws of tokens and of tau at a finite draft length") {
  for (const char* verifier :
       {"token", "lenient(l=1/2)", "sample-match", "sample-match(draft=argmax)", "target-only(K=1)",
        "biased(eps=1/10)"}) {
    CAPTURE(verifier);
    const Rows<double> rows(make_pair(kSmallChain));
    const ExactNumbers<double> exact = exact_decode(verifier);
    const std::vector<double> law = output_law(exact);
    SimulateRequest request = decode_request();
    for (const Draws draws : {Draws::steps, Draws::decisions}) {
      request.draws = draws;
      const Tally tally = run_trials(make_verifier(verifier), rows, request).tally;
      CHECK_FALSE(fit_test(law, output_counts(tally, law.size())).rejects(kLevel));
      CHECK_FALSE(fit_test(exact.accepted_law, tally.accepted).rejects(kLevel));
    }
  }
}

/// The tally of steps of token verification with a fault in the weights of one row.
template <class Fault>
Tally with_fault(const Rows<double>& rows, const Fault& fault) {
  std::vector<double> weights = token_weights(rows);
  fault(weights);
  const SimulateRequest request = decode_request();
  TrialPlan plan = make_plan(rows, request);
  plan.steps = std::make_shared<StepTable>(rows, weights);
  Tally tally;
  StepTrials({plan.steps.get()}, rows, plan, Drafting::window).run(0, request.trials, tally);
  return tally;
}

TEST_CASE("a fault in one row of a table is found by the law of the tokens") {
  const Rows<double> rows(make_pair(kSmallChain));
  const std::vector<double> law = output_law(exact_decode("token"));
  const auto rejected = [&](const auto& fault) {
    return fit_test(law, output_counts(with_fault(rows, fault), law.size())).rejects(kLevel);
  };
  CHECK_FALSE(rejected([](std::vector<double>&) {}));
  // The states after two tokens: a first bonus is drawn there. One has another one's bonus.
  constexpr std::size_t kRow = 6;
  const State start = rows.pair().start()[0].state;
  const State after = rows.next(rows.next(start, 0), 0);
  const State beside = rows.next(rows.next(start, 0), 1);
  const auto row = [&](State state, bool bonus) { return (2 * state + (bonus ? 1U : 0U)) * kRow; };
  CHECK(rejected([&](std::vector<double>& weights) {
    std::copy_n(&weights[row(beside, true)], kRow, &weights[row(after, true)]);
  }));
  // The outcomes of one row shifted by one.
  CHECK(rejected([&](std::vector<double>& weights) {
    const auto from = weights.begin() + static_cast<std::ptrdiff_t>(row(after, false));
    std::rotate(from, from + 1, from + kRow);
  }));
  // A correction that does not end its iteration changes the law of tau alone.
  const Tally tally = with_fault(rows, [&](std::vector<double>& weights) {
    for (std::size_t x = 0; x < 3; ++x) {
      weights[row(start, false) + x] += weights[row(start, false) + 3 + x];
      weights[row(start, false) + 3 + x] = 0;
    }
  });
  CHECK(fit_test(exact_decode("token").accepted_law, tally.accepted).rejects(kLevel));
  // What a test of this size finds with a probability of 0.99: a tenth of a percent moved.
  std::vector<double> moved = law;
  const auto most = std::max_element(moved.begin(), moved.end());
  *most -= 0.001;
  moved[0] += 0.001;
  CHECK(fit_power(law, moved, decode_request().trials, kLevel) > 0.99);
}

/// The number of standard errors between two means of independent samples.
double gap(const Moments& a, const Moments& b, std::uint64_t trials) {
  const Range wide{0, HUGE_VAL};
  const Spread first = spread_of(a, trials, wide);
  const Spread second = spread_of(b, trials, wide);
  return std::abs(first.mean - second.mean) /
         std::sqrt((first.variance + second.variance) / static_cast<double>(trials) + 1e-300);
}

TEST_CASE("whole decodes of steps agree with exact means and with the verifier's own decisions") {
  constexpr double kFar = 6.2;  // 6e-10, two-sided
  struct Decode {
    std::string_view pair;
    Lengths lengths;
    bool exact;
  };
  for (const Decode& decode :
       {Decode{"markov(vocabulary=3,horizon=20,seed=2)", {4, 20}, true},
        Decode{"markov(vocabulary=3,horizon=20,seed=2)", {7, 20}, true},
        Decode{"markov(vocabulary=7,horizon=50,seed=10)", {8, 50}, false},
        Decode{"markov(vocabulary=7,horizon=50,seed=10)", {kUnbounded, 50}, false}}) {
    CAPTURE(decode.pair, decode.lengths.gamma);
    const Rows<double> rows(make_pair(decode.pair));
    const Verifier token = make_verifier("token");
    SimulateRequest request{.lengths = decode.lengths, .trials = 100000, .seed = 3};
    const Tally steps = run_trials(token, rows, request).tally;
    request.draws = Draws::decisions;
    const Tally own = run_trials(token, rows, request).tally;
    CHECK_FALSE(steps == own);
    const std::uint64_t n = request.trials;
    CHECK(gap(steps.target_calls, own.target_calls, n) < kFar);
    CHECK(gap(steps.rejections, own.rejections, n) < kFar);
    CHECK(gap(steps.draft_steps, own.draft_steps, n) < kFar);
    REQUIRE(steps.positions.size() == own.positions.size());
    for (std::size_t i = 0; i < steps.positions.size(); ++i) {
      CHECK(gap(steps.positions[i], own.positions[i], n) < kFar);
    }
    if (!decode.exact) continue;
    const auto exact =
        run_exact(token, Rows<double>(make_pair(decode.pair)), {.lengths = decode.lengths});
    const auto check = [&](const Moments& moments, QuantityId id, double most) {
      const Spread spread = spread_of(moments, n, {0, most});
      CHECK(mean_p_bound(spread, exact.at(id)) > kLevel);
      // A mean that is off by a hundredth is found.
      CHECK(mean_p_bound(spread, exact.at(id) * 1.01 + 0.01) < kLevel);
    };
    check(steps.target_calls, QuantityId::target_calls, 20);
    check(steps.rejections, QuantityId::rejections, 20);
    check(steps.draft_steps, QuantityId::draft_steps, 210);
    CHECK_FALSE(fit_test(exact.list(QuantityId::accepted_law), steps.accepted).rejects(kLevel));
  }
}

TEST_CASE("what else is asked of steps changes no number") {
  const Rows<double> rows(make_pair("markov(vocabulary=3,horizon=20,seed=2)"));
  const Verifier token = make_verifier("token");
  SimulateRequest request{.lengths = {4, 20}, .trials = 1000};
  const Tally decodes = run_trials(token, rows, request).tally;
  request.lengths.iterations = 3;
  const Tally both = run_trials(token, rows, request).tally;
  request.lengths.horizon.reset();
  const Tally iterations = run_trials(token, rows, request).tally;
  CHECK(both.target_calls == decodes.target_calls);
  CHECK(both.positions == decodes.positions);
  CHECK(both.accepted == decodes.accepted);
  CHECK(both.emitted == iterations.emitted);
  CHECK(iterations.accepted == decodes.accepted);
}

}  // namespace
}  // namespace speclab::step_table_test
