// Experiments in TOML. Input: the file. Its combinations are made where there are few and small
// ones; nothing is run.
#include "experiment/experiment.h"

#include "experiment/expand.h"
#include "pairs.h"

namespace speclab::fuzz {
namespace {

/// A file of tables that an experiment may name.
constexpr std::string_view kTables = R"toml(
[[table]]
name = "beside"
source = "none"
of = "none"
gamma = 4
columns = ["token.efficiency", "block.efficiency"]
numbers = "a 1.5 2.5"
)toml";

bool small(const TaskGroup& group) {
  constexpr std::size_t kFew = 64;
  const auto all_modest = [](const std::vector<std::string>& texts) {
    return texts.size() <= kFew && std::all_of(texts.begin(), texts.end(), &modest);
  };
  std::size_t count =
      group.pairs.size() * group.verifiers.size() * group.gammas.size() * group.horizons.size();
  bool all = count <= kFew && all_modest(group.pairs) && all_modest(group.verifiers);
  for (const auto& [name, values] : group.vary) {
    all = all && all_modest(values) && (count *= values.size()) <= kFew;
  }
  // A formula is worked out and a training run when it is combined.
  return all && group.kind != TaskKind::formula && group.kind != TaskKind::train;
}

/// The combinations have the verifiers and lengths of their group, and canonical names.
void make_combinations(const Experiment& experiment, const MemoryFolder& folder) {
  SweepOptions options;
  options.folder = folder.file("results");
  options.text = folder.file("text");
  options.threads = 1;
  Bench bench(static_cast<std::uint64_t>(kMostMemory));
  const auto tasks = accepted([&] { return expand(experiment, options, bench); });
  if (!tasks) return;
  for (const SweepTask& task : *tasks) {
    demand(task.question.has_value(), "what is combined is a question");
    demand(make_verifier(task.question->verifier.name).name == task.place.verifier,
           "a verifier's name reads back to itself");
    demand(task.trials.empty() == (task.group->kind != TaskKind::simulate),
           "what is simulated has trials");
  }
  accepted([&] { return check_selectors(experiment, *tasks, false), true; });
}

}  // namespace
}  // namespace speclab::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace speclab;
  using namespace speclab::fuzz;
  static const MemoryFolder folder;
  static const std::string tables = folder.write("tables.toml", kTables);
  static const std::string text = folder.write("text", "to be or not to be");
  const std::string path = folder.write("fuzz.toml", text_of(data, size));
  const auto experiment = accepted([&] { return read_experiment(path); });
  if (!experiment) return 0;
  demand(experiment->id == "fuzz", "an experiment is named by its file");
  demand(experiment->own_tables == 0 || experiment->own_tables == experiment->tables.size(),
         "tables are all its own or none");
  demand(!experiment->tasks.empty() || experiment->own_tables > 0, "an experiment has a task");
  for (const TaskGroup& group : experiment->tasks) {
    demand(!group.pairs.empty() && !group.verifiers.empty() && !group.gammas.empty() &&
               !group.horizons.empty(),
           "a task has a combination");
  }
  for (const PrintedTable& table : experiment->tables) table_rows(table);
  for (const TableAudit& audit : experiment->audits) {
    const auto result = accepted([&] { return audit_table(audit, experiment->tables); });
    demand(!result || (result->rows > 0 && result->held <= result->rows), "an audit has a row");
  }
  if (std::all_of(experiment->tasks.begin(), experiment->tasks.end(), &small)) {
    make_combinations(*experiment, folder);
  }
  return 0;
}
