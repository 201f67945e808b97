#include "claims/paper.h"

namespace speclab {

PaperItems sun2025_items() { return {}; }

}  // namespace speclab
