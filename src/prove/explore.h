#pragma once

#include <cstddef>
#include <functional>
#include <limits>

#include "prove/prover.h"

namespace speclab {

// A proof by several threads. A task is a stack of branches: a thread takes kBranchSteps steps of
// it with a prover of its own, and returns the cells that it found and the branches that are left,
// which become tasks in turn. The result of a task depends on its stack alone, and results are put
// together in the order in which one prover would have found them, depth first. So a proof that
// ends has the same cells, counts and counterexample for any number of threads, except where a
// query to the solver comes close to its time limit.

/// Steps of one task: some tenths of a second.
inline constexpr int kBranchSteps = 64;
/// The most branches of one task's stack.
inline constexpr std::size_t kBranches = 4;

enum class ProofEnd { finished, out_of_time, out_of_memory, interrupted };

struct ProofEffort {
  double seconds = 300;  ///< after these no step is begun, and those that run are given up
  double max_memory = std::numeric_limits<double>::infinity();  ///< bytes of the process
  int threads = 0;                                              ///< 0: as many as the machine has
  /// Called with the results put together so far, and the number of branches still to be explored.
  std::function<void(const ProofState& state, std::size_t branches)> progress{};
};

/// Explores the prover's pending branches, and stores the results in it. If it does not end, the
/// prover has all results known by then, and the other branches are pending.
/// @pre a certificate can name the theorem: it has no entry of its own
/// @throws what Prover::step does, but for an interruption
ProofEnd explore(Prover& prover, const ProofEffort& effort);

}  // namespace speclab
