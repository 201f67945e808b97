#pragma once

#include <optional>
#include <string>

#include "answer/answer.h"

namespace speclab {

// A view of an answer: what it costs when calls take these times. Asking at other latencies runs no
// trial again.
//
// A draft step takes latency.draft, and under a verifier that drafts by runs (sprinter)
// latency.draft + latency.verifier; a target call takes latency.target, and a run that is cut
// before its verifier's "no" makes none (calls_target). Several drafts of one iteration are drafted
// side by side, in the steps of one.
//
// Modelled work takes the same numbers as costs, in FLOPs say, of which nothing is saved by doing
// it side by side: the target's call costs it once for every drafted token it scores, the token
// after them left out as zhong2025's equation (5) does, gamma (F_d + F_t) a run; under a verifier
// that drafts by runs it scores one token, gamma (F_d + F_v) + F_t a run of gamma tokens that ends
// with a "no" (equation (6)).

/// Reads "draft=0.1,verifier=0.02,target=1"; what is left out keeps its default.
/// @throws InputError with the form that it takes
Latency read_latency(const std::string& text);

/// Appends the cost quantities that the answer can tell, and the closed forms of costs:
/// - of the first iteration: time_to_stop of verifiers that draft by runs; time_per_iteration,
///   first_time_per_token and first_tokens_per_call of those that draft a whole window of a finite
///   gamma. They tell of that iteration alone: what follows may accept more or fewer tokens, so
///   that none of them is a speedup;
/// - of a decode to the horizon: time_draft_steps, time_of_decode, decode_speedup, work_of_decode.
/// A note says why one is missing.
void add_costs(Answer& answer, const Latency& latency);

}  // namespace speclab
