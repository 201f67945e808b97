#include "claims/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "claims/engine/machine_checked.h"

namespace speclab {
namespace {

/// "exact, simulation": the methods of the evidence, in a fixed order; a proof that was not made is
/// none.
std::vector<std::string> methods(const ClaimResult& result) {
  std::vector<std::string> names;
  for (const Method method :
       {Method::proof, Method::exact, Method::simulation, Method::closed_form}) {
    if (std::any_of(result.evidence.begin(), result.evidence.end(), [method](const Evidence& e) {
          return e.method == method && (method != Method::proof || e.cells);
        })) {
      names.emplace_back(method_name(method));
    }
  }
  return names;
}

/// The cells of all proofs together.
std::uint64_t proved_cells(const ClaimResult& result) {
  std::uint64_t cells = 0;
  for (const Evidence& e : result.evidence) cells += e.cells.value_or(0);
  return cells;
}

std::string outcome_text(const ClaimOutcome& outcome) {
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
  return evidence.pair.empty() ? evidence.detail : evidence.pair + ": " + evidence.detail;
}

std::string control_verdict(const ControlOutcome& outcome) {
  if (outcome.wrong) return outcome.failures.empty() ? "survives" : "rejected";
  if (outcome.failures.empty()) return "passes";
  return outcome.own ? "fails" : "false alarm";
}

std::string failure_text(const PropertyFailure& failure) {
  return fmt::format("{} [{}, power {:.6g}]: {}, {}", failure.property, method_name(failure.method),
                     failure.power, failure.pair, failure.detail);
}

std::string tally_line(const VerdictReport& report) {
  const auto differing = std::count_if(report.claims.begin(), report.claims.end(),
                                       [](const auto& claim) { return !claim.as_recorded(); });
  std::string line = fmt::format("{} claim{}, {} as recorded", report.claims.size(),
                                 report.claims.size() == 1 ? "" : "s",
                                 report.claims.size() - static_cast<std::size_t>(differing));
  if (report.with_controls) {
    const auto as_meant = std::count_if(report.controls.begin(), report.controls.end(),
                                        [](const auto& control) { return control.as_meant(); });
    line +=
        fmt::format("; {} verifiers under control, {} as meant", report.controls.size(), as_meant);
  }
  return line;
}

Page verdict_page(const VerdictReport& report) {
  Page page{.hang = 2};
  std::size_t width = 5;
  for (const auto& claim : report.claims) width = std::max(width, claim.row->id.size());
  if (!report.claims.empty()) {
    page += "by: e exact, c closed form, s simulation, p proof for all pairs of a size\n";
    page += fmt::format("{:{}}  {:21}  {:>9}  {}\n", "claim", width, "verdict", "instances", "by");
  }
  for (const auto& claim : report.claims) {
    std::string by;
    for (const std::string& method : methods(claim.result)) by += method.front();
    page += fmt::format("{:{}}  {:21}  {:>9}  {}\n", claim.row->id, width, outcome_text(claim),
                        claim.result.instances, by);
    const bool first = !claim.result.evidence.empty() &&
                       (claim.result.verdict != ClaimVerdict::holds || !claim.as_recorded());
    if (first) page += "    " + first_evidence(claim) + "\n";
    if (!claim.row->correction.statement.empty()) {
      page += "    " + amended_text(claim.row->correction) + "\n";
    }
    if (const std::string theorems = machine_checked_text(claim.row->id); !theorems.empty()) {
      page += "    machine-checked: " + theorems + "\n";
    }
    for (const Evidence& e : claim.result.evidence) {
      if (e.method != Method::proof || (first && &e == &claim.result.evidence.front())) continue;
      page += "    " + e.pair + ": " + e.detail + "\n";
    }
  }
  if (report.with_controls) {
    if (!page.empty()) page += "\n";
    for (const auto& control : report.controls) {
      page += fmt::format("{:32}  {}\n", control.verifier, control_verdict(control));
      for (const auto& failure : control.failures) page += "    " + failure_text(failure) + "\n";
    }
  }
  return page += "\n" + tally_line(report) + "\n";
}

Json claim_json(const ClaimOutcome& claim) {
  const ClaimRow& row = *claim.row;
  const ClaimResult& result = claim.result;
  Json datum{{"id", row.id},
             {"source", row.source},
             {"statement", row.statement},
             {"hypotheses", row.hypotheses},
             {"verdict", claim_verdict_name(result.verdict)},
             {"recorded", claim_verdict_name(row.recorded)}};
  if (!row.correction.statement.empty()) {
    datum[std::string(words(row.correction.amends).field)] = row.correction.statement;
  }
  const auto theorems = machine_checked(row.id);
  if (!theorems.empty()) {
    datum["machine_checked"] = json_of(theorems, [](const MachineChecked* theorem) -> Json {
      return {{"file", fmt::format("proofs/{}.v", theorem->file)},
              {"theorem", theorem->theorem},
              {"refutes", theorem->refutes},
              {"says", theorem->says}};
    });
  }
  datum["instances"] = result.instances;
  datum["comparisons"] = result.comparisons;
  datum["tests"] = result.tests;
  datum["least_power"] = std::floor(result.least_power * 1e6) / 1e6;
  datum["evidence"] = json_of(result.evidence, [](const Evidence& e) {
    Json evidence{{"pair", e.pair}, {"method", method_name(e.method)}, {"detail", e.detail}};
    if (e.cells) evidence["cells"] = e.cells;
    return evidence;
  });
  return datum;
}

Json control_json(const ControlOutcome& control) {
  const auto failure_json = [](const PropertyFailure& failure) -> Json {
    return {{"property", failure.property},
            {"pair", failure.pair},
            {"method", method_name(failure.method)},
            {"detail", failure.detail},
            {"power", failure.power}};
  };
  return {{"verifier", control.verifier},
          {"wrong", control.wrong},
          {"verdict", control_verdict(control)},
          {"rejected_by", json_of(control.failures, failure_json)}};
}

Json verdict_json(const VerdictReport& report) {
  Json datum{{"claims", json_of(report.claims, claim_json)}};
  if (report.with_controls) datum["controls"] = json_of(report.controls, control_json);
  return datum;
}

/// A row an evidence.
void add_evidence(const VerdictReport& report, const AddRow& add) {
  for (const auto& claim : report.claims) {
    for (const Evidence& e : claim.result.evidence) {
      add({"claim", claim.row->id, claim.row->source, claim_verdict_name(claim.result.verdict),
           claim_verdict_name(claim.row->recorded), e.pair, method_name(e.method), e.detail});
    }
  }
  for (const auto& control : report.controls) {
    const auto row = [&](const PropertyFailure& failure, const Json& method) {
      add({"control", control.verifier, failure.property, control_verdict(control),
           control.wrong ? "rejected" : "passes", failure.pair, method, failure.detail});
    };
    if (control.failures.empty()) row({}, {});
    for (const auto& failure : control.failures) row(failure, method_name(failure.method));
  }
}

/// Each claim and each control a test case.
SuiteResult verdict_suite(const VerdictReport& report) {
  SuiteResult suite{"speclab verify", {}, {}};
  const auto add = [&](std::string_view group, std::string_view name,
                       std::optional<std::string> failure, const std::string& output) {
    suite.cases.push_back(
        {std::string(group), std::string(name), std::move(failure), "", output, {}});
  };
  for (const auto& claim : report.claims) {
    std::string output =
        fmt::format("{}\n{}\n", claim.row->statement, claim_verdict_name(claim.result.verdict));
    for (const Evidence& e : claim.result.evidence) {
      output += fmt::format("[{}] {}: {}\n", method_name(e.method), e.pair, e.detail);
    }
    add(claim.row->id.substr(0, claim.row->id.find('.')), claim.row->id,
        claim.as_recorded() ? std::nullopt : std::optional(difference_text(claim)), output);
  }
  for (const auto& control : report.controls) {
    std::string output = control_verdict(control) + "\n";
    for (const auto& failure : control.failures) output += failure_text(failure) + "\n";
    add("controls", control.verifier,
        control.as_meant() ? std::nullopt : std::optional(surprise_text(control)), output);
  }
  return suite;
}

/// What a claim is held on, in a cell of Markdown.
std::string evidence_text(const ClaimOutcome& claim) {
  const ClaimResult& result = claim.result;
  const bool holds = result.verdict == ClaimVerdict::holds;
  std::string text =
      holds ? fmt::format("{} instances, {} comparisons", result.instances, result.comparisons)
            : first_evidence(claim);
  if (const std::uint64_t cells = proved_cells(result); cells > 0 && holds) {
    text += fmt::format("; proved on {} cells of all pairs of a size", cells);
  }
  if (const std::string links = machine_checked_links(claim.row->id, ".."); !links.empty()) {
    text += "; machine-checked: " + links;
  }
  const Correction& correction = claim.row->correction;
  return correction.statement.empty() ? text : amended_text(correction) + "; " + text;
}

Page verdict_markdown(const VerdictReport& report) {
  Page page;
  if (!report.claims.empty()) {
    TextTable claims{"llllll",
                     {"Claim", "Statement", "Hypotheses", "Verdict", "Methods", "Evidence"}};
    for (const auto& claim : report.claims) {
      const ClaimRow& row = *claim.row;
      claims.add({fmt::format("`{}` ({})", row.id, row.source),
                  fmt::format("{}{}", unprinted(row.id), row.statement), row.hypotheses,
                  outcome_text(claim), join(methods(claim.result)), evidence_text(claim)});
    }
    page += std::move(claims);
  }
  if (!report.with_controls) return page;
  if (!page.empty()) page += "\n";
  TextTable controls{"llll", {"Control", "Fault", "Verdict", "Rejected by"}};
  std::size_t right = 0;
  for (const auto& control : report.controls) {
    if (!control.wrong && control.as_meant()) {
      ++right;
      continue;
    }
    std::string first = control.failures.empty() ? "" : failure_text(control.failures.front());
    if (control.failures.size() > 1) {
      first += fmt::format("; and by {} more", control.failures.size() - 1);
    }
    controls.add({"`" + control.verifier + "`", control.fault, control_verdict(control), first});
  }
  page += std::move(controls);
  return page += fmt::format("\nThe same battery passes {} right verifiers.\n", right);
}

}  // namespace

Document verdict_document(const VerdictReport& report) {
  return {.name = "verify",
          .columns = {"kind", "id", "source", "verdict", "recorded", "pair", "method", "detail"},
          .rows = [&report](const AddRow& add) { add_evidence(report, add); },
          .data = [&report] { return verdict_json(report); },
          .text = [&report] { return verdict_page(report); },
          .page = [&report] { return verdict_markdown(report); },
          .suite = [&report] { return verdict_suite(report); },
          .partial = report.partial};
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

Document own_pair_document(const PairPointer& pair, const std::vector<OwnPairOutcome>& outcomes) {
  return listing(
      "own-pair",
      {"claim", "pair", "statement", "verdict", "record", "instances", "comparisons", "evidence"},
      outcomes, [pair](const OwnPairOutcome& outcome) -> Cells {
        const ClaimRow& row = *outcome.row;
        const ClaimResult result = outcome.result.value_or(ClaimResult{});
        return {row.id,
                pair->name(),
                row.statement,
                outcome.result ? claim_verdict_name(result.verdict) : "not asked",
                claim_verdict_name(row.recorded),
                result.instances,
                result.comparisons,
                !outcome.result           ? outcome.unasked
                : result.evidence.empty() ? ""
                                          : result.evidence.front().detail};
      });
}

}  // namespace speclab
