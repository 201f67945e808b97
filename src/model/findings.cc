#include "model/findings.h"

#include <stdexcept>

namespace speclab {

void refuse_absent(QuantityId id, const QuantityIndex& index) {
  throw std::out_of_range("there is no " + quantity(id).path() + "[" + index_text(index) + "]");
}

}  // namespace speclab
