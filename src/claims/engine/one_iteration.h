#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "claims/engine/paths.h"
#include "claims/engine/row.h"
#include "run/each_sequence.h"
#include "theory/measure.h"
#include "verifiers/greedy_block.h"
#include "verifiers/program.h"

namespace speclab {

/// Calls visit(iteration, weight) for every sequence of decisions of one full iteration (gamma
/// drafts and a bonus) of `program` from `start`. `iteration.path` holds what the program drafted.
template <class Program, class Visit>
void each_iteration(const Program& program, const Instance& instance, State start, bool corrections,
                    Visit&& visit) {
  using View = ViewOf<Program, Rational>;
  const View view(*instance.rows);
  each_sequence(program, view, view.root(start), {.drafts = instance.gamma, .bonus = true},
                corrections, visit);
}

}  // namespace speclab
