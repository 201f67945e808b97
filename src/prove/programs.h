#pragma once

#include <string_view>

#include "prove/entry.h"
#include "verifiers/registry.h"

namespace speclab {

/// How the prover runs a verifier, or the reason why it cannot.
struct ProofProgram {
  const ProofEntry* entry = nullptr;  ///< or null
  std::string_view reason = {};       ///< where the entry is null
};

/// Of a verifier of the list (verifiers/list.txt). All are instantiated in one source, as calls and
/// not inlined: a run is short, and so is the compilation. A type may say with
///   static constexpr std::string_view kNoProof
/// that the prover cannot run it, and why.
ProofProgram proof_program(const VerifierRow& row);

}  // namespace speclab
