#include "experiment/expected.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "answer/comparison.h"
#include "base/error.h"
#include "experiment/trend.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

double slack(const AnswerRow& row) { return kExpectedErrors * row.standard_error.value_or(0); }

/// How far a difference result - printed stands against the relation.
template <class Real>
Real excess_of(Relation relation, const Real& difference) {
  if (relation == Relation::at_most) return difference;
  return relation == Relation::at_least || difference < 0 ? Real(-difference) : difference;
}

/// How far a row is from meeting the entry, its errors left out of account; at most 0 where it
/// does.
double distance(const Expected& entry, const AnswerRow& row) {
  if (row.exact) {
    const Rational excess =
        excess_of<Rational>(entry.relation, Rational(*row.exact - *entry.value));
    return to_double(Rational(excess - entry.tolerance));
  }
  const double printed = to_double(*entry.value);
  const double room = to_double(entry.tolerance) + kExpectedRounding * std::abs(printed);
  return excess_of<double>(entry.relation, row.value - printed) - room;
}

/// A fraction that is easily read, or a decimal that reads back to the same double.
std::string number_text(const AnswerRow& row) {
  constexpr std::size_t kLongest = 13;
  const std::string fraction = row.exact ? to_text(*row.exact) : "";
  return !fraction.empty() && fraction.size() <= kLongest ? fraction : fmt::format("{}", row.value);
}

/// What a row shows. An equality that is not refuted is taken to hold, unless the file explains
/// that it does not: then it is open up to where the whole interval lies within the tolerance.
Said said_of(const Expected& entry, const AnswerRow& row) {
  const double away = distance(entry, row), noise = row.exact ? 0 : slack(row);
  if (!(away <= noise)) return Said::no;  // nor does what is no number meet an entry
  const bool taken = entry.relation == Relation::equals && entry.explanation.empty();
  return taken || away <= -noise ? Said::yes : Said::open;
}

Said check_value(ExpectedResult& result) {
  const Expected& entry = *result.entry;
  std::size_t met = 0;
  bool against = false;
  double furthest = 0, widest = 0;
  for (const ChosenRow& chosen : result.rows) {
    check_interrupted();
    const Said said = said_of(entry, chosen.row);
    if (said == Said::yes) ++met;
    against = against || said == Said::no;
    widest = std::max(widest, chosen.row.standard_error.value_or(0));
    const double away = distance(entry, chosen.row) - slack(chosen.row);
    if (result.furthest == nullptr || away > furthest) {
      furthest = away;
      result.furthest = &chosen.row;
    }
  }
  result.detail = fmt::format("{} {} {}", number_text(*result.furthest),
                              relation_name(entry.relation), entry.printed);
  if (entry.tolerance > 0) result.detail += " +- " + entry.tolerance_text;
  if (result.rows.size() > 1) {
    result.detail += fmt::format(" (the furthest of {} rows; {} meet it)", result.rows.size(), met);
  }
  if (widest > 0) {
    result.detail += fmt::format("; a difference of {:.2g} is seen with power {}",
                                 kSeenErrors * widest, kExpectedPower);
  }
  return against ? Said::no : met == result.rows.size() ? Said::yes : Said::open;
}

ExpectedVerdict verdict_of(Said said, bool explained) {
  if (said == Said::open) return ExpectedVerdict::undecided;
  if (said == Said::yes)
    return explained ? ExpectedVerdict::unexpected : ExpectedVerdict::reproduced;
  return explained ? ExpectedVerdict::explained : ExpectedVerdict::not_reproduced;
}

}  // namespace

std::string_view expected_verdict_name(ExpectedVerdict verdict) {
  constexpr std::array<std::string_view, 6> names{"reproduced",     "not reproduced (explained)",
                                                  "not reproduced", "unexpectedly reproduced",
                                                  "undecided",      "not run"};
  return names[static_cast<std::size_t>(verdict)];
}

bool fails(ExpectedVerdict verdict) {
  return verdict == ExpectedVerdict::not_reproduced || verdict == ExpectedVerdict::unexpected;
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
    const Said said = at_line(experiment, entry.line, [&] {
      if (result.rows.empty()) throw InputError("[[expected]] chooses no row");
      return entry.value ? check_value(result) : follow_trend(result);
    });
    result.verdict = verdict_of(said, !entry.explanation.empty());
  }
  return checked;
}

std::vector<AuditResult> check_audits(const Experiment& experiment) {
  std::vector<AuditResult> checked;
  for (const TableAudit& entry : experiment.audits) {
    AuditResult& result = checked.emplace_back();
    result.found =
        at_line(experiment, entry.line, [&] { return audit_table(entry, experiment.tables); });
    result.verdict =
        verdict_of(result.found.holds ? Said::yes : Said::no, !entry.explanation.empty());
  }
  return checked;
}

std::vector<CalibratedResult> check_calibrated(const Experiment& experiment,
                                               const std::vector<TaskRows>& results, bool quick) {
  std::vector<CalibratedResult> checked;
  for (const Calibrated& entry : experiment.calibrated) {
    if (left_out(experiment, entry.rows.get("task"), quick)) continue;
    std::vector<CalibratedResult> made = at_line(
        experiment, entry.line, [&] { return calibrate(entry, experiment.tables, results); });
    std::ranges::move(made, std::back_inserter(checked));
  }
  return checked;
}

std::vector<PrintedResult> place_printed(const Experiment& experiment,
                                         const std::vector<TaskRows>& results, bool quick) {
  std::vector<PrintedResult> placed;
  for (const Printed& entry : experiment.printed) {
    PrintedResult& result = placed.emplace_back();
    result.entry = &entry;
    if (!left_out(experiment, entry.rows.get("task"), quick)) {
      result.rows = choose(entry.rows, results);
    }
  }
  return placed;
}

Checked check_entries(const Experiment& experiment, const std::vector<TaskRows>& results,
                      bool quick) {
  return {check_expected(experiment, results, quick), place_printed(experiment, results, quick),
          check_audits(experiment), check_calibrated(experiment, results, quick)};
}

}  // namespace speclab
