#include "claims/measured.h"

#include <algorithm>
#include <vector>

namespace speclab {
namespace {

const std::vector<Measured> kRows{
#include "claims/measured.inc"
};

}  // namespace

std::span<const Measured> measurements() { return kRows; }

const Measured* measured(std::string_view id) {
  const auto row = std::find_if(kRows.begin(), kRows.end(),
                                [id](const Measured& measured) { return measured.id == id; });
  return row == kRows.end() ? nullptr : &*row;
}

}  // namespace speclab
