#include "report/csv.h"

#include <vector>

#include "report/number.h"

namespace speclab {
namespace {

/// The fields of a row after those of the combination.
struct Row {
  std::string quantity, index, tokens, value, exact, standard_error, low, high, claim, relation, z,
      verdict;
};

std::vector<std::string> combination(const Record& record) {
  std::vector<std::string> fields{record.pair, record.verifier, gamma_text(record.gamma),
                                  record.horizon ? std::to_string(*record.horizon) : ""};
  if (record.run) {
    fields.insert(fields.end(),
                  {"", std::to_string(record.run->trials), std::to_string(record.run->seed)});
  } else {
    fields.insert(fields.end(),
                  {record.arithmetic == Arithmetic::rational ? "rational" : "double", "", ""});
  }
  return fields;
}

std::string line(const Record& record, Row row) {
  std::vector<std::string> fields = combination(record);
  fields.insert(
      fields.end(),
      {std::move(row.quantity), std::move(row.index), std::move(row.tokens), std::move(row.value),
       std::move(row.exact), std::move(row.standard_error), std::move(row.low), std::move(row.high),
       std::move(row.claim), std::move(row.relation), std::move(row.z), std::move(row.verdict)});
  return csv_line(fields);
}

std::string token_text(const std::vector<Token>& tokens) {
  std::string text;
  for (const Token token : tokens) text += (text.empty() ? "" : " ") + std::to_string(token);
  return text;
}

/// The quantity that a closed form speaks of, its elements numbered as in the quantity's own rows.
void name_quantity(const Record& record, const std::string& path, Row& row) {
  row.quantity = path;
  for (const Quantity& quantity : record.quantities) {
    if (quantity.shape == Quantity::Shape::single) continue;
    if (const auto at = quantity.element(path)) {
      row.quantity = quantity.path();
      row.index = std::to_string(static_cast<std::size_t>(quantity.first_label) + *at);
      return;
    }
  }
}

std::string quantity_lines(const Record& record, const Quantity& quantity) {
  std::string lines;
  for (std::size_t i = 0; i < quantity.values.size(); ++i) {
    const Value& value = quantity.values[i];
    Row row;
    row.quantity = quantity.path();
    if (quantity.shape == Quantity::Shape::list) {
      row.index = std::to_string(static_cast<std::size_t>(quantity.first_label) + i);
    }
    if (quantity.shape == Quantity::Shape::law) row.tokens = token_text(quantity.tokens[i]);
    row.value = shortest(value.number);
    row.exact = fraction_text(value.fraction).value_or("");
    if (value.estimate) {
      row.standard_error = shortest(value.estimate->standard_error);
      row.low = shortest(value.estimate->low);
      row.high = shortest(value.estimate->high);
    }
    lines += line(record, std::move(row));
  }
  return lines;
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

std::string csv_line(std::span<const std::string> fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != fields.data()) line += ',';
    line += csv_field(field);
  }
  return line + '\n';
}

std::string report_csv(const Report& report) {
  std::string text =
      "pair,verifier,gamma,horizon,arithmetic,trials,seed,quantity,index,tokens,value,exact,stderr,"
      "ci95_low,ci95_high,claim,relation,z,verdict\n";
  for (const Record& record : report) {
    for (const Quantity& quantity : record.quantities) text += quantity_lines(record, quantity);
    if (record.run) {
      Row row;
      row.quantity = "undefined_trials";
      row.value = std::to_string(record.run->undefined_trials);
      text += line(record, std::move(row));
    }
    for (const Comparison& comparison : record.comparisons) {
      Row row;
      name_quantity(record, comparison.prediction.quantity, row);
      row.value = shortest(comparison.prediction.value);
      row.exact = fraction_text(comparison.prediction.exact).value_or("");
      row.claim = comparison.prediction.claim;
      row.relation = relation_name(comparison.prediction.relation);
      if (comparison.z) row.z = shortest(*comparison.z);
      row.verdict = verdict_name(comparison.verdict);
      text += line(record, std::move(row));
    }
  }
  return text;
}

}  // namespace speclab
