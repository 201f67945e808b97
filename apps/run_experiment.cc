#include "run_experiment.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/read_file.h"
#include "base/text.h"
#include "task_options.h"

namespace speclab {
namespace {

constexpr std::size_t kMostValues = 100'000;
constexpr std::int64_t kMostTrials = 1'000'000'000'000;

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

/// One table of the file; every key that is read is known, and finish() refuses the others.
class TableReader {
 public:
  TableReader(const std::string& file, const toml::table& table, std::string name, int line)
      : file_(file), table_(table), name_(std::move(name)), line_(line) {}

  [[noreturn]] void refuse(int line, const std::string& message) const {
    throw InputError(file_ + ":" + std::to_string(line) + ": " + message);
  }
  [[noreturn]] void refuse(const std::string& message) const { refuse(line_, message); }
  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const std::string& file() const { return file_; }

  const toml::node* find(const std::string& key) {
    known_.push_back(key);
    return table_.get(key);
  }
  const toml::node& need(const std::string& key, std::string_view example) {
    const toml::node* node = find(key);
    if (node == nullptr) refuse(name_ + " has no " + key + "; for example " + std::string(example));
    return *node;
  }

  std::string text(const toml::node& node, const std::string& key) const {
    const auto value = node.value_exact<std::string>();
    if (!value) refuse(line_of(node), key + " is a string in quotes");
    return *value;
  }
  std::string text(const std::string& key, std::string_view example) {
    return text(need(key, example), key);
  }
  std::string text_or(const std::string& key, const std::string& fallback = "") {
    const toml::node* node = find(key);
    return node == nullptr ? fallback : text(*node, key);
  }
  std::int64_t whole(const toml::node& node, const std::string& key, std::int64_t low,
                     std::int64_t high) const {
    std::optional<std::int64_t> value = node.value_exact<std::int64_t>();
    if (const auto real = node.value_exact<double>();
        real && std::trunc(*real) == *real && std::abs(*real) <= 1e15) {
      value = static_cast<std::int64_t>(*real);
    }
    if (!value || *value < low || *value > high) {
      refuse(line_of(node), key + " is a whole number from " + std::to_string(low) + " to " +
                                std::to_string(high));
    }
    return *value;
  }
  std::optional<double> real_or(const std::string& key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const auto value = node->value<double>();
    if (!node->is_number() || !value || !std::isfinite(*value)) {
      refuse(line_of(*node), key + " is a finite number");
    }
    return value;
  }
  bool flag(const std::string& key) {
    const toml::node* node = find(key);
    if (node == nullptr) return false;
    const auto value = node->value_exact<bool>();
    if (!value) refuse(line_of(*node), key + " is true or false");
    return *value;
  }
  std::size_t choice(const toml::node& node, const std::string& key,
                     const std::vector<std::string>& names) const {
    const std::string word = text(node, key);
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      refuse(line_of(node), key + " is one of " + join(names) + ", not '" + abbreviate(word) + "'" +
                                suggestion(word, names));
    }
    return static_cast<std::size_t>(found - names.begin());
  }

  /// One value, or each of a list.
  template <class Each>
  void each(const toml::node& node, const std::string& key, Each&& use) const {
    const toml::array* list = node.as_array();
    if (list == nullptr) return use(node);
    if (list->empty()) refuse(line_of(node), key + " is an empty list; give a value");
    for (const toml::node& element : *list) use(element);
  }
  std::vector<std::string> texts(const std::string& key) {
    std::vector<std::string> values;
    const toml::node* node = find(key);
    if (node == nullptr) return values;
    each(*node, key, [&](const toml::node& element) { values.push_back(text(element, key)); });
    return values;
  }

  /// Whole numbers from ranges "a:b", "a:b:step", numbers, "inf" where `unbounded`.
  std::vector<int> lengths(const std::string& key, bool unbounded) {
    std::vector<int> values;
    const toml::node* node = find(key);
    if (node == nullptr) return values;
    each(*node, key, [&](const toml::node& element) {
      if (element.is_string()) {
        const std::string word = text(element, key);
        if (unbounded && word == "inf") return values.push_back(kUnbounded);
        for (const std::int64_t value : range(element, key, word)) {
          if (value < 1 || value > kLargestLength) refuse(line_of(element), key + " is at least 1");
          values.push_back(static_cast<int>(value));
        }
        return;
      }
      values.push_back(static_cast<int>(whole(element, key, 1, kLargestLength)));
    });
    return values;
  }

