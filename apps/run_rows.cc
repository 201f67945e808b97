#include "run_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/sum.h"
#include "report/csv.h"
#include "report/number.h"

namespace speclab {
namespace {

using nlohmann::json;

std::string optional_text(const std::optional<double>& value) {
  return value ? shortest(*value) : "";
}

/// Splits "iteration.accepted_law[3]" and numbers the element as the results do.
void name_element(const std::string& path, ResultRow& row) {
  const auto bracket = path.find('[');
  row.quantity = path.substr(0, bracket);
  if (bracket == std::string::npos) return;
  const int element = std::stoi(path.substr(bracket + 1));
  row.index = std::to_string(row.quantity == "iterations.expected_tokens" ? element + 1 : element);
}

json optional_json(const std::optional<double>& value) { return value ? json(*value) : json(); }

std::optional<double> read_optional(const json& node) {
  if (node.is_null()) return std::nullopt;
  return node.get<double>();
}

/// The value of a coordinate of a place, or nothing.
const std::string* variable(const Variables& variables, const std::string& name) {
  for (const auto& [key, value] : variables) {
    if (key == name) return &value;
  }
  return nullptr;
}

/// Whether two rows of results belong together in a derived quantity.
bool agree(const ChosenRow& a, const ChosenRow& b, const Derived& derived) {
  const TaskRows& left = *a.place;
  const TaskRows& right = *b.place;
  if (!left.pair.empty() && !right.pair.empty() && left.pair != right.pair) return false;
  if (left.horizon && right.horizon && left.horizon != right.horizon) return false;
  if (left.gamma && right.gamma && left.gamma != right.gamma) return false;
  if (a.row->index != b.row->index) return false;
  return std::all_of(left.vary.begin(), left.vary.end(), [&](const auto& entry) {
    const std::string* other = variable(right.vary, entry.first);
    return other == nullptr || *other == entry.second ||
           variable(derived.of.where, entry.first) != nullptr ||
           variable(derived.over.where, entry.first) != nullptr;
  });
}

std::string length_text(const std::optional<int>& length) {
  return length ? gamma_text(*length) : "";
}

bool chosen(const Selector& selector, const TaskRows& place) {
  if (place.task != selector.task) return false;
  if (!selector.pair.empty() && selector.pair != place.pair_template &&
      selector.pair != place.pair && !place.pair.starts_with(selector.pair + "(")) {
    return false;
  }
  if (!selector.verifier.empty() && selector.verifier != place.verifier_template &&
      selector.verifier != place.verifier) {
    return false;
  }
  if (selector.gamma && *selector.gamma != length_text(place.gamma)) return false;
  if (selector.horizon && *selector.horizon != length_text(place.horizon)) return false;
  return std::all_of(selector.where.begin(), selector.where.end(), [&](const auto& entry) {
    const std::string* value = variable(place.vary, entry.first);
    return value != nullptr && *value == entry.second;
  });
}

bool chosen(const Selector& selector, const ResultRow& row) {
  return row.quantity == selector.quantity && row.claim == selector.claim.value_or("") &&
         (!selector.index || *selector.index == row.index);
}

ResultRow combine(const std::string& operation, const ResultRow& a, const ResultRow& b,
                  const std::string& where) {
  ResultRow row;
  row.quantity = a.quantity;
  row.index = a.index;
  const bool difference = operation == "difference" || operation == "sum";
  const int sign = operation == "sum" ? -1 : 1;
  if (!difference && !(std::abs(b.value) > 0)) {
    throw InputError(where + "a ratio over 0; choose other rows");
  }
  const double shift = operation == "relative" ? 1 : 0;
  if (!a.exact.empty() && !b.exact.empty()) {
    const Rational left = parse_rational(a.exact), right = parse_rational(b.exact);
    const Rational value =
        difference ? Rational(left - sign * right) : Rational(left / right - shift);
    row.value = to_double(value);
    row.exact = fraction_text(value).value_or("");
    return row;
  }
  row.value = difference ? a.value - sign * b.value : a.value / b.value - shift;
  if (a.standard_error || b.standard_error) {
    const double sa = a.standard_error.value_or(0), sb = b.standard_error.value_or(0);
    const double error = difference ? std::hypot(sa, sb)
                                    : std::hypot(sa, sb * a.value / b.value) / std::abs(b.value);
    constexpr double kNormal95 = 1.959963984540054;
    row.standard_error = error;
    row.low = row.value - kNormal95 * error;
    row.high = row.value + kNormal95 * error;
  }
  return row;
}

}  // namespace

bool left_out(const Experiment& experiment, const std::string& task, bool quick) {
  const auto named = [&](const auto& entry) { return entry.name == task; };
  const auto group = std::find_if(experiment.tasks.begin(), experiment.tasks.end(), named);
  if (group != experiment.tasks.end()) return quick && group->full_only;
  const auto derived = std::find_if(experiment.derived.begin(), experiment.derived.end(), named);
  return derived != experiment.derived.end() && (left_out(experiment, derived->of.task, quick) ||
                                                 left_out(experiment, derived->over.task, quick));
}

void add_tails(std::vector<ResultRow>& rows) {
  std::vector<ResultRow> tails;
  for (std::size_t end = rows.size(); end > 0; --end) {
    const ResultRow& last = rows[end - 1];
    const bool ends = last.quantity == "iteration.accepted_law" && !last.standard_error &&
                      (end == rows.size() || rows[end].quantity != last.quantity ||
                       rows[end].claim != last.claim);
    if (!ends) continue;
    const std::size_t at = tails.size();
    Rational exact_sum(0);
    Sum<double> sum;
    bool is_exact = true;
    for (std::size_t i = end;
         i > 0 && rows[i - 1].quantity == last.quantity && rows[i - 1].claim == last.claim; --i) {
      ResultRow row = rows[i - 1];
      row.quantity = "iteration.accepted_tail";
      is_exact = is_exact && !row.exact.empty();
      if (is_exact) exact_sum += parse_rational(row.exact);
      sum += row.value;
      row.value = is_exact ? to_double(exact_sum) : sum.value();
      row.exact = is_exact ? fraction_text(exact_sum).value_or("") : "";
      row.z = std::nullopt;
      row.verdict.clear();
      tails.insert(tails.begin() + static_cast<std::ptrdiff_t>(at), std::move(row));
    }
    // A closed form may tell of some lengths only; their sums are no tails.
    if (std::abs(sum.value() - 1) > 1e-9) {
      tails.erase(tails.begin() + static_cast<std::ptrdiff_t>(at), tails.end());
    }
  }
  rows.insert(rows.end(), std::make_move_iterator(tails.begin()),
              std::make_move_iterator(tails.end()));
}

ResultRow prediction_row(const Prediction& prediction) {
  ResultRow row;
  name_element(prediction.quantity, row);
  row.value = prediction.value;
  row.exact = fraction_text(prediction.exact).value_or("");
  row.claim = prediction.claim;
  row.relation = relation_name(prediction.relation);
  return row;
}

std::vector<ResultRow> record_rows(const Record& record) {
  std::vector<ResultRow> rows;
  for (const Quantity& quantity : record.quantities) {
    if (quantity.shape == Quantity::Shape::law) continue;
    for (std::size_t i = 0; i < quantity.values.size(); ++i) {
      const Value& value = quantity.values[i];
      ResultRow row;
      row.quantity = quantity.path();
      if (quantity.shape == Quantity::Shape::list) {
        row.index = std::to_string(static_cast<std::size_t>(quantity.first_label) + i);
      }
      row.value = value.number;
      row.exact = fraction_text(value.fraction).value_or("");
      if (value.estimate) {
        row.standard_error = value.estimate->standard_error;
        row.low = value.estimate->low;
        row.high = value.estimate->high;
      }
      rows.push_back(std::move(row));
    }
  }
  for (const Comparison& comparison : record.comparisons) {
    ResultRow row = prediction_row(comparison.prediction);
    row.z = comparison.z;
    row.verdict = verdict_name(comparison.verdict);
    rows.push_back(std::move(row));
  }
  return rows;
}

void keep_rows(std::vector<ResultRow>& rows, const std::vector<std::string>& keep) {
  if (keep.empty()) return;
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const ResultRow& row) {
                              return std::find(keep.begin(), keep.end(), row.quantity) ==
                                     keep.end();
                            }),
             rows.end());
}

