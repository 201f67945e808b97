// The rows of the listed verifiers without their interpreters: spec text of every verifier is read
// and written as in the program, and none is run. The build takes a minute so, and not half an
// hour.
#include <array>
#include <tuple>

#include "listed/verifiers.h"
#include "verifiers/row.h"

namespace speclab {
namespace {

template <class Program>
VerifierRow row_of(const Program*) {
  return row_without_interpreters<Program>();
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
