#include "audit/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "document/number.h"

namespace speclab {
namespace {

/// With more cases than these the table shows those with findings alone.
constexpr std::size_t kCasesInFull = 40;

std::string verdict_word(const AuditReport& report) { return report.passed() ? "pass" : "fail"; }

/// "[0,1] [1,1]": the chains of a case.
std::string drafted_text(const AuditCase& each) {
  std::string text;
  for (const auto& chain : each.drafted) {
    text += fmt::format("{}[{}]", text.empty() ? "" : " ", fmt::join(chain, ","));
  }
  return text.empty() ? "drawn" : text;
}

std::string chance_text(double p_value) {
  return p_value > 0 ? fmt::format("p = {:.2g}", p_value) : "p < 1e-300";
}

std::string finding_text(const AuditFinding& finding) {
  return fmt::format(
      "{}: {} (TV {}, {}){}", finding.decision, finding.detail, readable(finding.tv),
      chance_text(finding.p_value),
      finding.resembles.empty() ? "" : fmt::format("; it fits {}", finding.resembles));
}

std::vector<const AuditFinding*> findings_of(const AuditReport& report, const AuditCase& each) {
  std::vector<const AuditFinding*> found;
  for (const AuditFinding& finding : report.findings) {
    if (finding.case_name == each.name) found.push_back(&finding);
  }
  return found;
}

/// What the verdict is worth, a line each.
std::vector<std::string> worth(const AuditReport& report) {
  std::vector<std::string> lines{
      fmt::format("{} cases, {} decisions", report.cases.size(), report.trials)};
  lines.push_back(report.false_alarm > 0
                      ? fmt::format("a right implementation fails with probability at most {:.2g}",
                                    report.false_alarm)
                      : "a right implementation cannot fail: nothing is left to chance");
  if (report.least_power) {
    // Cut, so that a power next to 1 is not shown as certainty.
    const double cut = std::min(std::floor(*report.least_power * 1e6) / 1e6, 1 - 1e-6);
    lines.push_back(fmt::format("each of {} known faults is found with probability at least {:.6f}",
                                report.shown.size(), cut));
  } else if (!report.shown.empty()) {
    lines.push_back(fmt::format("known faults that are found: {}", report.shown.size()));
  } else {
    lines.emplace_back("no known fault was checked against it: a pass says little");
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
      "lrrrlrrr",
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
    Cells row{each.name,
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

Page finding_page(const AuditReport& report, bool markdown) {
  Page page;
  if (report.findings.empty()) return page;
  page += markdown ? "\n" : "\nfindings\n";
  TextTable table{"llllll", {"Case", "Decision", "What is off", "TV", "p", "Fits"}};
  for (const AuditFinding& finding : report.findings) {
    if (markdown) {
      table.add({finding.case_name, finding.decision, finding.detail, finding.tv,
                 chance_text(finding.p_value), finding.resembles});
    } else {
      page += fmt::format("  {}: {}\n", finding.case_name, finding_text(finding));
    }
  }
  return markdown ? page += table : page;
}

Page audit_page(const AuditReport& report, bool markdown) {
  Page page;
  page +=
      fmt::format("{}{}, mode {}, seed {}: {}\n{}", markdown ? "# Audit: " : "", report.rule,
                  mode_name(report.mode), report.seed, verdict_word(report), markdown ? "\n" : "");
  for (const std::string& line : worth(report)) page += (markdown ? "- " : "  ") + line + "\n";
  page += finding_page(report, markdown);
  page += "\n";
  page += case_page(report.cases, &report, markdown);
  if (report.unseen.empty()) return page;
  page += markdown ? "\nFaults that this mode cannot show:\n\n"
                   : "\nfaults that this mode cannot show\n";
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
  const auto finding_json = [](const AuditFinding& finding) -> Json {
    return {{"case", finding.case_name},
            {"decision", finding.decision},
            {"detail", finding.detail},
            {"tv", finding.tv},
            {"p_value", finding.p_value},
            {"resembles", finding.resembles.empty() ? Json() : finding.resembles}};
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
          {"unseen", json_of(report.unseen, unseen_json)}};
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

Document audit_document(const AuditReport& report, std::optional<double> seconds) {
  return {.name = "audit",
          .columns = {"rule", "mode", "seed", "case", "decision", "detail", "tv", "p_value",
                      "resembles"},
          .rows = [&report](const AddRow& add) { add_findings(report, add); },
          .data = [&report] { return audit_json(report); },
          .text = [&report] { return audit_page(report, false); },
          .page = [&report] { return audit_page(report, true); },
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
