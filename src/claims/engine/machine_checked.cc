#include "claims/engine/machine_checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/split.h"
#include "base/text.h"

namespace speclab {
namespace {

constexpr std::string_view kTheorems =
#include "claims/papers/theorems.txt"
    ;

MachineChecked read_theorem(std::string_view line) {
  // A theorem of no claim has nothing between the separators.
  const auto parts = split(line, " ::");
  const auto name = split(parts.front(), " ");
  if (parts.size() != 3 || name.size() != 2 || !parts[2].starts_with(" ")) {
    throw std::logic_error("theorems.txt: not FILE THEOREM :: CLAIMS :: WHAT IS PROVED: " +
                           std::string(line));
  }
  std::string_view claims = parts[1];
  constexpr std::string_view kNot = " not";
  const bool refutes = claims.starts_with(kNot);
  if (refutes) claims.remove_prefix(kNot.size());
  MachineChecked theorem{.file = name[0], .theorem = name[1], .says = parts[2].substr(1)};
  theorem.refutes = refutes;
  if (!claims.empty()) theorem.claims = split(claims.substr(1), ", ");
  return theorem;
}

std::vector<MachineChecked> read_theorems() {
  std::vector<MachineChecked> theorems;
  for (const std::string_view line : split(kTheorems, "\n")) {
    if (!line.empty() && line.front() != '#') theorems.push_back(read_theorem(line));
  }
  return theorems;
}

}  // namespace

std::span<const MachineChecked> machine_checked_theorems() {
  static const std::vector<MachineChecked> theorems = read_theorems();
  return theorems;
}

std::vector<const MachineChecked*> machine_checked(std::string_view claim) {
  std::vector<const MachineChecked*> found;
  for (const MachineChecked& theorem : machine_checked_theorems()) {
    const auto& claims = theorem.claims;
    if (std::find(claims.begin(), claims.end(), claim) != claims.end()) found.push_back(&theorem);
  }
  return found;
}

namespace {

/// "proved for all pairs: A, B; printed statement refuted: C", each theorem as `name` writes it.
template <class Name>
std::string phrases(std::string_view claim, Name name) {
  std::vector<std::string> proved, refuted;
  for (const MachineChecked* theorem : machine_checked(claim)) {
    (theorem->refutes ? refuted : proved).push_back(name(*theorem));
  }
  std::vector<std::string> said;
  if (!proved.empty()) said.push_back("proved for all pairs: " + join(proved));
  if (!refuted.empty()) said.push_back("printed statement refuted: " + join(refuted));
  return join(said, "; ");
}

}  // namespace

std::string machine_checked_text(std::string_view claim) {
  return phrases(claim, [](const MachineChecked& theorem) {
    return fmt::format("proofs/{}.v {}", theorem.file, theorem.theorem);
  });
}

std::string machine_checked_links(std::string_view claim, std::string_view root) {
  return phrases(claim, [root](const MachineChecked& theorem) {
    return fmt::format("[`{}`]({}/proofs/{}.v)", theorem.theorem, root, theorem.file);
  });
}

}  // namespace speclab
