#pragma once

#include <memory>

#include "prove/iteration.h"
#include "recorded/given_law.h"
#include "run/contract_choices.h"
#include "run/runner.h"
#include "run/runs.h"
#include "simulate/ranges.h"
#include "simulate/sampled_program.h"
#include "verifiers/output_step.h"
#include "verifiers/row.h"

namespace speclab {

template <class Program, class View>
inline constexpr InlinedRuns<View> kInlinedRuns{
    [](const void* program) -> std::unique_ptr<Runner<View>> {
      return std::make_unique<ProgramRunner<Program, View>>(*static_cast<const Program*>(program));
    },
    &trials_of<Program>, &conditional_of<Program>};

/// Whose a program is, and how it is compiled.
enum class Made {
  listed,   ///< the program's own
  inlined,  ///< likewise, with interpreters in doubles of its own
  foreign,  ///< a plugin's, or Python's: every decision is checked (run/contract_choices.h)
};

/// What each interpreter needs of a program's type on the views View<Real>.
template <class Program, template <class> class View, Made kMade>
constexpr RunsOn<View> runs_on() {
  RunsOn<View> runs{};
  if constexpr (kMade == Made::foreign) {
    runs.doubles = &run_checked<Program, View<double>>;
    runs.fractions = &run_checked<Program, RememberingView<View<Rational>>>;
  } else {
    runs.doubles = &run_erased<Program, View<double>>;
    runs.fractions = &run_erased<Program, RememberingView<View<Rational>>>;
    // A wrong or printed verifier is not worth a sampler of its own.
    if constexpr (Program::kInfo.kind == VerifierKind::lossless ||
                  Program::kInfo.kind == VerifierKind::biased) {
      runs.sampled = &run_sampled<Program, View<double>>;
    }
    if constexpr (kMade == Made::inlined) runs.inlined = &kInlinedRuns<Program, View<double>>;
  }
  return runs;
}

template <class Program, template <class> class View, Made kMade>
inline constexpr RunsOn<View> kRunsOn = runs_on<Program, View, kMade>();

template <class Program>
inline constexpr ProofProgram kProofProgram = proof_program_of<Program>();
template <class Program, Made kMade>
constexpr PathProgram path_program() {
  if constexpr (kMade == Made::foreign && !requires { Program::kNoPaths; }) {
    return {.run = &run_checked<Program, PathView>};
  } else {
    return path_program_of<Program>();
  }
}
template <class Program, Made kMade>
inline constexpr PathProgram kPathProgram = path_program<Program, kMade>();

template <class Program, Made kMade>
constexpr Runs runs_of() {
  Runs runs{};
  if constexpr (Program::kCarries) {
    runs.carried = &kRunsOn<Program, CarriedView, kMade>;
  } else {
    runs.plain = &kRunsOn<Program, PairView, kMade>;
  }
  runs.proof = &kProofProgram<Program>;
  runs.paths = &kPathProgram<Program, kMade>;
  runs.merges = merges<Program>();
  runs.steps = [](const void* program) {
    return is_made_of_steps(*static_cast<const Program*>(program));
  };
  // Nothing holds the form of another's program to its decisions.
  if constexpr (kMade != Made::foreign) runs.output_steps = output_steps_of<Program>();
  return runs;
}

template <class Program, Made kMade>
inline constexpr Runs kRuns = runs_of<Program, kMade>();

/// The row of a verifier's type (see verifiers/program.h), with all that interpreters compile for
/// it. This header is what a source includes that adds a verifier: a generated one for each line of
/// verifiers/list.txt, or a plugin's (see answer/plugin.h).
template <class Program, Made kMade = Made::listed>
VerifierRow verifier_row() {
  VerifierRow row = row_without_interpreters<Program>();
  row.runs_of = [](const void*) { return &kRuns<Program, kMade>; };
  return row;
}

}  // namespace speclab
