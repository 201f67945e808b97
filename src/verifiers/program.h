#pragma once

#include <type_traits>

#include "model/view.h"
#include "verifiers/info.h"

namespace speclab {

// What the interpreters ask of a verifier's type, its *program* (see choices.h for the rest):
//   static constexpr VerifierInfo kInfo    what is said of it
//   static constexpr bool kCarries         whether it modifies the target of the tokens after it
//   static Program read(SpecReader&)       reads its parameters
//   drafts                                 where kInfo.drafts names a parameter: its value
//   std::vector<InputFile> inputs() const         where it reads files: path and digest of each
//   Program prepared(const PairPointer&) const    where it must learn something from the pair

/// The view a program needs: with the carry where it makes one.
template <class Program, class Real>
using ViewOf = std::conditional_t<Program::kCarries, CarriedView<Real>, PairView<Real>>;

/// The drafts that one iteration of the program takes: 0 without a draft model, 1, or K.
template <class Program>
int draft_count(const Program& program) {
  if constexpr (requires { program.drafts; }) {
    return program.drafts;
  } else {
    static_assert(Program::kInfo.drafts.empty(), "the number of drafts is a member `drafts`");
    return drafting_of<Program>() == Drafting::none ? 0 : 1;
  }
}

}  // namespace speclab
