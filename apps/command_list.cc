#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>

#include "answer/documents/lists.h"
#include "answer/question.h"
#include "base/text.h"
#include "claims/document.h"
#include "claims/engine/papers.h"
#include "command.h"
#include "experiment/experiment.h"
#include "help.h"
#include "option_values.h"
#include "report/output.h"
#include "report/page.h"
#include "report/report.h"

namespace speclab {
namespace {

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

struct Registry {
  std::string_view name;
  Document (*listing)();
  std::vector<std::size_t> brief;  ///< the columns that a line shows
};

const std::vector<Registry>& registries() {
  static const std::vector<Registry> all{
      {"pairs", &list_pairs, {0, 1}},
      {"filters", &list_filters, {0, 1}},
      {"verifiers", &list_verifiers, {0, 1}},
      {"faults", &list_faults, {0, 1}},
      {"engines", &list_engines, {0, 1, 5}},
      {"predictions", &list_predictions, {0, 1}},
      {"formulas", &list_formulas, {0, 1}},
      {"claims", &claims_document, {0, 4, 1}},
      {"implications", &implications_document, {0, 2, 1}},
      {"proofs", &proofs_document, {0, 1, 2}},
      {"theorems", &theorems_document, {0, 1, 2}},
      {"experiments", &experiments, {0, 1}},
      {"quantities", &list_quantities, {0, 5}},
      {"columns", &list_columns, {0, 1}},
      {"papers",
       [] { return papers_document(choose(papers(), &Paper::key, "paper", {}), known_ids()); },
       {1, 0, 2}}};
  return all;
}

std::string lower(std::string text) {
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

bool contains(const Json& cell, const std::string& word) {
  return lower(cell_text(cell)).find(word) != std::string::npos;
}

/// Which rows are asked for: each word is part of their first cell, or of any cell where it is part
/// of no row's first. The paper is how the first cell begins, or, where no row's does, part of any
/// cell.
class RowFilter {
 public:
  RowFilter(const Document& document, const std::vector<std::string>& words,
            const std::optional<std::string>& paper)
      : paper_(paper) {
    std::vector<std::string> names;
    document.rows([&](const Cells& cells) { names.push_back(cell_text(cells.front())); });
    paper_names_ = paper && std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                     return name.starts_with(*paper + ".");
                   });
    for (const std::string& word : words) {
      const std::string small = lower(word);
      const bool named = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return contains(name, small);
      });
      words_.emplace_back(small, named);
    }
    bool any = false, elsewhere = false;
    document.rows([&](const Cells& cells) {
      any = any || keeps(cells);
      elsewhere = elsewhere || has_words(cells);
    });
    if (any || (words.empty() && !paper)) return;
    if (elsewhere && !words.empty()) {
      throw UsageError(
          fmt::format("no row of {} that has '{}' is of the paper {}; leave out --paper",
                      document.name, abbreviate(join(words, " ")), *paper));
    }
    const std::string wanted = words.empty() ? *paper : join(words, " ");
    throw UsageError(fmt::format("no row of {} has '{}'{}", document.name, abbreviate(wanted),
                                 suggestion(wanted, names)));
  }

  [[nodiscard]] bool of_paper(const Cells& cells) const {
    if (paper_names_) return cell_text(cells.front()).starts_with(*paper_ + ".");
    return std::any_of(cells.begin(), cells.end(),
                       [&](const Json& cell) { return contains(cell, lower(*paper_)); });
  }

  [[nodiscard]] bool has_words(const Cells& cells) const {
    return std::all_of(words_.begin(), words_.end(), [&](const auto& word) {
      if (word.second) return contains(cells.front(), word.first);
      return std::any_of(cells.begin(), cells.end(),
                         [&](const Json& cell) { return contains(cell, word.first); });
    });
  }

  [[nodiscard]] bool keeps(const Cells& cells) const {
    return (!paper_ || of_paper(cells)) && has_words(cells);
  }

 private:
  std::vector<std::pair<std::string, bool>> words_;  ///< whether a row's first cell has it
  std::optional<std::string> paper_;
  bool paper_names_ = false;  ///< whether names of rows begin with it
};

