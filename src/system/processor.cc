#include "system/processor.h"

#include <hwy/targets.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace speclab {
namespace {

constexpr std::array<std::pair<std::string_view, Instructions>, 3> kNames{
    {{"scalar", Instructions::scalar},
     {"avx2", Instructions::avx2},
     {"avx512", Instructions::avx512}}};

Instructions most() {
  for (const Instructions each : {Instructions::avx512, Instructions::avx2}) {
    if (has_instructions(each)) return each;
  }
  return Instructions::scalar;
}

Instructions read_allowed() {
  const char* text = std::getenv("SPECLAB_INSTRUCTIONS");
  if (text == nullptr || *text == '\0') return most();
  for (const auto& [name, each] : kNames) {
    if (name != text) continue;
    if (has_instructions(each)) return each;
    throw InputError("SPECLAB_INSTRUCTIONS is " + std::string(name) +
                     ", which this processor does not have; leave the variable out");
  }
  throw InputError("SPECLAB_INSTRUCTIONS is '" + abbreviate(text) +
                   "'; it takes scalar, avx2 or avx512");
}

}  // namespace

bool has_instructions(Instructions wanted) {
  switch (wanted) {
    case Instructions::scalar:
      return true;
    case Instructions::avx2:
      return (hwy::SupportedTargets() & HWY_AVX2) != 0;
    case Instructions::avx512:
      return (hwy::SupportedTargets() & HWY_AVX3) != 0;
  }
  return false;
}

Instructions allowed_instructions() {
  static const Instructions allowed = read_allowed();
  return allowed;
}

}  // namespace speclab
