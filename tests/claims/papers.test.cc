// What the searches of the claims find at the least effort.
#include <algorithm>

#include "catch.h"
#include "claims/engine/examination.h"
#include "claims/engine/measured.h"
#include "claims/engine/registry.h"

namespace speclab::papers_test {
namespace {

ClaimResult found_by(std::string_view id) {
  const ClaimRow* row = find_claim(id);
  REQUIRE(row != nullptr);
  return run_claim(*row, {.effort = Effort::quick, .threads = 1});
}

TEST_CASE("the least effort finds the counterexamples on record") {
  for (const std::string_view id : {"sun2025.theorem2",
                                    "sun2025.figure2.argmin",
                                    "yin2024.theorem5.proof",
                                    "yin2024.appendixG.uno",
                                    "yin2024.algorithm4",
                                    "yin2024.algorithm4.after-loop",
                                    "yin2024.inference-time",
                                    "yin2024.acceleration",
                                    "yin2024.proposition1.second",
                                    "yin2024.proposition1.monotone",
                                    "yin2024.section4.2.baseline",
                                    "yin2024.theorem4.multiple",
                                    "zhong2025.theorem3.1.token-rates",
                                    "zhong2025.section3.2.lambda",
                                    "zhong2025.algorithm2",
                                    "lin2026.lemmaA.1",
                                    "lin2026.theorem4.2",
                                    "lin2026.theorem5.3",
                                    "lin2026.definition4.1",
                                    "lin2026.theorem5.3.agreement",
                                    "lin2026.section3.3.coins",
                                    "lin2026.theorem4.2.drafts",
                                    "lin2026.section1.growth",
                                    "lin2026.growth",
                                    "lin2026.optimal",
                                    "lin2026.optimal.existing",
                                    "lin2026.remark5.2.strict",
                                    "lin2026.remark5.2.limit",
                                    "lin2026.lemmaA.1.coins",
                                    "lin2026.lemmaA.1.break",
                                    "lin2026.lemmaA.1.equation7",
                                    "lin2026.theorem4.2.object",
                                    "lin2026.equation1.optimum",
                                    "lin2026.lemma5.1",
                                    "lin2026.section3.3.nu",
                                    "miao2023.above-block"}) {
    CAPTURE(id);
    const Measured* record = measured(id);
    REQUIRE(record != nullptr);
    const ClaimResult found = found_by(id);
    REQUIRE_FALSE(found.evidence.empty());
    const Evidence& first = found.evidence.front();
    CHECK(first.pair == record->pair);
    CHECK(first.detail == record->detail);
    CHECK(first.method == Method::exact);
  }
}

/// What the second search of a claim finds: it is behind the first among the evidence.
struct SecondFound {
  std::string_view id, pair;
  std::string_view detail;  ///< begins with the setting, the quantity and both values
};

constexpr SecondFound kSecondFound[] = {
    {"yin2024.proposition1.last", "iid(draft=[1/2,1/2],target=[1,0])",
     "violated, gamma=1: E[N_rej] of batch, M = 24, T = gamma, against T times what more drafts "
     "can "
     "change: 1/16777216 = 1/16777216"},
    {"yin2024.theorem4.multiple", "iid(draft=[1,0],target=[1/2,1/2])",
     "violated, gamma=1: largest TV between optimal P at b=(3/4,1): 0 = 0"},
    {"lin2026.theorem4.2", "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=1, K=2: TV of 1 tokens of spectr-gbv(K=2) to the target's: 3/40 > 0"},
    {"lin2026.theorem5.3", "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=1, K=2: E[tau] of spectr-gbv(K=2) against equation (5): 41/60 < 5/6"},
    {"lin2026.growth", "iid(draft=[3/4,1/4],target=[1/2,1/2])",
     "violated, gamma=1, K=2: E[tau] of spectr-gbv(K=2) against spectr-gbv(K=1): 197/280 < 3/4"},
    {"lin2026.lemma5.1", "iid(draft=[2/3,1/3,0],target=[0,2/3,1/3])",
     "violated, gamma=2, K=2: E[tau] of the drafts' laws given y = "},
    {"lin2026.lemma5.1.proof", "iid(draft=[2/3,1/3],target=[1/3,2/3])",
     "violated, gamma=2, K=2: P(no draft begins with (0) | y does) against P(draft 1 does not) "
     "P(draft 2 does not), laws "},
};

TEST_CASE("the second search of a claim finds the smallest counterexample of its space") {
  for (const auto& [id, pair, detail] : kSecondFound) {
    CAPTURE(id);
    const ClaimResult found = found_by(id);
    REQUIRE(found.evidence.size() > 1);
    const Evidence& second = found.evidence[1];
    CHECK(second.pair == pair);
    CHECK(second.method == Method::exact);
    CAPTURE(second.detail);
    CHECK(second.detail.starts_with(detail));
    CHECK(second.detail.ends_with("smallest counterexample"));
  }
}

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
    const ClaimResult found = found_by(number.id);
    CHECK(std::any_of(found.evidence.begin(), found.evidence.end(), [&](const Evidence& each) {
      return each.detail.find(number.detail) != std::string::npos;
    }));
  }
}

}  // namespace
}  // namespace speclab::papers_test
