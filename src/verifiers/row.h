#pragma once

#include <memory>
#include <typeinfo>
#include <vector>

#include "draft/source.h"
#include "verifiers/choices.h"
#include "verifiers/program.h"
#include "verifiers/registry.h"

namespace speclab {

/// The row of a verifier's type (see verifiers/program.h) without its interpreters: its spec text
/// can be read and written, but it cannot be run. answer/instantiate.h has the rest.
template <class Program>
VerifierRow row_without_interpreters() {
  VerifierRow row{Program::kInfo};
  row.type = &typeid(Program);
  row.read = [](const VerifierRow&, SpecReader& reader) -> ProgramPointer {
    return std::make_shared<const Program>(Program::read(reader));
  };
  row.draft_count = [](const void* program) {
    return speclab::draft_count(*static_cast<const Program*>(program));
  };
  row.tree = [](const void* program) -> std::vector<int> {
    if constexpr (requires(const Program& known) { known.source.profile; }) {
      return static_cast<const Program*>(program)->source.profile;
    } else {
      return {};
    }
  };
  row.grown = [](const void* program) -> GrownSize {
    if constexpr (requires(const Program& known) { known.source.growth; }) {
      const Growth& growth = static_cast<const Program*>(program)->source.growth;
      return {growth.nodes, growth.kind == Growth::Kind::beam ? growth.width : growth.nodes,
              growth.depth};
    } else {
      return {};
    }
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
    if constexpr (requires { known.source.growth; }) {
      if (!known.source.growth.of_pair()) return program;
      auto made = std::make_shared<Program>(known);
      made->source.growth = grown_for(known.source.growth, pair);
      return made;
    } else if constexpr (requires { known.prepared(pair); }) {
      return std::make_shared<const Program>(known.prepared(pair));
    } else {
      return program;
    }
  };
  return row;
}

}  // namespace speclab
