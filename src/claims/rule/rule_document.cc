#include "claims/rule/rule_document.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "answer/documents/proof.h"
#include "claims/engine/compared.h"
#include "document/number.h"
#include "document/shell.h"

namespace speclab {
namespace {

Json exact_number(const Rational& value) { return exact_json(to_double(value), value); }

/// "0.111111 (1/9)"; a long fraction is left out, and so is the decimal of a whole number.
std::string decimal_first(const Rational& value) {
  const std::string fraction = to_text(value);
  if (fraction.find('/') == std::string::npos && fraction.size() <= kLongestInline) return fraction;
  const std::string decimal = readable(to_double(value));
  return fraction.size() > kLongestInline ? decimal : fmt::format("{} ({})", decimal, fraction);
}

std::string decimal(const Rational& value) { return readable(to_double(value)); }

std::string decimal_if(const std::optional<Rational>& value) {
  return value ? decimal(*value) : "";
}

std::string counted_tokens(int count) {
  return count == 1 ? "token" : fmt::format("{} tokens", count);
}

std::string verdict_line(const RuleReport& report) {
  if (!report.lossless()) {
    return report.declared_lossless ? "not lossless, and it declares itself so" : "not lossless";
  }
  return fmt::format("lossless on {} pairs ({} with their draft lengths), exactly", report.pairs,
                     report.settings);
}

Page counterexample_page(const CheckedRule& rule) {
  Page page;
  const RuleCounterexample& found = *rule.report.counterexample;
  page += fmt::format("  smallest counterexample: {}, gamma {}\n", found.pair, found.gamma);
  page += fmt::format("  the law of the first {} is off by TV {}\n", counted_tokens(found.horizon),
                      decimal_first(found.tv));
  page += fmt::format("  P({}) is {}, and the target's {}\n", fmt::join(found.tokens, ","),
                      decimal_first(found.output), decimal_first(found.target));
  if (!rule.command.empty()) page += shell_lines(rule.command, "  ");
  return page;
}

std::string undefined_line(const RuleReport& report) {
  const RuleUndefined& undefined = report.undefined;
  if (undefined.mass == 0) return "undefined draws (0/0): none";
  return fmt::format("undefined draws (0/0): probability {} on {}, gamma {}",
                     decimal_first(undefined.mass), undefined.pair, undefined.gamma);
}

Page rates_page(const RuleReport& report) {
  Page page;
  if (report.rates.empty()) return page;
  TextTable table{
      "lrrrrrr", {"pair", "gamma", "E[accepted]", "block", "greedy block", "optimum", "share"}, 2};
  TextTable tokens{"lrlrrrr", {"pair", "gamma", "rule", "N(1)", "N(2)", "N(3)", "N(4)"}, 3};
  char letter = 'A';
  bool any_optimum = false;
  std::string legend;
  for (const RuleRate& rate : report.rates) {
    const std::string pair(1, letter);
    legend += fmt::format("  {}: {}\n", pair, rate.pair);
    if (letter < 'Z') ++letter;
    any_optimum = any_optimum || rate.optimum.has_value();
    const bool bounded = report.lossless() && rate.optimum && *rate.optimum > 0;
    table.add({pair, rate.gamma, decimal(rate.accepted), decimal_if(rate.block),
               decimal_if(rate.greedy), decimal_if(rate.optimum),
               bounded ? decimal(Rational(rate.accepted / *rate.optimum)) : ""});
    const auto add_tokens = [&](std::string_view rule, const std::vector<Rational>& all) {
      Cells row{pair, rate.gamma, rule};
      for (const Rational& each : all) row.emplace_back(decimal(each));
      if (!all.empty()) tokens.add(row);
    };
    add_tokens("this rule", rate.tokens);
    if (report.verifier != "block") add_tokens("block", rate.block_tokens);
    if (report.verifier != "greedy-block") add_tokens("greedy-block", rate.greedy_tokens);
  }
  page += "\naccepted tokens of the first iteration\n";
  page += std::move(table);
  page += legend;
  if (!any_optimum) {
    page +=
        "  the optimum of its class is not known: its drafts are not independent, or too many\n";
  }
  if (!report.lossless()) {
    page += "  the optimum bounds lossless rules alone: no share is shown\n";
  }
  if (tokens.rows.empty()) return page;
  page += "\nexpected tokens after 1, 2, 3 and 4 iterations\n";
  return page += std::move(tokens);
}

std::string growth_line(const char* what, const RuleGrowth& growth) {
  if (!growth.unasked.empty()) return fmt::format("monotone in {}: {}", what, growth.unasked);
  if (growth.comparisons == 0) return fmt::format("monotone in {}: no pair to compare on", what);
  if (!growth.falls.empty()) return fmt::format("monotone in {}: no; {}", what, growth.falls);
  return fmt::format("monotone in {}: E[accepted] never falls in {} comparisons", what,
                     growth.comparisons);
}

std::string proof_line(const RuleProof& proof) {
  return fmt::format("proof for all pairs of two tokens: {}{}",
                     proof.verdict ? fmt::format("{}; ", verdict_name(*proof.verdict)) : "none; ",
                     proof.detail);
}

void add_rule(Page& page, const CheckedRule& rule) {
  const RuleReport& report = rule.report;
  page += fmt::format("{}: {}\n", report.verifier, verdict_line(report));
  if (report.counterexample) page += counterexample_page(rule);
  constexpr std::size_t kMostLines = 3;
  for (std::size_t i = 0; i < std::min(kMostLines, report.unchecked.size()); ++i) {
    page += "  not checked: " + report.unchecked[i] + "\n";
  }
  if (report.unchecked.size() > kMostLines) {
    page += fmt::format("  nor are {} more\n", report.unchecked.size() - kMostLines);
  }
  page += "  " + undefined_line(report) + "\n";
  page += rates_page(report);
  page += "\n" + growth_line("gamma", report.in_gamma) + "\n";
  page += growth_line("the number of drafts", report.in_drafts) + "\n";
  page += proof_line(report.proof) + "\n";
}

Json counterexample_json_of(const CheckedRule& rule) {
  if (!rule.report.counterexample) return nullptr;
  const RuleCounterexample& found = *rule.report.counterexample;
  return {{"pair", found.pair},
          {"gamma", found.gamma},
          {"tokens", found.tokens},
          {"output", exact_number(found.output)},
          {"target", exact_number(found.target)},
          {"command", rule.command}};
}

Json rule_json(const CheckedRule& rule) {
  const RuleReport& report = rule.report;
  const auto share = report.share_of_optimum();
  return {{"verifier", report.verifier},
          {"lossless", report.lossless()},
          {"tv", exact_number(report.counterexample ? report.counterexample->tv : Rational(0))},
          {"counterexample", counterexample_json_of(rule)},
          {"undefined", exact_number(report.undefined.mass)},
          {"share_of_optimum", share ? exact_number(*share) : Json()},
          {"proof", report.proof.verdict ? Json(verdict_name(*report.proof.verdict)) : Json()},
          {"pairs", report.pairs}};
}

void add_rule_row(const CheckedRule& rule, const AddRow& add) {
  const RuleReport& report = rule.report;
  const auto& found = report.counterexample;
  const auto share = report.share_of_optimum();
  add({report.verifier, report.lossless(), found ? to_double(found->tv) : 0,
       found ? Json(found->pair) : Json(), found ? Json(found->gamma) : Json(), rule.command,
       to_double(report.undefined.mass), share ? Json(to_double(*share)) : Json(),
       report.proof.verdict ? Json(verdict_name(*report.proof.verdict)) : Json(), report.pairs});
}

}  // namespace

Document rules_document(const std::vector<CheckedRule>& rules) {
  Document document = document_of({"verifier", "lossless", "tv", "pair", "gamma", "command",
                                   "undefined", "share_of_optimum", "proof", "pairs"},
                                  rules, add_rule_row, rule_json, add_rule);
  document.name = "check";
  document.indent = 2;
  return document;
}

}  // namespace speclab
