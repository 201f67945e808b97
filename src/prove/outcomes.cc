#include "prove/outcomes.h"

#include "run/guide.h"

namespace speclab {

template class DraftTree<PairView<Number>, AnyChoices<Number, State>>;
template void go_on(const PairView<Number>&, const State&, std::vector<Token>&, const Number&,
                    std::size_t, std::map<std::vector<Token>, Number>&);
template void go_on(const CarriedView<Number>&, const CarriedView<Number>::Node&,
                    std::vector<Token>&, const Number&, std::size_t,
                    std::map<std::vector<Token>, Number>&);

}  // namespace speclab
