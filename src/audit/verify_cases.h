#pragma once

#include <vector>

#include "audit/aspect.h"
#include "audit/law.h"
#include "audit/plan.h"

namespace speclab {

/// A case whose drafted set is fixed, and where it stands.
struct PlacedCase {
  CasePlan plan;
  AuditPlace place;
};

/// The candidates of a known rule: pairs with drafted sets on them. Aspects: the accepted length,
/// and for each of its values what is emitted then.
/// @throws InputError where the rule cannot be held to drafts that it is given
std::vector<PlacedCase> placed_candidates(const AuditOptions& options,
                                          const std::vector<Verifier>& faults);

/// Where an answer of such a case counts: (aspect, key) each.
/// @param plan  of this case
std::vector<std::pair<std::size_t, OutcomeKey>> keys_of(const CasePlan& plan, int accepted,
                                                        const std::vector<Token>& tokens);

/// What is asked about a place: rows along each chain. Without count, id and seed.
VerifyRequest request_at(const AuditPlace& place);

/// "(0,1)", or "(0,1) (0,0)" of several chains.
std::string chains_text(const std::vector<std::vector<Token>>& chains);

}  // namespace speclab
