#pragma once

#include <vector>

#include "audit/aspect.h"
#include "audit/law.h"

namespace speclab {

/// The laws from which implementations are known to draw the correction, correct and wrong ones,
/// where one chain is drafted and `accepted` of its tokens are kept; at accepted = gamma those of
/// the bonus. Laws of total weight zero are omitted. Worked example: d = (2/3,1/3), t = (1/3,2/3),
/// accepted 0: t, d, [t - d]+ = (0,1), t without the rejected token.
std::vector<CorrectionReading> readings_at(const AuditPlace& place, int accepted);

/// The reading equal to a law within rounding; null where there is none.
const CorrectionReading* reading_of(const std::vector<CorrectionReading>& readings,
                                    const KeyLaw& law);

}  // namespace speclab
