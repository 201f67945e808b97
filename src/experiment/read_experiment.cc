#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "answer/costs.h"
#include "base/over_limit.h"
#include "base/text.h"
#include "experiment/experiment.h"
#include "experiment/read_entries.h"

namespace speclab {
namespace {

const std::vector<std::string> kKinds{"exact", "simulate", "predict", "formula", "train"};

constexpr std::size_t kMostTrainings = 10'000;  ///< of one [[task]]
constexpr std::size_t kMostVariables = 1'000;   ///< of one [[task]]

/// The keys of a training as spec text, "train(lambda=..,tau=..)": one for each combination of the
/// lists given.
std::vector<std::string> read_trainings(TomlTable& reader) {
  reader.need("lambda", "lambda = \"1.2\"");
  std::vector<std::string> made{""};
  for (const char* key : {"lambda", "tau", "samples", "length", "seed", "prefixes"}) {
    const toml::node* node = reader.find(key);
    if (node == nullptr) continue;
    const std::vector<std::string> values = reader.values(*node, key);
    if (made.size() * values.size() > kMostTrainings) {
      reader.refuse(line_of(*node),
                    over_limit(fmt::format("there are {} combinations of trainings or more",
                                           made.size() * values.size()),
                               kMostTrainings, "shorten the lists"));
    }
    std::vector<std::string> longer;
    for (const std::string& begun : made) {
      for (const std::string& value : values) {
        longer.push_back(fmt::format("{}{}{}={}", begun, begun.empty() ? "" : ",", key, value));
      }
    }
    made = std::move(longer);
  }
  for (std::string& text : made) text = fmt::format("train({})", text);
  return made;
}

/// What is combined: pairs, verifiers, lengths and variables.
void read_product(TomlTable& reader, TaskGroup& task) {
  task.pairs = reader.texts("pair");
  const bool formula = task.kind == TaskKind::formula;
  const bool trains = task.kind == TaskKind::train;
  if (trains) {
    task.verifiers = read_trainings(reader);
  } else {
    task.verifiers = reader.texts(formula ? "formula" : "verifier");
    task.gammas = reader.lengths("gamma", true);
    for (const int horizon : reader.lengths("horizon", false)) task.horizons.emplace_back(horizon);
    task.iterations =
        static_cast<int>(reader.whole_or("iterations", 1, kLargestLength).value_or(0));
  }
  if (const toml::node* node = reader.find("vary")) {
    const TomlTable vary = reader.table(*node, "[task.vary]");
    if (vary.raw().size() > kMostVariables) {
      reader.refuse(line_of(*node),
                    over_limit(fmt::format("[task.vary] has {} variables", vary.raw().size()),
                               kMostVariables, "divide the task"));
    }
    for (const auto& [key, value] : vary.raw()) {
      const std::string name(key.str());
      check_variable(vary, name);
      task.vary.emplace_back(name, vary.values(value, name));
    }
  }
}

/// Fills in what may be left out, and refuses what may not.
void complete_product(const TomlTable& reader, TaskGroup& task) {
  const bool formula = task.kind == TaskKind::formula;
  if (task.verifiers.empty()) {
    reader.refuse(formula ? "[[task]] has no formula" : "[[task]] has no verifier");
  }
  if (task.pairs.empty()) {
    if (!formula) reader.refuse("[[task]] has no pair");
    task.pairs.emplace_back();
  }
  if (task.gammas.empty()) {
    if (!formula && task.kind != TaskKind::train) reader.refuse("[[task]] has no gamma");
    task.gammas.push_back(1);
  }
  if (task.horizons.empty()) task.horizons.emplace_back();
}

/// Whether every pair is a recording or scored texts: they have iterations of their own.
bool all_recorded(const TaskGroup& task) {
  return std::all_of(task.pairs.begin(), task.pairs.end(), [](const std::string& pair) {
    return pair.starts_with("recorded(") || pair.starts_with("scored(");
  });
}

void read_trials(TomlTable& reader, TaskGroup& task) {
  if (all_recorded(task)) {
    for (const char* key : {"trials", "quick-trials", "precision"}) {
      if (const toml::node* node = reader.find(key)) {
        reader.refuse(line_of(*node), std::string(key) +
                                          " says how much to draw, and a recording has its own "
                                          "drafts; leave it out");
      }
    }
    return;
  }
  reader.need("trials", "trials = 100000");
  task.trials = reader.trials("trials");
  task.quick_trials = reader.trials("quick-trials");
  if (task.quick_trials.empty()) task.quick_trials = task.trials;
  task.precision = reader.real_or("precision");
  if (!task.precision) return;
  if (!(*task.precision > 0)) reader.refuse("precision is above 0");
  if (task.keep.empty()) {
    reader.refuse("precision needs keep: it applies to the first quantity kept");
  }
  const QuantityInfo& first = quantity(task.keep.front());
  if (first.shape != QuantityShape::single || first.scope == QuantityScope::run) {
    reader.refuse("precision applies to '" + first.path() + "', which is no single " +
                  (first.scope == QuantityScope::run ? "estimate" : "number") + "; keep one first");
  }
}

/// How it is answered, and which results are shown.
void read_method(TomlTable& reader, TaskGroup& task) {
  reader.each("keep", [&](const toml::node& element) {
    task.keep.push_back(read_quantity(reader, line_of(element), reader.text(element, "keep")));
  });
  task.full_only = reader.flag("full-only");
  const bool simulated = task.kind == TaskKind::simulate;
  task.arithmetic = Arithmetic::floating;
  if (!simulated && task.kind != TaskKind::train &&
      reader.choice("arithmetic", {"rational", "double"}, std::size_t{0}) == 0) {
    task.arithmetic = Arithmetic::rational;
  }
  if (task.kind == TaskKind::exact) {
    if (const auto paths = reader.whole_or("max-paths", 1, kMostTrials)) {
      task.max_paths = static_cast<double>(*paths);
    }
  }
  if (task.kind == TaskKind::exact || simulated) {
    if (const toml::node* node = reader.find("latency")) {
      const std::string text = reader.text(*node, "latency");
      // Results that would go over a file of costs are refused here too, with the line.
      try {
        task.costs = read_costs(text);
      } catch (const Error& error) {
        reader.refuse(line_of(*node), error.what());
      }
    }
  }
  if (simulated) read_trials(reader, task);
}

TaskGroup read_task(TomlTable reader) {
  TaskGroup task;
  task.line = reader.line();
  task.name = reader.text("name", "name = \"curve\"");
  check_name(reader, task.name);
  task.kind = static_cast<TaskKind>(reader.choice("kind", kKinds, "kind = \"exact\""));
  read_product(reader, task);
  read_method(reader, task);
  reader.finish();
  complete_product(reader, task);
  return task;
}

Names variables_of(const Experiment& experiment) {
  Names names;
  for (const TaskGroup& task : experiment.tasks) {
    for (const auto& [name, values] : task.vary) {
      if (!contains(names, name)) names.push_back(name);
    }
  }
  return names;
}

void read_entries(TomlTable& reader, Experiment& experiment) {
  Names names;
  const auto unique = [&](int line, const std::string& name) {
    if (contains(names, name)) {
      reader.refuse(line, "the name '" + name + "' is taken; give another");
    }
    names.push_back(name);
  };
  reader.each_table("task", [&](TomlTable inner) {
    experiment.tasks.push_back(read_task(std::move(inner)));
    unique(experiment.tasks.back().line, experiment.tasks.back().name);
  });
  if (experiment.tasks.empty() && experiment.own_tables == 0) {
    reader.refuse("an experiment has at least one [[task]] or [[table]]");
  }
  const Names variables = variables_of(experiment);
  const auto check = [&](const Selector& rows) {
    const std::string task = rows.get("task");
    if (!contains(names, task)) {
      reader.refuse(rows.line,
                    "there is no task '" + abbreviate(task) + "'" + suggestion(task, names));
    }
  };
  reader.each_table("derived", [&](TomlTable inner) {
    experiment.derived.push_back(read_derived(std::move(inner), variables));
    check(experiment.derived.back().of);
    check(experiment.derived.back().over);
    unique(experiment.derived.back().line, experiment.derived.back().name);
  });
  reader.each_table("expected", [&](TomlTable inner) {
    experiment.expected.push_back(read_expected(std::move(inner), variables));
    check(experiment.expected.back().rows);
  });
  reader.each_table("printed", [&](TomlTable inner) {
    for (Printed& printed : read_printed(std::move(inner), variables, experiment.tables)) {
      check(printed.rows);
      experiment.printed.push_back(std::move(printed));
    }
  });
  reader.each_table("audit", [&](TomlTable inner) {
    std::ranges::move(read_audits(std::move(inner), experiment.tables),
                      std::back_inserter(experiment.audits));
  });
  reader.each_table("calibrated", [&](TomlTable inner) {
    for (Calibrated& entry : read_calibrated(std::move(inner), variables, experiment.tables)) {
      check(entry.rows);
      experiment.calibrated.push_back(std::move(entry));
    }
  });
}

/// The [[table]]s of a file.
std::vector<PrintedTable> read_tables(TomlTable& reader) {
  std::vector<PrintedTable> tables;
  reader.each_table("table", [&](TomlTable inner) {
    tables.push_back(read_table(std::move(inner)));
    const PrintedTable& last = tables.back();
    if (&table_named(tables, last.name) != &last) {
      reader.refuse(last.line, "the name '" + last.name + "' is taken; give another");
    }
  });
  return tables;
}

}  // namespace

std::string_view task_kind_name(TaskKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

Experiment read_experiment(const std::string& path) {
  const TomlFile file(path);
  Experiment experiment;
  experiment.path = path;
  experiment.id = std::filesystem::path(path).stem().string();
  TomlTable reader(file, "an experiment file");
  if (file.root.empty()) {
    reader.refuse("the file is empty; an experiment has title and [[task]]");
  }
  experiment.title = reader.text("title", "title = \"Acceptance length\"");
  experiment.source = reader.text_or("source");
  experiment.note = reader.text_or("note");
  if (const auto chunk = reader.whole_or("chunk", 16, 100'000'000)) {
    experiment.chunk = static_cast<std::uint64_t>(*chunk);
  }
  experiment.tables = read_tables(reader);
  experiment.own_tables = experiment.tables.size();
  if (const toml::node* node = reader.find("tables")) {
    if (experiment.own_tables > 0) {
      reader.refuse(line_of(*node), "a file has [[table]]s of its own or names those of another");
    }
    const auto folder = std::filesystem::path(path).parent_path();
    const TomlFile beside((folder / reader.text(*node, "tables")).string());
    TomlTable other(beside, "a file of tables");
    experiment.tables = read_tables(other);
  }
  read_entries(reader, experiment);
  reader.finish();
  return experiment;
}

}  // namespace speclab
