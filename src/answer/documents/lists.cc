#include "answer/documents/lists.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "answer/documents/answers.h"
#include "model/filter.h"
#include "model/quantities.h"
#include "model/registry.h"
#include "theory/formulas.h"
#include "theory/predictions.h"
#include "verifiers/engine_rows.h"
#include "verifiers/faults/control_rows.h"
#include "verifiers/faults/fault.h"
#include "verifiers/registry.h"
#include "verifiers/steps.h"

namespace speclab {
namespace {

/// `name(parameters)`, or the name alone.
std::string spec_form(std::string_view name, std::string_view parameters) {
  std::string text(name);
  if (!parameters.empty()) text += "(" + std::string(parameters) + ")";
  return text;
}

/// The document with a page of its first four columns alone: what the manual shows.
Document with_short_page(Document document) {
  document.page = [rows = document.rows, head = document.columns] {
    TextTable table{.alignment = "clll", .head = {head.begin(), head.begin() + 4}};
    rows([&](const Cells& cells) { table.add({cells.begin(), cells.begin() + 4}); });
    return Page() += std::move(table);
  };
  return document;
}

/// How the numbers of a quantity are numbered.
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

}  // namespace

Document list_pairs() {
  return with_short_page(listing(
      "pairs", {"pair", "what it is", "source", "example", "name"}, pair_families(),
      [](const PairFamily& row) -> Cells {
        return {spec_form(row.name, row.parameters), row.prose, row.source, row.example, row.name};
      }));
}

Document list_filters() {
  return listing("filters", {"filter", "what it does", "exact in fractions", "source", "example"},
                 filter_rows(), [](const FilterRow& row) -> Cells {
                   return {(row.for_both ? "" : "draft-") + std::string(row.name) + "=", row.prose,
                           row.exact, row.source, row.example};
                 });
}

Document list_verifiers() {
  const auto cells = [](const VerifierInfo& row) -> Cells {
    return {spec_form(row.name, row.parameters),
            row.prose,
            kind_name(row.kind),
            row.source.empty() ? "fault of " + std::string(row.fault_of) : std::string(row.source),
            row.name,
            row.example,
            row.fault_of,
            row.fault_of.empty() ? "" : make_verifier(row.fault_of).info->name,
            row.drafts,
            row.exact,
            row.small_pairs,
            json_of(steps_of(row.name), [](std::string_view step) -> Json { return step; })};
  };
  return with_short_page(listing(
      "verifiers",
      {"verifier", "what it does", "kind", "source", "name", "example", "fault of",
       "right verifier", "number of drafts", "exact in fractions", "small pairs alone", "steps"},
      all_verifier_rows(), cells));
}

Document list_faults() {
  return {
      .name = "faults",
      .columns = {"fault", "what it changes", "name", "fault of", "right verifier",
                  "planted elsewhere", "pair", "gamma", "rejected by", "tv", "power"},
      .rows = [](const AddRow& add) {
        for (const FaultRow& fault : faults()) {
          for (const ControlRow& row : control_rows()) {
            const VerifierRow& found = *make_verifier(row.verifier).info;
            if (found.name != fault.info.name) continue;
            add({row.verifier, row.fault.empty() ? fault.info.prose : row.fault, fault.info.name,
                 fault.info.fault_of, make_verifier(fault.info.fault_of).info->name,
                 json_of(fault.others, [](std::string_view name) -> Json { return name; }),
                 row.at.pair, row.at.gamma, row.property, row.tv,
                 row.power > 0 ? Json(row.power) : Json()});
          }
        }
      }};
}

Document list_engines() {
  const auto cells = [](const EngineRow& row) -> Cells {
    const std::vector<std::string_view> named(row.faults.begin(),
                                              std::find(row.faults.begin(), row.faults.end(), ""));
    return {row.engine,
            row.option,
            row.file,
            row.commit,
            row.runs,
            row.rule,
            lossless_text(row),
            row.watch,
            row.rule.empty() ? "" : make_verifier(row.rule).info->name,
            json_of(named, [](std::string_view fault) -> Json { return fault; })};
  };
  Document document = listing("engines",
                              {"engine", "option", "file", "commit", "what it runs", "rule",
                               "lossless at T > 0", "what to watch", "verifier", "faults"},
                              engine_rows(), cells);
  document.page = [cells, head = document.columns] {
    TextTable table{.alignment = "llcllcll", .head = {head.begin(), head.end() - 2}};
    for (const EngineRow& row : engine_rows()) {
      Cells shown = cells(row);
      shown.resize(table.head.size());
      if (row.rule.empty()) shown[5] = "none";
      table.add(shown);
    }
    return Page() += std::move(table);
  };
  return document;
}

Document list_predictions() {
  return listing("predictions", {"claim", "closed form", "source"}, prediction_rows(),
                 [](const PredictionRow& row) -> Cells {
                   return {row.claim, row.prose, row.source};
                 });
}

Document list_formulas() {
  return listing("formulas", {"formula", "what it is", "source"}, formula_rows(),
                 [](const FormulaRow& row) -> Cells {
                   return {spec_form(row.name, row.parameters), row.prose, row.source};
                 });
}

Document list_quantities() {
  return listing("quantities", {"quantity", "also as", "index", "unit", "of", "meaning"},
                 quantities(), [](const QuantityInfo& row) -> Cells {
                   return {row.path(), row.kept_as,           index_form(row),
                           row.unit,   scope_name(row.scope), row.prose};
                 });
}

Document list_columns() {
  return listing("columns", {"column", "what it holds", "example"}, result_columns(),
                 [](const CsvColumn& row) -> Cells {
                   return {row.name, row.prose, row.example};
                 });
}

}  // namespace speclab
