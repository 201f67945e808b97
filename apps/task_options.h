#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "report/report.h"
#include "theory/predictions.h"
#include "verifiers/registry.h"

namespace speclab {

/// Largest --gamma, --horizon and --iterations.
inline constexpr long long kLargestLength = 1'000'000;

/// The options that `exact` and `simulate` share around those of the command's own, in the order of
/// the help.
std::vector<Option> task_options(std::vector<Option> own);

/// What the shared options say.
struct TaskOptions {
  std::vector<PairPointer> pairs;
  std::vector<Verifier> verifiers;
  std::vector<int> gammas;  ///< kUnbounded for inf
  std::optional<int> horizon;
  int iterations = 0;
  bool law = false;
  std::optional<Latency> latency;
  Format format = Format::table;
  std::optional<std::string> output;
};

/// @throws UsageError naming the option and the mend; InputError for a spec text
TaskOptions read_task_options(const Arguments& arguments);

/// A whole number; also written as 1e6.
/// @throws UsageError naming the option and the range
std::uint64_t read_count(const Arguments& arguments, std::string_view option, std::uint64_t low,
                         std::uint64_t high, std::uint64_t fallback);

/// One of `names`; a near miss is named.
std::size_t read_choice(const Arguments& arguments, std::string_view option,
                        const std::vector<std::string>& names, std::size_t fallback);

/// Times of one call each: "draft=0.1,verifier=0.02,target=1".
/// @throws UsageError naming the mend
Latency read_latency(const std::string& text);

/// --format.
Format read_format(const Arguments& arguments);

/// Calls run(setting, verifier) for every combination in order of pair, verifier, gamma. Writes
/// what was finished, also where a limit or an interruption ends the run early.
ExitCode run_combinations(const TaskOptions& options, Arithmetic arithmetic,
                          const std::function<Record(const Setting&, const Verifier&)>& run);

}  // namespace speclab
