#include "audit/adequacy/document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "document/number.h"

namespace speclab {
namespace {

/// "0.53", "1e-12", "> 0.998": the value, or its lower end where every sample was rejected.
std::string found_text(const TestPower& power) {
  if (power.exact) return fmt::format("{:.3g}", power.value);
  if (power.value >= 1) return fmt::format("> {:.3f}", power.low);
  if (power.value <= 0) return fmt::format("< {:.3f}", power.high);
  return fmt::format("{:.2f}", power.value);
}

const SuiteFault* fault_in(const AdequacySuite& suite, const std::string& rule,
                           const std::string& fault) {
  for (const SuiteFault& each : suite.faults) {
    if (each.rule == rule && each.fault == fault) return &each;
  }
  return nullptr;
}

std::vector<std::string> rules_in(const AdequacyReport& report) {
  std::vector<std::string> rules;
  for (const AdequacyCase& each : report.cases) {
    if (std::find(rules.begin(), rules.end(), each.rule) == rules.end()) rules.push_back(each.rule);
  }
  return rules;
}

/// Faults of a rule against the suites that test it.
TextTable fault_table(const AdequacyReport& report, const std::string& rule, bool markdown) {
  std::vector<const AdequacySuite*> suites;
  TextTable table{markdown ? "c" : "l", {"fault of " + rule}};
  for (const AdequacySuite& suite : report.suites) {
    const bool tests = std::any_of(suite.faults.begin(), suite.faults.end(),
                                   [&](const SuiteFault& each) { return each.rule == rule; });
    if (!tests) continue;
    suites.push_back(&suite);
    table.alignment += 'r';
    table.head.push_back(suite.name);
  }
  if (suites.empty()) return table;
  for (const SuiteFault& each : suites.front()->faults) {
    if (each.rule != rule) continue;
    Cells row{each.fault};
    for (const AdequacySuite* suite : suites) {
      const SuiteFault* found = fault_in(*suite, rule, each.fault);
      row.emplace_back(found == nullptr         ? ""
                       : found->seen            ? "found"
                       : !found->reason.empty() ? "none"
                                                : found_text(found->power));
    }
    table.add(row);
  }
  return table;
}

std::string suite_line(const AdequacyReport& report, const AdequacySuite& suite) {
  std::uint64_t most = 0;
  for (const std::size_t at : suite.cases) most = std::max(most, report.cases[at].samples);
  return fmt::format(
      "{}: {} test{} of up to {} samples, fails a right implementation with probability {}; {} of "
      "{} faults found",
      suite.name, suite.cases.size(), suite.cases.size() == 1 ? "" : "s", most,
      found_text(suite.false_alarm), suite.seen(), suite.faults.size());
}

std::string added_line(const AddedCase& each) {
  return fmt::format("V = {}, gamma = {}, {} samples: finds {}", each.vocabulary, each.gamma,
                     each.samples, fmt::join(each.shows, ", "));
}

Page adequacy_page(const AdequacyReport& report, bool markdown) {
  Page page;
  page += fmt::format(
      "{}{}: {} of {} suites find every known fault with probability {} or more\n",
      markdown ? "# Adequacy: " : "", report.adequate() ? "adequate" : "not adequate",
      std::count_if(report.suites.begin(), report.suites.end(),
                    [](const AdequacySuite& suite) { return suite.seen() == suite.faults.size(); }),
      report.suites.size(), shortest(report.power));
  if (markdown) page += "\n";
  const char* const item = markdown ? "- " : "  ";
  for (const AdequacySuite& suite : report.suites) page += item + suite_line(report, suite) + "\n";
  page +=
      "\nfound: with that probability; a number: the probability, within 0.023; none: the tests "
      "cannot show it\n";
  for (const std::string& rule : rules_in(report)) {
    page += "\n";
    page += fault_table(report, rule, markdown);
  }
  for (const AdequacySuite& suite : report.suites) {
    if (suite.added.empty() && suite.nowhere.empty()) continue;
    page += fmt::format("\n{}: add, to find the rest\n{}", suite.name, markdown ? "\n" : "");
    for (const AddedCase& each : suite.added) {
      page += item + added_line(each) + "\n";
      if (!markdown) page += "    " + each.line + "\n";
    }
    if (!suite.nowhere.empty()) {
      page += fmt::format("{}no case of one iteration with given drafts shows {}\n", item,
                          fmt::join(suite.nowhere, ", "));
    }
  }
  return page;
}

Json power_json(const TestPower& power) {
  return {{"value", power.value},
          {"ci95", Json::array({power.low, power.high})},
          {"exact", power.exact}};
}

Json adequacy_json(const AdequacyReport& report) {
  const auto fault_json = [](const SuiteFault& each) -> Json {
    return {{"rule", each.rule},  {"fault", each.fault},
            {"found", each.seen}, {"power", power_json(each.power)},
            {"by", each.by},      {"reason", each.reason.empty() ? Json() : Json(each.reason)}};
  };
  const auto added_json = [](const AddedCase& each) -> Json {
    return {{"case", read_json(each.line)}, {"shows", each.shows}};
  };
  const auto suite_json = [&](const AdequacySuite& suite) -> Json {
    return {{"suite", suite.name},
            {"tests", suite.cases.size()},
            {"false_alarm", power_json(suite.false_alarm)},
            {"found", suite.seen()},
            {"faults", json_of(suite.faults, fault_json)},
            {"add", json_of(suite.added, added_json)},
            {"nowhere", suite.nowhere}};
  };
  return {{"schema", kSchema},
          {"verdict", report.adequate() ? "pass" : "fail"},
          {"power", report.power},
          {"suites", json_of(report.suites, suite_json)}};
}

void add_fault_rows(const AdequacyReport& report, const AddRow& add) {
  for (const AdequacySuite& suite : report.suites) {
    for (const SuiteFault& each : suite.faults) {
      add({suite.name, each.rule, each.fault, each.seen ? "found" : "not found", each.power.value,
           each.power.low, each.power.high, each.by,
           each.reason.empty() ? Json() : Json(each.reason)});
    }
  }
}

SuiteResult adequacy_suite(const AdequacyReport& report) {
  SuiteResult result{"speclab audit adequacy", {}, {}};
  for (const AdequacySuite& suite : report.suites) {
    for (const SuiteFault& each : suite.faults) {
      CaseResult& made = result.cases.emplace_back();
      made.group = suite.name;
      made.name = each.fault;
      made.output = fmt::format("power {} by {}", found_text(each.power), each.by);
      if (each.seen) continue;
      made.failure = each.reason.empty()
                         ? fmt::format("found with probability {}", found_text(each.power))
                         : each.reason;
    }
  }
  return result;
}

}  // namespace

Document adequacy_document(const AdequacyReport& report) {
  return {.name = "adequacy",
          .columns = {"suite", "rule", "fault", "verdict", "power", "ci95_low", "ci95_high", "by",
                      "reason"},
          .rows = [&report](const AddRow& add) { add_fault_rows(report, add); },
          .data = [&report] { return adequacy_json(report); },
          .text = [&report] { return adequacy_page(report, false); },
          .page = [&report] { return adequacy_page(report, true); },
          .suite = [&report] { return adequacy_suite(report); }};
}

}  // namespace speclab