std::string rows_text(const std::vector<ResultRow>& rows) {
  json list = json::array();
  for (const ResultRow& row : rows) {
    list.push_back({row.quantity, row.index, row.value, row.exact,
                    optional_json(row.standard_error), optional_json(row.low),
                    optional_json(row.high), row.claim, row.relation, optional_json(row.z),
                    row.verdict});
  }
  return list.dump();
}

std::vector<ResultRow> read_rows(const std::string& text) {
  std::vector<ResultRow> rows;
  try {
    for (const json& entry : json::parse(text)) {
      ResultRow row;
      row.quantity = entry.at(0).get<std::string>();
      row.index = entry.at(1).get<std::string>();
      row.value = entry.at(2).get<double>();
      row.exact = entry.at(3).get<std::string>();
      row.standard_error = read_optional(entry.at(4));
      row.low = read_optional(entry.at(5));
      row.high = read_optional(entry.at(6));
      row.claim = entry.at(7).get<std::string>();
      row.relation = entry.at(8).get<std::string>();
      row.z = read_optional(entry.at(9));
      row.verdict = entry.at(10).get<std::string>();
      rows.push_back(std::move(row));
    }
  } catch (const json::exception& error) {
    throw InputError(std::string("the results file holds an answer that cannot be read: ") +
                     error.what());
  }
  return rows;
}

