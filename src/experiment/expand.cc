#include "experiment/expand.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "answer/spec_rows.h"
#include "base/error.h"
#include "base/over_limit.h"
#include "base/text.h"
#include "system/interrupt.h"
#include "system/read_file.h"

namespace speclab {
namespace {

namespace fs = std::filesystem;

/// Most combinations of an experiment: they are kept in memory and written in one CSV.
constexpr std::size_t kMostTasks = 1'000'000;

/// How many combinations a group makes.
double combinations(const TaskGroup& group) {
  double count = 1;
  for (const auto& [name, values] : group.vary) count *= static_cast<double>(values.size());
  for (const std::size_t size :
       {group.pairs.size(), group.verifiers.size(), group.gammas.size(), group.horizons.size()}) {
    count *= static_cast<double>(size);
  }
  return count;
}

/// Refuses too many before any is made.
void check_combinations(const Experiment& experiment, bool quick) {
  double count = 0;
  for (const TaskGroup& group : experiment.tasks) {
    if (quick && group.full_only) continue;
    count += combinations(group);
    if (count <= static_cast<double>(kMostTasks)) continue;
    throw LimitError(
        over_limit(fmt::format("{}with this [[task]] there are {:.16g} combinations or more",
                               line_text(experiment, group.line), count),
                   kMostTasks, "shorten its lists, or divide the file"));
  }
}

/// A value for a spec text: in quotes where it holds a character of the syntax.
std::string spec_value(const std::string& text) {
  if (text.find_first_of("\"\\,()[] =") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

/// `text` with {NAME} replaced. Within quotes the value is written as it is: "{here}/a.json".
std::string substitute(const std::string& text, const Variables& variables) {
  std::string result;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') quoted = !quoted;
    if (text[at] != '{') {
      result += text[at++];
      continue;
    }
    const std::size_t end = text.find('}', at);
    const std::string name = text.substr(at + 1, end == std::string::npos ? end : end - at - 1);
    const std::string* value = end == std::string::npos ? nullptr : find_variable(variables, name);
    if (value == nullptr) {
      std::vector<std::string> names;
      for (const auto& [key, each] : variables) names.push_back(key);
      throw InputError("'" + abbreviate(text) + "': no variable '" + abbreviate(name) + "'" +
                       suggestion(name, names) + "; there are " + join(names));
    }
    result += quoted ? *value : spec_value(*value);
    at = end + 1;
  }
  return result;
}

/// Makes the combinations of an experiment, one after another.
class Expansion {
 public:
  Expansion(const Experiment& experiment, const SweepOptions& options, Bench& bench)
      : experiment_(experiment), options_(options), bench_(bench) {}

  void add(const TaskGroup& group) {
    check_lasting(options_.text);
    Variables chosen;
    add_variables(group, 0, chosen);
  }
  std::vector<SweepTask> take() { return std::move(tasks_); }

 private:
  /// The product of the group's variables, the last one fastest.
  void add_variables(const TaskGroup& group, std::size_t depth, Variables& chosen) {
    if (depth == group.vary.size()) return add_combinations(group, chosen);
    for (const std::string& value : group.vary[depth].second) {
      chosen.emplace_back(group.vary[depth].first, value);
      add_variables(group, depth + 1, chosen);
      chosen.pop_back();
    }
  }

  /// The variables that the templates name, or nothing where another has not its first value: a
  /// combination stands once, and not for each value of a variable that it lacks.
  static std::optional<Variables> used(const TaskGroup& group, const Variables& chosen,
                                       const std::string& pair, const std::string& verifier) {
    const auto names = [&](const std::string& name) {
      return pair.find("{" + name + "}") != std::string::npos ||
             verifier.find("{" + name + "}") != std::string::npos ||
             verifier.find("{rates:") != std::string::npos;
    };
    Variables variables;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      if (names(chosen[i].first)) {
        variables.push_back(chosen[i]);
      } else if (chosen[i].second != group.vary[i].second.front()) {
        return std::nullopt;
      }
    }
    return variables;
  }

  void add_combinations(const TaskGroup& group, const Variables& chosen) {
    for (const std::string& pair : group.pairs) {
      for (const std::string& verifier : group.verifiers) {
        const auto vary = used(group, chosen, pair, verifier);
        if (!vary) continue;
        for (const int gamma : group.gammas) {
          for (const auto& horizon : group.horizons) {
            check_interrupted();
            SweepTask task;
            task.group = &group;
            task.place.task = group.name;
            task.place.vary = *vary;
            task.place.pair_template = pair;
            task.place.verifier_template = verifier;
            complete(task, chosen, {gamma, horizon, group.iterations});
            if (!task.rates_file.empty()) trainings_.push_back(tasks_.size());
            tasks_.push_back(std::move(task));
          }
        }
      }
    }
  }

  void complete(SweepTask& task, const Variables& chosen, const Lengths& lengths) const {
    TaskPlace& place = task.place;
    Variables all = chosen;
    const std::string folder = fs::path(experiment_.path).parent_path().string();
    all.emplace_back("here", folder.empty() ? "." : folder);
    all.emplace_back("text", options_.text);
    PairPointer pair;
    if (!place.pair_template.empty()) {
      pair = bench_.pair(substitute(place.pair_template, all));
      check_inputs(pair->inputs());
      place.pair = pair->name();
    }
    add_rates(place, all);
    const std::string verifier = substitute(place.verifier_template, all);
    const TaskKind kind = task.group->kind;
    if (kind == TaskKind::train) return add_training(task, pair, verifier);
    place.gamma = gamma_text(lengths.gamma);
    if (lengths.horizon) place.horizon = std::to_string(*lengths.horizon);
    if (lengths.iterations > 0) place.iterations = std::to_string(lengths.iterations);
    place.arithmetic = arithmetic_name(task.group->arithmetic);
    if (kind == TaskKind::formula) {
      return take(task, formula_rows_of(verifier, pair, lengths.gamma, task.group->arithmetic));
    }
    Question question{.pair = pair,
                      .verifier = make_verifier(verifier),
                      .lengths = lengths,
                      .arithmetic = task.group->arithmetic};
    check_inputs(question.verifier.inputs);
    question.verifier.name = portable_name(question.verifier.name);
    place.verifier = question.verifier.name;
    task.question = std::move(question);
    if (kind == TaskKind::simulate) {
      place.seed = options_.seed;
      task.trials = trials_of(*task.group);
    }
  }

  /// A sweep is resumed later, from the same files.
  static void check_inputs(const std::vector<InputFile>& files) {
    for (const InputFile& file : files) check_lasting(file.path);
  }

  [[nodiscard]] std::vector<std::uint64_t> trials_of(const TaskGroup& group) const {
    std::vector<std::uint64_t> trials = options_.quick ? group.quick_trials : group.trials;
    if (options_.most_trials) {
      for (std::uint64_t& count : trials) count = std::min(count, *options_.most_trials);
      trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
    }
    return trials;
  }

  static void take(SweepTask& task, SpecRows made) {
    task.place.verifier = std::move(made.name);
    task.rows = std::move(made.rows);
  }

  /// Trains the verifier that the task asks for and writes its rates file.
  void add_training(SweepTask& task, const PairPointer& pair, const std::string& text) const {
    TrainedRows made = trained_rows_of(text, pair);
    std::string named = fmt::format("train pair={} {}", task.place.pair, made.name);
    for (const InputFile& file : pair->inputs()) named += fmt::format(" {:016x}", file.digest);
    task.rates_file =
        (fs::path(options_.folder) / fmt::format("{}.{}.{:016x}.json", experiment_.id,
                                                 task.group->name, input_file("", named).digest))
            .string();
    options_.write_file(task.rates_file, made.rates_file);
    take(task, std::move(made));
  }

  /// Adds {rates:NAME} at a place: a variable for each training above that fits.
  void add_rates(const TaskPlace& place, Variables& variables) const {
    for (const std::size_t training : trainings_) {
      const SweepTask& task = tasks_[training];
      if (task.place.pair != place.pair) continue;
      const auto agrees = [&](const auto& entry) {
        const std::string* other = find_variable(place.vary, entry.first);
        return other == nullptr || *other == entry.second;
      };
      if (!std::all_of(task.place.vary.begin(), task.place.vary.end(), agrees)) continue;
      const std::string name = "rates:" + task.place.task;
      if (find_variable(variables, name) != nullptr) {
        throw InputError("{" + name + "} fits two trainings, the last one " + task.place.verifier +
                         "; give both tasks the variable in which they differ");
      }
      variables.emplace_back(name, task.rates_file);
    }
  }

  /// The name of a verifier in results and random streams: without the folder of rates files.
  [[nodiscard]] std::string portable_name(std::string name) const {
    const std::string folder = (fs::path(options_.folder) / "").string();
    if (const auto at = name.find(folder); at != std::string::npos) name.erase(at, folder.size());
    return name;
  }

  const Experiment& experiment_;
  const SweepOptions& options_;
  Bench& bench_;
  std::vector<SweepTask> tasks_;
  std::vector<std::size_t> trainings_;  ///< their places among the tasks
};

}  // namespace

std::vector<SweepTask> expand(const Experiment& experiment, const SweepOptions& options,
                              Bench& bench) {
  check_combinations(experiment, options.quick);
  Expansion expansion(experiment, options, bench);
  for (const TaskGroup& group : experiment.tasks) {
    if (options.quick && group.full_only) continue;
    at_line(experiment, group.line, [&] { expansion.add(group); });
  }
  return expansion.take();
}

double most_trials(const std::vector<SweepTask>& tasks) {
  double total = 0;
  for (const SweepTask& task : tasks) {
    if (!task.trials.empty()) total += static_cast<double>(task.trials.back());
  }
  return total;
}

}  // namespace speclab
