#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/random.h"
#include "base/read_file.h"
#include "base/text.h"
#include "model/registry.h"
#include "report/output.h"
#include "run_sweep.h"
#include "simulate/simulate.h"
#include "theory/formulas.h"

namespace speclab {
namespace {

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
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const auto& entry) { return entry.first == name; });
    if (end == std::string::npos || found == variables.end()) {
      std::vector<std::string> names;
      for (const auto& [key, value] : variables) names.push_back(key);
      throw InputError("'" + abbreviate(text) + "': no variable '" + abbreviate(name) + "'" +
                       suggestion(name, names) + "; there are " + join(names));
    }
    result += quoted ? found->second : spec_value(found->second);
    at = end + 1;
  }
  return result;
}

std::vector<std::uint64_t> trials_of(const TaskGroup& group, const SweepOptions& options) {
  std::vector<std::uint64_t> trials = options.quick ? group.quick_trials : group.trials;
  if (options.most_trials) {
    for (std::uint64_t& count : trials) count = std::min(count, *options.most_trials);
    trials.erase(std::unique(trials.begin(), trials.end()), trials.end());
  }
  return trials;
}

/// Trains what the task asks for and writes its rates file.
void train_task(const Experiment& experiment, const SweepOptions& options, const std::string& text,
                const std::string& content, SweepTask& task) {
  SpecReader reader(parse_spec(text));
  const Training training = read_training(reader);
  reader.finish();
  task.place.verifier = reader.canonical();
  task.id = fmt::format("train pair={} {}{}", task.place.pair, task.place.verifier, content);
  const Trained trained = train(task.pair, training);
  task.training = report_training(task.pair, training, trained);
  const std::filesystem::path folder(options.folder);
  std::error_code ignored;  // Output says what is wrong
  std::filesystem::create_directories(folder, ignored);
  task.rates_file = (folder / fmt::format("{}.{}.{:016x}.json", experiment.id, task.group->name,
                                          task_hash(task.id)))
                        .string();
  Output(task.rates_file).write(rates_file_text(task.pair, training, trained, *task.training));
}

/// What {rates:NAME} stands for at a place: one more variable for each training above that fits it.
/// @throws InputError where two fit
void add_rates(const std::vector<SweepTask>& above, const TaskRows& place, Variables& variables) {
  for (const SweepTask& task : above) {
    if (!task.training || task.place.pair != place.pair) continue;
    const bool fits =
        std::all_of(task.place.vary.begin(), task.place.vary.end(), [&](const auto& entry) {
          return std::all_of(place.vary.begin(), place.vary.end(), [&](const auto& other) {
            return other.first != entry.first || other.second == entry.second;
          });
        });
    if (!fits) continue;
    const std::string name = "rates:" + task.place.task;
    if (std::any_of(variables.begin(), variables.end(),
                    [&](const auto& entry) { return entry.first == name; })) {
      throw InputError("{" + name + "} fits two trainings, the last one " + task.place.verifier +
                       "; give both tasks the variable in which they differ");
    }
    variables.emplace_back(name, task.rates_file);
  }
}

/// A verifier as it stands in results: the folder of rates files is left out.
std::string portable_name(const Spec& spec, const SweepOptions& options) {
  const std::string folder = (std::filesystem::path(options.folder) / "").string();
  std::string name = spec.text;
  if (const auto at = name.find(folder); at != std::string::npos) name.erase(at, folder.size());
  return name;
}

