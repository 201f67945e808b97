#include "audit/document_findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json.h"
#include "document/document.h"
#include "document/number.h"
#include "document/shell.h"

namespace speclab {
namespace {

std::string chance_text(double p_value) {
  return p_value > 0 ? fmt::format("p = {:.2g}", p_value) : "p < 1e-300";
}

/// A law as JSON has it: "(1/2,1/2)", or "31: 1/4, 32: 3/4" of a large vocabulary.
std::string row_text(const Json& row) {
  std::string text;
  if (row.is_object()) {
    for (const auto& [token, entry] : row.items()) {
      text += (text.empty() ? "" : ", ") + token + ": " + cell_text(entry);
    }
    return text;
  }
  for (const Json& entry : row) {
    text +=
        (text.empty() ? "" : ",") + (entry.is_string() ? entry.get<std::string>() : entry.dump());
  }
  return "(" + text + ")";
}

/// The laws that a case's drafts meet, a row a prefix; of drawn drafts the first.
TextTable laws_table(const AuditCase& each) {
  TextTable table{"lll", {"after", "draft", "target"}};
  const Json pair = read_json(each.pair);
  if (!pair.contains("draft") || !pair.contains("target")) return table;
  if (!pair.at("draft").is_object()) {
    table.add({"", row_text(pair.at("draft")), row_text(pair.at("target"))});
    return table;
  }
  std::vector<std::string> prefixes{""};
  for (const auto& chain : each.drafted) {
    std::string prefix;
    for (const Token x : chain) {
      prefix += (prefix.empty() ? "" : ",") + std::to_string(x);
      if (std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end()) {
        prefixes.push_back(prefix);
      }
    }
  }
  for (const std::string& prefix : prefixes) {
    table.add({"(" + prefix + ")", row_text(pair.at("draft").at(prefix)),
               row_text(pair.at("target").at(prefix))});
  }
  return table;
}

/// The findings of one case and the command that asks it again; with its laws and counts where it
/// is shown in full.
void add_case_findings(Page& page, const AuditReport& report, const AuditCase& each,
                       const RerunCommand& rerun, bool full) {
  const auto found = findings_of(report, each);
  if (found.empty()) return;
  page += fmt::format("  {}: drafted {}, gamma {}\n", each.name, drafted_text(each), each.gamma);
  for (const AuditFinding* finding : found) page += "    " + finding_text(*finding) + "\n";
  if (full) page += laws_table(each);
  for (const AuditFinding* finding : found) {
    if (!full || finding->counts.empty()) continue;
    TextTable table{"lrr", {std::string(decision_name(finding->kind)), "law", "seen"}};
    for (const OutcomeCount& count : finding->counts) {
      table.add({count.outcome, fmt::format("{:.6g}", count.law),
                 fmt::format("{:.6g}",
                             static_cast<double>(count.seen) / static_cast<double>(each.trials))});
    }
    page += std::move(table);
  }
  if (rerun) page += "    this case again:\n" + shell_lines(rerun(each.number), "      ");
}

}  // namespace

std::string drafted_text(const AuditCase& each) {
  std::string text;
  for (const auto& chain : each.drafted) {
    text += fmt::format("{}[{}]", text.empty() ? "" : " ", fmt::join(chain, ","));
  }
  return text.empty() ? "drawn" : text;
}

std::string finding_text(const AuditFinding& finding) {
  return fmt::format("{}: {} (TV {}, {})", finding.decision, finding.detail, readable(finding.tv),
                     chance_text(finding.p_value));
}

std::vector<const AuditFinding*> findings_of(const AuditReport& report, const AuditCase& each) {
  std::vector<const AuditFinding*> found;
  for (const AuditFinding& finding : report.findings) {
    if (finding.case_name == each.name) found.push_back(&finding);
  }
  return found;
}

Page finding_page(const AuditReport& report, bool markdown, const RerunCommand& rerun) {
  Page page;
  if (report.findings.empty()) return page;
  page += markdown ? "\n" : "\nfindings\n";
  if (!markdown) {
    constexpr std::size_t kCasesWithLaws = 3;
    std::size_t shown = 0;
    for (const AuditCase& each : report.cases) {
      const bool any = !findings_of(report, each).empty();
      if (any) add_case_findings(page, report, each, rerun, shown++ < kCasesWithLaws);
    }
    return page;
  }
  TextTable table{"llllll", {"Case", "Decision", "What is off", "TV", "p", "Fits"}};
  for (const AuditFinding& finding : report.findings) {
    table.add({finding.case_name, finding.decision, finding.detail, finding.tv,
               chance_text(finding.p_value), finding.resembles});
  }
  return page += table;
}

}  // namespace speclab
