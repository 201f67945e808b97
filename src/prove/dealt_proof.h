#pragma once

#include <functional>
#include <string>

#include "prove/prover.h"
#include "system/workers.h"

namespace speclab {

// A proof by all threads and ranks. What is handed out is a stack of branches. Whoever gets one
// takes kBranchSteps steps of it, with a prover of its own that knows nothing else, and tells the
// cells it found and the branches that are left: these are handed out next. What a stack comes to
// depends on the stack alone, and it is put together in the order in which one prover, depth first,
// would have met it. So a proof that ends has the same cells, counts and counterexample whoever did
// what, but where a question to the solver comes near to its time.

/// Steps of one task: some tenths of a second.
inline constexpr int kBranchSteps = 64;
/// Branches of a stack that is handed out, at most.
inline constexpr std::size_t kBranches = 4;

enum class ProofEnd { finished, out_of_time, interrupted };

struct ProofEffort {
  double seconds = 300;  ///< after these no step is begun
  int threads = 0;       ///< of a rank; 0: as many as it has
  /// Told of what is put together, and of the branches still to be taken.
  std::function<void(const ProofState& state, std::size_t branches)> progress{};
};

/// Explores what the prover has pending, and gives it what was found. Where it does not end, that
/// is all that is known by then, the rest being pending.
/// @pre the theorem has no entry of its own
/// @throws what Prover::step does, but for an interruption
ProofEnd explore(Prover& prover, const ProofEffort& effort);

/// What another rank does for it.
std::string do_branches(const std::string& task);
inline constexpr WorkKind kBranchesWork{"branches", &do_branches};

}  // namespace speclab
