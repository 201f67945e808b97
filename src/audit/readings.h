#pragma once

#include <vector>

#include "audit/aspect.h"
#include "audit/law.h"

namespace speclab {

/// The laws that implementations are known to draw the correction from where one chain is drafted
/// and `accepted` of its tokens stand, right ones and wrong ones; of accepted = gamma those of the
/// bonus. Those without weight are left out. Worked example: d = (2/3,1/3), t = (1/3,2/3), accepted
/// 0: t, d, [t - d]+ = (0,1), t without the rejected token.
std::vector<CorrectionReading> readings_at(const AuditPlace& place, int accepted);

/// The reading that a law is, within rounding; null where it is none.
const CorrectionReading* reading_of(const std::vector<CorrectionReading>& readings,
                                    const KeyLaw& law);

}  // namespace speclab
