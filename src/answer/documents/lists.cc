#include "answer/documents/lists.h"

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
#include "verifiers/registry.h"

namespace speclab {
namespace {

/// `name(parameters)`, or the name alone.
std::string spec_form(std::string_view name, std::string_view parameters) {
  std::string text(name);
  if (!parameters.empty()) text += "(" + std::string(parameters) + ")";
  return text;
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
  return listing("pairs", {"pair", "what it is", "source", "example"}, pair_families(),
                 [](const PairFamily& row) -> Cells {
                   return {spec_form(row.name, row.parameters), row.prose, row.source, row.example};
                 });
}

Document list_filters() {
  return listing("filters", {"filter", "what it does", "exact in fractions", "source", "example"},
                 filter_rows(), [](const FilterRow& row) -> Cells {
                   return {(row.for_both ? "" : "draft-") + std::string(row.name) + "=", row.prose,
                           row.exact, row.source, row.example};
                 });
}

Document list_verifiers() {
  return listing("verifiers", {"verifier", "what it does", "kind", "source"}, all_verifier_rows(),
                 [](const VerifierInfo& row) -> Cells {
                   return {spec_form(row.name, row.parameters), row.prose, kind_name(row.kind),
                           row.source.empty() ? "fault of " + std::string(row.fault_of)
                                              : std::string(row.source)};
                 });
}

Document list_engines() {
  const auto cells = [](const EngineRow& row) -> Cells {
    return {row.engine, row.option, row.file,           row.commit,
            row.runs,   row.rule,   lossless_text(row), row.watch};
  };
  Document document = listing("engines",
                              {"engine", "option", "file", "commit", "what it runs", "rule",
                               "lossless at T > 0", "what to watch"},
                              engine_rows(), cells);
  document.page = [cells, head = document.columns] {
    TextTable table{.alignment = "llcllcll", .head = head};
    for (const EngineRow& row : engine_rows()) {
      Cells shown = cells(row);
      if (row.rule.empty()) shown[5] = "none";
      table.add(shown);
    }
    Page page;
    page += std::move(table);
    return page;
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
