#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "answer/costs.h"
#include "base/error.h"
#include "base/text.h"
#include "experiment/agreeing.h"
#include "experiment/expand.h"
#include "experiment/expected.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// What is known, before it is run, of the rows that a task or a derived quantity will give.
struct Planned {
  TaskPlace place;
  const SweepTask* task = nullptr;    ///< of a derived quantity: that of its `of`
  std::optional<QuantityId> derived;  ///< the quantity that is derived
};

/// Whether the question's answer can have a quantity of this scope.
bool in_scope(const SweepTask& task, QuantityScope scope) {
  const Lengths& lengths = task.question->lengths;
  switch (scope) {
    case QuantityScope::iteration:
      return true;
    case QuantityScope::optimum:
      return task.group->wants_optimum() && task.group->kind != TaskKind::predict;
    case QuantityScope::iterations:
      return lengths.iterations > 0;
    case QuantityScope::output:
    case QuantityScope::decode:
      return lengths.horizon.has_value();
    case QuantityScope::long_run:
      return task.question->long_run;
    case QuantityScope::cost:
      return task.group->costs.has_value();
    case QuantityScope::run:
      return task.group->kind == TaskKind::simulate;
    case QuantityScope::formula:
    case QuantityScope::training:
      break;
  }
  return false;
}

/// Whether an index, as text, is one that the quantity has here.
bool in_range(const SweepTask& task, const QuantityInfo& info, const std::string& index) {
  if (info.shape == QuantityShape::single) return index.empty();
  if (!all_digits(index) || index.size() > 7 || (index.front() == '0' && index.size() > 1)) {
    return false;
  }
  const int at = std::stoi(index);
  const Lengths& lengths = task.question->lengths;
  const int last = info.scope == QuantityScope::iterations ? lengths.iterations : lengths.gamma;
  return at >= info.first && at <= last;
}

/// Whether rows of the derived quantity can be as the selector asks, its place aside.
bool can_derive(const Planned& planned, const Selector& selector, QuantityId id) {
  const std::string* method = selector.find("method");
  const std::string* index = selector.find("index");
  if (id != *planned.derived || selector.find("claim") != nullptr) return false;
  if (method != nullptr && *method != "derived") return false;
  return index == nullptr || !planned.task->question ||
         in_range(*planned.task, quantity(id), *index);
}

/// Whether rows of the task can be as the selector asks, its place aside.
bool can_give(const Planned& planned, const Selector& selector) {
  const std::string* index = selector.find("index");
  const std::string* method = selector.find("method");
  const QuantityId id = *find_quantity(selector.get("quantity"));
  if (planned.derived) return can_derive(planned, selector, id);
  const SweepTask& task = *planned.task;
  const auto& keep = task.group->keep;
  if (!keep.empty() && std::ranges::find(keep, id) == keep.end()) return false;
  if (!task.question) {
    return std::ranges::any_of(task.rows,
                               [&](const AnswerRow& row) { return chooses(selector, row); });
  }
  const bool by_form = method != nullptr && form_alone(*method);
  if (method != nullptr && !by_form && *method != task_kind_name(task.group->kind)) return false;
  const bool form = by_form || selector.find("claim") != nullptr;
  if (!form && task.group->kind == TaskKind::predict) return false;
  const QuantityInfo& info = quantity(id);
  if (info.shape != QuantityShape::single && info.shape != QuantityShape::list) return false;
  if (!form && info.scope == QuantityScope::cost && !in_costs(id, *task.question)) return false;
  if (!form && id == QuantityId::accepted_variance && !task.question->variance) return false;
  return in_scope(task, info.scope) && (index == nullptr || in_range(task, info, *index));
}

class Checker {
 public:
  Checker(const Experiment& experiment, const std::vector<SweepTask>& tasks, bool quick)
      : experiment_(experiment), quick_(quick) {
    for (const SweepTask& task : tasks) planned_.push_back({task.place, &task, std::nullopt});
  }

  void check() {
    for (const Planned& planned : planned_) check_precision(planned);
    for (const Derived& derived : experiment_.derived) {
      if (!left_out(experiment_, derived.name, quick_)) add(derived);
    }
    check_rows(experiment_.expected, "[[expected]]");
    check_rows(experiment_.printed, "[[printed]]");
    for (const Calibrated& entry : experiment_.calibrated) {
      if (!left_out(experiment_, entry.rows.get("task"), quick_)) check(entry);
    }
  }

