#include "report/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json.h"
#include "base/text.h"
#include "report/csv.h"
#include "report/listing.h"
#include "report/number.h"
#include "report/page.h"
#include "report/text_table.h"
#include "report/xml.h"

namespace speclab {
namespace {

/// With more cases than these the table shows those with findings alone.
constexpr std::size_t kCasesInFull = 40;

std::string verdict(const AuditReport& report) { return report.passed() ? "pass" : "fail"; }

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
    lines.emplace_back("no known fault was held against it: a pass says little");
  }
  if (report.share_of_optimum) {
    lines.push_back(fmt::format("accepted tokens: {:.4f} of the most that their class allows",
                                *report.share_of_optimum));
  }
  return lines;
}

std::string title(const AuditReport& report) {
  return fmt::format("{}, mode {}, seed {}: {}", report.rule, mode_name(report.mode), report.seed,
                     verdict(report));
}

std::string case_table(std::span<const AuditCase> cases, const AuditReport* report) {
  TextTable table(report != nullptr ? "lrrrlrrr" : "lrrrlrr");
  std::vector<std::string> head{"case", "V", "gamma", "drafts", "drafted", "decisions"};
  if (report != nullptr) head.emplace_back("findings");
  head.emplace_back("faults shown");
  table.head(std::move(head));
  std::size_t left_out = 0;
  for (const AuditCase& each : cases) {
    if (report != nullptr && cases.size() > kCasesInFull && findings_of(*report, each).empty()) {
      ++left_out;
      continue;
    }
    std::vector<std::string> row{each.name,
                                 std::to_string(each.vocabulary),
                                 std::to_string(each.gamma),
                                 std::to_string(each.drafts),
                                 drafted_text(each),
                                 std::to_string(each.trials)};
    if (report != nullptr) row.push_back(std::to_string(findings_of(*report, each).size()));
    row.push_back(std::to_string(each.shows.size()));
    table.add(std::move(row));
  }
  if (left_out == cases.size()) return fmt::format("  {} cases without a finding\n", left_out);
  return table.text("  ") +
         (left_out > 0 ? fmt::format("  and {} cases without a finding\n", left_out) : "");
}

std::string table(const AuditReport& report) {
  std::string text = title(report) + "\n";
  for (const std::string& line : worth(report)) text += "  " + line + "\n";
  if (!report.findings.empty()) text += "\nfindings\n";
  for (const AuditFinding& finding : report.findings) {
    text += fmt::format("  {}: {}\n", finding.case_name, finding_text(finding));
  }
  text += "\n" + case_table(report.cases, &report);
  if (!report.unseen.empty()) text += "\nfaults that this mode cannot show\n";
  for (const UnseenFault& fault : report.unseen) {
    text += fmt::format("  {}: {}\n", fault.verifier, fault.reason);
  }
  return text;
}

