#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

#include "audit/vectors.h"
#include "command.h"
#include "option_values.h"
#include "progress.h"
#include "report/output.h"
#include "report/report.h"
#include "results_folder.h"

namespace speclab {
namespace {

/// "rrs(K=2)" as "rrs-K-2", a file's name everywhere.
std::string file_name(const std::string& rule) {
  std::string name;
  for (const char c : rule) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || c == '.') {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name;
}

ExitCode run_vectors(const Arguments& arguments) {
  const auto battery =
      static_cast<Battery>(read_choice(arguments, "battery", {"small", "full", "big"}, 0));
  const std::uint64_t version =
      read_count(arguments, "version", 1, kBatteryVersion, kBatteryVersion);
  const Format format = read_format(arguments);
  std::vector<std::string> rules = read_each(arguments, "rule");
  if (rules.empty()) rules = battery_rules();
  const std::filesystem::path folder =
      make_folder(arguments.text("output").value_or("vectors"), "output");
  std::optional<ProgressBar> bar(std::in_place, rules.size(), "rules");
  std::vector<RuleVectors> all;
  for (const std::string& rule : rules) {
    bar->show(static_cast<double>(all.size()), rule);
    all.push_back(rule_vectors(rule, battery));
    const std::string base = (folder / file_name(all.back().rule)).string();
    Output(base + ".json").write(all.back().vectors);
    Output(base + ".controls.json").write(all.back().controls);
  }
  bar.reset();
  const Document document = listing(
      "vectors",
      {"rule", "battery", "version", "cases", "bytes", "controls", "least power", "missed", "file"},
      all, [&](const RuleVectors& made) -> Cells {
        return {made.rule,
                battery_size(battery).name,
                version,
                made.cases,
                made.vectors.size(),
                made.rejected,
                made.least_power,
                fmt::format("{}", fmt::join(made.missed, " ")),
                (folder / (file_name(made.rule) + ".json")).string()};
      });
  Output(std::nullopt).write(render(document, format));
  return ExitCode::done;
}

}  // namespace

Command vectors_command() {
  return {"vectors",
          "conformance vectors for somebody else's test suite: rows, drafts, the exact law of a "
          "rule, the counts that pass, and the wrong rules that fail (docs/conformance.md)",
          "[--rule VERIFIER ...] [--battery SIZE] [--output FOLDER]",
          "",
          {{"rule", "VERIFIER",
            "a rule (speclab list verifiers); without it every rule of the battery's version",
            /*repeated=*/true},
           {"battery", "SIZE", "small (default), full or big: cases, and samples of each"},
           {"version", "N", "of the battery (default 1, the newest); released ones never change"},
           {"format", "F", "table (default), json, csv or markdown: what was written"},
           {"output", "FOLDER",
            "where a file of vectors and one of controls are written for each "
            "rule (default vectors)"}},
          {"speclab vectors --rule token --output /tmp/vectors",
           "speclab vectors --rule block --rule 'rrs(K=2)' --battery small --output /tmp/vectors "
           "--format json"},
          &run_vectors};
}

}  // namespace speclab
