#pragma once

#include <string>
#include <vector>

#include "audit/vector_cases.h"

namespace speclab {

/// The files of conformance vectors of one rule (docs/conformance.md): what a checker needs to
/// judge an implementation without this program.
struct RuleVectors {
  std::string rule;      ///< canonical
  std::string vectors;   ///< JSON: rows, drafts, the exact law, the counts that pass
  std::string controls;  ///< JSON: wrong rules with the laws that a checker has to reject
  std::size_t cases = 0;
  std::size_t rejected = 0;              ///< controls, each rejected with kVectorPower or more
  double least_power = 1;                ///< of them
  std::vector<std::string> missed = {};  ///< planted faults that no case shows with that power
};

/// The probability with which a correct implementation fails a file's counts, at most.
inline constexpr double kVectorFalseAlarm = 1e-9;
/// The probability with which a wrong rule that counts as rejected is rejected, at least.
inline constexpr double kVectorPower = 0.999;

/// The same bytes at every call. @param text  of a rule
/// @throws InputError where the rule has no law given its drafts
RuleVectors rule_vectors(const std::string& text, Battery battery);

/// The rules of version 1 (battery_1.txt): those of the engines (verifiers/engine_rows.h) and an
/// example of every right rule, where a law is given by the drafts. A rule that is added later has
/// vectors where it is named, and is in no file of version 1.
std::vector<std::string> battery_rules();

}  // namespace speclab
