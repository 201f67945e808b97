#include "verifiers/steps.h"

#include "base/split.h"

namespace speclab {
namespace {

constexpr std::string_view kSteps =
#include "verifiers/steps.txt"
    ;

std::vector<VerifierSteps> read_steps() {
  std::vector<VerifierSteps> all;
  for (const std::string_view line : split(kSteps, "\n")) {
    const auto parts = split(line, " :: ");
    // The prose at the head of the file has an example of a row.
    if (parts.size() < 2 || parts.front().find(' ') != std::string_view::npos) continue;
    all.push_back({parts.front(), {parts.begin() + 1, parts.end()}});
  }
  return all;
}

}  // namespace

std::span<const VerifierSteps> verifier_steps() {
  static const std::vector<VerifierSteps> all = read_steps();
  return all;
}

std::vector<std::string_view> steps_of(std::string_view verifier) {
  for (const VerifierSteps& row : verifier_steps()) {
    if (row.verifier == verifier) return row.steps;
  }
  return {};
}

}  // namespace speclab
