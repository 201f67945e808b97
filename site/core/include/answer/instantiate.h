#pragma once

// src/answer/instantiate.h for a program that enumerates alone: exact laws in fractions and in
// doubles, without a sampler, the prover and recordings.
#include "prove/iteration.h"
#include "recorded/given_law.h"
#include "run/runner.h"
#include "run/runs.h"
#include "verifiers/row.h"

namespace speclab {

enum class Made { listed, inlined };

template <class Program, template <class> class View>
inline constexpr RunsOn<View> kRunsOn{&run_erased<Program, View<double>>,
                                      &run_erased<Program, RememberingView<View<Rational>>>,
                                      nullptr, nullptr};

template <class Program>
constexpr Runs runs_of() {
  Runs runs{};
  if constexpr (Program::kCarries) {
    runs.carried = &kRunsOn<Program, CarriedView>;
  } else {
    runs.plain = &kRunsOn<Program, PairView>;
  }
  runs.merges = merges<Program>();
  runs.steps = [](const void* program) {
    return is_made_of_steps(*static_cast<const Program*>(program));
  };
  return runs;
}

template <class Program>
inline constexpr Runs kRuns = runs_of<Program>();

template <class Program, Made kMade = Made::listed>
VerifierRow verifier_row() {
  VerifierRow row = row_without_interpreters<Program>();
  row.runs_of = [](const void*) { return &kRuns<Program>; };
  return row;
}

}  // namespace speclab