std::vector<ChosenRow> choose(const Selector& selector, const std::vector<TaskRows>& results) {
  std::vector<ChosenRow> rows;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const TaskRows& place = results[i];
    if (!chosen(selector, place)) continue;
    // The same combination after more trials follows it.
    if (i + 1 < results.size() && place.trials && results[i + 1].task == place.task &&
        results[i + 1].vary == place.vary && results[i + 1].pair == place.pair &&
        results[i + 1].verifier == place.verifier && results[i + 1].gamma == place.gamma &&
        results[i + 1].horizon == place.horizon) {
      continue;
    }
    for (const ResultRow& row : place.rows) {
      if (chosen(selector, row)) rows.push_back({&place, &row});
    }
  }
  return rows;
}

std::vector<TaskRows> derive(const Experiment& experiment, std::vector<TaskRows> results,
                             bool quick) {
  for (const Derived& derived : experiment.derived) {
    if (left_out(experiment, derived.of.task, quick) ||
        left_out(experiment, derived.over.task, quick)) {
      continue;
    }
    const std::string where = experiment.path + ":" + std::to_string(derived.line) + ": ";
    const std::vector<ChosenRow> over = choose(derived.over, results);
    const std::vector<ChosenRow> of = choose(derived.of, results);
    if (of.empty()) throw InputError(where + "`of` chooses no row");
    std::vector<TaskRows> made;
    const TaskRows* last = nullptr;
    for (const ChosenRow& a : of) {
      const ChosenRow* match = nullptr;
      for (const ChosenRow& b : over) {
        if (!agree(a, b, derived)) continue;
        if (match != nullptr) throw InputError(where + "`over` chooses more than one row");
        match = &b;
      }
      if (match == nullptr) throw InputError(where + "`over` chooses no row that agrees with `of`");
      if (a.place != last) {
        made.push_back(*a.place);
        made.back().task = derived.name;
        made.back().kind = "derived";
        made.back().rows.clear();
        last = a.place;
      }
      made.back().rows.push_back(combine(derived.operation, *a.row, *match->row, where));
    }
    results.insert(results.end(), std::make_move_iterator(made.begin()),
                   std::make_move_iterator(made.end()));
  }
  return results;
}

std::string results_csv(const Experiment& experiment, const std::vector<TaskRows>& results) {
  std::string text =
      "experiment,task,kind,vary,pair,verifier,gamma,horizon,trials,seed,quantity,index,value,"
      "exact,stderr,ci95_low,ci95_high,claim,relation,z,verdict\n";
  for (const TaskRows& place : results) {
    std::string vary;
    for (const auto& [name, value] : place.vary) {
      vary += fmt::format("{}{}={}", vary.empty() ? "" : " ", name, value);
    }
    for (const ResultRow& row : place.rows) {
      const std::string fields[] = {experiment.id,
                                    place.task,
                                    place.kind,
                                    vary,
                                    place.pair,
                                    place.verifier,
                                    length_text(place.gamma),
                                    length_text(place.horizon),
                                    place.trials ? std::to_string(*place.trials) : "",
                                    place.seed ? std::to_string(*place.seed) : "",
                                    row.quantity,
                                    row.index,
                                    shortest(row.value),
                                    row.exact,
                                    optional_text(row.standard_error),
                                    optional_text(row.low),
                                    optional_text(row.high),
                                    row.claim,
                                    row.relation,
                                    optional_text(row.z),
                                    row.verdict};
      text += csv_line(fields);
    }
  }
  return text;
}

}  // namespace speclab
