#include "experiment/read_entries.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace speclab {
namespace {

/// Names that a variable cannot have, as they mean something else beside it: in templates, among
/// the keys of an entry, or as a column of the results.
constexpr std::string_view kTaken[] = {
    "text",   "here",        "source", "value",   "values",         "of",
    "by",     "tolerance",   "trend",  "along",   "relation",       "experiment",
    "vary",   "explanation", "prints", "table",   "metric",         "methods",
    "fitted", "arithmetic",  "exact",  "stderr",  "ci95_low",       "ci95_high",
    "seed",   "predicted",   "z",      "verdict", "predicted_exact"};

}  // namespace

void check_variable(const TomlTable& reader, const std::string& name) {
  if (is_column(name) || std::ranges::find(kTaken, name) != std::end(kTaken)) {
    reader.refuse("'" + name + "' is taken and no variable's name; give another");
  }
  check_name(reader, name);
}

void check_name(const TomlTable& reader, const std::string& name) {
  const bool good = !name.empty() && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  if (!good)
    reader.refuse("name '" + abbreviate(name) + "' is not of letters, digits, '-' and '_'");
}

QuantityId read_quantity(const TomlTable& reader, int line, const std::string& path) {
  if (const auto id = find_quantity(path)) return *id;
  std::vector<std::string> paths;
  for (const QuantityInfo& row : quantities()) paths.push_back(row.path());
  reader.refuse(line, "there is no quantity '" + abbreviate(path) + "'" + suggestion(path, paths) +
                          "; `speclab list quantities` names them");
}

Selector read_selector(TomlTable& reader, const Names& variables, const std::string& quantity) {
  Selector rows;
  rows.line = reader.line();
  reader.need("task", "task = \"curve\"");
  Names names(selector_columns().begin(), selector_columns().end());
  names.insert(names.end(), variables.begin(), variables.end());
  for (const std::string& name : names) {
    const toml::node* node = reader.find(name);
    if (node == nullptr) continue;
    std::string value = reader.word(*node, name);
    if (name == "quantity")
      value = speclab::quantity(read_quantity(reader, line_of(*node), value)).path();
    if (name == "trials" && value != "all") {
      reader.refuse(line_of(*node), "trials is \"all\": results after every number of trials");
    }
    rows.columns.emplace_back(name, std::move(value));
  }
  if (rows.find("quantity") == nullptr) {
    if (quantity.empty()) reader.refuse(reader.name() + " has no quantity");
    rows.columns.emplace_back("quantity", quantity);
  }
  return rows;
}

Derived read_derived(TomlTable reader, const Names& variables) {
  Derived derived;
  derived.line = reader.line();
  derived.name = reader.text("name", "name = \"improvement\"");
  check_name(reader, derived.name);
  const toml::node& node = reader.need("quantity", "quantity = \"decode.acceptance_length\"");
  const std::string path =
      quantity(read_quantity(reader, line_of(node), reader.text(node, "quantity"))).path();
  const std::vector<std::string> operations{"difference", "sum", "ratio", "relative"};
  derived.operation = operations[reader.choice("operation", operations, "operation = \"ratio\"")];
  for (const auto& [key, place] :
       {std::pair{"of", &derived.of}, std::pair{"over", &derived.over}}) {
    TomlTable inner = reader.table(key, "of = {task = \"a\", verifier = \"block\"}");
    *place = read_selector(inner, variables, path);
    inner.finish();
  }
  reader.finish();
  return derived;
}

Expected read_expected(TomlTable reader, const Names& variables) {
  Expected expected;
  expected.line = reader.line();
  expected.source = reader.text("source", "source = \"yin2024, Figure 2\"");
  expected.rows = read_selector(reader, variables, "");
  expected.explanation = reader.text_or("explanation");
  expected.prints = reader.flag("prints");
  if (auto value = reader.number_or("value")) {
    expected.value = std::move(value->value);
    expected.printed = std::move(value->text);
    if (auto tolerance = reader.number_or("tolerance")) {
      if (tolerance->value < 0) reader.refuse("tolerance is 0 or more");
      expected.tolerance = std::move(tolerance->value);
      expected.tolerance_text = std::move(tolerance->text);
    }
    expected.relation = static_cast<Relation>(
        reader.choice("relation", {"equals", "at_most", "at_least"}, std::size_t{0}));
  } else {
    if (reader.find("trend") == nullptr) reader.refuse("[[expected]] has neither value nor trend");
    const std::vector<std::string> trends{"increases", "decreases", "non-decreasing",
                                          "non-increasing"};
    expected.trend = trends[reader.choice("trend", trends, "trend = \"increases\"")];
    expected.along = reader.text("along", "along = \"gamma\"");
  }
  if (expected.prints && (!expected.value || expected.relation != Relation::equals)) {
    reader.refuse("prints applies to a value that the results equal");
  }
  reader.finish();
  return expected;
}

}  // namespace speclab
