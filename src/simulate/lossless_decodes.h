#pragma once

#include "model/rows.h"
#include "simulate/estimate.h"

namespace speclab {

// A mean over decodes is of a number between 1 and the horizon T, but a sum of many small parts.
// Where no event moves a decode far, the two-valued law of interval.h need not have its upper value
// at T: at three standard deviations and one such event beyond the mean it has the skewness 2.7,
// more than such sums have, or it is the law of the rare event itself.

/// A bound on the expected number of tokens until two decodes meet that are in any two states of
/// one position and follow the target's law: in each step they can be drawn so as to meet with
/// probability 1 - D, D the largest distance (TV) of the laws of their next states (Dobrushin
/// 1956). 0 for one state; infinite where there are too many states to look at all, and where the
/// pair resets (model/pair.h).
double tokens_to_meet(const Rows<double>& rows, int horizon);

/// The trials from which on their spread bounds the range.
inline constexpr std::uint64_t kSpreadTrials = 100;

/// A range for the mean of a part of decodes, such as target calls, that holds what their spread
/// and one rare event reach; `spread.range` where that is narrower.
/// @param effect  the most by which one event moves it; infinite: unknown
Range reached_range(const Spread& spread, double effect);

/// As estimate(), of a verifier that keeps the target's law. One event takes a token from a decode
/// or adds one, and what follows is another state until it meets that of the decode without the
/// event: it moves target calls and rejections by 1 + tokens_to_meet() at most. Nothing is known of
/// undefined draws, of end tokens and of runs; there it is estimate() itself.
Estimates estimate_lossless(const Tally& tally, const Rows<double>& rows,
                            const SimulateRequest& request);

}  // namespace speclab
