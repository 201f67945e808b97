#pragma once

#include <memory>

#include "prove/iteration.h"
#include "recorded/given_law.h"
#include "run/runner.h"
#include "run/runs.h"
#include "simulate/ranges.h"
#include "simulate/sampled_program.h"
#include "verifiers/row.h"

namespace speclab {

template <class Program, class View>
inline constexpr InlinedRuns<View> kInlinedRuns{
    [](const void* program) -> std::unique_ptr<Runner<View>> {
      return std::make_unique<ProgramRunner<Program, View>>(*static_cast<const Program*>(program));
    },
    &trials_of<Program>, &conditional_of<Program>};

/// What each interpreter needs of a program's type on the views View<Real>.
/// @tparam kInlined  whether it has interpreters in doubles of its own
template <class Program, template <class> class View, bool kInlined>
constexpr RunsOn<View> runs_on() {
  RunsOn<View> runs{};
  runs.doubles = &run_erased<Program, View<double>>;
  runs.fractions = &run_erased<Program, RememberingView<View<Rational>>>;
  // A wrong or printed verifier is not worth a sampler of its own.
  if constexpr (Program::kInfo.kind == VerifierKind::lossless ||
                Program::kInfo.kind == VerifierKind::biased) {
    runs.sampled = &run_sampled<Program, View<double>>;
  }
  if constexpr (kInlined) runs.inlined = &kInlinedRuns<Program, View<double>>;
  return runs;
}

template <class Program, template <class> class View, bool kInlined>
inline constexpr RunsOn<View> kRunsOn = runs_on<Program, View, kInlined>();

template <class Program>
inline constexpr ProofProgram kProofProgram = proof_program_of<Program>();
template <class Program>
inline constexpr PathProgram kPathProgram = path_program_of<Program>();

template <class Program, bool kInlined>
constexpr Runs runs_of() {
  Runs runs{};
  if constexpr (Program::kCarries) {
    runs.carried = &kRunsOn<Program, CarriedView, kInlined>;
  } else {
    runs.plain = &kRunsOn<Program, PairView, kInlined>;
  }
  runs.proof = &kProofProgram<Program>;
  runs.paths = &kPathProgram<Program>;
  runs.merges = merges<Program>();
  return runs;
}

template <class Program, bool kInlined>
inline constexpr Runs kRuns = runs_of<Program, kInlined>();

/// The row of a verifier's type (see verifiers/program.h), with all that interpreters compile for
/// it. This header is what a source includes that adds a verifier: a generated one for each line of
/// verifiers/list.txt, or a plugin's (see answer/plugin.h).
template <class Program, bool kInlined = false>
VerifierRow verifier_row() {
  VerifierRow row = row_without_interpreters<Program>();
  row.runs_of = [](const void*) { return &kRuns<Program, kInlined>; };
  return row;
}

}  // namespace speclab
