#include "report/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/json.h"
#include "base/text.h"
#include "report/csv.h"
#include "report/listing.h"
#include "report/page.h"
#include "report/partial.h"
#include "report/xml.h"

namespace speclab {
namespace {

/// "exact, simulation": the methods of the evidence, in a fixed order; a proof that was not made is
/// none.
std::string methods(const ClaimResult& result) {
  std::vector<std::string> names;
  for (const Method method :
       {Method::proof, Method::exact, Method::simulation, Method::closed_form}) {
    if (std::any_of(result.evidence.begin(), result.evidence.end(), [method](const Evidence& e) {
          return e.method == method && (method != Method::proof || e.cells);
        })) {
      names.emplace_back(method_name(method));
    }
  }
  return join(names);
}

/// The cells of all proofs together.
std::uint64_t proved_cells(const ClaimResult& result) {
  std::uint64_t cells = 0;
  for (const Evidence& e : result.evidence) cells += e.cells.value_or(0);
  return cells;
}

std::string verdict_text(const ClaimOutcome& outcome) {
  std::string text(claim_verdict_name(outcome.result.verdict));
  if (!outcome.as_recorded()) {
    text += fmt::format(" (on record: {})", claim_verdict_name(outcome.row->recorded));
  }
  return text;
}

/// The evidence that a reader wants first: the counterexample, or what the correction is.
std::string first_evidence(const ClaimOutcome& outcome) {
  if (outcome.result.evidence.empty()) return "";
  const Evidence& evidence = outcome.result.evidence.front();
  return evidence.pair + ": " + evidence.detail;
}

std::string control_verdict(const ControlOutcome& outcome) {
  if (outcome.wrong) return outcome.failures.empty() ? "survives" : "rejected";
  return outcome.failures.empty() ? "passes" : "false alarm";
}

std::string failure_text(const PropertyFailure& failure) {
  return fmt::format("{} [{}, power {:.6g}]: {}, {}", failure.property, method_name(failure.method),
                     failure.power, failure.pair, failure.detail);
}

std::string tally_line(const VerdictReport& report) {
  const auto differing = std::count_if(report.claims.begin(), report.claims.end(),
                                       [](const auto& claim) { return !claim.as_recorded(); });
  std::string line = fmt::format("{} claims, {} as recorded", report.claims.size(),
                                 report.claims.size() - static_cast<std::size_t>(differing));
  if (report.with_controls) {
    const auto as_meant = std::count_if(report.controls.begin(), report.controls.end(),
                                        [](const auto& control) { return control.as_meant(); });
    line +=
        fmt::format("; {} verifiers under control, {} as meant", report.controls.size(), as_meant);
  }
  return line;
}

std::string table(const VerdictReport& report) {
  std::string text;
  std::size_t width = 5;
  for (const auto& claim : report.claims) width = std::max(width, claim.row->id.size());
  if (!report.claims.empty()) {
    text += fmt::format("{:{}}  {:22}  {:>9}  {:>7}  {}\n", "claim", width, "verdict", "instances",
                        "seconds", "methods");
  }
  for (const auto& claim : report.claims) {
    text += fmt::format("{:{}}  {:22}  {:>9}  {:>7.2f}  {}\n", claim.row->id, width,
                        verdict_text(claim), claim.result.instances, claim.seconds,
                        methods(claim.result));
    const bool first = !claim.result.evidence.empty() &&
                       (claim.result.verdict != ClaimVerdict::holds || !claim.as_recorded());
    if (first) text += "    " + first_evidence(claim) + "\n";
    if (!claim.row->correction.statement.empty()) {
      text += "    correction: " + std::string(claim.row->correction.statement) + "\n";
    }
    for (const Evidence& e : claim.result.evidence) {
      if (e.method != Method::proof || (first && &e == &claim.result.evidence.front())) continue;
      text += "    " + e.pair + ": " + e.detail + "\n";
    }
  }
  if (report.with_controls) {
    if (!text.empty()) text += "\n";
    for (const auto& control : report.controls) {
      text += fmt::format("{:32}  {}\n", control.verifier, control_verdict(control));
      for (const auto& failure : control.failures) text += "    " + failure_text(failure) + "\n";
    }
  }
  return folded(text, 2) + "\n" + tally_line(report) + "\n";
}

std::string json(const VerdictReport& report) {
  Json claims = Json::array();
  for (const auto& claim : report.claims) {
    Json evidence = Json::array();
    for (const Evidence& e : claim.result.evidence) {
      evidence.push_back(
          {{"pair", e.pair}, {"method", method_name(e.method)}, {"detail", e.detail}});
      if (e.cells) evidence.back()["cells"] = *e.cells;
    }
    Json row{{"id", claim.row->id},
             {"source", claim.row->source},
             {"statement", claim.row->statement},
             {"verdict", claim_verdict_name(claim.result.verdict)},
             {"recorded", claim_verdict_name(claim.row->recorded)}};
    if (!claim.row->correction.statement.empty())
      row["correction"] = claim.row->correction.statement;
    row["instances"] = claim.result.instances;
    row["comparisons"] = claim.result.comparisons;
    row["tests"] = claim.result.tests;
    row["least_power"] = std::floor(claim.result.least_power * 1e6) / 1e6;
    row["evidence"] = std::move(evidence);
    claims.push_back(std::move(row));
  }
  Json document{{"claims", std::move(claims)}};
  if (report.with_controls) {
    Json controls = Json::array();
    for (const auto& control : report.controls) {
      Json failures = Json::array();
      for (const auto& failure : control.failures) {
        failures.push_back({{"property", failure.property},
                            {"pair", failure.pair},
                            {"method", method_name(failure.method)},
                            {"detail", failure.detail},
                            {"power", failure.power}});
      }
      controls.push_back({{"verifier", control.verifier},
                          {"wrong", control.wrong},
                          {"verdict", control_verdict(control)},
                          {"rejected_by", std::move(failures)}});
    }
    document["controls"] = std::move(controls);
  }
  return json_text(document);
}

std::string csv(const VerdictReport& report) {
  std::string text = csv_line(std::array<std::string, 8>{"kind", "id", "source", "verdict",
                                                         "recorded", "pair", "method", "detail"});
  for (const auto& claim : report.claims) {
    for (const Evidence& e : claim.result.evidence) {
      text += csv_line(std::array<std::string, 8>{
          "claim", std::string(claim.row->id), std::string(claim.row->source),
          std::string(claim_verdict_name(claim.result.verdict)),
          std::string(claim_verdict_name(claim.row->recorded)), e.pair,
          std::string(method_name(e.method)), e.detail});
    }
  }
  for (const auto& control : report.controls) {
    const std::string meant = control.wrong ? "rejected" : "passes";
    if (control.failures.empty()) {
      text += csv_line(std::array<std::string, 8>{"control", control.verifier, "",
                                                  control_verdict(control), meant, "", "", ""});
    }
    for (const auto& failure : control.failures) {
      text += csv_line(std::array<std::string, 8>{
          "control", control.verifier, std::string(failure.property), control_verdict(control),
          meant, failure.pair, std::string(method_name(failure.method)), failure.detail});
    }
  }
  return text;
}

std::string test_case(std::string_view group, std::string_view name, const std::string& failure,
                      const std::string& output) {
  std::string text =
      fmt::format("  <testcase classname=\"{}\" name=\"{}\">\n", xml_text(group), xml_text(name));
  if (!failure.empty()) text += fmt::format("   <failure message=\"{}\"/>\n", xml_text(failure));
  text += fmt::format("   <system-out>{}</system-out>\n  </testcase>\n", xml_text(output));
  return text;
}

std::string junit(const VerdictReport& report) {
  std::string cases;
  for (const auto& claim : report.claims) {
    std::string output =
        fmt::format("{}\n{}\n", claim.row->statement, claim_verdict_name(claim.result.verdict));
    for (const Evidence& e : claim.result.evidence) {
      output += fmt::format("[{}] {}: {}\n", method_name(e.method), e.pair, e.detail);
    }
    cases += test_case(claim.row->id.substr(0, claim.row->id.find('.')), claim.row->id,
                       claim.as_recorded() ? "" : difference_text(claim), output);
  }
  for (const auto& control : report.controls) {
    std::string output = control_verdict(control) + "\n";
    for (const auto& failure : control.failures) output += failure_text(failure) + "\n";
    cases += test_case("controls", control.verifier,
                       control.as_meant() ? "" : surprise_text(control), output);
  }
  std::size_t tests = report.claims.size() + report.controls.size();
  const int errors = report.partial.empty() ? 0 : 1;
  if (errors > 0) {
    ++tests;
    cases += fmt::format(
        "  <testcase classname=\"verify\" name=\"all checks\">\n   <error message=\"partial: "
        "{}\"/>\n  </testcase>\n",
        xml_text(report.partial));
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite name=\"speclab "
      "verify\" tests=\"{}\" failures=\"{}\"{}>\n{} </testsuite>\n</testsuites>\n",
      tests, surprises(report).size(), errors > 0 ? " errors=\"1\"" : "", cases);
}

std::string markdown(const VerdictReport& report) {
  std::string text;
  if (!report.claims.empty()) {
    text += "| Claim | Statement | Verdict | Methods | Evidence |\n|---|---|---|---|---|\n";
    for (const auto& claim : report.claims) {
      std::string evidence = claim.result.verdict == ClaimVerdict::holds
                                 ? fmt::format("{} instances, {} comparisons",
                                               claim.result.instances, claim.result.comparisons)
                                 : first_evidence(claim);
      if (const std::uint64_t cells = proved_cells(claim.result);
          cells > 0 && claim.result.verdict == ClaimVerdict::holds) {
        evidence += fmt::format("; proved on {} cells of all pairs of a size", cells);
      }
      if (!claim.row->correction.statement.empty()) {
        evidence = fmt::format("true {}; {}", claim.row->correction.statement, evidence);
      }
      text += fmt::format("| `{}` ({}) | {} | {} | {} | {} |\n", claim.row->id,
                          markdown_cell(claim.row->source), markdown_cell(claim.row->statement),
                          markdown_cell(verdict_text(claim)), methods(claim.result),
                          markdown_cell(evidence));
    }
  }
  if (report.with_controls) {
    if (!text.empty()) text += "\n";
    text += "| Control | Fault | Verdict | Rejected by |\n|---|---|---|---|\n";
    for (const auto& control : report.controls) {
      if (!control.wrong && control.as_meant()) continue;
      std::string first = control.failures.empty() ? "" : failure_text(control.failures.front());
      if (control.failures.size() > 1) {
        first += fmt::format("; and by {} more", control.failures.size() - 1);
      }
      text +=
          fmt::format("| `{}` | {} | {} | {} |\n", control.verifier, markdown_cell(control.fault),
                      control_verdict(control), markdown_cell(first));
    }
    const auto right = std::count_if(report.controls.begin(), report.controls.end(),
                                     [](const auto& c) { return !c.wrong && c.as_meant(); });
    text += fmt::format("\nThe same battery passes {} right verifiers.\n", right);
  }
  return text;
}

}  // namespace

std::string render(const VerdictReport& report, VerdictFormat format) {
  switch (format) {
    case VerdictFormat::table:
      return mark_partial(table(report), Format::table, report.partial);
    case VerdictFormat::json:
      return mark_partial(json(report), Format::json, report.partial);
    case VerdictFormat::csv:
      return mark_partial(csv(report), Format::csv, report.partial);
    case VerdictFormat::junit:
      return junit(report);
    case VerdictFormat::markdown:
      return mark_partial(markdown(report), Format::markdown, report.partial);
  }
  return "";
}

std::vector<std::string> surprises(const VerdictReport& report) {
  std::vector<std::string> lines;
  for (const auto& claim : report.claims) {
    if (!claim.as_recorded()) lines.push_back(difference_text(claim));
  }
  for (const auto& control : report.controls) {
    if (!control.as_meant()) lines.push_back(surprise_text(control));
  }
  return lines;
}

}  // namespace speclab
