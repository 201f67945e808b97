#include "exact/any_runners.h"

namespace speclab {

template class ProgramRunner<AnyProgram<PairView<double>>, PairView<double>>;
template class ProgramRunner<AnyProgram<CarriedView<double>>, CarriedView<double>>;
template class ProgramRunner<AnyProgram<RunView<PairView<Rational>>>, PairView<Rational>>;
template class ProgramRunner<AnyProgram<RunView<CarriedView<Rational>>>, CarriedView<Rational>>;

}  // namespace speclab
