// What papers conclude from what: its claims are claims, no argument is a circle, and the steps
// that fail are known.
#include "claims/engine/implications.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "catch.h"
#include "claims/engine/registry.h"

namespace speclab::implications_test {

TEST_CASE("implications are of claims, and none concludes itself") {
  std::set<std::string_view> ids;
  for (const ClaimRow& claim : claim_rows()) ids.insert(claim.id);
  REQUIRE(implications().size() > 30);
  std::map<std::string_view, std::set<std::string_view>> before;
  for (const Implication& step : implications()) {
    CAPTURE(step.conclusion);
    CHECK(ids.contains(step.conclusion));
    CHECK(!step.where.empty());
    REQUIRE(!step.premises.empty());
    for (const std::string_view premise : step.premises) {
      CAPTURE(premise);
      CHECK(ids.contains(premise));
      before[step.conclusion].insert(premise);
    }
  }
  // What has no premise that is left falls away; a circle would stay.
  std::set<std::string_view> open;
  for (const auto& [conclusion, premises] : before) open.insert(conclusion);
  for (std::size_t size = 0; size != open.size();) {
    size = open.size();
    std::erase_if(open, [&](std::string_view conclusion) {
      return std::none_of(before[conclusion].begin(), before[conclusion].end(),
                          [&](std::string_view premise) { return open.contains(premise); });
    });
  }
  CHECK(open.empty());
}

TEST_CASE("a step fails where its premises hold and its conclusion does not") {
  std::set<std::string_view> failing;
  for (const Implication& step : implications()) {
    if (fails(step)) failing.insert(step.conclusion);
  }
  CHECK(failing ==
        std::set<std::string_view>{"sun2025.sectionB2.f", "sun2025.lemma8", "sun2024.lemma3"});
  CHECK(fails({{"sun2025.lemma3"}, "sun2025.lemma5", ""}));
  CHECK_FALSE(fails({{"sun2025.lemma5"}, "sun2025.theorem2", ""}));  // a premise is wrong too
  CHECK_FALSE(fails({{"sun2025.lemma3"}, "sun2025.theorem1", ""}));
}

}  // namespace speclab::implications_test
