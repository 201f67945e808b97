#pragma once

#include "run/runner.h"

namespace speclab {

// The runners of programs that are handed over as pointers: one a view, compiled once.

extern template class ProgramRunner<AnyProgram<PairView<double>>, PairView<double>>;
extern template class ProgramRunner<AnyProgram<CarriedView<double>>, CarriedView<double>>;
extern template class ProgramRunner<AnyProgram<RunView<PairView<Rational>>>, PairView<Rational>>;
extern template class ProgramRunner<AnyProgram<RunView<CarriedView<Rational>>>,
                                    CarriedView<Rational>>;

}  // namespace speclab
