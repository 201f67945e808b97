#include "model/families/families.h"
#include "model/families/iid.h"

namespace speclab {

PairPointer make_bernoulli(SpecReader& spec) {
  const Rational draft = spec.number_between("draft", 0, 1);
  const Rational target = spec.number_between("target", 0, 1);
  return std::make_shared<IidPair>(std::vector<Rational>{Rational(1) - draft, draft},
                                   std::vector<Rational>{Rational(1) - target, target});
}

}  // namespace speclab
