#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/adequacy/cell_test.h"
#include "audit/law.h"

namespace speclab {

/// One test of a maintainer's suite (docs/formats.md): rows, drafts, a number of samples and what
/// is done with them.
struct AdequacyCase {
  std::string suite;  ///< the tests of one name are one suite
  std::string name;   ///< "line 3" where it has none
  std::string rule;   ///< canonical
  AuditPlace place;   ///< chains are empty where every sample draws its drafts
  std::uint64_t samples = 0;
  CountedPart counted;
  HistogramTest test;
};

/// The largest sample of a case.
inline constexpr std::uint64_t kMostSamples = 1'000'000'000;
/// Reads a file of cases, one JSON object a line.
/// @param rule  of the lines without one; token where it is empty
/// @throws InputError naming file, line, key and fix
std::vector<AdequacyCase> read_adequacy_cases(const std::string& path,
                                              const std::optional<std::string>& rule);

/// A case as a line that read_adequacy_cases reads: drafts given, every outcome tested exactly.
std::string adequacy_line(const std::string& suite, const std::string& rule,
                          const AuditPlace& place, std::uint64_t samples, double level);

}  // namespace speclab