/// A line a row: these of its cells, as far as the page goes. Columns stand below each
/// other, but for what is wider than kWidest.
std::string brief_lines(const Document& document, const std::vector<std::size_t>& columns) {
  constexpr std::size_t kWidest = 30;
  std::vector<std::size_t> widths(columns.size());
  const auto shown = [&](const Cells& cells, std::size_t i) {
    return cell_text(cells[columns[i]]);
  };
  document.rows([&](const Cells& cells) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], std::min(kWidest, shown(cells, i).size()));
    }
  });
  std::string text;
  document.rows([&](const Cells& cells) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == 0) continue;
      line += fmt::format("{}{:{}}", i == 0 ? "" : "  ", shown(cells, i), widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    if (line.size() > page_width()) line = line.substr(0, page_width() - 3) + "...";
    text += line + "\n";
  });
  return text;
}

/// In JSON a text that is not there is null.
void null_for_nothing(Document& document) {
  document.rows = [all = document.rows](const AddRow& add) {
    all([&](Cells cells) {
      for (Json& cell : cells) {
        if (cell.is_string() && cell.string().empty()) cell = Json();
      }
      add(cells);
    });
  };
}

/// A registry's rows, those that are asked for.
std::string listed_rows(const Registry& registry, const std::vector<std::string>& words,
                        const std::optional<std::string>& paper, bool in_full, Format format) {
  Document document = registry.listing();
  const bool chosen = !words.empty() || paper;
  if (chosen) {
    const RowFilter filter(document, words, paper);
    document.rows = [filter, all = document.rows](const AddRow& add) {
      all([&](const Cells& cells) {
        if (filter.keeps(cells)) add(cells);
      });
    };
    document.page = {};
    document.data = {};
    document.text = {};
  }
  if (format == Format::json) null_for_nothing(document);
  if (format == Format::table && !in_full) return brief_lines(document, registry.brief);
  return render(document, format);
}

/// What the first word asks for, those rows alone that the others name.
std::string listed(const Arguments& arguments, Format format) {
  const std::string& what = arguments.words().front();
  const std::vector<std::string> words(arguments.words().begin() + 1, arguments.words().end());
  const auto paper = arguments.text("paper");
  const auto command = arguments.text("command");
  if (command && what != "commands") {
    throw UsageError("--command is of `speclab list commands` alone");
  }
  if (what == "commands") {
    if (!words.empty() || paper) throw UsageError("of commands, --command NAME names one");
    const auto chosen = choose(commands(), &Command::name, "command", command);
    if (format != Format::markdown) return command_text(chosen, format);
    return command ? command_markdown(*chosen.front()) : commands_markdown();
  }
  if (paper) choose(papers(), &Paper::key, "paper", paper);
  if (what == "papers" && words.empty() && paper &&
      (format != Format::table || arguments.has("long"))) {
    const auto chosen = choose(papers(), &Paper::key, "paper", paper);
    return render(format == Format::markdown ? paper_document(*chosen.front(), known_ids())
                                             : papers_document(chosen, known_ids()),
                  format);
  }
  std::vector<std::string> names;
  for (const Registry& registry : registries()) {
    if (registry.name == what) {
      return listed_rows(registry, words, paper, arguments.has("long"), format);
    }
    names.emplace_back(registry.name);
  }
  names.emplace_back("commands");
  throw UsageError("there is no list of '" + abbreviate(what) + "'" + suggestion(what, names) +
                   "; there are " + join(names));
}

ExitCode run_list(const Arguments& arguments) {
  if (!arguments.word()) throw UsageError("say what to list (speclab list --help)");
  const Format format = read_format(arguments);
  const Output output(arguments.text("output"));
  output.write(listed(arguments, format));
  return ExitCode::done;
}

}  // namespace

Command list_command() {
  return {
      "list",
      "list pairs, filters (of every pair), verifiers, faults (planted ones, and what shows each), "
      "engines (and their rules), predictions (closed forms), formulas, claims, implications (what "
      "papers conclude from what), proofs (for all pairs of a size), theorems (machine-checked), "
      "papers (their statements, and how each is checked), experiments, quantities, "
      "columns (of CSV), commands",
      "pairs|filters|verifiers|faults|engines|predictions|formulas|claims|implications|proofs|"
      "theorems|papers|experiments|quantities|columns|commands [WORD ...] [options]",
      "WHAT",
      {{"paper", "KEY", "rows of this paper alone (speclab list papers)"},
       {"command", "NAME", "of commands: this one alone"},
       {"long", "", "everything of each row, in place of a line; the other formats always have it"},
       kFormatOption,
       output_option()},
      {"speclab list verifiers block", "speclab list claims --paper sun2025 --long"},
      &run_list,
      /*many_words=*/true};
}

}  // namespace speclab
