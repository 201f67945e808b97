#include "verifiers/steps.h"

#include <algorithm>
#include <string>

namespace speclab {
namespace {

constexpr std::string_view kSteps =
#include "verifiers/steps.txt"
    ;

std::vector<VerifierSteps> read_steps() {
  constexpr std::string_view kBetween = " :: ";
  std::vector<VerifierSteps> all;
  for (std::string_view text = kSteps; !text.empty();) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.find(kBetween) == line.npos || line.front() == ' ') continue;
    VerifierSteps row{line.substr(0, line.find(kBetween)), {}};
    line.remove_prefix(row.verifier.size());
    while (!line.empty()) {
      line.remove_prefix(kBetween.size());
      row.steps.push_back(line.substr(0, line.find(kBetween)));
      line.remove_prefix(row.steps.back().size());
    }
    // The prose at the head of the file has an example of a row.
    if (row.verifier.find(' ') == row.verifier.npos) all.push_back(std::move(row));
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
