#pragma once

#include <functional>

#include "verifiers/registry.h"
#include "verifiers/sprinter_trained.h"

namespace speclab {

/// What Setting::passes takes for a verifier: the decisions of its trained low-complexity verifier
/// on `pair`, or nothing where it has none. It is trained when it is first asked.
inline std::function<bool(State, Token)> passes_of(const Verifier& verifier,
                                                   const PairPointer& pair) {
  const auto* trained = program_as<SprinterTrained>(verifier);
  if (trained == nullptr) return {};
  return [program = *trained, pair](State state, Token x) mutable {
    if (!program.classifier) program = program.prepared(pair);
    return program.classifier->score(state, x) >= to_double(program.tau);
  };
}

}  // namespace speclab
