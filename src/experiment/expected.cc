#include "experiment/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "answer/comparison.h"
#include "base/error.h"
#include "base/text.h"

namespace speclab {
namespace {

double slack(const AnswerRow& row) { return kExpectedErrors * row.standard_error.value_or(0); }

/// How far a difference result - printed stands against the relation.
template <class Real>
Real excess_of(Relation relation, const Real& difference) {
  if (relation == Relation::at_most) return difference;
  return relation == Relation::at_least || difference < 0 ? Real(-difference) : difference;
}

/// How far a row is from meeting the entry; at most 0 where it does.
double distance(const Expected& entry, const AnswerRow& row) {
  if (row.exact) {
    const Rational excess =
        excess_of<Rational>(entry.relation, Rational(*row.exact - *entry.value));
    return to_double(Rational(excess - entry.tolerance));
  }
  const double printed = to_double(*entry.value);
  const double room =
      to_double(entry.tolerance) + slack(row) + kExpectedRounding * std::abs(printed);
  return excess_of<double>(entry.relation, row.value - printed) - room;
}

/// A fraction that is easily read, or a decimal that reads back to the same double.
std::string number_text(const AnswerRow& row) {
  constexpr std::size_t kLongest = 13;
  const std::string fraction = row.exact ? to_text(*row.exact) : "";
  return !fraction.empty() && fraction.size() <= kLongest ? fraction : fmt::format("{}", row.value);
}

void check_value(const Expected& entry, ExpectedResult& result) {
  std::size_t met = 0;
  double furthest = 0;
  for (const ChosenRow& chosen : result.rows) {
    const double away = distance(entry, chosen.row);
    if (away <= 0) ++met;
    if (result.furthest == nullptr || away > furthest) {
      furthest = away;
      result.furthest = &chosen.row;
    }
  }
  result.verdict = met == result.rows.size() ? ExpectedVerdict::met : ExpectedVerdict::unmet;
  result.detail = fmt::format("{} {} {}", number_text(*result.furthest),
                              relation_name(entry.relation), entry.printed);
  if (entry.tolerance > 0) result.detail += " +- " + entry.tolerance_text;
  if (result.rows.size() > 1) {
    result.detail += fmt::format(" (the furthest of {} rows; {} meet it)", result.rows.size(), met);
  }
}

/// The text that a row has at a coordinate, or "".
std::string coordinate_text(const Expected& entry, const ChosenRow& chosen) {
  const TaskPlace& place = *chosen.place;
  if (entry.along == "gamma") return place.gamma;
  if (entry.along == "horizon") return place.horizon;
  if (entry.along == "iterations") return place.iterations;
  if (entry.along == "index") return chosen.row.index;
  if (entry.along == "trials") return place.trials ? std::to_string(*place.trials) : "";
  const std::string* value = find_variable(place.vary, entry.along);
  return value == nullptr ? "" : *value;
}

/// The number that a row stands at along a coordinate.
Rational coordinate(const Experiment& experiment, const Expected& entry, const ChosenRow& chosen) {
  const std::string text = coordinate_text(entry, chosen);
  if (text.empty()) {
    throw InputError(line_text(experiment, entry.line) + "there is no coordinate '" +
                     abbreviate(entry.along) +
                     "'; a trend runs along gamma, horizon, iterations, index, trials or a "
                     "variable");
  }
  try {
    return parse_rational(text);
  } catch (const InputError&) {
    throw InputError(fmt::format("{}'{}' of {} is no number to follow a trend along",
                                 line_text(experiment, entry.line), text, entry.along));
  }
}

/// Names the series of a row: all its coordinates but the one the trend runs along.
std::string series_of(const Expected& entry, const ChosenRow& chosen) {
  const TaskPlace& place = *chosen.place;
  std::string text = place.pair_template + "|" + place.verifier_template;
  const auto add = [&](const std::string& name, const std::string& value) {
    if (name != entry.along) text += fmt::format("|{}={}", name, value);
  };
  for (const auto& [name, value] : place.vary) add(name, value);
  add("gamma", place.gamma);
  add("horizon", place.horizon);
  add("iterations", place.iterations);
  add("index", chosen.row.index);
  add("trials", place.trials ? std::to_string(*place.trials) : "");
  return text;
}

void check_trend(const Experiment& experiment, const Expected& entry, ExpectedResult& result) {
  std::map<std::string, std::vector<std::pair<Rational, const AnswerRow*>>> series;
  for (const ChosenRow& chosen : result.rows) {
    series[series_of(entry, chosen)].emplace_back(coordinate(experiment, entry, chosen),
                                                  &chosen.row);
  }
  const double sign = entry.trend == "increases" ? 1 : -1;
  std::size_t steps = 0, followed = 0, whole = 0;
  for (auto& [name, rows] : series) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    if (rows.size() < 2) {
      throw InputError(line_text(experiment, entry.line) + "a trend needs two rows along " +
                       entry.along);
    }
    bool all = true;
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const double noise = std::hypot(slack(*rows[i - 1].second), slack(*rows[i].second));
      const double change = sign * (rows[i].second->value - rows[i - 1].second->value);
      const bool follows = change > 0 || (noise > 0 && change > -noise);
      ++steps;
      if (follows) ++followed;
      all = all && follows;
    }
    if (all) ++whole;
  }
  result.verdict = whole == series.size() ? ExpectedVerdict::met : ExpectedVerdict::unmet;
  result.detail =
      fmt::format("in {} of {} series, {} of {} steps", whole, series.size(), followed, steps);
}

}  // namespace

std::string_view expected_verdict_name(ExpectedVerdict verdict) {
  constexpr std::array<std::string_view, 4> names{"met", "explained", "unmet", "not run"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<ExpectedResult> check_expected(const Experiment& experiment,
                                           const std::vector<TaskRows>& results, bool quick) {
  std::vector<ExpectedResult> checked;
  checked.reserve(experiment.expected.size());
  for (const Expected& entry : experiment.expected) {
    ExpectedResult& result = checked.emplace_back();
    result.entry = &entry;
    if (left_out(experiment, entry.rows.get("task"), quick)) {
      result.verdict = ExpectedVerdict::not_run;
      continue;
    }
    result.rows = choose(entry.rows, results);
    if (result.rows.empty()) {
      throw InputError(line_text(experiment, entry.line) + "[[expected]] chooses no row");
    }
    if (entry.value) {
      check_value(entry, result);
    } else {
      check_trend(experiment, entry, result);
    }
    if (result.verdict == ExpectedVerdict::unmet && !entry.explanation.empty()) {
      result.verdict = ExpectedVerdict::explained;
    }
  }
  return checked;
}

}  // namespace speclab
