#include <fmt/format.h>

#include "claims/engine/ingredient.h"

namespace speclab {
namespace {

std::string_view fault_name(Fault fault) {
  switch (fault) {
    case Fault::none:
      return "none";
    case Fault::zeroed:
      return "zeroed";
    case Fault::halved:
      return "halved";
    case Fault::doubled:
      return "doubled";
    case Fault::raised:
      return "raised by 1/7";
    case Fault::lowered:
      return "lowered by 1/7";
    case Fault::constant:
      return "always 1/7";
    case Fault::levelled:
      return "spread evenly";
    case Fault::replaced:
      return "replaced";
  }
  return "";
}

}  // namespace

std::string Bite::text() const {
  if (fault == Fault::replaced) return fmt::format("{} replaced by {}", ingredient, by);
  return fmt::format("{} {}", ingredient, fault_name(fault));
}

}  // namespace speclab
