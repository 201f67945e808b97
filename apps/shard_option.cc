#include "shard_option.h"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <thread>

#include "base/text.h"
#include "system/launched.h"
#include "system/memory.h"

namespace speclab {
namespace {

/// A whole number of digits alone, from 1 to kMostShards; 0 otherwise.
int part_number(std::string_view digits) {
  int value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [at, failed] = std::from_chars(digits.data(), end, value);
  const bool right = failed == std::errc() && at == end && value >= 1 && value <= kMostShards;
  return right ? value : 0;
}

void share_machine(int processes) {
  if (processes <= 1) return;
  set_most_memory(most_memory() / processes);
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return;
  const auto machine = static_cast<int>(std::thread::hardware_concurrency());
  omp_set_num_threads(std::clamp(machine / processes, 1, omp_get_max_threads()));
}

}  // namespace

std::optional<Shard> read_part(const Arguments& arguments, std::string_view option) {
  const auto given = arguments.text(option);
  if (!given) return std::nullopt;
  const std::string& text = *given;
  const std::size_t slash = text.find('/');
  const std::string_view all = text;
  Shard shard{0, 0};
  if (slash != std::string::npos) {
    shard = {part_number(all.substr(0, slash)), part_number(all.substr(slash + 1))};
  }
  if (shard.number < 1 || shard.of < shard.number) {
    throw UsageError(fmt::format(
        "--{} '{}' is no part of a whole; give I/N with I from 1 to N and N at most {}, such as "
        "--{} 2/3",
        option, abbreviate(text), kMostShards, option));
  }
  return shard;
}

Option shard_option() {
  return {"shard", "I/N",
          "part I of N, from 1 on: puts its share into results.shard-I-of-N.sqlite; the same "
          "command without it adds all of them up (default: what mpirun, srun or a Slurm array "
          "says; 1/1 is the whole)"};
}

Shard read_shard(const Arguments& arguments) {
  if (const auto shard = read_part(arguments, "shard")) return *shard;
  std::optional<Launched> process;
  try {
    process = launched();
  } catch (const UsageError& error) {
    throw UsageError(std::string(error.what()) + "; give --shard I/N");
  }
  if (!process) return {};
  if (process->processes > kMostShards) {
    throw UsageError(
        fmt::format("{} processes are more shards than {}", process->processes, kMostShards));
  }
  share_machine(process->on_machine);
  return {process->number + 1, process->processes};
}

}  // namespace speclab
