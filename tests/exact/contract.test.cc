// Verifiers that break their contract are refused with one line, and never run past a window.
#include "verifiers/contract.h"

#include "catch.h"
#include "contract_breakers.h"
#include "toy.h"

namespace speclab::contract_test {
namespace {

template <class Real, class Program>
void run(const Program& program, std::optional<int> horizon, int iterations = 0) {
  run_program<Program, Real>(
      program, kToy, {.lengths = {.gamma = 2, .horizon = horizon, .iterations = iterations}});
}

TEST_CASE("an exact law refuses more tokens than the window allows") {
  CHECK_NOTHROW(run<Rational>(Overruns{0}, 3, 2));
  CHECK_NOTHROW(run<Rational>(Boasts{0}, 3, 2));
  const auto refusal = Containing("more tokens than its window");
  for (const std::optional<int> horizon : {std::optional<int>(), std::optional<int>(3)}) {
    for (const int extra : {1, 5}) {
      CHECK_THROWS_WITH(run<Rational>(Overruns{extra}, horizon), refusal);
      CHECK_THROWS_WITH(run<double>(Overruns{extra}, horizon, 1), refusal);
      CHECK_THROWS_AS(run<Rational>(Boasts{extra}, horizon), ContractError);
    }
  }
}

TEST_CASE("an exact law refuses a decision after the correction") {
  for (const auto with : {GoesOn::With::coin, GoesOn::With::draft, GoesOn::With::correction}) {
    CHECK_THROWS_WITH(run<Rational>(GoesOn{with}, {}), Containing("after its correction"));
    CHECK_THROWS_WITH(run<double>(GoesOn{with}, 2), Containing("after its correction"));
  }
}

TEST_CASE("a decode refuses an iteration without a token") {
  CHECK_NOTHROW(run<Rational>(Idles{}, {}));
  CHECK_THROWS_WITH(run<Rational>(Idles{}, 2), "a verifier must emit a token");
  CHECK_THROWS_AS(run<double>(Idles{}, 2), ContractError);
  CHECK(run_program(EmitsNothing{}, kToy, {.lengths = {.gamma = 1}}).expected_accepted == 0);
  CHECK_THROWS_AS(run<Rational>(EmitsNothing{}, 2), ContractError);
}

}  // namespace
}  // namespace speclab::contract_test
