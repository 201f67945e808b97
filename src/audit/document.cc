#include "audit/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "audit/document_findings.h"

namespace speclab {
namespace {

/// With more cases than these the table shows those with findings alone.
constexpr std::size_t kCasesInFull = 40;

std::string verdict_word(const AuditReport& report) { return report.passed() ? "pass" : "fail"; }

/// "accepted lengths right in 23 of 23 cases; corrections wrong in 9 of 23".
std::string summary_text(const AuditReport& report) {
  std::string text;
  for (const DecisionSummary& each : report.summary) {
    const std::string name(decision_name(each.kind));
    const bool several = each.kind == DecisionKind::tokens || each.kind == DecisionKind::bonus ||
                         each.kind == DecisionKind::dependence;
    text += text.empty() ? "" : "; ";
    text += name + (several ? "" : "s");
    text += each.wrong == 0 ? fmt::format(" right in {} of {}", each.cases, each.cases)
                            : fmt::format(" wrong in {} of {}", each.wrong, each.cases);
    if (text.find(" cases") == std::string::npos) text += " cases";
  }
  return text;
}

/// What fits every finding, or that nothing known does.
std::vector<std::string> hint_lines(const AuditReport& report) {
  std::vector<std::string> lines;
  if (report.passed()) return lines;
  if (!report.fitting.empty()) {
    lines.push_back(
        fmt::format("{} every finding: {}",
                    report.fitting.size() > 1 ? "known faults that fit" : "a known fault fits",
                    fmt::join(report.fitting, ", ")));
  } else if (!report.shown.empty()) {
    lines.emplace_back("no known fault fits every finding");
  }
  if (!report.readings.empty()) {
    lines.push_back(fmt::format("every wrong correction or bonus fits {}",
                                fmt::join(report.readings, ", or ")));
  }
  return lines;
}

/// The smallest fault of each class that these decisions show.
std::vector<std::string> smallest_lines(const AuditReport& report) {
  std::vector<std::string> lines;
  for (const SmallestFault& each : report.smallest) {
    std::string text = each.fault + ": ";
    if (each.seen == "yes") {
      text += "would have been found";
    } else if (each.unseen == "yes") {
      text += "would not have been found";
    } else if (each.seen.empty()) {
      text += fmt::format("not found up to {}", each.unseen);
    } else {
      text += fmt::format("found from {} on{}", each.seen,
                          each.unseen.empty() ? "" : fmt::format(", not at {}", each.unseen));
    }
    lines.push_back(text);
  }
  return lines;
}

/// The distances from the law that would have been seen, and what sees rounded rows.
std::vector<std::string> distance_lines(const AuditReport& report) {
  std::vector<std::string> lines;
  for (const SeenDistance& each : report.distances) {
    const std::string name(decision_name(each.kind));
    if (each.kind == DecisionKind::dependence) {
      lines.push_back(fmt::format(
          "dependence: seen where two decisions up to 64 apart agree more often by {:.2g}",
          each.best));
      continue;
    }
    lines.push_back(
        each.best < each.every
            ? fmt::format("{}: a law at a distance (TV) of {:.2g} is seen in every "
                          "case, of {:.2g} in the best one",
                          name, each.every, each.best)
            : fmt::format("{}: a law at a distance (TV) of {:.2g} is seen", name, each.best));
  }
  const bool rounding =
      std::any_of(report.smallest.begin(), report.smallest.end(), [](const SmallestFault& each) {
        return each.fault.starts_with("rows in ") && each.unseen == "yes";
      });
  if (rounding) {
    lines.emplace_back(
        "the mode uniforms shows rounded rows: there each decision is compared, 1e-6 from every "
        "threshold");
  }
  return lines;
}

/// What the verdict is worth, a line each.
std::vector<std::string> worth(const AuditReport& report) {
  std::vector<std::string> lines{fmt::format("{} case{}, {} decisions", report.cases.size(),
                                             report.cases.size() == 1 ? "" : "s", report.trials)};
  lines.push_back(report.false_alarm > 0
                      ? fmt::format("a right implementation fails with probability at most {:.2g}",
                                    report.false_alarm)
                      : "a right implementation cannot fail: nothing is left to chance");
  if (report.least_power) {
    // Cut, so that a power next to 1 is not shown as certainty.
    const double cut = std::min(std::floor(*report.least_power * 1e6) / 1e6, 1 - 1e-6);
    const double missed = 1 - *report.least_power;
    lines.push_back(fmt::format("each of {} known faults is found with probability at least {}",
                                report.shown.size(),
                                missed < 1e-6 && missed > 0 ? fmt::format("1 - {:.1e}", missed)
                                                            : fmt::format("{:.6f}", cut)));
  } else if (!report.shown.empty()) {
    lines.push_back(fmt::format("known faults that are found: {}", report.shown.size()));
  } else {
    lines.emplace_back("no known fault was checked against it: a pass says little");
  }
  for (const AuditCase& each : report.cases) {
    if (each.underflowed == 0) continue;
    lines.push_back(fmt::format(
        "{}: its law underflows: {} possible outcome{} of probability below {:.2g}, reported as "
        "never given",
        each.name, each.underflowed, each.underflowed == 1 ? "" : "s",
        std::numeric_limits<double>::min()));
  }
  if (report.share_of_optimum) {
    lines.push_back(fmt::format("accepted tokens: {:.4f} of the most that their class allows",
                                *report.share_of_optimum));
  }
  return lines;
}

/// @param report  null: the cases alone
Page case_page(const std::vector<AuditCase>& cases, const AuditReport* report, bool markdown) {
  TextTable table{
      "rrrrlrrr",
      {"case", "V", "gamma", "drafts", "drafted", "decisions", "findings", "faults shown"}};
  if (markdown) {
    table = {"lrrrlrr", {"Case", "V", "gamma", "Drafts", "Drafted", "Decisions", "Findings"}};
  }
  std::size_t left_out = 0;
  for (const AuditCase& each : cases) {
    const std::size_t found = report != nullptr ? findings_of(*report, each).size() : 0;
    if (report != nullptr && !markdown && cases.size() > kCasesInFull && found == 0) {
      ++left_out;
      continue;
    }
    Cells row{markdown ? Json(each.name) : Json(each.number),
              each.vocabulary,
              each.gamma,
              each.drafts,
              drafted_text(each),
              each.trials,
              report != nullptr ? Json(found) : Json()};
    if (!markdown) row.emplace_back(each.shows.size());
    table.add(row);
  }
  if (report == nullptr) table.head[6].clear();
  Page page;
  if (left_out < cases.size()) page += table;
  if (left_out > 0) {
    page += fmt::format("  {}{} cases without a finding\n", left_out < cases.size() ? "and " : "",
                        left_out);
  }
  return page;
}

Page audit_page(const AuditReport& report, bool markdown, const RerunCommand& rerun) {
  Page page;
  page +=
      fmt::format("{}{}, mode {}, seed {}: {}\n{}", markdown ? "# Audit: " : "", report.rule,
                  mode_name(report.mode), report.seed, verdict_word(report), markdown ? "\n" : "");
  const char* const item = markdown ? "- " : "  ";
  if (!report.summary.empty()) page += item + summary_text(report) + "\n";
  for (const std::string& line : hint_lines(report)) page += item + line + "\n";
  for (const std::string& line : worth(report)) page += item + line + "\n";
  for (const std::string& line : smallest_lines(report)) page += item + line + "\n";
  for (const std::string& line : distance_lines(report)) page += item + line + "\n";
  page += finding_page(report, markdown, rerun);
  page += "\n";
  page += case_page(report.cases, &report, markdown);
  if (report.unseen.empty()) return page;
  page += markdown ? "\nFaults that this audit cannot show:\n\n"
                   : "\nfaults that this audit cannot show\n";
  for (const UnseenFault& fault : report.unseen) {
    page += fmt::format(fmt::runtime(markdown ? "- `{}`: {}\n" : "  {}: {}\n"), fault.verifier,
                        fault.reason);
  }
  return page;
}

Json case_json(const AuditCase& each) {
  return {{"case", each.name},     {"pair", read_json(each.pair)}, {"vocabulary", each.vocabulary},
          {"gamma", each.gamma},   {"drafts", each.drafts},        {"drafted", each.drafted},
          {"trials", each.trials}, {"shows", each.shows}};
}

Json audit_json(const AuditReport& report) {
  const auto count_json = [](const OutcomeCount& count) -> Json {
    return {{"outcome", count.outcome}, {"law", count.law}, {"seen", count.seen}};
  };
  const auto finding_json = [&count_json](const AuditFinding& finding) -> Json {
    return {{"case", finding.case_name},
            {"decision", finding.decision},
            {"detail", finding.detail},
            {"tv", finding.tv},
            {"p_value", finding.p_value},
            {"resembles", finding.resembles.empty() ? Json() : finding.resembles},
            {"kind", decision_name(finding.kind)},
            {"counts", json_of(finding.counts, count_json)}};
  };
  const auto summary_json = [](const DecisionSummary& each) -> Json {
    return {{"kind", decision_name(each.kind)}, {"cases", each.cases}, {"wrong", each.wrong}};
  };
  const auto smallest_json = [](const SmallestFault& each) -> Json {
    return {{"fault", each.fault},
            {"found", each.seen.empty() ? Json() : each.seen},
            {"not_found", each.unseen.empty() ? Json() : each.unseen}};
  };
  const auto distance_json = [](const SeenDistance& each) -> Json {
    return {{"kind", decision_name(each.kind)}, {"best", each.best}, {"every", each.every}};
  };
  const auto unseen_json = [](const UnseenFault& fault) -> Json {
    return {{"verifier", fault.verifier}, {"reason", fault.reason}};
  };
  return {{"schema", kSchema},
          {"rule", report.rule},
          {"mode", mode_name(report.mode)},
          {"seed", report.seed},
          {"verdict", verdict_word(report)},
          {"trials", report.trials},
          {"false_alarm", report.false_alarm},
          {"least_power", report.least_power},
          {"share_of_optimum", report.share_of_optimum},
          {"cases", json_of(report.cases, case_json)},
          {"findings", json_of(report.findings, finding_json)},
          {"shown", report.shown},
          {"unseen", json_of(report.unseen, unseen_json)},
          {"summary", json_of(report.summary, summary_json)},
          {"fitting", report.fitting},
          {"smallest", json_of(report.smallest, smallest_json)},
          {"distances", json_of(report.distances, distance_json)}};
}

void add_findings(const AuditReport& report, const AddRow& add) {
  for (const AuditCase& each : report.cases) {
    const auto row = [&](const Json& decision, const Json& detail, const Json& tv,
                         const Json& p_value, const Json& resembles) {
      add({report.rule, mode_name(report.mode), report.seed, each.name, decision, detail, tv,
           p_value, resembles});
    };
    const auto found = findings_of(report, each);
    if (found.empty()) row({}, {}, {}, {}, {});
    for (const AuditFinding* finding : found) {
      row(finding->decision, finding->detail, finding->tv, finding->p_value, finding->resembles);
    }
  }
}

SuiteResult audit_suite(const AuditReport& report, std::optional<double> seconds) {
  if (report.trials == 0) seconds.reset();
  SuiteResult suite{"speclab audit " + report.rule, {}, seconds};
  for (const AuditCase& each : report.cases) {
    CaseResult result{report.rule, each.name, {}, "", "", seconds};
    if (seconds)
      *result.seconds *= static_cast<double>(each.trials) / static_cast<double>(report.trials);
    for (const AuditFinding* finding : findings_of(report, each)) {
      if (!result.failure) result.failure = finding_text(*finding);
      result.failures += finding_text(*finding) + "\n";
    }
    result.output = fmt::format("V = {}, gamma = {}, drafts {}: {}, {} decisions", each.vocabulary,
                                each.gamma, each.drafts, drafted_text(each), each.trials);
    suite.cases.push_back(std::move(result));
  }
  return suite;
}

}  // namespace

Document audit_document(const AuditReport& report, std::optional<double> seconds,
                        const RerunCommand& rerun) {
  return {.name = "audit",
          .columns = {"rule", "mode", "seed", "case", "decision", "detail", "tv", "p_value",
                      "resembles"},
          .rows = [&report](const AddRow& add) { add_findings(report, add); },
          .data = [&report] { return audit_json(report); },
          .text = [&report, rerun] { return audit_page(report, false, rerun); },
          .page = [&report] { return audit_page(report, true, {}); },
          .suite = [&report, seconds] { return audit_suite(report, seconds); }};
}

Document cases_document(const std::vector<AuditCase>& cases) {
  return {.data =
              [&cases] {
                return Json{{"schema", kSchema}, {"cases", json_of(cases, case_json)}};
              },
          .text = [&cases] { return case_page(cases, nullptr, false); }};
}

}  // namespace speclab
