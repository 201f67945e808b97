#pragma once

#include <string>

#include "audit/law.h"
#include "base/json.h"

namespace speclab {

/// The most sets of drafts that a case may draw.
inline constexpr double kMostDrawnSets = 50'000;

/// The rows and drafts of a case: `draft_probs` [g][V] and `target_probs` [g + 1][V], a row a
/// position whatever the tokens before it, and `draft_tokens` [g] or [K][g] where they are given;
/// or rows [K][g][V] and [K][g + 1][V] along given chains. Without drafts `chains` is empty: every
/// sample draws its own.
/// @throws InputError "WHERE: ..." naming the key and the fix
AuditPlace read_case_place(const Json& object, const std::string& where, const Verifier& rule);

}  // namespace speclab
