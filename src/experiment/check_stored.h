#pragma once

#include <cstdint>
#include <string>

#include "answer/answer.h"
#include "experiment/store.h"
#include "simulate/tally.h"

namespace speclab {

/// Refuses an answer that no run can have found: an exact one without a law of the accepted tokens,
/// a law that does not sum to 1, a mean that is not its law's, a number below 0, one that is not
/// its fraction's nearest double, an index that the quantity does not have.
/// @throws InputError naming the quantity
void check_answer(const Answer& answer);

/// Refuses a tally that `trials` trials of these lengths cannot have left: other or no trials,
/// counts that do not sum to them, more accepted tokens than are drafted, moments that no whole
/// numbers have, lists of other lengths.
/// @throws InputError naming the part
void check_tally(const Tally& tally, std::uint64_t trials, const Lengths& lengths);

/// The checksum of a row of `answer` or `chunk` (see Store).
std::uint64_t answer_checksum(const std::string& task, const std::string& body);
std::uint64_t chunk_checksum(const std::string& task, std::uint64_t seed, TrialRangeDone range,
                             const std::string& tally);

}  // namespace speclab
