#include "claims/engine/measured.h"

#include <algorithm>
#include <vector>

namespace speclab {
namespace {

const std::vector<Measured> kMeasurements{
#include "claims/engine/measured.inc"
};

}  // namespace

std::span<const Measured> measurements() { return kMeasurements; }

const Measured* measured(std::string_view id) {
  const auto row = std::find_if(kMeasurements.begin(), kMeasurements.end(),
                                [id](const Measured& measured) { return measured.id == id; });
  return row == kMeasurements.end() ? nullptr : &*row;
}

}  // namespace speclab
