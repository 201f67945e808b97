// The steps of the verifiers' rules: each verifier has some, and each row is a verifier's.
#include "verifiers/steps.h"

#include <map>
#include <string>

#include "catch.h"
#include "verifiers/registry.h"

namespace speclab::steps_test {

TEST_CASE("every verifier but the planted faults has one to five steps") {
  std::map<std::string_view, std::size_t> rows;
  for (const VerifierSteps& row : verifier_steps()) {
    CAPTURE(row.verifier);
    CHECK(rows.emplace(row.verifier, row.steps.size()).second);
    CHECK(find_verifier(row.verifier) != nullptr);
    CHECK(row.steps.size() <= 5);
    for (const std::string_view step : row.steps) CHECK(step.size() >= 10);
  }
  for (const VerifierInfo& verifier : all_verifier_rows()) {
    CAPTURE(verifier.name);
    CHECK(rows.contains(verifier.name) == (verifier.kind != VerifierKind::wrong));
  }
  CHECK(steps_of("block").size() == 4);
  CHECK(steps_of("block").back() ==
        "draw Y ~ [w_tau t - d]+ (sun2025 equation (4)), or Y ~ t where tau = gamma");
  CHECK(steps_of("wrong-no-bonus").empty());
}

}  // namespace speclab::steps_test
