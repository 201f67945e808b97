#include "claims/paper.h"

namespace speclab {

PaperItems lin2026_items() { return {}; }

}  // namespace speclab