  std::vector<std::int64_t> range(const toml::node& node, const std::string& key,
                                  const std::string& word) const {
    std::vector<std::int64_t> ends;
    for (std::size_t at = 0; at <= word.size();) {
      const std::size_t end = std::min(word.find(':', at), word.size());
      const std::string part = word.substr(at, end - at);
      at = end + 1;
      if (part.empty() || part.size() > 9 ||
          part.find_first_not_of("0123456789") != std::string::npos) {
        ends.clear();
        break;
      }
      ends.push_back(std::stoll(part));
    }
    const std::int64_t step = ends.size() == 3 ? ends[2] : 1;
    if (ends.size() < 2 || ends.size() > 3 || ends[0] > ends[1] || step < 1 ||
        (ends[1] - ends[0]) / step >= static_cast<std::int64_t>(kMostValues)) {
      refuse(line_of(node), key + " is a number, a range such as \"1:12\" or \"4:24:4\", or a " +
                                "list, not '" + abbreviate(word) + "'");
    }
    std::vector<std::int64_t> values;
    for (std::int64_t value = ends[0]; value <= ends[1]; value += step) values.push_back(value);
    return values;
  }

  std::vector<std::uint64_t> trials(const std::string& key) {
    std::set<std::uint64_t> values;
    if (const toml::node* node = find(key)) {
      each(*node, key, [&](const toml::node& element) {
        values.insert(static_cast<std::uint64_t>(whole(element, key, 2, kMostTrials)));
      });
    }
    return {values.begin(), values.end()};
  }

  /// The values of a variable as spec text.
  std::vector<std::string> values(const toml::node& node, const std::string& key) const {
    std::vector<std::string> result;
    each(node, key, [&](const toml::node& element) {
      if (const auto whole_number = element.value_exact<std::int64_t>()) {
        result.push_back(std::to_string(*whole_number));
      } else if (element.is_string()) {
        const std::string word = text(element, key);
        if (word.find(':') == std::string::npos) return result.push_back(word);
        for (const std::int64_t value : range(element, key, word)) {
          result.push_back(std::to_string(value));
        }
      } else {
        refuse(line_of(element), key +
                                     " takes whole numbers, a range such as \"1:12\", or words "
                                     "and fractions in quotes (\"0.25\" is then exact)");
      }
    });
    return result;
  }

  TableReader table(const toml::node& node, const std::string& key) const {
    const toml::table* inner = node.as_table();
    if (inner == nullptr) refuse(line_of(node), key + " is a table");
    return {file_, *inner, key, line_of(node)};
  }
  [[nodiscard]] const toml::table& raw() const { return table_; }

  void finish() const {
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (std::find(known_.begin(), known_.end(), word) != known_.end()) continue;
      const int line =
          key.source().begin.line > 0 ? static_cast<int>(key.source().begin.line) : line_of(node);
      refuse(line, "unknown key '" + abbreviate(word) + "' in " + name_ + suggestion(word, known_) +
                       "; it takes " + join(known_));
    }
  }

 private:
  const std::string& file_;
  const toml::table& table_;
  std::string name_;
  int line_;
  std::vector<std::string> known_;
};

const std::vector<std::string> kKinds{"exact", "simulate", "predict", "formula", "train"};

void check_name(const TableReader& reader, const std::string& name) {
  const bool good = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  if (!good) reader.refuse("name '" + abbreviate(name) + "' is not of letters, digits and '-'");
}

/// The keys of a training as spec text, "train(lambda=..,tau=..)": one for each combination of the
/// lists given.
std::vector<std::string> read_trainings(TableReader& reader) {
  reader.need("lambda", "lambda = \"1.2\"");
  std::vector<std::string> made{""};
  for (const char* key : {"lambda", "tau", "samples", "length", "seed"}) {
    const toml::node* node = reader.find(key);
    if (node == nullptr) continue;
    std::vector<std::string> longer;
    for (const std::string& begun : made) {
      for (const std::string& value : reader.values(*node, key)) {
        longer.push_back(begun + (begun.empty() ? "" : ",") + key + "=" + value);
      }
    }
    made = std::move(longer);
  }
  for (std::string& text : made) text = "train(" + text + ")";
  return made;
}

