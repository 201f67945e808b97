#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/text.h"
#include "claims/engine/measured.h"
#include "claims/engine/papers.h"
#include "claims/engine/registry.h"
#include "command.h"
#include "experiment/experiment.h"
#include "help.h"
#include "model/filter.h"
#include "model/quantities.h"
#include "model/registry.h"
#include "option_values.h"
#include "report/csv.h"
#include "report/listing.h"
#include "report/number.h"
#include "report/output.h"
#include "report/papers.h"
#include "theory/formulas.h"
#include "theory/predictions.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

/// `name(parameters)`, or the name alone.
std::string spec_form(std::string_view name, std::string_view parameters) {
  std::string text(name);
  if (!parameters.empty()) text += "(" + std::string(parameters) + ")";
  return text;
}

Listing pairs() {
  Listing listing{"pairs", {"pair", "what it is", "source", "example"}, {}};
  for (const PairFamily& row : pair_families()) {
    listing.rows.push_back({spec_form(row.name, row.parameters), std::string(row.prose),
                            std::string(row.source), std::string(row.example)});
  }
  return listing;
}

Listing filters() {
  Listing listing{
      "filters", {"filter", "what it does", "exact in fractions", "source", "example"}, {}};
  for (const FilterRow& row : filter_rows()) {
    listing.rows.push_back({std::string(row.name) + "=", std::string(row.prose),
                            std::string(row.exact), std::string(row.source),
                            std::string(row.example)});
  }
  return listing;
}

Listing verifiers() {
  Listing listing{"verifiers", {"verifier", "what it does", "kind", "source"}, {}};
  for (const VerifierInfo& row : all_verifier_rows()) {
    listing.rows.push_back(
        {spec_form(row.name, row.parameters), std::string(row.prose),
         std::string(kind_name(row.kind)),
         row.source.empty() ? "fault of " + std::string(row.fault_of) : std::string(row.source)});
  }
  return listing;
}

/// What running systems have: no sentence of it is about a rule that no system runs.
Listing rules() {
  Listing listing{"rules", {"rule", "in use in", "lossless", "the same drafts allow"}, {}};
  for (const VerifierInfo& row : all_verifier_rows()) {
    if (row.use.engines.empty()) continue;
    listing.rows.push_back({std::string(row.example), std::string(row.use.engines),
                            std::string(row.use.lossless), std::string(row.use.instead)});
  }
  return listing;
}

Listing predictions() {
  Listing listing{"predictions", {"claim", "closed form", "source"}, {}};
  for (const PredictionRow& row : prediction_rows()) {
    listing.rows.push_back(
        {std::string(row.claim), std::string(row.prose), std::string(row.source)});
  }
  return listing;
}

Listing claims() {
  Listing listing{"claims",
                  {"claim", "statement", "hypotheses", "source", "verdict", "correction", "held on",
                   "instances", "comparisons", "least power", "planted faults"},
                  {}};
  for (const ClaimRow& row : claim_rows()) {
    std::vector<std::string> cells{std::string(row.id),
                                   std::string(row.statement),
                                   std::string(row.hypotheses),
                                   std::string(row.source),
                                   std::string(claim_verdict_name(row.recorded)),
                                   std::string(row.correction.statement),
                                   row.checked_on(),
                                   "",
                                   "",
                                   "",
                                   row.planted()};
    if (const Measured* found = measured(row.id)) {
      cells[7] = std::to_string(found->instances);
      cells[8] = std::to_string(found->comparisons);
      if (found->tests > 0) cells[9] = shortest(found->least_power);
    }
    listing.rows.push_back(std::move(cells));
  }
  return listing;
}

Listing experiments() {
  Listing listing{"experiments", {"experiment", "what it shows", "source"}, {}};
  for (const std::string& file : experiment_files()) {
    const Experiment experiment = read_experiment(file);
    listing.rows.push_back({experiment.id, experiment.title, experiment.source});
  }
  return listing;
}

Listing formulas() {
  Listing listing{"formulas", {"formula", "what it is", "source"}, {}};
  for (const FormulaRow& row : formula_rows()) {
    listing.rows.push_back(
        {spec_form(row.name, row.parameters), std::string(row.prose), std::string(row.source)});
  }
  return listing;
}

/// How the numbers of a quantity are told apart.
std::string index_form(const QuantityInfo& row) {
  switch (row.shape) {
    case QuantityShape::single:
      break;
    case QuantityShape::list:
      return "from " + std::to_string(row.first);
    case QuantityShape::grid:
      return "from " + std::to_string(row.first) + ", then from 0";
    case QuantityShape::sequences:
      return "tokens";
    case QuantityShape::laws:
      return "tokens, then from 0";
  }
  return "";
}

