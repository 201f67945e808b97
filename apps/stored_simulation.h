#pragma once

#include "answer/bench.h"
#include "command.h"
#include "experiment/shard.h"
#include "question_options.h"

namespace speclab {

/// simulate --results: the trials of all questions are kept in a folder's store. A shard runs its
/// range of each question's trials and prints a line; the whole adds up what shards found, runs
/// what is missing and prints the estimates.
ExitCode simulate_stored(const QuestionOptions& options, const BySimulation& method,
                         const std::string& folder, Shard shard, Bench& bench);

}  // namespace speclab
