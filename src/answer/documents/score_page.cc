#include "answer/documents/score_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.h"

namespace speclab {
namespace {

constexpr std::size_t kMostCosts = 100;

/// A token as a table shows it: blanks and line feeds are seen.
std::string visible(std::string_view token) {
  std::string shown;
  for (const char c : token) {
    if (c == '\n') {
      shown += "\\n";
    } else if (c == '\t') {
      shown += "\\t";
    } else {
      shown += c;
    }
  }
  return "<code>" + markup(shown) + "</code>";
}

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>speclab score</title>
<style>
body { font: 16px/1.7 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; border-top: 1px solid #ccc; padding: 1rem 0; }
.text span { color: #000; border-radius: 2px; }
table { border-collapse: collapse; }
td, th { padding: .1rem .8rem; text-align: right; border-bottom: 1px solid #ddd; }
td:first-child, th:first-child { text-align: left; }
code { white-space: pre-wrap; }
</style>
</head>
<body>
)";

/// From red, never accepted, over yellow to green.
std::string colour(double accepted) {
  const double share = std::clamp(accepted, 0.0, 1.0);
  return fmt::format("hsl({:.0f} 85% 78%)", 120 * share);
}

void add_text(std::string& page, const ShadedText& text) {
  page += fmt::format("<h3>{}</h3>\n<div class=\"text\">", markup(text.id));
  for (std::size_t j = 0; j < text.tokens.size(); ++j) {
    const TokenFate& fate = text.fates[j];
    const double corrected = std::max(0.0, 1 - fate.accepted - fate.bonus);
    page += fmt::format(
        "<span style=\"background:{}\" title=\"accepted {:.3f}, bonus {:.3f}, correction "
        "{:.3f}\">{}"
        "</span>",
        colour(fate.accepted), fate.accepted, fate.bonus, corrected, markup(text.tokens[j]));
  }
  page += "</div>\n";
}

}  // namespace

std::string shaded_page(const ScoreReport& report, const std::string& verifier, int gamma) {
  const ScoreResult& result = report.result;
  std::string page(kHead);
  page += fmt::format(
      "<h1>{}</h1>\n<p>{}, gamma {}, {} texts, {} tokens. Green tokens were accepted "
      "as drafts, red ones were corrections or bonus tokens, by their expectation "
      "given the text; a token's title has the chances.</p>\n",
      markup(report.pair->name()), markup(verifier), gamma, result.texts, result.tokens);
  std::vector<std::pair<std::string, TokenCost>> costs(result.costs.begin(), result.costs.end());
  std::stable_sort(costs.begin(), costs.end(), [](const auto& a, const auto& b) {
    return a.second.corrections > b.second.corrections;
  });
  if (costs.size() > kMostCosts) costs.resize(kMostCosts);
  page +=
      "<h2>Tokens that cost most target calls</h2>\n<table>\n<tr><th>token</th><th>count</th>"
      "<th>calls that it ended as a correction</th><th>a token</th></tr>\n";
  for (const auto& [token, cost] : costs) {
    page +=
        fmt::format("<tr><td>{}</td><td>{:.0f}</td><td>{:.2f}</td><td>{:.3f}</td></tr>\n",
                    visible(token), cost.count, cost.corrections, cost.corrections / cost.count);
  }
  page += "</table>\n<h2>Texts</h2>\n";
  for (const ShadedText& text : result.shaded) add_text(page, text);
  return page + "</body>\n</html>\n";
}

}  // namespace speclab
