#include "audit/parity/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "document/number.h"

namespace speclab {
namespace {

constexpr std::size_t kMostShown = 20;

/// 40000 as "40,000".
std::string with_commas(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

/// Two digits of a number that is known within a third.
std::uint64_t rounded_up(std::uint64_t number) {
  std::uint64_t unit = 1;
  while (number / unit >= 100) unit *= 10;
  return (number + unit - 1) / unit * unit;
}

std::string verdict_of(const ParityReport& report) { return report.passed ? "pass" : "fail"; }

std::string prompt_text(const GreedyDifference& each) {
  return each.prompt.empty() ? fmt::format("line {}", each.line_on) : abbreviate(each.prompt, 40);
}

/// "position 12: 'a' with speculation, 'b' without; margin 0.25".
std::string difference_text(const GreedyDifference& each) {
  const auto word = [](const std::optional<std::string>& token) {
    return token ? "'" + abbreviate(*token, 24) + "'" : std::string("the end");
  };
  return fmt::format("position {}: {} with speculation, {} without{}{}", each.position,
                     word(each.token_on), word(each.token_off),
                     each.margin ? fmt::format("; margin {}", shortest(*each.margin)) : "",
                     each.tie ? ", a tie" : "");
}

std::string head_line(const ParityReport& report) {
  if (report.greedy) {
    return fmt::format("greedy outputs of {} prompts: {} of {} equal token by token",
                       report.prompts, report.equal, report.on);
  }
  return fmt::format("{} prompts, {} outputs with speculation and {} without; p {:.3g}, {} at {}",
                     report.prompts, report.on, report.off, report.test.adjusted,
                     report.passed ? "no difference" : "different", shortest(report.level));
}

Page sampled_page(const ParityReport& report, const ParityOptions& options, bool markdown) {
  Page page;
  const char* const item = markdown ? "- " : "  ";
  page += fmt::format("{}strongest: {}; {} permutations of the outputs of each prompt\n", item,
                      report.statistics[report.test.strongest], report.test.permutations);
  for (const ParityPower& power : report.powers) page += item + power_text(power, options) + "\n";
  TextTable table{"lr", {"statistic", "p alone"}};
  for (std::size_t s = 0; s < report.statistics.size(); ++s) {
    table.add({report.statistics[s], fmt::format("{:.4f}", report.test.p_values[s])});
  }
  page += "\n";
  page += table;
  return page;
}

Page greedy_page(const ParityReport& report, bool markdown) {
  Page page;
  if (report.differences.empty()) return page;
  TextTable table{"lrll", {"prompt", "position", "with speculation", "without"}};
  const bool margins = std::any_of(report.differences.begin(), report.differences.end(),
                                   [](const GreedyDifference& each) { return each.margin; });
  if (margins) {
    table.alignment += "rl";
    table.head.insert(table.head.end(), {"margin", ""});
  }
  std::size_t shown = 0;
  for (const GreedyDifference& each : report.differences) {
    if (!markdown && shown == kMostShown) break;
    ++shown;
    const auto word = [](const std::optional<std::string>& token) {
      return token ? abbreviate(*token, 24) : std::string("(end)");
    };
    Cells row{prompt_text(each), each.position, word(each.token_on), word(each.token_off)};
    if (margins) {
      row.emplace_back(each.margin ? shortest(*each.margin) : "");
      row.emplace_back(each.tie ? "tie" : "");
    }
    table.add(row);
  }
  page += "\n";
  page += table;
  if (shown < report.differences.size()) {
    page += fmt::format("  and {} more\n", report.differences.size() - shown);
  }
  return page;
}

Page parity_page(const ParityReport& report, const ParityOptions& options, bool markdown) {
  Page page;
  page += fmt::format("{}{}\n{}", markdown ? "# Parity: " : "parity: ", verdict_of(report),
                      markdown ? "\n" : "");
  const char* const item = markdown ? "- " : "  ";
  page += item + head_line(report) + "\n";
  for (const ParityCheck& check : report.checks) {
    page += fmt::format("{}{}{}: {}\n", item, check.suspect ? "suspect, " : "", check.name,
                        check.detail);
  }
  page += report.greedy ? greedy_page(report, markdown) : sampled_page(report, options, markdown);
  return page;
}

Json check_json(const ParityCheck& each) {
  return {
      {"name", each.name}, {"verdict", each.suspect ? "suspect" : "pass"}, {"detail", each.detail}};
}

Json difference_json(const GreedyDifference& each) {
  return {{"prompt", each.prompt},     {"line_on", each.line_on},
          {"line_off", each.line_off}, {"position", each.position},
          {"token_on", each.token_on}, {"token_off", each.token_off},
          {"margin", each.margin},     {"tie", each.tie}};
}

Json sampled_json(const ParityReport& report, const ParityOptions& options) {
  Json statistics = Json::array();
  for (std::size_t s = 0; s < report.statistics.size(); ++s) {
    statistics.push_back(Json{{"statistic", report.statistics[s]},
                              {"value", report.test.observed[s]},
                              {"p_value", report.test.p_values[s]}});
  }
  const auto power_json = [&options](const ParityPower& each) -> Json {
    return {{"fault", each.fault},
            {"tv", options.tv},
            {"possible", each.possible},
            {"power", each.possible ? Json(each.power) : Json()},
            {"accuracy", each.possible ? Json(each.accuracy) : Json()},
            {"more_outputs", each.more}};
  };
  return {{"p_value", report.test.adjusted},
          {"level", report.level},
          {"look", options.look},
          {"looks", options.looks},
          {"permutations", report.test.permutations},
          {"strongest", report.statistics[report.test.strongest]},
          {"statistics", statistics},
          {"power", json_of(report.powers, power_json)}};
}

Json parity_json(const ParityReport& report, const ParityOptions& options) {
  Json json{{"schema", kSchema},
            {"verdict", verdict_of(report)},
            {"decoding", report.greedy ? "greedy" : "sampled"},
            {"prompts", report.prompts},
            {"outputs_on", report.on},
            {"outputs_off", report.off},
            {"checks", json_of(report.checks, check_json)}};
  if (report.greedy) {
    json["equal"] = report.equal;
    json["differences"] = json_of(report.differences, difference_json);
  } else {
    json["sampled"] = sampled_json(report, options);
  }
  return json;
}

void add_parity_rows(const ParityReport& report, const ParityOptions& options, const AddRow& add) {
  for (std::size_t s = 0; s < report.statistics.size(); ++s) {
    add({"statistic",
         report.statistics[s],
         report.test.observed[s],
         report.test.p_values[s],
         {},
         {}});
  }
  if (!report.greedy) {
    add({"test", "all", {}, report.test.adjusted, verdict_of(report), {}});
  }
  for (const ParityPower& each : report.powers) {
    add({"power",
         each.fault,
         each.possible ? Json(each.power) : Json(),
         {},
         {},
         power_text(each, options)});
  }
  for (const ParityCheck& each : report.checks) {
    add({"check", each.name, {}, {}, each.suspect ? "suspect" : "pass", each.detail});
  }
  for (const GreedyDifference& each : report.differences) {
    add({"difference",
         prompt_text(each),
         each.position,
         {},
         each.tie ? "tie" : "fail",
         difference_text(each)});
  }
  if (report.greedy) {
    add({"test", "equal outputs", report.equal, {}, verdict_of(report), {}});
  }
}

SuiteResult parity_suite(const ParityReport& report, const ParityOptions& options) {
  SuiteResult suite{"speclab parity", {}, {}};
  if (report.greedy) {
    for (const GreedyDifference& each : report.differences) {
      CaseResult& made = suite.cases.emplace_back();
      made.group = "greedy";
      made.name = prompt_text(each);
      (each.tie ? made.output : made.failure.emplace()) = difference_text(each);
    }
    suite.cases.push_back({"greedy", "equal outputs", {}, "", head_line(report), {}});
    return suite;
  }
  CaseResult& made = suite.cases.emplace_back();
  made.group = "sampled";
  made.name = "two-sample test";
  if (!report.passed) made.failure = head_line(report);
  made.output = head_line(report) + "\n";
  for (const ParityPower& each : report.powers) made.output += power_text(each, options) + "\n";
  for (const ParityCheck& each : report.checks) {
    made.output += each.name + ": " + each.detail + "\n";
  }
  return suite;
}

}  // namespace

std::string power_text(const ParityPower& power, const ParityOptions& options) {
  const std::string fault = fmt::format("a fault of TV {} of {}", shortest(options.tv),
                                        power.fault == "first token" ? "the first token"
                                        : power.fault == "length"    ? "the length"
                                                                     : "every token");
  if (!power.possible) {
    return fmt::format("{} is not possible: every prompt's outputs are alike there", fault);
  }
  if (power.more && *power.more == 0) {
    return fmt::format("{} would have been seen (power {:.2f})", fault, power.power);
  }
  return fmt::format("not enough samples to see {} (power {:.2f}): {}", fault, power.power,
                     power.more ? fmt::format("about {} more", with_commas(rounded_up(*power.more)))
                                : std::string("many times as many"));
}

Document parity_document(const ParityReport& report, const ParityOptions& options) {
  return {.name = "parity",
          .columns = {"kind", "name", "value", "p_value", "verdict", "detail"},
          .rows = [&](const AddRow& add) { add_parity_rows(report, options, add); },
          .data = [&] { return parity_json(report, options); },
          .text = [&] { return parity_page(report, options, false); },
          .page = [&] { return parity_page(report, options, true); },
          .suite = [&] { return parity_suite(report, options); }};
}

}  // namespace speclab
