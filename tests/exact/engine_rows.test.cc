// The rules of the rows of engines on the pair of docs/rules.md: the output has the target's law
// where the row states it, and not where it does not.
#include "verifiers/engine_rows.h"

#include "catch.h"
#include "toy.h"

namespace speclab::engine_rows_test {
namespace {

TEST_CASE("a row of an engine is lossless exactly where its rule keeps the law of three tokens") {
  int biased = 0, lossless = 0;
  for (const EngineRow& row : engine_rows()) {
    if (row.rule.empty()) continue;
    CAPTURE(row.engine, row.option, row.rule);
    const double tv =
        run_named<double>(row.rule, kThreeTokens, {.lengths = {.gamma = 2, .horizon = 3}})
            .decode->tv_to_target;
    if (row.lossless == KeepsLaw::no) {
      CHECK(tv > 0.1);
      ++biased;
    } else {
      CHECK(tv < 1e-12);
      ++lossless;
    }
  }
  CHECK(biased >= 10);
  CHECK(lossless >= 20);
}

}  // namespace
}  // namespace speclab::engine_rows_test
