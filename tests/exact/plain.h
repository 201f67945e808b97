#pragma once

#include <functional>

#include "exact/run.h"
#include "run/runs.h"
#include "verifiers/registry.h"

namespace speclab {

/// A verifier's program with fractions: its runner, and its sequences of decisions one by one
/// without any of the ways in which a runner saves work.
template <class View>
struct PlainProgram {
  using Visit = std::function<void(const Iteration<RememberingView<View>>&, const Rational&)>;

  const Runner<View>& runner;
  /// Calls visit(iteration, weight) for every sequence of decisions from `root`, in order.
  std::function<void(const View& view, const typename View::Node& root, Window window,
                     bool corrections, const Visit& visit)>
      enumerate;
};

/// Calls visit(view, program), the view made of the rows.
template <class Visit>
void with_plain(const Verifier& verifier, const Rows<Rational>& rows, const Visit& visit) {
  with_runs(*verifier.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using View = V<Rational>;
    using Remembering = RememberingView<View>;
    using Program = AnyProgram<Remembering>;
    const Program program(verifier.program.get(), runs.fractions);
    const AnyRunner<View> runner(program, traits_of(verifier));
    visit(View(rows),
          PlainProgram<View>{runner,
                             [&](const View& view, const typename View::Node& root, Window window,
                                 bool corrections, const typename PlainProgram<View>::Visit& each) {
                               Enumerator<Rational> choices(corrections);
                               do {
                                 Memory<View> memory;  // of this sequence alone
                                 Iteration<Remembering> out;
                                 choices.restart();
                                 out.begin(root);
                                 program(Remembering(view, memory), root, window, choices, out);
                                 each(out, choices.weight());
                               } while (choices.advance());
                             }});
  });
}

}  // namespace speclab
