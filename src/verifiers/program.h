#pragma once

#include <type_traits>

#include "draft/source.h"
#include "model/carries/carried_view.h"
#include "verifiers/info.h"

namespace speclab {

// The interface of a verifier's type, its *program* (see choices.h for the rest):
//   static constexpr VerifierInfo kInfo    its description
//   static constexpr bool kCarries         whether it modifies the target of later tokens
//   static Program read(SpecReader&)       reads its parameters
//   drafts                                 where kInfo.drafts names a parameter: its value
//   source                                 or instead the DraftSource of its drafts
//   bool drafts_iid() const                false where its drafts are the draft's likeliest tokens
//                                          and not drawn from its law; else a source declares so
//   std::vector<InputFile> inputs() const         where it reads files: path and digest of each
//   Program prepared(const PairPointer&) const    where it depends on the pair
//   static constexpr bool kMerges = true   where it declares what its future depends on, so that
//                                          the exact interpreter merges equal prefixes (see
//                                          pauses.h)
//   bool steps() const                     where its iterations are made of steps (see below)
//   void add_output_steps(..) const        where it has an output form (see output_step.h)

/// The view of a program: with the carry where it modifies the target.
template <class Program, class Real>
using ViewOf = std::conditional_t<Program::kCarries, CarriedView<Real>, PairView<Real>>;

/// The number of drafts of one iteration of the program: 0 without a draft model, 1, or K; of a
/// tree the paths from its root to its leaves.
template <class Program>
int draft_count(const Program& program) {
  if constexpr (requires { program.drafts; }) {
    return program.drafts;
  } else if constexpr (requires { program.source; }) {
    return program.source.count();
  } else {
    if constexpr (requires { Program::kInfo; }) {
      static_assert(Program::kInfo.drafts.empty(), "the number of drafts is a member `drafts`");
    }
    return drafting_of<Program>() == Drafting::none ? 0 : 1;
  }
}

/// Whether the drafts are paths drawn independently from the draft's law, as the optimum over K
/// drafts assumes.
template <class Program>
bool drafts_iid(const Program& program) {
  if constexpr (requires { program.drafts_iid(); }) {
    return program.drafts_iid();
  } else if constexpr (requires { program.source; }) {
    return program.source.paths_alone();
  } else {
    return true;
  }
}

/// Whether the drafts are the draft's likeliest tokens, of a chain or a tree. Where the program
/// looks at their probabilities as well it has
///   static constexpr bool kReadsDraft = true
template <class Program>
bool drafts_likeliest(const Program& program) {
  if constexpr (requires { program.drafts_iid(); }) {
    return !program.drafts_iid();
  } else if constexpr (requires { program.source.draw; }) {
    return program.source.draw == Draw::top;
  } else {
    return false;
  }
}

/// Whether an iteration of the program is made of independent steps, so that the simulator may draw
/// a whole step at once (simulate/step_table.h): from any state each of window.drafts steps emits
/// one token and either goes on, as accepted, or ends the iteration, as a correction; after them a
/// bonus ends it. The law of a step is that of an iteration of one draft and no bonus from its
/// state, and the law of the bonus that of an iteration without drafts.
template <class Program>
bool is_made_of_steps(const Program& program) {
  if constexpr (requires { program.steps(); }) return program.steps();
  return false;
}

}  // namespace speclab
