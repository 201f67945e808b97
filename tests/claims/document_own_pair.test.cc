// What a pair of the user's own says of claims, from made-up outcomes.
#include "catch.h"
#include "claims/document.h"
#include "model/registry.h"
#include "report/report.h"

namespace speclab::own_pair_test {

TEST_CASE("a claim on a pair has its verdict and evidence, or why it was not asked") {
  static constexpr ClaimRow kRow{.id = "paper.lemma1",
                                 .source = "paper",
                                 .statement = "a < b",
                                 .hypotheses = "none",
                                 .recorded = ClaimVerdict::holds};
  ClaimResult shown;
  shown.verdict = ClaimVerdict::refuted;
  shown.instances = 2;
  shown.comparisons = 5;
  shown.evidence = {{"iid", Method::exact, "gamma=1: 1 > 0"}};
  ClaimResult plain;
  plain.verdict = ClaimVerdict::holds;
  const PairPointer pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  const std::vector<OwnPairOutcome> outcomes{
      {&kRow, shown, ""}, {&kRow, plain, ""}, {&kRow, {}, "one draft alone"}};
  const std::string place = "paper.lemma1,\"bernoulli(draft=2/3,target=1/3)\",a < b,";
  CHECK(render(own_pair_document(pair, outcomes), Format::csv) ==
        "claim,pair,statement,verdict,record,instances,comparisons,evidence\n" + place +
            "refuted,holds,2,5,gamma=1: 1 > 0\n" + place + "holds,holds,0,0,\n" + place +
            "not asked,holds,0,0,one draft alone\n");
}

}  // namespace speclab::own_pair_test
