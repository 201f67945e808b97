// What the searches of the claims find: the smallest counterexamples, and the corrected statements.
#include <algorithm>

#include "catch.h"
#include "held.h"

namespace speclab::papers_test {
namespace {

constexpr Smallest kSmallest[] = {
    {"sun2025.figure2.argmin", 0, "iid(draft=[1],target=[1])",
     "violated, gamma=2: P(tau = 1) by the arg min, against Algorithm 1: 1 > 0"},
    {"yin2024.theorem5.proof", 0, "iid(draft=[1,0],target=[0,1])",
     "violated, gamma=1: 1 (sum |t - b d| - sum (1 - b) d) at b=(1/2,1) against the certified "
     "least TV: 1 > 1/2"},
    {"yin2024.appendixG.uno", 0, "iid(draft=[1,0],target=[0,1])",
     "violated, gamma=1: TV of the listing's Decoding-UNO, eps = 0, against P := t: 1 > 0"},
    {"yin2024.algorithm4", 0, "iid(draft=[2/3,1/3,0],target=[0,2/3,1/3])",
     "violated, gamma=1: TV of 1 tokens of batch-printed(M=1) to the target's: 1/6 > 0"},
    {"yin2024.algorithm4.after-loop", 0, "iid(draft=[2/3,1/3,0],target=[0,2/3,1/3])",
     "violated, gamma=1, K=2: TV of T = gamma tokens of Algorithm 4, line 28 after the loop, M = "
     "K, to the target's: 1/9 > 0"},
    {"yin2024.inference-time", 0, "iid(draft=[1],target=[1])",
     "violated, gamma=1: E[target calls] of 1 tokens of token against E[N_rej] of 1 tokens of "
     "token: "
     "1 > 0"},
    {"yin2024.acceleration", 0, "iid(draft=[1,0],target=[1/2,1/2])",
     "violated, gamma=1: E[target calls] of 1 tokens of token against sum of E TV_n: 1 > 1/2"},
    {"yin2024.proposition1.second", 0, "iid(draft=[1,0],target=[0,1])",
     "violated, gamma=1: |f_M - h (t - f_M)| at (1), M = 2, against twice what more drafts can "
     "change: 1 > 0"},
    {"yin2024.proposition1.last", 1, "iid(draft=[1/2,1/2],target=[1,0])",
     "violated, gamma=1: E[N_rej] of batch, M = 24, T = gamma, against T times what more drafts "
     "can "
     "change: 1/16777216 = 1/16777216"},
    {"yin2024.proposition1.monotone", 0, "iid(draft=[1/2,1/2],target=[1,0])",
     "violated, gamma=2, K=2: f at (0,0), M = 3, against M = 2: 29/64 > 7/16"},
    {"yin2024.section4.2.baseline", 0, "iid(draft=[1,0],target=[0,1])",
     "violated, gamma=1: TV at b=(1/2,1), P = t, against Loss*: 1/2 = 1/2"},
    {"yin2024.theorem4.multiple", 0, "iid(draft=[1,0],target=[0,1])",
     "violated, gamma=1: largest TV between optimal P at b=(1/2,1): 0 = 0"},
    {"yin2024.theorem4.multiple", 1, "iid(draft=[1,0],target=[1/2,1/2])",
     "violated, gamma=1: largest TV between optimal P at b=(3/4,1): 0 = 0"},
    {"zhong2025.theorem3.1.token-rates", 0, "iid(draft=[2/3,1/3,0],target=[1/3,0,2/3])",
     "violated, gamma=1: TV of one token of sprinter(fp=[1,0,0],tp=1) against fp TV(d, t), fp = "
     "2/3: 1/3 < 4/9"},
    {"zhong2025.section3.2.lambda", 0, "iid(draft=[1/2,1/2],target=[1,0])",
     "violated, gamma=1: tp at lambda = 1/2 against 1/4: 1 > 0"},
    {"zhong2025.algorithm2", 0, "iid(draft=[1,0],target=[1/2,1/2])",
     "violated, gamma=1: TV of 1 tokens of sprinter-printed(fp=0,tp=1) to the target's: 1/4 > 0"},
};

TEST_CASE("the searches find the smallest counterexamples") { check_smallest(kSmallest); }

struct Number {
  std::string_view id;
  std::string_view detail;  ///< a part of a line of the claim's evidence
};

constexpr Number kNumbers[] = {
    {"sun2025.figure2.argmin", "P(tau = 1) by the arg min, against Algorithm 1: 2/3 > 2/9"},
    {"sun2025.section6.improvement", "improvement at gamma = 2 .. 5: 1/19 1/22 1/25 1/28"},
    {"yin2024.section3.2.farther", "at TV = 2/3 against TV = 1/2: 2/9 < 1/4"},
    {"yin2024.section3.2.farther", "at TV = 63/64 against TV = 1/2: 63/4096 < 1/4"}};

TEST_CASE("numbers of the papers' pages stand in the evidence") {
  for (const Number& number : kNumbers) {
    CAPTURE(number.id, number.detail);
    const auto found = run_claim(*select_claims({std::string(number.id)}).front(), quick());
    CHECK(std::any_of(found.evidence.begin(), found.evidence.end(), [&](const Evidence& each) {
      return each.detail.find(number.detail) != std::string::npos;
    }));
  }
}

TEST_CASE("every verdict on batches and approximate verifiers is the recorded one") {
  check_recorded({"yin2024", "zhong2025"});
}

}  // namespace
}  // namespace speclab::papers_test
