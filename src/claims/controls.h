#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "claims/claim.h"

namespace speclab {

// Negative controls: the properties of properties.h, held on verifiers that are wrong on purpose,
// which must fail one, and on the right ones, which must fail none.

/// A property that a verifier failed, on the smallest instance of the battery where it does.
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
  bool wrong = false;  ///< it is wrong on purpose: something must reject it
  std::vector<PropertyFailure> failures;
  std::uint64_t instances = 0;
  int tests = 0;

  /// A wrong verifier was rejected, or a right one was not.
  [[nodiscard]] bool as_meant() const { return wrong != failures.empty(); }
};

/// The names of the properties, in the order in which they are held.
std::vector<std::string_view> property_names();

/// Holds every property on every lossless verifier and on every wrong one.
/// When interrupted() the verifiers not finished are left out.
std::vector<ControlOutcome> run_controls(
    const ClaimContext& context, const std::function<void(std::size_t done)>& progress = {});

/// How many verifiers run_controls looks at.
std::size_t control_count();

/// "wrong-x: a control survives: no property rejects it", or the false alarm.
std::string surprise_text(const ControlOutcome& outcome);

}  // namespace speclab
