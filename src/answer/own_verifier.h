#pragma once

#include <memory>
#include <string>
#include <typeinfo>
#include <utility>

#include "run/any_program.h"
#include "run/remembering_view.h"
#include "run/runs.h"
#include "verifiers/choices.h"
#include "verifiers/program.h"
#include "verifiers/registry.h"

namespace speclab {

/// What runs a program's type that no registry lists: the enumerator in fractions alone is compiled
/// for it, so that the program may be written for fractions alone.
template <class Program, template <class> class View>
inline constexpr RunsOn<View> kOwnRunsOn{.fractions =
                                             &run_erased<Program, RememberingView<View<Rational>>>};
template <class Program>
inline constexpr Runs kOwnRuns = [] {
  Runs runs{};
  if constexpr (Program::kCarries) {
    runs.carried = &kOwnRunsOn<Program, CarriedView>;
  } else {
    runs.plain = &kOwnRunsOn<Program, PairView>;
  }
  return runs;
}();

/// The row of such a program's type.
template <class Program>
const VerifierRow& own_row() {
  static const VerifierRow row = [] {
    VerifierRow made{};
    made.type = &typeid(Program);
    made.prepared = [](const ProgramPointer& program, const PairPointer&) { return program; };
    made.runs_of = [](const void*) { return &kOwnRuns<Program>; };
    return made;
  }();
  return row;
}

/// A verifier of a program of one's own (a function object, see verifiers/choices.h, with kCarries
/// and, where it takes several drafts, a member `drafts`), for exact answers in fractions alone.
/// @param name  for messages and keys; it is in no registry
template <class Program>
Verifier own_verifier(std::string name, Program program) {
  Verifier verifier;
  verifier.name = std::move(name);
  verifier.info = &own_row<Program>();
  verifier.runs = &kOwnRuns<Program>;
  verifier.drafts = draft_count(program);
  verifier.drafts_iid = drafts_iid(program);
  verifier.program = std::make_shared<const Program>(std::move(program));
  return verifier;
}

}  // namespace speclab
