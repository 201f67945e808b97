#pragma once

#include <string_view>

#include "prove/iteration.h"
#include "prove/prover.h"

namespace speclab {

/// The theorem that a verifier, named by spec text, has a property.
inline Theorem theorem_of(std::string_view verifier, Contexts contexts, Token vocabulary, int gamma,
                          const std::string& property = "lossless") {
  Theorem theorem{make_verifier(verifier), TheoremProperty::lossless, std::nullopt,
                  AllPairs(contexts, vocabulary, gamma)};
  read_property(property, theorem);
  return theorem;
}

/// The theorem that a program of the tests' own is lossless.
template <class Program>
Theorem theorem_of_program(Contexts contexts, Token vocabulary, int gamma) {
  static const VerifierRow row{Program::kInfo};
  Verifier verifier;
  verifier.name = std::string(Program::kInfo.name);
  verifier.info = &row;
  verifier.program = std::make_shared<const Program>();
  return {std::move(verifier), TheoremProperty::lossless, std::nullopt,
          AllPairs(contexts, vocabulary, gamma), proof_program_of<Program>()};
}

/// Explores all cells.
inline void finish(Prover& prover) {
  while (prover.step()) {
  }
}

}  // namespace speclab
