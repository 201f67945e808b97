#pragma once

#include <array>
#include <functional>

#include "simulate/trial.h"

namespace speclab {

/// Adds the trials first .. last - 1 to a tally; one object a thread.
using TrialRange = std::function<void(std::uint64_t first, std::uint64_t last, Tally& tally)>;

/// Makes the trial runner of one verifier type, chosen by its index in VerifierProgram. The
/// arguments outlive the runner.
using TrialFactory = TrialRange (*)(const VerifierProgram&, const Rows<double>&, const TrialPlan&);

using TrialTable = std::array<TrialFactory, kVerifierCount>;

/// Fills the entries whose index is Part modulo SPECLAB_PARTS; one translation unit a part.
template <int Part>
void fill_trials(TrialTable& table);

}  // namespace speclab