/// @param above  the tasks before it
SweepTask make_task(const Experiment& experiment, const TaskGroup& group,
                    const SweepOptions& options, Pairs& pairs, const Variables& vary,
                    const std::string& pair_template, const std::string& verifier_template,
                    int gamma, std::optional<int> horizon, const std::vector<SweepTask>& above) {
  Variables all = vary;
  const std::string folder = std::filesystem::path(experiment.path).parent_path().string();
  all.emplace_back("here", folder.empty() ? "." : folder);
  all.emplace_back("text", options.text);
  SweepTask task;
  task.group = &group;
  TaskRows& place = task.place;
  place.task = group.name;
  place.kind = task_kind_name(group.kind);
  place.vary = vary;
  place.pair_template = pair_template;
  place.verifier_template = verifier_template;
  std::string content;
  if (!pair_template.empty()) {
    const std::string text = substitute(pair_template, all);
    task.pair = pairs.pair(text);
    place.pair = task.pair->name();
    content = pairs.content(text);
  }
  add_rates(above, place, all);
  const std::string verifier = substitute(verifier_template, all);
  if (group.kind == TaskKind::train) {
    train_task(experiment, options, verifier, content, task);
    return task;
  }
  if (group.kind == TaskKind::formula) {
    const FormulaSetting setting{task.pair, gamma, group.arithmetic == Arithmetic::rational};
    place.verifier = evaluate_formula(verifier, setting).name;
  } else {
    task.verifier = make_verifier(verifier);
    task.spec = parse_spec(task.verifier->name);
    content += pairs.content(task.verifier->name);
    place.verifier = task.verifier->name = portable_name(task.spec, options);
  }
  place.gamma = gamma;
  place.horizon = horizon;
  task.id = place.kind;
  if (task.pair) task.id += " pair=" + place.pair;
  task.id += (group.kind == TaskKind::formula ? " formula=" : " verifier=") + place.verifier +
             " gamma=" + gamma_text(gamma);
  if (horizon) task.id += fmt::format(" horizon={}", *horizon);
  if (group.iterations > 0) task.id += fmt::format(" iterations={}", group.iterations);
  if (group.latency) task.id += " latency=" + group.latency_text;
  if (group.kind == TaskKind::simulate) {
    task.trials = trials_of(group, options);
  } else {
    task.id +=
        group.arithmetic == Arithmetic::rational ? " arithmetic=rational" : " arithmetic=double";
  }
  task.id += content;
  return task;
}

/// Calls use(variables) for the product of the group's variables, the last one fastest.
template <class Use>
void each_variables(const TaskGroup& group, std::size_t depth, Variables& chosen, Use&& use) {
  if (depth == group.vary.size()) return use(chosen);
  for (const std::string& value : group.vary[depth].second) {
    chosen.emplace_back(group.vary[depth].first, value);
    each_variables(group, depth + 1, chosen, use);
    chosen.pop_back();
  }
}

}  // namespace

PairPointer Pairs::pair(const std::string& text) {
  PairPointer& known = pairs_[text];
  if (!known) known = make_pair(text);
  return known;
}

std::shared_ptr<Rows<double>> Pairs::doubles(const PairPointer& pair) {
  auto& known = doubles_[pair.get()];
  if (!known) known = std::make_shared<Rows<double>>(pair);
  return known;
}

std::shared_ptr<Rows<Rational>> Pairs::rationals(const PairPointer& pair) {
  auto& known = rationals_[pair.get()];
  if (!known) known = std::make_shared<Rows<Rational>>(pair);
  return known;
}

std::string Pairs::content(const std::string& text) {
  const Spec spec = parse_spec(text);
  for (const SpecArgument& argument : spec.arguments) {
    const bool names_file =
        argument.key == "text" || argument.key == "rates" ||
        (spec.name == "file" && (argument.key.empty() || argument.key == "path"));
    if (!names_file || argument.values.size() != 1) continue;
    std::string& known = contents_[argument.values.front()];
    if (known.empty()) {
      const std::string& path = argument.values.front();
      known =
          fmt::format(" content={:016x}", argument.key == "rates" ? read_pass_rates(path)->digest()
                                                                  : task_hash(read_file(path)));
    }
    return known;
  }
  return "";
}

std::vector<SweepTask> expand(const Experiment& experiment, const SweepOptions& options,
                              Pairs& pairs) {
  std::vector<SweepTask> tasks;
  for (const TaskGroup& group : experiment.tasks) {
    if (options.quick && group.full_only) continue;
    try {
      Variables chosen;
      each_variables(group, 0, chosen, [&](const Variables& vary) {
        for (const std::string& pair : group.pairs) {
          for (const std::string& verifier : group.verifiers) {
            for (const int gamma : group.gammas) {
              for (const auto& horizon : group.horizons) {
                tasks.push_back(make_task(experiment, group, options, pairs, vary, pair, verifier,
                                          gamma, horizon, tasks));
              }
            }
          }
        }
      });
    } catch (const InputError& error) {
      throw InputError(experiment.path + ":" + std::to_string(group.line) + ": " + error.what());
    }
  }
  return tasks;
}

double most_trials(const std::vector<SweepTask>& tasks) {
  double total = 0;
  for (const SweepTask& task : tasks) {
    if (!task.trials.empty()) total += static_cast<double>(task.trials.back());
  }
  return total;
}

}  // namespace speclab
