#include "experiment/selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr std::array<std::string_view, 11> kColumns{"task",     "pair",       "verifier", "gamma",
                                                    "horizon",  "iterations", "trials",   "method",
                                                    "quantity", "index",      "claim"};

/// The same text, or the family of a spec text.
bool fits_spec(const std::string& wanted, const std::string& spec) {
  return wanted == spec || wanted == spec.substr(0, spec.find('('));
}

bool within_row(std::string_view column) {
  return column == "trials" || column == "method" || column == "quantity" || column == "index" ||
         column == "claim";
}

/// The place without the number of trials.
TaskPlace combination_of(TaskPlace place) {
  place.trials.reset();
  return place;
}

/// The row with the closed form of its claim as its number.
AnswerRow closed_form_of(const AnswerRow& row) {
  AnswerRow form;
  form.method = row.predicted ? "closed-form" : row.method;
  form.quantity = row.quantity;
  form.index = row.index;
  form.value = row.predicted.value_or(row.value);
  form.exact = row.predicted ? row.predicted_exact : row.exact;
  form.claim = row.claim;
  form.relation = row.relation;
  return form;
}

}  // namespace

const std::string* find_variable(const Variables& variables, std::string_view name) {
  const auto found = std::ranges::find(variables, name, &Variables::value_type::first);
  return found == variables.end() ? nullptr : &found->second;
}

const std::string* TaskPlace::column(std::string_view name) const {
  if (name == "task") return &task;
  if (name == "gamma") return &gamma;
  if (name == "horizon") return &horizon;
  if (name == "iterations") return &iterations;
  return find_variable(vary, name);
}

std::string vary_text(const Variables& variables) {
  std::string text;
  for (const auto& [name, value] : variables) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

std::string between_bars(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (c == '|' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

const std::string* Selector::find(std::string_view column) const {
  return find_variable(columns, column);
}

std::string Selector::get(std::string_view column) const {
  const std::string* value = find(column);
  return value == nullptr ? "" : *value;
}

std::span<const std::string_view> selector_columns() { return kColumns; }

bool chooses(const Selector& selector, const TaskPlace& place) {
  return std::ranges::all_of(selector.columns, [&](const auto& asked) {
    const auto& [name, wanted] = asked;
    if (within_row(name)) return true;
    if (name == "pair") return fits_spec(wanted, place.pair);
    if (name == "verifier") return fits_spec(wanted, place.verifier);
    const std::string* value = place.column(name);
    return value != nullptr && *value == wanted;
  });
}

bool chooses(const Selector& selector, const AnswerRow& row) {
  const auto fits = [&](std::string_view column, const std::string& value) {
    const std::string* wanted = selector.find(column);
    return wanted == nullptr || *wanted == value;
  };
  if (form_alone(row.method) && selector.find("claim") == nullptr &&
      selector.find("method") == nullptr) {
    return false;
  }
  return fits("method", row.method) && fits("quantity", row.quantity) && fits("index", row.index) &&
         fits("claim", row.claim);
}

std::vector<ChosenRow> choose(const Selector& selector, std::span<const TaskRows> results) {
  std::map<TaskPlace, std::uint64_t> most;
  for (const TaskRows& task : results) {
    check_interrupted();
    std::uint64_t& trials = most[combination_of(task.place)];
    trials = std::max(trials, task.place.trials.value_or(0));
  }
  const bool all_trials = selector.get("trials") == "all";
  const bool wants_form = selector.find("claim") != nullptr;
  std::vector<ChosenRow> chosen;
  for (const TaskRows& task : results) {
    check_interrupted();
    if (!chooses(selector, task.place)) continue;
    if (!all_trials && task.place.trials.value_or(0) != most[combination_of(task.place)]) continue;
    for (const AnswerRow& row : task.rows) {
      if (!chooses(selector, row)) continue;
      chosen.push_back({&task.place, wants_form ? closed_form_of(row) : row});
    }
  }
  return chosen;
}

}  // namespace speclab
