#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/fault_rows.h"
#include "base/rational.h"
#include "claims/engine/claim.h"

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
  const ControlRow* row = nullptr;  ///< null: of a right one, and of a plugin's
  std::optional<Rational> tv;       ///< of gamma + 2 tokens to the target's, at the row's place
  std::vector<PropertyFailure> failures;
  std::uint64_t instances = 0;
  int tests = 0;

  /// What is not as it must be: "" where a right verifier failed nothing, and a wrong one was
  /// rejected where its row says, by the property and with the TV and the power that it says.
  [[nodiscard]] std::string surprise() const;
  [[nodiscard]] bool as_meant() const { return surprise().empty(); }
};

/// The names of the properties, in the order in which they are checked.
std::vector<std::string_view> property_names();

/// Checks every property on every lossless verifier, on every faulty one and on every row.
/// When interrupted() the verifiers not finished are left out.
std::vector<ControlOutcome> run_controls(
    const ClaimContext& context, const std::function<void(std::size_t done)>& progress = {});

/// How many verifiers run_controls looks at.
std::size_t control_count();

/// "wrong-x: the control survives; no property rejects it", or the false alarm.
std::string surprise_text(const ControlOutcome& outcome);

}  // namespace speclab