TaskGroup read_task(TableReader reader) {
  TaskGroup task;
  task.line = reader.line();
  task.name = reader.text("name", "name = \"curve\"");
  check_name(reader, task.name);
  task.kind =
      static_cast<TaskKind>(reader.choice(reader.need("kind", "kind = \"exact\""), "kind", kKinds));
  task.pairs = reader.texts("pair");
  const bool trains = task.kind == TaskKind::train;
  if (trains) {
    task.verifiers = read_trainings(reader);
  } else {
    task.verifiers = reader.texts(task.kind == TaskKind::formula ? "formula" : "verifier");
    task.gammas = reader.lengths("gamma", true);
    for (const int horizon : reader.lengths("horizon", false)) task.horizons.emplace_back(horizon);
    if (const toml::node* node = reader.find("iterations")) {
      task.iterations = static_cast<int>(reader.whole(*node, "iterations", 1, kLargestLength));
    }
  }
  task.keep = reader.texts("keep");
  task.full_only = reader.flag("full-only");
  if (const toml::node* node = reader.find("vary")) {
    TableReader vary = reader.table(*node, "[task.vary]");
    for (const auto& [key, value] : vary.raw()) {
      const std::string name(key.str());
      if (name == "text" || name == "here") vary.refuse("'" + name + "' is no variable's name");
      check_name(vary, name);
      task.vary.emplace_back(name, vary.values(value, name));
    }
  }
  const bool simulated = task.kind == TaskKind::simulate;
  task.arithmetic = Arithmetic::floating;
  if (!simulated && !trains) {
    const toml::node* node = reader.find("arithmetic");
    const std::size_t chosen =
        node == nullptr ? 0 : reader.choice(*node, "arithmetic", {"rational", "double"});
    task.arithmetic = chosen == 0 ? Arithmetic::rational : Arithmetic::floating;
  }
  if (task.kind == TaskKind::exact) {
    if (const toml::node* node = reader.find("max-paths")) {
      task.max_paths = static_cast<double>(reader.whole(*node, "max-paths", 1, kMostTrials));
    }
  }
  if (task.kind == TaskKind::exact || simulated) {
    if (const toml::node* node = reader.find("latency")) {
      task.latency_text = reader.text(*node, "latency");
      try {
        task.latency = read_latency(task.latency_text);
      } catch (const Error& error) {
        reader.refuse(line_of(*node), error.what());
      }
    }
  }
  if (simulated) {
    reader.need("trials", "trials = 100000");
    task.trials = reader.trials("trials");
    task.quick_trials = reader.trials("quick-trials");
    if (task.quick_trials.empty()) task.quick_trials = task.trials;
    task.precision = reader.real_or("precision");
    if (task.precision && !(*task.precision > 0)) reader.refuse("precision is above 0");
    if (task.precision && task.keep.empty()) {
      reader.refuse("precision needs keep: it speaks of the first quantity kept");
    }
  }
  reader.finish();
  const bool formula = task.kind == TaskKind::formula;
  if (task.verifiers.empty()) {
    reader.refuse(formula ? "[[task]] has no formula" : "[[task]] has no verifier");
  }
  if (task.pairs.empty()) {
    if (!formula) reader.refuse("[[task]] has no pair");
    task.pairs.emplace_back();
  }
  if (task.gammas.empty()) {
    if (!formula && !trains) reader.refuse("[[task]] has no gamma");
    task.gammas.push_back(1);
  }
  if (task.horizons.empty()) task.horizons.emplace_back();
  return task;
}

/// @param quantity  where the table names none
Selector read_selector(TableReader& reader, const std::string& quantity) {
  Selector rows;
  rows.line = reader.line();
  rows.task = reader.text("task", "task = \"curve\"");
  rows.pair = reader.text_or("pair");
  rows.verifier = reader.text_or("verifier");
  rows.claim = reader.text_or("claim");
  const toml::node* own = reader.find("quantity");
  rows.quantity = own != nullptr ? reader.text(*own, "quantity") : quantity;
  if (rows.quantity.empty()) reader.refuse(reader.name() + " has no quantity");
  using Place = std::pair<const char*, std::optional<std::string>*>;
  for (const auto& [key, place] : {Place{"gamma", &rows.gamma}, Place{"horizon", &rows.horizon},
                                   Place{"index", &rows.index}}) {
    const toml::node* node = reader.find(key);
    if (node == nullptr) continue;
    *place = node->is_string() ? reader.text(*node, key)
                               : std::to_string(reader.whole(*node, key, 0, kLargestLength));
  }
  if (const toml::node* node = reader.find("where")) {
    TableReader where = reader.table(*node, "where");
    for (const auto& [key, value] : where.raw()) {
      const auto values = where.values(value, std::string(key.str()));
      rows.where.emplace_back(std::string(key.str()), values.front());
    }
  }
  return rows;
}

Derived read_derived(TableReader reader) {
  Derived derived;
  derived.line = reader.line();
  derived.name = reader.text("name", "name = \"improvement\"");
  check_name(reader, derived.name);
  const std::string quantity = reader.text("quantity", "quantity = \"block_efficiency\"");
  const std::vector<std::string> operations{"difference", "sum", "ratio", "relative"};
  derived.operation = operations[reader.choice(reader.need("operation", "operation = \"ratio\""),
                                               "operation", operations)];
  using Place = std::pair<const char*, Selector*>;
  for (const auto& [key, place] : {Place{"of", &derived.of}, Place{"over", &derived.over}}) {
    TableReader inner =
        reader.table(reader.need(key, "of = {task = \"a\", verifier = \"block\"}"), key);
    *place = read_selector(inner, quantity);
    inner.finish();
  }
  reader.finish();
  return derived;
}

