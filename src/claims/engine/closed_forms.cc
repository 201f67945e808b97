#include "claims/engine/closed_forms.h"

#include "claims/engine/optimum.h"

namespace speclab {

const NamedForm kBestCoupling{"the certified optimum over all couplings",
                              "coupling-program.optimum", best_coupling};

const NamedForm kMinOfJoint{
    "min(D, T)", "min-of-joint",
    [](const Instance&, State, const PathLaws& path) { return lesser(path.draft, path.target); }};

bool bernoulli(const Instance& instance) {
  return instance.pair().vocabulary() == 2 && instance.pair().memoryless();
}

}  // namespace speclab
