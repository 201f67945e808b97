#include "claims/engine/machine_checked.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/text.h"

namespace speclab {
namespace {

constexpr std::string_view kTheorems =
#include "claims/papers/theorems.txt"
    ;

/// The part of a text before a separator, which is removed with it.
std::string_view take_part(std::string_view& text, std::string_view separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + separator.size(), text.size()));
  return part;
}

MachineChecked read_theorem(std::string_view line) {
  const std::string row(line);
  MachineChecked theorem;
  theorem.file = take_part(line, " ");
  theorem.theorem = take_part(line, " :: ");
  // A theorem of no claim has nothing between the separators.
  std::string_view claims = line.starts_with(":: ") ? "" : take_part(line, " :: ");
  if (line.starts_with(":: ")) line.remove_prefix(3);
  constexpr std::string_view kNot = "not ";
  theorem.refutes = claims.starts_with(kNot);
  if (theorem.refutes) claims.remove_prefix(kNot.size());
  while (!claims.empty()) theorem.claims.push_back(take_part(claims, ", "));
  theorem.says = line;
  if (theorem.theorem.empty() || theorem.says.empty()) {
    throw std::logic_error("theorems.txt: not FILE THEOREM :: CLAIMS :: WHAT IS PROVED: " + row);
  }
  return theorem;
}

std::vector<MachineChecked> read_theorems() {
  std::vector<MachineChecked> theorems;
  for (std::string_view text = kTheorems; !text.empty();) {
    const std::string_view line = take_part(text, "\n");
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

/// "proved for all pairs: A, B; refuted: C", each theorem as `name` writes it.
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
