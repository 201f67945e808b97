// What is on record of the claims' checks. That it is what the checks find is the test of each
// claim (tests/measured.sh --check).
#include "claims/engine/measured.h"

#include <set>

#include "catch.h"
#include "claims/engine/registry.h"

namespace speclab::measured_test {

TEST_CASE("every claim is measured once, and nothing else is") {
  std::set<std::string_view> ids;
  for (const Measured& row : measurements()) {
    CAPTURE(row.id);
    CHECK(ids.insert(row.id).second);
    CHECK(row.instances > 0);
    CHECK(row.comparisons > 0);
  }
  for (const ClaimRow& claim : claim_rows()) {
    CAPTURE(claim.id);
    CHECK(ids.erase(claim.id) == 1);
    const Measured* row = measured(claim.id);
    REQUIRE(row != nullptr);
    // What does not hold has a counterexample, of printed numbers without a pair.
    const bool holds = claim.recorded == ClaimVerdict::holds;
    const bool printed = row->detail.starts_with("violated, as printed: ");
    CHECK(row->pair.empty() == (holds || printed));
    CHECK(row->detail.empty() == holds);
    CHECK((row->tests == 0 ? row->least_power == 1 : row->least_power > 0.99999));
  }
  for (const std::string_view left : ids) {
    CAPTURE(left);
    CHECK(left.empty());
  }
  CHECK(measured("no.claim") == nullptr);
}

}  // namespace speclab::measured_test
