#include <fmt/format.h>

#include <filesystem>

#include "command.h"
#include "experiment/store.h"
#include "option_values.h"
#include "report/output.h"
#include "system/output_files.h"

namespace speclab {
namespace {

ExitCode run(const Arguments& arguments) {
  const std::vector<std::string>& files = arguments.words();
  if (files.empty()) {
    throw UsageError("name the stores of all shards, such as results/results.shard-*.sqlite");
  }
  for (const std::string& file : files) check_no_output(file);
  const ShardSet set(files);
  const std::string folder = std::filesystem::path(files.front()).parent_path().string();
  const std::string output = arguments.text("output").value_or(whole_store(folder));
  Store whole(output);
  const MergedRows rows = set.add_to(whole);
  Output(std::nullopt)
      .write(fmt::format("{}: {} shards of '{}', seed {}: {} answers, {} trials in {} ranges\n",
                         output, set.size(), set.record().work, set.record().seed, rows.answers,
                         rows.trials, rows.ranges));
  return ExitCode::done;
}

}  // namespace

Command merge_command() {
  return {"merge",
          "the stores of all shards of a run or a simulation added up to one",
          "STORE ... [--output FILE]",
          "STORE",
          {output_option("the store that they are added to (default results.sqlite in the folder "
                         "of the first)")},
          {"speclab merge shards/results.shard-*.sqlite",
           "speclab merge shards/results.shard-1-of-2.sqlite shards/results.shard-2-of-2.sqlite "
           "--output shards/both.sqlite"},
          &run,
          /*many_words=*/true};
}

}  // namespace speclab
