#pragma once

#include "answer/answer.h"
#include "answer/cost_model.h"

namespace speclab {

// A view of an answer: what it costs under a cost model (answer/cost_model.h). Asking at other
// costs runs no trial again.
//
// A draft step takes the draft's time, and under a verifier that drafts by runs (sprinter) the
// verifier's as well; a target call takes the target's time and the rule's, both of a full window,
// and a run that is cut before its verifier's "no" makes none (calls_target). An iteration that the
// horizon cuts pays for a full window's call, as an engine that runs it does, and for the draft
// steps that it makes. What decoding without a draft takes is a call on one position a token.
//
// Modelled work takes the same numbers as costs, in FLOPs say, of which nothing is saved by doing
// it side by side: the target's call costs it once for every row that it returns, those of the
// drafted tokens and of the token after them, gamma F_d + (gamma + 1) F_t a run where zhong2025's
// equation (5) has gamma (F_d + F_t); under a verifier that drafts by runs it returns one row,
// gamma (F_d + F_v) + F_t a run of gamma tokens that ends with a "no" (equation (6)). It is there
// where every time is one number and the rule takes none.

/// Appends the cost quantities that the answer determines, and the closed forms of costs:
/// - of the first iteration: time_to_stop of verifiers that draft by runs; time_per_iteration,
///   first_time_per_token and first_tokens_per_call of those that draft a whole window of a finite
///   gamma. They are of that iteration alone: what follows may accept more or fewer tokens, so
///   that none of them is a speedup;
/// - of a decode to the horizon: time_draft_steps, time_of_decode, decode_speedup, work_of_decode;
/// - of the long run: long_run_speedup.
/// A note says why one is missing.
/// @throws InputError where measured times do not reach as far as the question
void add_costs(Answer& answer, const CostModel& costs);

/// Whether answers to such a question determine this cost, closed forms aside; see add_costs.
bool in_costs(QuantityId cost, const Question& question);

}  // namespace speclab
