// The claims on the rules that engines run: their verdicts, and the smallest counterexamples and
// exact numbers that their evidence holds.
#include <algorithm>

#include "catch.h"
#include "claims/engine/examination.h"
#include "claims/engine/registry.h"

namespace speclab::rules_test {
namespace {

constexpr std::string_view kCost = "iid(draft=[1/2,1/2],target=[3/5,2/5])";
constexpr std::string_view kMixed = "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])";
constexpr std::string_view kShifted = "iid(draft=[0,1/3,2/3],target=[1/3,2/3,0])";

/// A line of a claim's evidence: the pair and the part that must stand there.
struct Line {
  std::string_view id;
  std::string_view pair;
  std::string_view detail;
};

constexpr Line kLines[] = {
    {"engines.sglang", "iid(draft=[1,0],target=[1/2,1/2])", ": 1/8 > 0"},
    {"engines.sglang", kMixed, ": 13/640 > 0"},
    {"weng2025.merged", kShifted,
     "K=2: E[tau] of traversal-merged(K=2) against traversal(K=2): 4/9 < 5/9"},
    {"weng2025.merged", kMixed, ": 4/5 < 33/40"},
    {"thomas2026.growth", "iid(draft=[1/2,1/2],target=[1/2,1/2])", ": 3/4 < 1"},
    {"thomas2026.growth", kCost,
     "K=2: E[tau] of path-block(K=2) against path-block(K=1): 17/20 < 9/10"},
    {"thomas2026.growth", kCost, "for K = 1, 2, 3: 9/10 17/20 29/40"},
    {"thomas2026.above-block", kCost, "against block: 17/20 < 9/10"},
    {"zhou2026.above-block", kToy, "E[tau] of hsd against block: 11/9 = 11/9"},
    {"zhou2026.released", kToy, "gamma=2: TV of 3 tokens of hsd-released to the target's: 1/9 > 0"},
    {"engines.stop-own-drop", "iid(draft=[2/3,1/3],target=[2/3,1/3])", ": 2/9 > 0"},
    {"engines.stop-own-drop", kToy,
     "gamma=1: TV of 1 tokens of stopping(verify=token,stop=own-drop,"
     "theta=1/2) to the target's: 1/9 > 0"},
    {"engines.stop-own-drop.first-token", kToy,
     "gamma=2: TV of 3 tokens of one iteration of "
     "stopping(verify=block,stop=own-drop,theta=1/2), "
     "the first being right,: 2/27 > 0"},
    {"li2025.released", kToy, ": 2/27 > 0"},
    {"li2025.released", kToy, "draft=argmax): P(reject) 4/9, TV 2/9, above the line 1/3"},
    {"engines.argmax-draft.line", "iid(draft=[1/2,1/2],target=[1,0])", ": 0 < 1/2"},
    {"cai2024.typical.line", kMixed,
     "typical(eps=2/5,alpha=4/5): P(reject) 1/2, TV 1/10, above the line 3/10; KL(output || t) "
     "1/10 ln(1/2) + 2/5 ln(4/3) = 0.0457581"},
    {"engines.ascend-block", "iid(draft=[1,0],target=[1/2,1/2])",
     "gamma=2: TV of 3 tokens of ascend-block to the target's: ~0.4164820599 > 0"},
    {"narasimhan2025.ensemble.line", kToy,
     "relaxed(pi=ensemble,weight=1/2): P(reject) 1/6, TV 1/6, on the line 1/3; KL(output || t) 1/2 "
     "ln(3/2) + 1/2 ln(3/4) = 0.0588915"},
};

TEST_CASE("every claim on these rules has the verdict on record, and its evidence the numbers") {
  ClaimContext context;
  context.effort = Effort::quick;
  const auto outcomes = run_claims(
      select_claims({"daliri2024", "rowan2025", "timor2025", "li2024", "jeon2024", "weng2025",
                     "khisti2025", "thomas2026", "zhou2026", "narasimhan2025", "holsman2025",
                     "cai2024", "li2025", "engines", "miao2023"}),
      context);
  CHECK(outcomes.size() == 73);
  for (const ClaimOutcome& outcome : outcomes) {
    CAPTURE(outcome.row->id);
    CHECK(outcome.as_recorded());
    CHECK((outcome.result.tests == 0 || outcome.result.least_power > 0.99999));
  }
  for (const Line& line : kLines) {
    CAPTURE(line.id, line.pair, line.detail);
    const auto outcome = std::find_if(outcomes.begin(), outcomes.end(),
                                      [&](const auto& each) { return each.row->id == line.id; });
    REQUIRE(outcome != outcomes.end());
    const auto& evidence = outcome->result.evidence;
    CHECK(std::any_of(evidence.begin(), evidence.end(), [&](const Evidence& each) {
      return each.pair == line.pair && each.detail.find(line.detail) != std::string::npos;
    }));
  }
}

}  // namespace
}  // namespace speclab::rules_test
