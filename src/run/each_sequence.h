#pragma once

#include <utility>

#include "run/enumerator.h"
#include "verifiers/iteration.h"

namespace speclab {

/// Calls visit(iteration, weight) for every sequence of decisions of one iteration of a program
/// from `root`, in order. `iteration.path` holds the program's scratch.
/// @param corrections  whether each last draw is a sequence of its own
template <class Program, class View, class Visit>
void each_sequence(const Program& program, const View& view, const typename View::Node& root,
                   Window window, bool corrections, const Visit& visit) {
  Enumerator<typename View::Real> choices(corrections);
  Iteration<View> out;
  do {
    choices.restart();
    out.begin(root);
    program(view, root, window, choices, out);
    visit(std::as_const(out), choices.weight());
  } while (choices.advance());
}

}  // namespace speclab
