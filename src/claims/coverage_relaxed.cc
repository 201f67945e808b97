// What is held of papers on relaxed acceptance.
#include "claims/paper.h"

namespace speclab {
namespace {

constexpr PaperItem kNarasimhan[] = {
    {"Speculative cascades",
     "verification against a relaxed target pi accepts 1 - TV(d, pi)",
     {"narasimhan2025.relaxed", "relaxed"}},
};

}  // namespace

PaperItems narasimhan2025_items() { return kNarasimhan; }

}  // namespace speclab
