#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "answer/fault_rows.h"
#include "claims/battery/battery.h"

namespace speclab {

// The properties that every lossless verifier must have, each checked on one instance exactly: in
// rational arithmetic, or in doubles where nothing but rounding can come between.

/// What is wrong, with setting and size: "gamma=1, T=3: TV 1/3 to the target"; nothing where the
/// property holds, or says nothing of this instance.
using Failure = std::optional<std::string>;

struct Property {
  std::string_view name;  ///< "joint law of the output"
  Failure (*fails)(std::string_view verifier, const Instance& instance);
};

/// All of them, in the order in which they are checked.
std::span<const Property> exact_properties();

/// "gamma=2", and ", T=4" where there is a horizon.
std::string setting_text(const Instance& instance, int horizon = 0);

/// Above the rounding of a probability in doubles, below any fault of the battery.
inline constexpr double kRounding = 1e-9;

/// How far one iteration's conditional laws are from what they must be, in doubles (largest
/// difference of a probability; rounding leaves about 1e-15).
struct ConditionalLaws {
  double bonus = 0;  ///< the token after a whole accepted draft, from the target's law there
  /// The correction after nothing was accepted, given the tokens drafted, from the same law
  /// whatever was drafted. With one draft the coins of drafting, accepting and correcting are
  /// independent, so it must be 0.
  double correction = 0;
};
ConditionalLaws conditional_laws(std::string_view verifier, const Instance& instance);

}  // namespace speclab
