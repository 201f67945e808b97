#include "run_expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "report/csv.h"
#include "report/number.h"

namespace speclab {
namespace {

std::string place_of(const Experiment& experiment, const Expected& entry) {
  return experiment.path + ":" + std::to_string(entry.line) + ": ";
}

double slack(const ResultRow& row) { return kExpectedErrors * row.standard_error.value_or(0); }

void check_value(const Experiment& experiment, const Expected& entry, ExpectedResult& result) {
  if (result.rows.empty()) {
    throw InputError(place_of(experiment, entry) + "[[expected]] chooses no row");
  }
  std::size_t met = 0;
  double furthest = 0;
  for (const ChosenRow& chosen : result.rows) {
    const ResultRow& row = *chosen.row;
    const double room = entry.tolerance + slack(row) + 1e-12 * std::abs(*entry.value);
    const double difference = row.value - *entry.value;
    const double excess = entry.relation == Relation::at_most    ? difference
                          : entry.relation == Relation::at_least ? -difference
                                                                 : std::abs(difference);
    if (excess <= room) ++met;
    if (result.furthest == nullptr || excess - room > furthest) {
      furthest = excess - room;
      result.furthest = &row;
    }
  }
  result.verdict = met == result.rows.size() ? ExpectedVerdict::met : ExpectedVerdict::unmet;
  result.detail = fmt::format("{} {} {}", shortest(result.furthest->value),
                              relation_name(entry.relation), shortest(*entry.value));
  if (entry.tolerance > 0) result.detail += " +- " + shortest(entry.tolerance);
  if (result.rows.size() > 1) {
    result.detail += fmt::format(" (the furthest of {} rows; {} meet it)", result.rows.size(), met);
  }
}

/// The number that a row stands at along a coordinate.
double coordinate(const Experiment& experiment, const Expected& entry, const ChosenRow& chosen) {
  const TaskRows& place = *chosen.place;
  if (entry.along == "gamma" && place.gamma) return *place.gamma;
  if (entry.along == "horizon" && place.horizon) return *place.horizon;
  if (entry.along == "index" && !chosen.row->index.empty()) return std::stod(chosen.row->index);
  for (const auto& [name, value] : place.vary) {
    if (name != entry.along) continue;
    try {
      return to_double(parse_rational(value));
    } catch (const InputError&) {
      throw InputError(fmt::format("{}'{}' of {} is no number to follow a trend along",
                                   place_of(experiment, entry), value, name));
    }
  }
  throw InputError(place_of(experiment, entry) + "there is no coordinate '" + entry.along +
                   "'; a trend runs along gamma, horizon, index or a variable");
}

/// Names the series of a row: all its coordinates but the one the trend runs along.
std::string series_of(const Expected& entry, const ChosenRow& chosen) {
  const TaskRows& place = *chosen.place;
  std::string text = place.pair_template + "|" + place.verifier_template;
  for (const auto& [name, value] : place.vary) {
    if (name != entry.along) text += fmt::format("|{}={}", name, value);
  }
  if (entry.along != "gamma" && place.gamma) text += "|gamma=" + gamma_text(*place.gamma);
  if (entry.along != "horizon" && place.horizon) text += fmt::format("|horizon={}", *place.horizon);
  if (entry.along != "index") text += "|index=" + chosen.row->index;
  return text;
}

void check_trend(const Experiment& experiment, const Expected& entry, ExpectedResult& result) {
  if (result.rows.empty()) {
    throw InputError(place_of(experiment, entry) + "[[expected]] chooses no row");
  }
  std::map<std::string, std::vector<std::pair<double, const ResultRow*>>> series;
  for (const ChosenRow& chosen : result.rows) {
    series[series_of(entry, chosen)].emplace_back(coordinate(experiment, entry, chosen),
                                                  chosen.row);
  }
  const double sign = entry.trend == "increases" ? 1 : -1;
  std::size_t steps = 0, followed = 0, whole = 0;
  for (auto& [name, rows] : series) {
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    if (rows.size() < 2) {
      throw InputError(place_of(experiment, entry) + "a trend needs two rows along " + entry.along);
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

/// The field that all rows share, or "".
template <class Field>
std::string shared(const std::vector<ChosenRow>& rows, Field&& field) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string own = field(*rows[i].place);
    if (i > 0 && own != text) return "";
    text = own;
  }
  return text;
}

std::string vary_text(const TaskRows& place) {
  std::string text;
  for (const auto& [name, value] : place.vary) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  }
  return text;
}

}  // namespace

std::string_view expected_verdict_name(ExpectedVerdict verdict) {
  switch (verdict) {
    case ExpectedVerdict::met:
      return "met";
    case ExpectedVerdict::explained:
      return "explained";
    case ExpectedVerdict::unmet:
      return "unmet";
    case ExpectedVerdict::not_run:
      return "not run";
  }
  return "";
}

std::vector<ExpectedResult> check_expected(const Experiment& experiment,
                                           const std::vector<TaskRows>& results, bool quick) {
  std::vector<ExpectedResult> checked;
  for (const Expected& entry : experiment.expected) {
    ExpectedResult result;
    result.entry = &entry;
    if (left_out(experiment, entry.rows.task, quick)) {
      result.verdict = ExpectedVerdict::not_run;
    } else {
      result.rows = choose(entry.rows, results);
      if (entry.value) {
        check_value(experiment, entry, result);
      } else {
        check_trend(experiment, entry, result);
      }
      if (result.verdict == ExpectedVerdict::unmet && !entry.explanation.empty()) {
        result.verdict = ExpectedVerdict::explained;
      }
    }
    checked.push_back(std::move(result));
  }
  return checked;
}

std::string expected_csv(const Experiment& experiment, const std::vector<ExpectedResult>& results) {
  std::string text =
      "experiment,line,source,task,pair,verifier,vary,gamma,horizon,quantity,index,claim,relation,"
      "along,printed,tolerance,ours,stderr,verdict,detail,explanation\n";
  for (const ExpectedResult& result : results) {
    const Expected& entry = *result.entry;
    const ResultRow* row = result.furthest;
    const std::string fields[] = {
        experiment.id,
        std::to_string(entry.line),
        entry.source,
        entry.rows.task,
        shared(result.rows, [](const TaskRows& place) { return place.pair; }),
        shared(result.rows, [](const TaskRows& place) { return place.verifier; }),
        shared(result.rows, vary_text),
        shared(result.rows,
               [](const TaskRows& p) { return p.gamma ? gamma_text(*p.gamma) : std::string(); }),
        shared(result.rows,
               [](const TaskRows& p) {
                 return p.horizon ? std::to_string(*p.horizon) : std::string();
               }),
        entry.rows.quantity,
        entry.rows.index.value_or(""),
        entry.rows.claim.value_or(""),
        entry.value ? std::string(relation_name(entry.relation)) : entry.trend,
        entry.along,
        entry.value ? shortest(*entry.value) : "",
        entry.value ? shortest(entry.tolerance) : "",
        row != nullptr ? shortest(row->value) : "",
        row != nullptr && row->standard_error ? shortest(*row->standard_error) : "",
        std::string(expected_verdict_name(result.verdict)),
        result.detail,
        entry.explanation};
    text += csv_line(fields);
  }
  return text;
}

}  // namespace speclab
