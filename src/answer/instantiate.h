#pragma once

#include "answer/conditional.h"
#include "exact/entry.h"
#include "simulate/entry.h"
#include "verifiers/row.h"

namespace speclab {

/// The row of a verifier's type (see verifiers/program.h), with every interpreter instantiated for
/// it. This header is what a source includes that adds a verifier: a generated one for each line of
/// verifiers/list.txt, or a plugin's (see answer/plugin.h).
template <class Program>
VerifierRow verifier_row() {
  VerifierRow row = row_without_interpreters<Program>();
  row.exact_entry = &kExactEntry<Program>;
  row.trial_entry = &kTrialEntry<Program>;
  row.conditional_entry = &kConditionalEntry<Program>;
  return row;
}

}  // namespace speclab
