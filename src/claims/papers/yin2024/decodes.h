#pragma once

#include "claims/engine/row.h"
#include "claims/engine/vocabulary.h"

namespace speclab {

// What the claims of yin2024 on rejections and on batches share. T = gamma: the drafts reach the
// horizon, as with gamma = inf.

/// P(R_n = 1) = E TV_n of Theorem 1, n = 1..T.
std::vector<Rational> tv_along_target(const Instance& instance);

/// sum over n <= T of E TV_n.
extern const NamedForm kTvSum;
/// 1 + sum over n < T of E TV_n.
extern const NamedForm kCallsSum;

/// The batch verifier with K drafts.
inline constexpr std::string_view kBatch = "batch(M={K})";

/// Where a decode has no end-of-sequence token: it makes a call after every rejection before T.
inline constexpr Filter kNoEnd{"no end-of-sequence token", [](const Instance& instance) {
                                 return !instance.pair().end_token().has_value();
                               }};

}  // namespace speclab
