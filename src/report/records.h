#pragma once

#include "exact/exact.h"
#include "report/report.h"
#include "simulate/simulate.h"

namespace speclab {

/// Standard errors that an estimate may be away from a closed form and still agree with it (a false
/// alarm in about 16,000 comparisons).
inline constexpr double kAgreementErrors = 4;

/// Difference, relative to the larger of 1 and the value, at which doubles agree. Fractions must be
/// equal.
inline constexpr double kAgreementTolerance = 1e-9;

/// The exact result of the combination that `setting` names, beside its closed forms.
template <class Real>
Record exact_record(const std::string& verifier, const Setting& setting,
                    const ExactResult<Real>& result, bool law);

/// Estimates of the combination that `setting` names, beside its closed forms.
Record simulated_record(const std::string& verifier, const Setting& setting,
                        const SimulationRun& run, const Estimates& estimates, bool law);

/// Holds a closed form against the record's quantity of that path.
Comparison compare(const Record& record, Prediction prediction);

}  // namespace speclab
