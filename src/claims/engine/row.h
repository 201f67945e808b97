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

/// How what is true stands to the printed statement, which an instance violates.
enum class Amends {
  by_correction,   ///< a hypothesis or a constant makes the printed words true
  by_replacement,  ///< the object of the statement fails; another one in its place has the property
  by_reading,      ///< what the paper leaves open decides whether the printed words are true
};

/// The verdict where an instance violates the printed statement and none the amended one, the field
/// of reports that holds the amended one, and how evidence begins that speaks of it.
struct AmendsWords {
  ClaimVerdict verdict;
  std::string_view field;    ///< "repaired_by"
  std::string_view label;    ///< "repaired by"
  std::string_view heading;  ///< "as repaired"
};
AmendsWords words(Amends amends);

/// What is true in the place of a violated statement.
struct Correction {
  std::string_view statement;  ///< "for gamma >= 2 and 0 < d < 1"
  Check check{};               ///< the amended statement; empty: none is known
  Places places{};             ///< where it is checked; empty: where the printed one is
  Amends amends = Amends::by_correction;
};

/// "repaired by: batch(M)".
std::string amended_text(const Correction& correction);

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
  std::array<Bite, 6> bites{};
  /// The printed statement for all pairs of a size, at the full effort. Those without a verifier
  /// are not there.
  std::array<ForAllPairs, 3> proofs{};

  /// Each place, those of the correction too, and each proof, as text.
  [[nodiscard]] std::vector<std::string> checked_on() const;
  /// Each bite as text.
  [[nodiscard]] std::vector<std::string> planted() const;
};

/// A file's table. Each is a function `Claims NAME_claims()`, and registry.cc has the list of them.
using Claims = std::span<const ClaimRow>;

}  // namespace speclab
