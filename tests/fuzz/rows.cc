// The rows of the listed verifiers without their interpreters: spec text of every verifier is read
// and written as in the program, and none is run. The build takes a minute so, and not half an
// hour.
#include <array>
#include <memory>
#include <tuple>

#include "listed/verifiers.h"
#include "verifiers/choices.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

/// See answer/instantiate.h, whose rows have the same fields and the interpreters.
template <class Program>
VerifierRow row_of(const Program*) {
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
  return row;
}

}  // namespace

std::span<const VerifierRow* const> listed_verifiers() {
  static const auto rows = std::apply(
      [](const auto*... programs) { return std::array{row_of(programs)...}; }, ListedPrograms{});
  static const auto pointers = [] {
    std::array<const VerifierRow*, rows.size()> all{};
    for (std::size_t i = 0; i < rows.size(); ++i) all[i] = &rows[i];
    return all;
  }();
  return pointers;
}

}  // namespace speclab
