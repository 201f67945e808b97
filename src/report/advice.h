#pragma once

#include <string>
#include <vector>

#include "answer/advice.h"
#include "report/report.h"

namespace speclab {

/// What `advise` says of one pair (docs/formats.md).
struct PairAdvice {
  PairPointer pair;
  std::optional<int>
      horizon;        ///< tokens of a decode; none of a recording, which has no seed either
  std::string costs;  ///< as written
  Advice advice;
};

/// table     the choice, its lead, a line a candidate, then how the choice moves with the costs
/// json      {"schema": 2, "results": [{"pair", "horizon", "seed", "costs", "best", "runner_up",
///           "lead", "settled", "ties", "trials", "table": [...], "loads": [...], "notes"}]}
/// csv       a row a candidate
/// markdown  the same as a table
std::string advice_text(const std::vector<PairAdvice>& all, Format format);

/// Two verifiers asked the same trials.
struct PairComparison {
  PairPointer pair;
  std::string first, second;  ///< the verifiers
  std::string gamma;
  std::string quantity;  ///< what is compared
  Estimate first_value, second_value;
  PairedDifference paired;
  std::uint64_t trials = 0;           ///< or iterations of a recording
  std::optional<std::uint64_t> seed;  ///< none of a recording
};

std::string comparisons_text(const std::vector<PairComparison>& all, Format format);

}  // namespace speclab
