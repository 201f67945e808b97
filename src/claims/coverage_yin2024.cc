#include "claims/paper.h"

namespace speclab {

PaperItems yin2024_items() { return {}; }

}  // namespace speclab
