#pragma once

#include <memory>

#include "answer/conditional.h"
#include "exact/entry.h"
#include "simulate/entry.h"
#include "verifiers/choices.h"
#include "verifiers/registry.h"

namespace speclab {

/// The row of a verifier's type (see verifiers/program.h), with every interpreter instantiated for
/// it. This header is what a source includes that adds a verifier: a generated one for each line of
/// verifiers/list.txt, or a plugin's (see answer/plugin.h).
template <class Program>
VerifierRow verifier_row() {
  VerifierRow row{Program::kInfo};
  row.type = &typeid(Program);
  row.read = [](SpecReader& reader) -> ProgramPointer {
    return std::make_shared<const Program>(Program::read(reader));
  };
  row.draft_count = [](const void* program) {
    return speclab::draft_count(*static_cast<const Program*>(program));
  };
  row.drafts_iid = [](const void* program) {
    return speclab::drafts_iid(*static_cast<const Program*>(program));
  };
  row.inputs = [](const void* program) -> std::vector<InputFile> {
    const auto& known = *static_cast<const Program*>(program);
    if constexpr (requires { known.inputs(); }) return known.inputs();
    return {};
  };
  row.prepared = [](const ProgramPointer& program, const PairPointer& pair) -> ProgramPointer {
    const auto& known = *static_cast<const Program*>(program.get());
    if constexpr (requires { known.prepared(pair); }) {
      return std::make_shared<const Program>(known.prepared(pair));
    } else {
      return program;
    }
  };
  row.exact_entry = &kExactEntry<Program>;
  row.trial_entry = &kTrialEntry<Program>;
  row.conditional_entry = &kConditionalEntry<Program>;
  return row;
}

}  // namespace speclab
