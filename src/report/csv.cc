#include "report/csv.h"

#include <algorithm>
#include <array>

#include "answer/plan.h"
#include "report/number.h"

namespace speclab {
namespace {

constexpr std::array kColumns{
    CsvColumn{"pair", "canonical spec text of the pair of models",
              "bernoulli(draft=2/3,target=1/3)"},
    CsvColumn{"verifier", "canonical spec text of the verifier, or of a formula", "block"},
    CsvColumn{"gamma", "draft length, or inf: up to the horizon", "2"},
    CsvColumn{"horizon", "tokens of a whole decode, where they are asked for", "4"},
    CsvColumn{"iterations", "iterations of E[N(i)], where they are asked for", "4"},
    CsvColumn{"arithmetic", "of exact values and closed forms: rational or double", "rational"},
    CsvColumn{"method",
              "exact; simulate; closed-form or bound: a closed form alone, in `value`; and of "
              "experiments formula, train, derived",
              "exact"},
    CsvColumn{"quantity", "what is told, see the table of quantities", "iteration.accepted_law"},
    CsvColumn{"index", "of an element: tau, i, two numbers of a grid, the tokens of a sequence",
              "1"},
    CsvColumn{"value", "the number, or the mean of an estimate", "0.1111111111111111"},
    CsvColumn{"exact", "the same as a fraction, in rational arithmetic", "1/9"},
    CsvColumn{"stderr", "standard error of an estimate", "0.0009937"},
    CsvColumn{"ci95_low", "lower end of its 95% interval", "0.1091"},
    CsvColumn{"ci95_high", "upper end of its 95% interval", "0.1131"},
    CsvColumn{"trials", "trials of a simulation", "100000"},
    CsvColumn{"seed", "seed of a simulation", "1"},
    CsvColumn{"predicted", "the closed form that the value must equal", "0.1111111111111111"},
    CsvColumn{"predicted_exact", "the same as a fraction", "1/9"},
    CsvColumn{"claim", "whose closed form it is", "sun2025.lemma3"},
    CsvColumn{"z", "standard errors between the estimate and the closed form", "-0.41"},
    CsvColumn{"verdict", "agrees, differs; of a bound: bound holds, bound missed", "agrees"},
    CsvColumn{"relation", "how the result must stand to the closed form: equals, at_most, at_least",
              "equals"},
};

std::string number_or_nothing(const std::optional<double>& value) {
  return value ? shortest(*value) : "";
}

}  // namespace

RowPlace place_of(const Answer& answer) {
  const Question& question = answer.question;
  const Lengths& lengths = question.lengths;
  RowPlace place;
  place.pair = question.pair->name();
  place.verifier = question.verifier.name;
  place.gamma = gamma_text(lengths.gamma);
  if (lengths.horizon) place.horizon = std::to_string(*lengths.horizon);
  if (lengths.iterations > 0) place.iterations = std::to_string(lengths.iterations);
  place.arithmetic = arithmetic_name(question.arithmetic);
  if (answer.run) {
    place.trials = std::to_string(answer.run->trials);
    if (recording_of(*question.pair) == nullptr) place.seed = std::to_string(answer.run->seed);
  }
  return place;
}

std::span<const CsvColumn> result_columns() { return kColumns; }

std::string csv_header(std::span<const std::string> first) {
  std::vector<std::string> names(first.begin(), first.end());
  for (const CsvColumn& column : kColumns) names.emplace_back(column.name);
  return csv_line(names);
}

std::string csv_row(const RowPlace& place, const AnswerRow& row,
                    std::span<const std::string> first) {
  std::vector<std::string> fields(first.begin(), first.end());
  fields.insert(fields.end(), {place.pair,
                               place.verifier,
                               place.gamma,
                               place.horizon,
                               place.iterations,
                               place.arithmetic,
                               row.method,
                               row.quantity,
                               row.index,
                               shortest(row.value),
                               fraction_text(row.exact).value_or(""),
                               number_or_nothing(row.standard_error),
                               number_or_nothing(row.low),
                               number_or_nothing(row.high),
                               place.trials,
                               place.seed,
                               number_or_nothing(row.predicted),
                               fraction_text(row.predicted_exact).value_or(""),
                               row.claim,
                               number_or_nothing(row.z),
                               row.verdict,
                               row.relation});
  return csv_line(fields);
}

std::string answers_csv(std::span<const Answer> answers) {
  std::string text = csv_header();
  for (const Answer& answer : answers) {
    const RowPlace place = place_of(answer);
    for (const AnswerRow& row : rows_of(answer)) text += csv_row(place, row);
  }
  return text;
}

namespace {

bool letter_or_dash(char c) { return c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a spreadsheet would take the text for a formula: it begins like one and is neither a
/// number nor the name of an option.
bool looks_like_formula(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '+' || text.front() == '-') {
    const std::string_view rest = text.substr(1);
    if (rest.starts_with('-') && std::all_of(rest.begin(), rest.end(), letter_or_dash))
      return false;
    return rest != "inf" &&
           (rest.empty() || rest.find_first_not_of("0123456789.eE/-") != std::string_view::npos);
  }
  return std::string_view("=@\t\r").find(text.front()) != std::string_view::npos;
}

}  // namespace

std::string csv_field(std::string_view text) {
  if (looks_like_formula(text)) {
    const std::string shown = "'" + std::string(text);
    return csv_field(shown);
  }
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

}  // namespace speclab
