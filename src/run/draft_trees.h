#pragma once

#include "base/rational.h"
#include "draft/tree.h"
#include "model/view.h"
#include "run/remembering_view.h"
#include "verifiers/any_choices.h"

namespace speclab {

// The draft sets of programs that are handed over as pointers: each view's is compiled once, in the
// room that runs programs on it, and not with every program that walks one.

extern template class DraftTree<PairView<double>, AnyChoices<double, State>>;
extern template class DraftTree<RememberingView<PairView<Rational>>, AnyChoices<Rational, State>>;

}  // namespace speclab
