#pragma once

#include <optional>

#include "answer/optima.h"
#include "claims/engine/paths.h"

namespace speclab {

// The linear programs over ALL verifiers of a class (optimum/explicit_programs.h), as checks ask
// for them: within limits, and the rewards of the first two are ingredients.

/// @throws LimitError each, where a program has more than kMostEntries entries
LinearProgram coupling_program(const Instance& instance, State start);
LinearProgram valid_program(const Instance& instance, State start, const Worth& worth);
LinearProgram position_program(const Instance& instance, int drafts);

/// The certified optimum of coupling_program, averaged over the starts.
Rational best_coupling(const Instance& instance);

/// An upper bound on E[N(i)], or on P(N(i) >= least), over all plug-and-play verifiers, which may
/// change from iteration to iteration and see the whole pair: the dynamic program over states whose
/// steps are certified valid_programs.
Rational best_tokens(const Instance& instance, int iterations, std::optional<int> least = {});

}  // namespace speclab