Expected read_expected(TableReader reader) {
  Expected expected;
  expected.line = reader.line();
  expected.source = reader.text("source", "source = \"yin2024, Figure 2\"");
  expected.rows = read_selector(reader, "");
  expected.value = reader.real_or("value");
  expected.explanation = reader.text_or("explanation");
  if (expected.value) {
    expected.tolerance = reader.real_or("tolerance").value_or(0);
    if (expected.tolerance < 0) reader.refuse("tolerance is 0 or more");
    if (const toml::node* node = reader.find("relation")) {
      expected.relation = static_cast<Relation>(
          reader.choice(*node, "relation", {"equals", "at_most", "at_least"}));
    }
  } else {
    const toml::node* node = reader.find("trend");
    if (node == nullptr) reader.refuse("[[expected]] has neither value nor trend");
    const std::vector<std::string> trends{"increases", "decreases"};
    expected.trend = trends[reader.choice(*node, "trend", trends)];
    expected.along = reader.text("along", "along = \"gamma\"");
  }
  reader.finish();
  return expected;
}

/// Calls use(reader) for every table of the array of tables `key`.
template <class Use>
void each_table(TableReader& reader, const std::string& key, Use&& use) {
  const toml::node* node = reader.find(key);
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr) reader.refuse(line_of(*node), key + " is written [[" + key + "]]");
  for (const toml::node& element : *list) use(reader.table(element, "[[" + key + "]]"));
}

}  // namespace

std::string_view task_kind_name(TaskKind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

Experiment read_experiment(const std::string& path) {
  const std::string text = read_file(path, std::size_t{1} << 24);
  check_utf8(text, quoted_path(path));
  Experiment experiment;
  experiment.path = path;
  experiment.id = std::filesystem::path(path).stem().string();
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw InputError(path + ":" + std::to_string(error.source().begin.line) + ": " +
                     abbreviate(error.description(), 200));
  }
  TableReader reader(path, root, "an experiment file", 1);
  if (root.empty())
    reader.refuse("the file is empty; an experiment has title, source and [[task]]");
  experiment.title = reader.text("title", "title = \"Acceptance length\"");
  experiment.source = reader.text("source", "source = \"sun2025, Figure 3\"");
  experiment.note = reader.text_or("note");
  if (const toml::node* node = reader.find("chunk")) {
    experiment.chunk = static_cast<std::uint64_t>(reader.whole(*node, "chunk", 16, 100'000'000));
  }
  std::vector<std::string> names;
  const auto unique = [&](int line, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      reader.refuse(line, "the name '" + name + "' is taken; give another");
    }
    names.push_back(name);
  };
  each_table(reader, "task", [&](TableReader inner) {
    experiment.tasks.push_back(read_task(std::move(inner)));
    unique(experiment.tasks.back().line, experiment.tasks.back().name);
  });
  if (experiment.tasks.empty()) reader.refuse("an experiment has at least one [[task]]");
  const auto check = [&](const Selector& rows) {
    if (std::find(names.begin(), names.end(), rows.task) == names.end()) {
      reader.refuse(rows.line, "there is no task '" + abbreviate(rows.task) + "'" +
                                   suggestion(rows.task, names));
    }
  };
  each_table(reader, "derived", [&](TableReader inner) {
    experiment.derived.push_back(read_derived(std::move(inner)));
    check(experiment.derived.back().of);
    check(experiment.derived.back().over);
    unique(experiment.derived.back().line, experiment.derived.back().name);
  });
  each_table(reader, "expected", [&](TableReader inner) {
    experiment.expected.push_back(read_expected(std::move(inner)));
    check(experiment.expected.back().rows);
  });
  reader.finish();
  return experiment;
}

std::vector<std::string> experiment_files() {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  std::error_code failed;
  if (const char* named = std::getenv("SPECLAB_EXPERIMENTS")) {
    folders.emplace_back(named);
  } else {
    const fs::path program = fs::read_symlink("/proc/self/exe", failed);
    folders.push_back(program.parent_path() / ".." / "share" / "speclab" / "experiments");
    folders.emplace_back(SPECLAB_EXPERIMENTS_DIR);
  }
  std::vector<std::string> files;
  for (const fs::path& folder : folders) {
    if (!files.empty()) break;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
      if (entry.path().extension() == ".toml") files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace speclab
