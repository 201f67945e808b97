#pragma once

#include "answer/given_law.h"
#include "verifiers/registry.h"

namespace speclab {

/// given_law_of for the program of a verifier, handed over as a pointer to its type.
using GivenLawOf = GivenLaw (*)(const void* program, const PathRows& rows, int drafts,
                                Window window);

/// Of a verifier of the list (verifiers/list.txt), or null of a plugin's. All are instantiated in
/// one source.
GivenLawOf given_law_entry(const VerifierRow& row);

}  // namespace speclab
