#include "prove/programs.h"

#include <listed/verifiers.h>  // made by verifiers/list.cmake

#include <tuple>
#include <typeindex>
#include <unordered_map>

namespace speclab {
namespace {

template <class Program>
ProofProgram program_of() {
  if constexpr (requires { Program::kNoProof; }) {
    return {nullptr, Program::kNoProof};
  } else {
    return {&kProofEntry<Program>, ""};
  }
}

using Programs = std::unordered_map<std::type_index, ProofProgram>;

template <class... Types>
Programs programs_of(const std::tuple<const Types*...>&) {
  return {{std::type_index(typeid(Types)), program_of<Types>()}...};
}

}  // namespace

ProofProgram proof_program(const VerifierRow& row) {
  static const Programs programs = programs_of(ListedPrograms{});
  const auto found = programs.find(std::type_index(*row.type));
  if (found != programs.end()) return found->second;
  return {nullptr,
          "it is a plugin's, and the prover runs those built into the program; add its header to "
          "src/verifiers/list.txt and build"};
}

}  // namespace speclab
