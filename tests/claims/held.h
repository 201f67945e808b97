#pragma once

// How the tests of the papers' claims hold verdicts and smallest counterexamples.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catch.h"
#include "claims/engine/examination.h"
#include "claims/engine/registry.h"

namespace speclab {

inline ClaimContext quick() {
  ClaimContext context;
  context.effort = Effort::quick;
  context.threads = 1;
  return context;
}

struct Smallest {
  std::string_view id;
  std::size_t at;  ///< which search of the claim: they come first among the evidence
  std::string_view pair;
  std::string_view detail;  ///< begins with the setting, the quantity and both values
};

inline void check_smallest(std::span<const Smallest> all) {
  for (const Smallest& smallest : all) {
    CAPTURE(smallest.id, smallest.at);
    const auto rows = select_claims({std::string(smallest.id)});
    const auto row = std::find_if(rows.begin(), rows.end(), [&](const ClaimRow* candidate) {
      return candidate->id == smallest.id;
    });
    REQUIRE(row != rows.end());
    const ClaimResult result = run_claim(**row, quick());
    REQUIRE(result.evidence.size() > smallest.at);
    const Evidence& evidence = result.evidence[smallest.at];
    CHECK(evidence.pair == smallest.pair);
    CHECK(evidence.method == Method::exact);
    CAPTURE(evidence.detail);
    CHECK(evidence.detail.starts_with(smallest.detail));
    CHECK(evidence.detail.find("smallest counterexample") != std::string::npos);
  }
}

/// Every claim of these papers has the verdict on record, and its simulated tests their power.
inline void check_recorded(const std::vector<std::string>& papers) {
  const auto rows = select_claims(papers);
  const auto outcomes = run_claims(rows, quick());
  CHECK(outcomes.size() == rows.size());
  for (const ClaimOutcome& outcome : outcomes) {
    CAPTURE(outcome.row->id);
    CHECK(outcome.as_recorded());
    CHECK(outcome.result.comparisons > 0);
    CHECK((outcome.result.tests == 0 || outcome.result.least_power > 0.99999));
  }
}

}  // namespace speclab
