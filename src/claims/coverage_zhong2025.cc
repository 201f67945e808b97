#include "claims/paper.h"

namespace speclab {

PaperItems zhong2025_items() { return {}; }

}  // namespace speclab