Listing quantity_listing() {
  Listing listing{"quantities", {"quantity", "also as", "index", "unit", "of", "meaning"}, {}};
  for (const QuantityInfo& row : quantities()) {
    listing.rows.push_back({row.path(), std::string(row.kept_as), index_form(row),
                            std::string(row.unit), std::string(scope_name(row.scope)),
                            std::string(row.prose)});
  }
  return listing;
}

Listing columns() {
  Listing listing{"columns", {"column", "what it holds", "example"}, {}};
  for (const CsvColumn& row : result_columns()) {
    listing.rows.push_back(
        {std::string(row.name), std::string(row.prose), std::string(row.example)});
  }
  return listing;
}

Listing command_listing(const std::vector<const Command*>& chosen) {
  Listing listing{"commands", {"command", "option", "value", "meaning"}, {}};
  for (const Command* command : chosen) {
    listing.rows.push_back({std::string(command->name), "", "", std::string(command->prose)});
    for (const Option& option : command->options) {
      listing.rows.push_back({std::string(command->name), "--" + std::string(option.name),
                              std::string(option.value), std::string(option.prose)});
    }
  }
  return listing;
}

std::string command_text(const std::vector<const Command*>& chosen, Format format) {
  if (format != Format::table) return render(command_listing(chosen), format);
  std::string text;
  for (const Command* command : chosen) {
    text +=
        (text.empty() ? "" : "\n") + std::string(command->name) + "\n\n" + command_help(*command);
  }
  return text;
}

struct Registry {
  std::string_view name;
  Listing (*listing)();
};

constexpr std::array<Registry, 10> kRegistries{{{"pairs", &pairs},
                                                {"filters", &filters},
                                                {"verifiers", &verifiers},
                                                {"rules", &rules},
                                                {"predictions", &predictions},
                                                {"formulas", &formulas},
                                                {"claims", &claims},
                                                {"experiments", &experiments},
                                                {"quantities", &quantity_listing},
                                                {"columns", &columns}}};

/// The rows named `text`, or all of them where nothing is named.
/// @throws UsageError naming what there is
template <class Row, class Rows>
std::vector<const Row*> choose(const Rows& rows, std::string_view Row::*name, const char* what,
                               const std::optional<std::string>& text) {
  std::vector<const Row*> chosen;
  std::vector<std::string> names;
  for (const Row& row : rows) {
    names.emplace_back(row.*name);
    if (!text || names.back() == *text) chosen.push_back(&row);
  }
  if (!chosen.empty()) return chosen;
  throw UsageError(fmt::format("there is no {} '{}'{}; there are {}", what, abbreviate(*text),
                               suggestion(*text, names), join(names)));
}

/// What the word asks for, of one paper or command alone where that is named.
std::string listed(const std::string& word, const Arguments& arguments, Format format) {
  const auto paper = arguments.text("paper");
  const auto command = arguments.text("command");
  if (paper && word != "papers") throw UsageError("--paper is of `speclab list papers` alone");
  if (command && word != "commands") {
    throw UsageError("--command is of `speclab list commands` alone");
  }
  if (word == "papers") {
    const auto chosen = choose(papers(), &Paper::key, "paper", paper);
    return format == Format::markdown && paper ? paper_markdown(*chosen.front())
                                               : render(paper_listing(chosen), format);
  }
  if (word == "commands") {
    const auto chosen = choose(commands(), &Command::name, "command", command);
    if (format != Format::markdown) return command_text(chosen, format);
    return command ? command_markdown(*chosen.front()) : commands_markdown();
  }
  std::vector<std::string> names;
  for (const Registry& registry : kRegistries) {
    if (registry.name == word) return render(registry.listing(), format);
    names.emplace_back(registry.name);
  }
  names.insert(names.end(), {"papers", "commands"});
  throw UsageError("there is no list of '" + abbreviate(word) + "'" + suggestion(word, names) +
                   "; there are " + join(names));
}

ExitCode run_list(const Arguments& arguments) {
  if (!arguments.word()) throw UsageError("say what to list (speclab list --help)");
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  output.write(listed(*arguments.word(), arguments, format));
  return ExitCode::done;
}

}  // namespace

Command list_command() {
  return {"list",
          "what there is: pairs, filters (of every pair), verifiers, rules (of running systems), "
          "predictions (closed forms), formulas, "
          "claims, papers (what each states, and what of it is held), experiments, quantities, "
          "columns (of CSV), commands",
          "pairs|filters|verifiers|rules|predictions|formulas|claims|papers|experiments|quantities|"
          "columns|commands [options]",
          "WHAT",
          {{"paper", "KEY", "of papers: this one alone"},
           {"command", "NAME", "of commands: this one alone"},
           {"format", "F", "table (default), json, csv or markdown"},
           output_option(),
           {"help", "", "this text"}},
          {"speclab list verifiers", "speclab list pairs --format json"},
          &run_list};
}

}  // namespace speclab
