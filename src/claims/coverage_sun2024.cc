#include "claims/paper.h"

namespace speclab {

PaperItems sun2024_items() { return {}; }

}  // namespace speclab
