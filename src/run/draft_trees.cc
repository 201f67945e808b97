#include "run/draft_trees.h"

#include "run/guide.h"

namespace speclab {

template class DraftTree<PairView<double>, AnyChoices<double, State>>;
template class DraftTree<RememberingView<PairView<Rational>>, AnyChoices<Rational, State>>;

}  // namespace speclab
