#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/fault_rows.h"
#include "base/rational.h"
#include "claims/engine/claim.h"
#include "claims/engine/instance.h"

namespace speclab {

// Negative controls: the properties of properties.h, checked on faulty verifiers,
// which must fail one, and on the right ones, which must fail none.

/// A property that a verifier failed: on the pair of its row, else on the smallest instance of the
/// battery where it does.
struct PropertyFailure {
  std::string_view property;  ///< "joint law of the output"
  std::string pair;
  Method method = Method::exact;
  std::string detail;  ///< setting and by how much
  double power = 1;    ///< probability with which this check rejects this verifier
};

/// What the battery says of one verifier.
struct ControlOutcome {
  std::string verifier;  ///< spec text
  std::string_view fault;
  bool wrong = false;               ///< something must reject it
  bool own = false;                 ///< of a plugin, which declares it lossless
  const ControlRow* row = nullptr;  ///< null: of a right one, and of a plugin's
  std::optional<Rational> tv;       ///< of gamma + 2 tokens to the target's, at the row's place
  std::vector<PropertyFailure> failures;

  /// What is not as it must be: "" where a right verifier failed nothing, and a wrong one was
  /// rejected where its row says, by the property and with the TV and the power that it says.
  [[nodiscard]] std::string surprise() const;
  [[nodiscard]] bool as_meant() const { return surprise().empty(); }
};

/// The instances that controls are checked on: small enough for every verifier's exact law, two
/// drafts included; smallest first. Three drafts are the fewest that show a carry on top of a
/// carry, D/T of a path where its ratio is not 1, and a weight above 1 inside a block.
std::vector<Instance> control_battery(const ClaimContext& context);

/// The name of the simulated test of the output's law, which comes after the exact properties.
inline constexpr std::string_view kSimulated = "simulated law of the output";

/// Which verifiers are checked.
enum class Controls {
  all,      ///< every lossless one, every faulty one and every row
  plugins,  ///< those of plugins that declare themselves lossless
};

/// Checks every property on every verifier.
/// When interrupted() the verifiers not finished are left out.
std::vector<ControlOutcome> run_controls(const ClaimContext& context,
                                         const std::function<void(std::size_t done)>& progress = {},
                                         Controls which = Controls::all);

/// How many verifiers run_controls looks at.
std::size_t control_count(Controls which = Controls::all);

/// "wrong-x: the control survives; no property rejects it", or the false alarm; of a
/// plugin's verifier what it fails.
std::string surprise_text(const ControlOutcome& outcome);

}  // namespace speclab
