#include "answer/given_laws.h"

#include <listed/verifiers.h>  // made by verifiers/list.cmake

#include <tuple>
#include <typeindex>
#include <unordered_map>

namespace speclab {
namespace {

using Entries = std::unordered_map<std::type_index, GivenLawOf>;

template <class... Types>
Entries entries_of(const std::tuple<const Types*...>&) {
  return {{std::type_index(typeid(Types)), &given_law_of<Types>}...};
}

}  // namespace

GivenLawOf given_law_entry(const VerifierRow& row) {
  static const Entries entries = entries_of(ListedPrograms{});
  const auto found = entries.find(std::type_index(*row.type));
  return found == entries.end() ? nullptr : found->second;
}

}  // namespace speclab
