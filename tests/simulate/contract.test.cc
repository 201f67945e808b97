// A simulation refuses the verifiers that an exact law refuses, with the same words.
#include "verifiers/contract.h"

#include "catch.h"
#include "contract_breakers.h"
#include "simulate/conditional_trials.h"
#include "simulate/engine.h"
#include "simulate/trial.h"
#include "toy.h"

namespace speclab::contract_test {
namespace {

enum class Part { decode, iterations, single, conditional };

/// Two trials of a program on the toy pair with gamma = 2.
template <class Program>
void simulate(const Program& program, Part part) {
  const Rows<double> rows(make_pair(kToy));
  Lengths lengths{.gamma = 2};
  if (part == Part::decode) lengths.horizon = 3;
  if (part == Part::iterations) lengths.iterations = 2;
  const TrialPlan plan = make_plan(rows, {.lengths = lengths});
  Tally tally;
  if (part == Part::conditional) {
    ConditionalTrials<Program>(program, rows, plan).run(0, 2, tally);
  } else {
    Trials<Program>(program, rows, plan).run(0, 2, tally);
  }
  CHECK(tally.trials == 2);
}

TEST_CASE("a simulation refuses more tokens than the window allows") {
  for (const Part part : {Part::decode, Part::iterations, Part::single, Part::conditional}) {
    simulate(Overruns{0}, part);
    simulate(Boasts{0}, part);
    for (const int extra : {1, 5}) {
      CHECK_THROWS_WITH(simulate(Overruns{extra}, part), Containing("more tokens than its window"));
      CHECK_THROWS_AS(simulate(Boasts{extra}, part), ContractError);
    }
  }
}

TEST_CASE("a simulation refuses a decision after the correction") {
  for (const auto with : {GoesOn::With::coin, GoesOn::With::draft, GoesOn::With::correction}) {
    for (const Part part : {Part::decode, Part::iterations, Part::single, Part::conditional}) {
      CHECK_THROWS_WITH(simulate(GoesOn{with}, part), Containing("after its correction"));
    }
  }
}

TEST_CASE("a simulated decode refuses an iteration without a token") {
  simulate(Idles{}, Part::single);
  CHECK_THROWS_WITH(simulate(Idles{}, Part::decode), "a verifier must emit a token");
  CHECK_THROWS_AS(simulate(EmitsNothing{}, Part::decode), ContractError);
}

}  // namespace
}  // namespace speclab::contract_test