 private:
  /// Each entry chooses a row.
  template <class Entry>
  void check_rows(const std::vector<Entry>& entries, const char* kind) const {
    for (const Entry& entry : entries) {
      if (left_out(experiment_, entry.rows.get("task"), quick_)) continue;
      if (chosen(entry.rows).empty()) refuse(entry.line, kind, entry.rows);
    }
  }

  /// The results have the quantity of a task's precision.
  void check_precision(const Planned& planned) const {
    const TaskGroup& group = *planned.task->group;
    if (!group.precision) return;
    const std::string path = quantity(group.keep.front()).path();
    if (can_give(planned, {group.line, {{"quantity", path}}})) return;
    throw InputError(line_text(experiment_, group.line) + group.name + ": precision applies to '" +
                     path + "', which the results of " + planned.place.pair + ", " +
                     planned.place.verifier + " do not have");
  }

  void add(const Derived& derived) {
    const auto of = chosen(derived.of);
    const auto over = chosen(derived.over);
    if (of.empty()) refuse(derived.line, "`of`", derived.of);
    if (over.empty()) refuse(derived.line, "`over`", derived.over);
    const std::string no_index;  // not known before it is run
    Agreeing agreeing(derived.over);
    for (const Planned* b : over) agreeing.add(b->place, no_index);
    std::vector<Planned> made;
    for (const Planned* a : of) {
      if (agreeing.with(a->place, no_index).empty()) {
        throw InputError(line_text(experiment_, derived.line) +
                         "`over` chooses no row that agrees with `of`");
      }
      made.push_back({a->place, a->task, find_quantity(derived.of.get("quantity"))});
      made.back().place.task = derived.name;
    }
    planned_.insert(planned_.end(), made.begin(), made.end());
  }

  /// Both verifiers have results at every row of the table that is predicted.
  void check(const Calibrated& entry) const {
    const PrintedTable& table = table_named(experiment_.tables, entry.table);
    for (const TableRow& row : table.lines) {
      if (row.summary) continue;
      for (const std::string& verifier : {entry.fitted, entry.verifier}) {
        const Selector selector = at_row(entry.rows, table, row, verifier);
        if (chosen(selector).empty()) refuse(entry.line, "[[calibrated]]", selector);
      }
    }
  }

  /// The plans that may give rows; pointers into planned_ until it grows.
  [[nodiscard]] std::vector<const Planned*> chosen(const Selector& selector) const {
    check_claim(selector);
    std::vector<const Planned*> found;
    for (const Planned& planned : planned_) {
      check_interrupted();
      if (chooses(selector, planned.place) && can_give(planned, selector)) {
        found.push_back(&planned);
      }
    }
    return found;
  }

  void check_claim(const Selector& selector) const {
    const std::string* claim = selector.find("claim");
    if (claim == nullptr) return;
    std::vector<std::string> names;
    for (const PredictionRow& row : prediction_rows()) names.emplace_back(row.claim);
    if (std::ranges::find(names, *claim) != names.end()) return;
    throw InputError(line_text(experiment_, selector.line) + "there is no closed form '" +
                     abbreviate(*claim) + "'" + suggestion(*claim, names) +
                     "; `speclab list predictions` names them");
  }

  /// Names the column that rules out the rest, where there is one.
  [[noreturn]] void refuse(int line, const std::string& entry, const Selector& selector) const {
    std::vector<std::string> words;
    for (const auto& [column, value] : selector.columns) {
      words.push_back(fmt::format("{} = {}", column, abbreviate(value)));
    }
    std::string hint;
    for (const auto& [column, value] : selector.columns) {
      Selector without = selector;
      std::erase_if(without.columns,
                    [&name = column](const auto& cell) { return cell.first == name; });
      if (column == "quantity" || chosen(without).empty()) continue;
      hint = fmt::format("; without {} it would choose some", column);
      break;
    }
    throw InputError(fmt::format("{}{} chooses no row: {}{}", line_text(experiment_, line), entry,
                                 join(words), hint));
  }

  const Experiment& experiment_;
  bool quick_;
  std::vector<Planned> planned_;
};

}  // namespace

void check_selectors(const Experiment& experiment, const std::vector<SweepTask>& tasks,
                     bool quick) {
  Checker(experiment, tasks, quick).check();
  check_audits(experiment);
}

}  // namespace speclab
