#pragma once

#include <optional>
#include <string_view>

#include "command.h"
#include "experiment/shard.h"

namespace speclab {

/// --shard I/N of run and simulate.
Option shard_option();

/// An option I/N: part I of N, from 1 on. @throws UsageError
std::optional<Shard> read_part(const Arguments& arguments, std::string_view option);

/// --shard, else what the launcher's environment says (system/launched.h). Where a launcher started
/// several processes on this machine they share its memory and, where nobody says how many threads,
/// its processors: this limits those of this process. Call before threads start.
/// @throws UsageError
Shard read_shard(const Arguments& arguments);

}  // namespace speclab
