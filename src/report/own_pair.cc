#include "report/own_pair.h"

namespace speclab {

Listing own_pair_listing(const PairPointer& pair, std::span<const OwnPairOutcome> outcomes) {
  Listing listing{
      "own-pair",
      {"claim", "pair", "statement", "verdict", "record", "instances", "comparisons", "evidence"},
      {}};
  for (const OwnPairOutcome& outcome : outcomes) {
    const ClaimRow& row = *outcome.row;
    std::vector<std::string> cells{std::string(row.id), pair->name(), std::string(row.statement)};
    if (outcome.result) {
      const ClaimResult& result = *outcome.result;
      cells.insert(cells.end(),
                   {std::string(claim_verdict_name(result.verdict)),
                    std::string(claim_verdict_name(row.recorded)), std::to_string(result.instances),
                    std::to_string(result.comparisons),
                    result.evidence.empty() ? "" : result.evidence.front().detail});
    } else {
      cells.insert(cells.end(), {"not asked", std::string(claim_verdict_name(row.recorded)), "0",
                                 "0", outcome.unasked});
    }
    listing.rows.push_back(std::move(cells));
  }
  return listing;
}

}  // namespace speclab
