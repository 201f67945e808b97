#pragma once

#include <vector>

#include "audit/candidate_pairs.h"
#include "audit/plan.h"

namespace speclab {

/// The candidates of a known rule: pairs with drafted sets on them. Aspects: the accepted length,
/// and for each of its values the emitted tokens.
/// @throws InputError where the rule cannot be tested with given drafts
std::vector<PlacedCase> placed_candidates(const AuditOptions& options,
                                          const std::vector<Verifier>& faults);

/// The (aspect, key) pairs that an answer of such a case adds to.
/// @param plan  of this case
std::vector<std::pair<std::size_t, OutcomeKey>> keys_of(const CasePlan& plan, int accepted,
                                                        const std::vector<Token>& tokens);

/// The law of a decision by aspects: that of the accepted length, then for each of its values that
/// of the tokens emitted there.
std::vector<KeyLaw> split_law(const AuditLaw& law, int gamma, std::size_t chains);

/// The request about a place: rows along each chain, without count, id and seed.
VerifyRequest request_at(const AuditPlace& place);

/// "(0,1)", or "(0,1) (0,0)" of several chains.
std::string chains_text(const std::vector<std::vector<Token>>& chains);

}  // namespace speclab
