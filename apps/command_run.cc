#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>

#include "base/json.h"
#include "base/random.h"
#include "base/text.h"
#include "command.h"
#include "experiment/document.h"
#include "experiment/sweep.h"
#include "option_values.h"
#include "print_note.h"
#include "progress.h"
#include "report/output.h"
#include "report/report.h"
#include "results_folder.h"
#include "shard_option.h"
#include "system/interrupt.h"
#include "system/openmp.h"
#include "system/output_files.h"
#include "system/read_file.h"
#include "system/stopwatch.h"
#include "version.h"

namespace speclab {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultText = "/usr/share/common-licenses/GPL-3";

/// A file, or the experiment of that name among those that come with the program.
std::string find_experiment(const std::string& word) {
  std::error_code ignored;  // what is wrong with a path is said where it is read
  if (fs::exists(word, ignored) || word.find('/') != std::string::npos || word.ends_with(".toml")) {
    return word;
  }
  std::vector<std::string> names;
  for (const std::string& file : experiment_files()) {
    names.push_back(fs::path(file).stem().string());
    if (names.back() == word) return file;
  }
  throw InputError("there is no file " + quoted_path(word) + " and no experiment of that name" +
                   suggestion(word, names) + "; `speclab list experiments` names them");
}

/// The files of the experiments that the words name.
std::vector<std::string> read_files(const Arguments& arguments) {
  if (arguments.words().empty()) {
    throw UsageError(
        "name an experiment or its file, such as yin2024-fig2 (speclab list "
        "experiments), or all");
  }
  std::vector<std::string> files;
  std::error_code ignored;
  for (const std::string& word : arguments.words()) {
    if (word == "all" && !fs::exists(word, ignored)) {
      const auto all = experiment_files();
      if (all.empty()) throw InputError("no experiments are installed; name a file");
      files.insert(files.end(), all.begin(), all.end());
    } else {
      files.push_back(find_experiment(word));
    }
  }
  return files;
}

/// The folder of results.
std::string read_folder(const Arguments& arguments) {
  if (!arguments.has("output")) return arguments.text("results").value_or("results");
  if (arguments.has("results")) {
    throw UsageError("--results and --output both name the folder of results; leave out --output");
  }
  print_note("--output DIR is the old name of --results DIR; write --results");
  return *arguments.text("output");
}

SweepOptions sweep_options(const Arguments& arguments) {
  SweepOptions options;
  options.quick = arguments.has("quick");
  options.seed = read_seed(arguments);
  options.threads = read_threads(arguments);
  options.shard = read_shard(arguments);
  if (arguments.has("trials"))
    options.most_trials = read_count(arguments, "trials", 2, kTrialsLimit, 2);
  options.text = arguments.text("text").value_or(kDefaultText);
  options.folder = read_folder(arguments);
  options.write_file = [folder = options.folder](const std::string& path,
                                                 const std::string& content) {
    make_folder(folder, "results");
    Output(path).write(content);
  };
  return options;
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

/// What was run, where and how long: for people, and not part of any result.
Json manifest(const std::vector<std::string>& files, const SweepOptions& options) {
  return {{"version", SPECLAB_VERSION},
          {"commit", source_commit()},
          {"results_version", kResultsVersion},
          {"seed", options.seed},
          {"host", host_name()},
          {"process", ::getpid()},
          {"threads", thread_count(options.threads)},
          {"quick", options.quick},
          {"text", options.text},
          {"experiments", files}};
}

struct Loaded {
  Experiment experiment;
  std::unique_ptr<Bench> bench;
  std::vector<SweepTask> tasks;
};

/// None of the files that the run writes is read before: an experiment's results have its name.
void keep_from_outputs(const std::vector<std::string>& files, const fs::path& folder, Shard shard) {
  std::vector<OutputFile> written;
  const auto add = [&](const std::string& name) {
    written.push_back({"--results", (folder / name).string()});
  };
  add(fs::path(shard_store(folder.string(), shard)).filename().string());
  add("manifest.json");
  for (const std::string& file : files) {
    const std::string id = fs::path(file).stem().string();
    add(id + ".csv");
    add(id + ".expected.csv");
  }
  set_output_files(std::move(written));
}

/// Reads and checks every file, so that whatever is wrong with any is said before work is done. The
/// tasks point into the experiments, which do not move.
std::vector<std::unique_ptr<Loaded>> load(const std::vector<std::string>& files,
                                          const SweepOptions& options,
                                          std::optional<std::uint64_t> max_memory) {
  std::vector<std::unique_ptr<Loaded>> loaded;
  for (const std::string& file : files) {
    auto next = std::make_unique<Loaded>();
    next->experiment = read_experiment(file);
    next->bench = std::make_unique<Bench>(max_memory);
    if (next->experiment.id.ends_with(".expected")) {
      throw InputError(file + ": a name that ends in .expected is that of another experiment's " +
                       "file of results; rename it");
    }
    for (const auto& other : loaded) {
      if (other->experiment.id == next->experiment.id) {
        throw InputError(file + ": the experiment '" + next->experiment.id +
                         "' is named twice; its results would be written over");
      }
    }
    next->tasks = expand(next->experiment, options, *next->bench);
    check_selectors(next->experiment, next->tasks, options.quick);
    loaded.push_back(std::move(next));
  }
  return loaded;
}

/// "9 reproduced, 1 not reproduced (explained), 0 not reproduced, 2 undecided": the verdicts that
/// were given, of expectations and audits; "not reproduced" always. Behind them what was
/// calibrated.
std::string tally_text(const Checked& checked) {
  std::map<ExpectedVerdict, std::size_t> tally{{ExpectedVerdict::reproduced, 0},
                                               {ExpectedVerdict::not_reproduced, 0}};
  for (const ExpectedResult& result : checked.expected) ++tally[result.verdict];
  for (const AuditResult& result : checked.audits) ++tally[result.verdict];
  std::vector<std::string> words;
  for (const auto& [verdict, count] : tally) {
    words.push_back(fmt::format("{} {}", count, expected_verdict_name(verdict)));
  }
  std::map<CalibratedVerdict, std::size_t> calibrated;
  for (const CalibratedResult& result : checked.calibrated) ++calibrated[result.verdict];
  for (const auto& [verdict, count] : calibrated) {
    words.push_back(fmt::format("{} {}", count, calibrated_verdict_name(verdict)));
  }
  return join(words);
}

/// Says that an entry fails, and how.
void tell_failure(const Experiment& experiment, int line, const std::string& source,
                  ExpectedVerdict verdict, const std::string& detail) {
  print_note(fmt::format(
      "{}:{}: {}: {}{}: {}", experiment.path, line, source, expected_verdict_name(verdict),
      verdict == ExpectedVerdict::not_reproduced ? ", and not explained"
                                                 : ", though the file explains why it would not be",
      detail));
}

/// Writes the results and says in a line what became of the experiment.
/// @returns the entries that fail
std::size_t write_results(const fs::path& folder, const Experiment& experiment,
                          std::vector<TaskRows> results, const SweepCounts& counts, bool quick) {
  const Checked checked = check_entries(experiment, results, quick);
  const std::string csv = (folder / (experiment.id + ".csv")).string();
  // It points into the results.
  const std::string expected = render(expected_document(experiment, checked), Format::csv);
  for (TaskRows& more : calibrated_rows(checked.calibrated)) results.push_back(std::move(more));
  write_changed(csv, render(results_document(experiment, results), Format::csv));
  write_changed((folder / (experiment.id + ".expected.csv")).string(), expected);
  std::size_t failed = 0;
  for (const ExpectedResult& result : checked.expected) {
    if (!fails(result.verdict)) continue;
    ++failed;
    tell_failure(experiment, result.entry->line, result.entry->source, result.verdict,
                 result.detail);
  }
  for (const AuditResult& result : checked.audits) {
    if (!fails(result.verdict)) continue;
    ++failed;
    tell_failure(experiment, result.found.entry->line, result.found.entry->source, result.verdict,
                 result.found.detail);
  }
  Output(std::nullopt)
      .write(fmt::format("{}: {} tasks ({} found), {} trials ({} found); expected: {}; {}\n",
                         experiment.id, counts.tasks, counts.found, counts.trials,
                         counts.trials_found, tally_text(checked), csv));
  return failed;
}

/// Says in a line what a shard did of the experiment.
void write_share(const Experiment& experiment, const SweepCounts& counts,
                 const SweepOptions& options) {
  Output(std::nullopt)
      .write(fmt::format("{}: shard {} of {} tasks, {} trials ({} found); {}\n", experiment.id,
                         options.shard.text(), counts.tasks, counts.trials, counts.trials_found,
                         shard_store(options.folder, options.shard)));
}

/// What a shard's store says of itself: the experiments, and a digest of all tasks.
ShardRecord shard_record(const std::vector<std::unique_ptr<Loaded>>& loaded,
                         const SweepOptions& options) {
  std::vector<std::string> names;
  std::uint64_t digest = task_hash("run");
  for (const auto& next : loaded) {
    names.push_back(next->experiment.id);
    digest = tasks_digest(next->experiment, next->tasks, digest);
  }
  return {options.shard, options.seed, shard_version(),
          fmt::format("run {} tasks={:016x}", abbreviate(join(names), 150), digest)};
}

/// Runs what was loaded, one experiment after another.
/// @returns the entries that fail
std::size_t run_all(const std::vector<std::unique_ptr<Loaded>>& loaded, Store& store,
                    const SweepOptions& options, const fs::path& folder) {
  double trials = 0;
  for (const auto& next : loaded) trials += most_trials(next->tasks);
  std::size_t all_tasks = 0;
  for (const auto& next : loaded) all_tasks += next->tasks.size();
  const bool by_trials = trials > 0;
  ProgressBar bar((by_trials ? trials : static_cast<double>(all_tasks)) / options.shard.of,
                  by_trials ? "trials" : "tasks");
  std::size_t failed = 0, tasks = 0;
  double before = 0;
  for (const auto& next : loaded) {
    Sweep sweep(
        store, options,
        [&](double done, const std::string& note) {
          bar.show(before + (by_trials ? done : static_cast<double>(sweep.counts().tasks)), note);
        },
        tasks);
    tasks += next->tasks.size();
    bar.show(before, next->experiment.id);
    const double more =
        by_trials ? most_trials(next->tasks) : static_cast<double>(next->tasks.size());
    auto results = sweep.run(next->experiment, std::move(next->tasks), *next->bench);
    before += more / options.shard.of;
    bar.hide();
    if (options.shard.whole()) {
      failed += write_results(folder, next->experiment, std::move(results), sweep.counts(),
                              options.quick);
    } else {
      write_share(next->experiment, sweep.counts(), options);
    }
    next->bench.reset();
  }
  return failed;
}

ExitCode run_experiments(const Arguments& arguments) {
  const SweepOptions options = sweep_options(arguments);
  const std::vector<std::string> files = read_files(arguments);
  keep_from_outputs(files, options.folder, options.shard);
  const auto loaded = load(files, options, read_max_memory(arguments));
  const fs::path folder = make_folder(options.folder, "results");
  const auto store = open_results_store(folder.string(), shard_record(loaded, options));
  Json record = manifest(files, options);
  if (!options.shard.whole()) record["shard"] = options.shard.text();
  const std::uint64_t session = store->begin_session(json_text(record, -1));
  const Stopwatch watch;
  std::size_t failed = 0;
  if (!finished([&] { failed = run_all(loaded, *store, options, folder); })) {
    throw Error(ExitCode::interrupted,
                "interrupted; what was finished is saved, and the same command goes on from there");
  }
  record["seconds"] = watch.seconds();
  store->end_session(session, json_text(record, -1));
  if (!options.shard.whole()) {
    store->finish_shard();
    return ExitCode::done;
  }
  if (!store->read_only()) Output((folder / "manifest.json").string()).write(json_text(record, 2));
  if (failed > 0) {
    throw Error(ExitCode::verdict_differs, fmt::format("{} expected values fail", failed));
  }
  return ExitCode::done;
}

}  // namespace

Command run_command() {
  return {
      "run",
      "experiments: sweeps from TOML files, resumable, with the papers' printed numbers beside "
      "the results",
      "FILE|NAME|all ... [options]",
      "FILE",
      {{"results", "DIR",
        "results.sqlite, NAME.csv, NAME.expected.csv, rates files and manifest.json go there "
        "(default results)"},
       {"output", "DIR", "the old name of --results"},
       {"quick", "", "fewer trials"},
       {"trials", "N", "no task runs more trials than this"},
       {"seed", "S", "a whole number below 2^64 (default 1)"},
       shard_option(),
       kThreadsOption,
       kMaxMemoryOption,
       {"text", "FILE", "the text of n-gram pairs (default /usr/share/common-licenses/GPL-3)"}},
      {"speclab run sun2025-fig3 --quick", "speclab run sun2024-fig2 lin2026-audit --trials 2000"},
      &run_experiments,
      /*many_words=*/true};
}

}  // namespace speclab
