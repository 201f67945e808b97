#pragma once

#include <stdexcept>

#include "listed/verifiers.h"
#include "verifiers/registry.h"

namespace speclab {

/// Calls visit(program) with the verifier's program under its own type.
/// @throws std::logic_error for a verifier that is not of the list
template <class Visit>
void with_program(const Verifier& verifier, const Visit& visit) {
  const auto as = [&](const auto* type) {
    const auto* program = program_as<std::remove_cvref_t<decltype(*type)>>(verifier);
    if (program != nullptr) visit(*program);
    return program != nullptr;
  };
  const bool found =
      std::apply([&](const auto*... types) { return (as(types) || ...); }, ListedPrograms{});
  if (!found) throw std::logic_error("a verifier of no listed type");
}

}  // namespace speclab
