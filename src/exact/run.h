#pragma once

#include "exact/any_runners.h"
#include "exact/exact.h"

namespace speclab {

/// What a runner knows of a verifier's program.
ProgramTraits traits_of(const Verifier& verifier);

/// Everything a request asks of the verifier behind `runner`: run_exact with any Runner.
template <class View>
ExactResult<typename View::Real> run_with(const Runner<View>& runner,
                                          const Rows<typename View::Real>& rows,
                                          const ExactRequest& request);

}  // namespace speclab
