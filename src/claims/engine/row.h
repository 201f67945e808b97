#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "claims/engine/claim.h"
#include "claims/engine/for_all_pairs.h"
#include "claims/engine/ingredient.h"
#include "claims/engine/place.h"

namespace speclab {

class Examination;

/// What makes a violated statement true.
struct Correction {
  std::string_view statement;  ///< "for gamma >= 2 and 0 < d < 1"
  Check check{};               ///< the corrected statement; empty: no correction is known
  Places places{};             ///< where it is checked; empty: where the printed one is
};

/// A simulated test of a verifier on one instance.
struct SimulatedLaw {
  std::string_view verifier;
  NamedPair at;
  int horizon = 0;                  ///< the law of so many tokens must be the target's; or 0, and
  const NamedForm* tail = nullptr;  ///< P(tau >= i) must be this
};

/// One claim of a paper: a constant that stands beside its check. run_claim computes the verdict;
/// it is compared with `recorded`.
struct ClaimRow {
  std::string_view id;          ///< "sun2025.theorem1"
  std::string_view source;      ///< paper and number
  std::string_view statement;   ///< one line of plain ASCII mathematics
  std::string_view hypotheses;  ///< one line
  ClaimVerdict recorded = ClaimVerdict::holds;
  Check check{};    ///< the printed statement
  Places places{};  ///< where it is checked
  Correction correction{};
  /// Simulated tests of the printed statement; those without a verifier are not there.
  std::array<SimulatedLaw, 2> simulated{};
  /// What is no statement about one instance: another simulated test, a note. Null where nothing.
  void (*extra)(Examination& examination) = nullptr;
  /// Instance::depth where a check has a size of its own: iterations, or a grid's denominator.
  Sized depth = 0;
  /// Faults under each of which the verdict changes; one at least. Those without a name are not
  /// there.
  std::array<Bite, 4> bites{};
  /// The printed statement for all pairs of a size, at the full effort. Those without a verifier
  /// are not there.
  std::array<ForAllPairs, 3> proofs{};

  /// The places, of the correction too, as text (see Places::text), and the proofs.
  [[nodiscard]] std::string checked_on() const;
  /// The bites as text, with "; " between them.
  [[nodiscard]] std::string planted() const;
};

/// A file's table. Each is a function `Claims NAME_claims()`, and registry.cc has the list of them.
using Claims = std::span<const ClaimRow>;

}  // namespace speclab
