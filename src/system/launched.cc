#include "system/launched.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace speclab {
namespace {

/// The whole number of a variable from 0 on, or nothing where there is no such variable.
std::optional<int> whole_number(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  const std::string_view digits(text);
  int value = 0;
  const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (failed != std::errc() || end != digits.data() + digits.size() || value < 0) {
    throw UsageError(fmt::format("the environment variable {} is '{}', and must be a whole number",
                                 name, abbreviate(text)));
  }
  return value;
}

/// A launcher's variables.
struct LauncherVariables {
  const char* number;
  const char* processes;
  const char* on_machine;  ///< or null
};
constexpr LauncherVariables kLaunchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", nullptr},
    {"SLURM_PROCID", "SLURM_NTASKS", nullptr}};

/// @throws UsageError where the number is none of the processes
Launched checked_process(int number, int processes, const char* variable, const char* of) {
  if (number >= processes) {
    throw UsageError(fmt::format("the environment says process {} ({}) of {} ({}), counted from 0",
                                 number, variable, processes, of));
  }
  return {number, processes, 1, variable};
}

/// A batch script of Slurm, which is one process whatever its number of tasks is.
bool in_batch_script() {
  return std::getenv("SLURM_JOB_ID") != nullptr && std::getenv("SLURM_STEP_ID") == nullptr;
}

std::optional<Launched> by_launcher() {
  for (const LauncherVariables& by : kLaunchers) {
    if (std::string_view(by.number) == "SLURM_PROCID" && in_batch_script()) continue;
    const auto number = whole_number(by.number);
    const auto processes = whole_number(by.processes);
    if (!number || !processes || *processes <= 1) continue;
    Launched found = checked_process(*number, *processes, by.number, by.processes);
    if (by.on_machine != nullptr) found.on_machine = whole_number(by.on_machine).value_or(1);
    return found;
  }
  return std::nullopt;
}

std::optional<Launched> by_array() {
  const auto number = whole_number("SLURM_ARRAY_TASK_ID");
  const auto count = whole_number("SLURM_ARRAY_TASK_COUNT");
  if (!number || !count || *count <= 1) return std::nullopt;
  const int first = whole_number("SLURM_ARRAY_TASK_MIN").value_or(0);
  const int step = std::max(1, whole_number("SLURM_ARRAY_TASK_STEP").value_or(1));
  const int behind = *number - first;
  if (behind < 0 || behind % step != 0 || behind / step >= *count) {
    throw UsageError(fmt::format(
        "the job array's task {} (SLURM_ARRAY_TASK_ID) is not one of {} that follow one "
        "another from {} on",
        *number, *count, first));
  }
  return checked_process(behind / step, *count, "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT");
}

}  // namespace

std::optional<Launched> launched() {
  const auto launcher = by_launcher();
  const auto array = by_array();
  if (launcher && array) {
    throw UsageError(fmt::format("both {} and {} number processes of this command",
                                 launcher->variable, array->variable));
  }
  return launcher ? launcher : array;
}

}  // namespace speclab