Json optional(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json cases_json(std::span<const AuditCase> cases) {
  Json all = Json::array();
  for (const AuditCase& each : cases) {
    all.push_back({{"case", each.name},
                   {"pair", read_json(each.pair)},
                   {"vocabulary", each.vocabulary},
                   {"gamma", each.gamma},
                   {"drafts", each.drafts},
                   {"drafted", each.drafted},
                   {"trials", each.trials},
                   {"shows", each.shows}});
  }
  return all;
}

std::string json(const AuditReport& report) {
  Json findings = Json::array();
  for (const AuditFinding& finding : report.findings) {
    findings.push_back(
        {{"case", finding.case_name},
         {"decision", finding.decision},
         {"detail", finding.detail},
         {"tv", finding.tv},
         {"p_value", finding.p_value},
         {"resembles", finding.resembles.empty() ? Json(nullptr) : Json(finding.resembles)}});
  }
  Json unseen = Json::array();
  for (const UnseenFault& fault : report.unseen) {
    unseen.push_back({{"verifier", fault.verifier}, {"reason", fault.reason}});
  }
  return json_text(Json{{"schema", 2},
                        {"rule", report.rule},
                        {"mode", mode_name(report.mode)},
                        {"seed", report.seed},
                        {"verdict", verdict(report)},
                        {"trials", report.trials},
                        {"false_alarm", report.false_alarm},
                        {"least_power", optional(report.least_power)},
                        {"share_of_optimum", optional(report.share_of_optimum)},
                        {"cases", cases_json(report.cases)},
                        {"findings", std::move(findings)},
                        {"shown", report.shown},
                        {"unseen", std::move(unseen)}});
}

std::string csv(const AuditReport& report) {
  using Row = std::array<std::string, 9>;
  std::string text = csv_line(
      Row{"rule", "mode", "seed", "case", "decision", "detail", "tv", "p_value", "resembles"});
  const std::string mode(mode_name(report.mode)), seed = std::to_string(report.seed);
  for (const AuditCase& each : report.cases) {
    const auto found = findings_of(report, each);
    if (found.empty()) {
      text += csv_line(Row{report.rule, mode, seed, each.name, "", "", "", "", ""});
    }
    for (const AuditFinding* finding : found) {
      text += csv_line(Row{report.rule, mode, seed, each.name, finding->decision, finding->detail,
                           shortest(finding->tv), shortest(finding->p_value), finding->resembles});
    }
  }
  return text;
}

/// The time of so many decisions.
std::string time_attribute(const AuditReport& report, std::optional<double> seconds,
                           std::uint64_t decisions) {
  if (!seconds || report.trials == 0) return "";
  const double share = static_cast<double>(decisions) / static_cast<double>(report.trials);
  return fmt::format(" time=\"{:.3f}\"", *seconds * share);
}

std::string junit(const AuditReport& report, std::optional<double> seconds) {
  std::string cases;
  std::size_t failures = 0;
  for (const AuditCase& each : report.cases) {
    const auto found = findings_of(report, each);
    cases += fmt::format("  <testcase classname=\"{}\" name=\"{}\"{}>\n", xml_text(report.rule),
                         xml_text(each.name), time_attribute(report, seconds, each.trials));
    if (!found.empty()) {
      ++failures;
      std::string all;
      for (const AuditFinding* finding : found) all += finding_text(*finding) + "\n";
      cases += fmt::format("   <failure message=\"{}\">{}</failure>\n",
                           xml_text(finding_text(*found.front())), xml_text(all));
    }
    cases += fmt::format(
        "   <system-out>{}</system-out>\n  </testcase>\n",
        xml_text(fmt::format("V = {}, gamma = {}, drafts {}: {}, {} decisions", each.vocabulary,
                             each.gamma, each.drafts, drafted_text(each), each.trials)));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite name=\"speclab audit "
      "{}\" tests=\"{}\" failures=\"{}\"{}>\n{} </testsuite>\n</testsuites>\n",
      xml_text(report.rule), report.cases.size(), failures,
      time_attribute(report, seconds, report.trials), cases);
}

std::string markdown(const AuditReport& report) {
  std::string text = fmt::format("# Audit: {}\n\n", title(report));
  for (const std::string& line : worth(report)) text += "- " + line + "\n";
  if (!report.findings.empty()) {
    text += "\n| Case | Decision | What is off | TV | p | Fits |\n|---|---|---|---|---|---|\n";
  }
  for (const AuditFinding& finding : report.findings) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", markdown_cell(finding.case_name),
                        markdown_cell(finding.decision), markdown_cell(finding.detail),
                        readable(finding.tv), chance_text(finding.p_value),
                        markdown_cell(finding.resembles));
  }
  text +=
      "\n| Case | V | gamma | Drafts | Drafted | Decisions | Findings "
      "|\n|---|--:|--:|--:|---|--:|--:|\n";
  for (const AuditCase& each : report.cases) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", markdown_cell(each.name),
                        each.vocabulary, each.gamma, each.drafts, drafted_text(each), each.trials,
                        findings_of(report, each).size());
  }
  if (!report.unseen.empty()) text += "\nFaults that this mode cannot show:\n\n";
  for (const UnseenFault& fault : report.unseen) {
    text += fmt::format("- `{}`: {}\n", fault.verifier, fault.reason);
  }
  return text;
}

}  // namespace

std::string render(const AuditReport& report, AuditFormat format, std::optional<double> seconds) {
  switch (format) {
    case AuditFormat::table:
      return folded(table(report));
    case AuditFormat::json:
      return json(report);
    case AuditFormat::csv:
      return csv(report);
    case AuditFormat::junit:
      return junit(report, seconds);
    case AuditFormat::markdown:
      return markdown(report);
  }
  return "";
}

std::string render(std::span<const AuditCase> cases, AuditFormat format) {
  if (format == AuditFormat::json)
    return json_text(Json{{"schema", 2}, {"cases", cases_json(cases)}});
  return case_table(cases, nullptr);
}

}  // namespace speclab
