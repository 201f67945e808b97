#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <functional>
#include <optional>

#include "answer/documents/lists.h"
#include "answer/question.h"
#include "base/text.h"
#include "claims/document.h"
#include "claims/engine/measured.h"
#include "claims/engine/papers.h"
#include "claims/engine/registry.h"
#include "command.h"
#include "experiment/experiment.h"
#include "help.h"
#include "option_values.h"
#include "report/output.h"
#include "report/report.h"

namespace speclab {
namespace {

/// What the row says in the place of the printed statement, where it does so in this way.
std::string_view amended(const ClaimRow& row, Amends amends) {
  return row.correction.amends == amends ? row.correction.statement : "";
}

Document claims() {
  return listing(
      "claims",
      {"claim", "statement", "hypotheses", "source", "verdict", "correction", "repaired by",
       "readings", "checked on", "instances", "comparisons", "least power", "planted faults"},
      claim_rows(), [](const ClaimRow& row) -> Cells {
        const Measured* found = measured(row.id);
        return {row.id,
                row.statement,
                row.hypotheses,
                row.source,
                claim_verdict_name(row.recorded),
                amended(row, Amends::by_correction),
                amended(row, Amends::by_replacement),
                amended(row, Amends::by_reading),
                row.checked_on(),
                found != nullptr ? Json(found->instances) : Json(),
                found != nullptr ? Json(found->comparisons) : Json(),
                found != nullptr && found->tests > 0 ? Json(found->least_power) : Json(),
                row.planted()};
      });
}

Document experiments() {
  return listing("experiments", {"experiment", "what it shows", "source"}, experiment_files(),
                 [](const std::string& file) -> Cells {
                   const Experiment experiment = read_experiment(file);
                   return {experiment.id, experiment.title, experiment.source};
                 });
}

Document command_listing(const std::vector<const Command*>& chosen) {
  return {.name = "commands",
          .columns = {"command", "option", "value", "meaning"},
          .rows = [chosen](const AddRow& add) {
            for (const Command* command : chosen) {
              add({command->name, "", "", command->prose});
              for (const Option& option : command->options) {
                add({command->name, "--" + std::string(option.name), option.value, option.prose});
              }
            }
          }};
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

/// The ids of verifiers and experiments.
KnownIds known_ids() {
  KnownIds known{{"verifier", {}}, {"experiment", {}}};
  for (const VerifierInfo& row : all_verifier_rows()) known[0].second.emplace_back(row.name);
  for (const std::string& file : experiment_files()) {
    known[1].second.push_back(std::filesystem::path(file).stem().string());
  }
  return known;
}

struct Registry {
  std::string_view name;
  Document (*listing)();
};

constexpr std::array<Registry, 10> kRegistries{{{"pairs", &list_pairs},
                                                {"filters", &list_filters},
                                                {"verifiers", &list_verifiers},
                                                {"engines", &list_engines},
                                                {"predictions", &list_predictions},
                                                {"formulas", &list_formulas},
                                                {"claims", &claims},
                                                {"experiments", &experiments},
                                                {"quantities", &list_quantities},
                                                {"columns", &list_columns}}};

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
    return render(format == Format::markdown && paper ? paper_document(*chosen.front(), known_ids())
                                                      : papers_document(chosen, known_ids()),
                  format);
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
          "list pairs, filters (of every pair), verifiers, engines (and their rules), "
          "predictions (closed forms), formulas, "
          "claims, papers (their statements, and how each is checked), experiments, quantities, "
          "columns (of CSV), commands",
          "pairs|filters|verifiers|engines|predictions|formulas|claims|papers|experiments|"
          "quantities|columns|commands [options]",
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
