#pragma once

#include "exact/exact.h"
#include "run/runner.h"

namespace speclab {

/// What a runner knows of a verifier's program.
ProgramTraits traits_of(const Verifier& verifier);

/// Everything a request asks of the verifier behind `runner`: run_exact with any Runner.
template <class View>
ExactResult<typename View::Real> run_with(const Runner<View>& runner,
                                          const Rows<typename View::Real>& rows,
                                          const ExactRequest& request);

extern template class ProgramRunner<AnyProgram<PairView<double>>, PairView<double>>;
extern template class ProgramRunner<AnyProgram<CarriedView<double>>, CarriedView<double>>;
extern template class ProgramRunner<AnyProgram<RunView<PairView<Rational>>>, PairView<Rational>>;
extern template class ProgramRunner<AnyProgram<RunView<CarriedView<Rational>>>,
                                    CarriedView<Rational>>;

}  // namespace speclab
