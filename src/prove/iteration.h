#pragma once

#include <string_view>

#include "prove/outcomes.h"
#include "run/runs.h"
#include "verifiers/registry.h"

namespace speclab {

/// How the prover runs a program's type: one of the two, or neither and the reason.
struct ProofProgram {
  RunOf<PairView<Number>> plain = nullptr;
  RunOf<CarriedView<Number>> carried = nullptr;
  std::string_view reason = {};

  [[nodiscard]] bool runs() const { return plain != nullptr || carried != nullptr; }
};

/// Of a program's type that need not be in the registry. It may say with
///   static constexpr std::string_view kNoProof
/// that the prover cannot run it, and why.
template <class Program>
constexpr ProofProgram proof_program_of() {
  if constexpr (requires { Program::kNoProof; }) {
    return {.reason = Program::kNoProof};
  } else if constexpr (Program::kCarries) {
    return {.carried = &run_erased<Program, CarriedView<Number>>};
  } else {
    return {.plain = &run_erased<Program, PairView<Number>>};
  }
}

/// One full iteration of a program, handed over as a pointer to its type, in the run that is
/// current. With `law`, the law of gamma + 1 tokens: what the iteration emits, then
/// the target's; where it leaves a carry what the next iterations emit, so that it is put to use.
/// Else outcomes.law stays empty and no correction is branched over.
void run_iteration(const ProofProgram& how, const void* program, const Rows<Number>& rows,
                   const ProofRun& run, bool law, ProofOutcomes& outcomes);

}  // namespace speclab
