#include "claims/engine/implications.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "base/split.h"
#include "claims/engine/registry.h"

namespace speclab {
namespace {

constexpr std::string_view kImplications =
#include "claims/papers/implications.txt"
    ;

std::vector<Implication> read_implications() {
  std::vector<Implication> all;
  for (const std::string_view line : split(kImplications, "\n")) {
    if (line.empty() || line.front() == '#') continue;
    const auto sides = split(line, " => ");
    const auto parts = split(sides.back(), " :: ");
    if (sides.size() != 2 || parts.size() != 2) {
      throw std::logic_error("implications.txt: not PREMISES => CLAIM :: WHERE: " +
                             std::string(line));
    }
    all.push_back({split(sides[0], ", "), parts[0], parts[1]});
  }
  return all;
}

bool holds_as_printed(std::string_view id) {
  const ClaimRow* row = find_claim(id);
  return row != nullptr && row->recorded == ClaimVerdict::holds;
}

}  // namespace

std::span<const Implication> implications() {
  static const std::vector<Implication> all = read_implications();
  return all;
}

bool fails(const Implication& step) {
  return std::all_of(step.premises.begin(), step.premises.end(), holds_as_printed) &&
         !holds_as_printed(step.conclusion);
}

}  // namespace speclab
