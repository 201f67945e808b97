#include "answer/documents/answers.h"

#include <array>

#include "answer/plan.h"
#include "document/number.h"

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
    CsvColumn{
        "method",
        "exact; simulate; closed-form: a closed form alone, in `value`; bound: a bound alone, in "
        "`bound`; and of experiments formula, train, derived",
        "exact"},
    CsvColumn{"quantity", "what the row is, see the table of quantities", "iteration.accepted_law"},
    CsvColumn{"index", "of an element: tau, i, two numbers of a grid, the tokens of a sequence",
              "1"},
    CsvColumn{"value", "the number, or the mean of an estimate; empty in a row of a bound",
              "0.1111111111111111"},
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
    CsvColumn{"bound", "the closed form that the result must not pass", "1.3333333333333333"},
    CsvColumn{"bound_exact", "the same as a fraction", "4/3"},
};

RowPlace place_of(const Answer& answer) {
  const Question& question = answer.question;
  const Lengths& lengths = question.lengths;
  RowPlace place{.pair = question.pair->name(),
                 .verifier = question.verifier.name,
                 .gamma = gamma_text(lengths.gamma),
                 .horizon = lengths.horizon,
                 .iterations = lengths.iterations > 0 ? Json(lengths.iterations) : Json(),
                 .arithmetic = arithmetic_name(question.arithmetic),
                 .trials = {},
                 .seed = {}};
  if (answer.run) {
    place.trials = answer.run->trials;
    if (recording_of(*question.pair) == nullptr) place.seed = answer.run->seed;
  }
  return place;
}

/// The line each, under a heading where blocks stand beside it.
Page lines_page(std::span<const Answer> answers, const TableLook& look) {
  Page page;
  if (!look.lines_alone()) page += "all combinations";
  if (answers.front().run)
    page += std::string(page.empty() ? "" : " ") + "(mean +-half-width of the 95% interval)";
  if (!page.empty()) page += "\n";
  page += overview_page(answers, look, false);
  return page;
}

Page answers_page(std::span<const Answer> answers, const TableLook& look) {
  constexpr std::size_t kMostBefore = 3;  // combinations whose lines stand behind their blocks
  if (look.lines_alone()) return lines_page(answers, look);
  if (answers.size() == 1) return answer_page(answers.front(), look.fractions);
  Page page;
  if (answers.empty()) return page;
  if (answers.size() > kMostBefore) page += lines_page(answers, look);
  Marks marks('a');
  for (const Answer& answer : answers) {
    if (!page.empty()) page += "\n";
    page += answer_page(answer, look.fractions, &marks);
  }
  if (const Page key = marks.key(); !key.empty()) {
    page += "\n";
    page += key;
  }
  if (answers.size() <= kMostBefore) {
    page += "\n";
    page += lines_page(answers, look);
  }
  page += gains_page(answers);
  return page;
}

}  // namespace

std::span<const CsvColumn> result_columns() { return kColumns; }

std::vector<std::string> result_column_names(std::vector<std::string> first) {
  for (const CsvColumn& column : kColumns) first.emplace_back(column.name);
  return first;
}

Cells result_cells(const RowPlace& place, const AnswerRow& row, Cells first) {
  const Json number(row.value), fraction(fraction_text(row.exact));
  const bool bound = row.method == kBoundMethod;
  first.insert(first.end(), {place.pair,
                             place.verifier,
                             place.gamma,
                             place.horizon,
                             place.iterations,
                             place.arithmetic,
                             row.method,
                             row.quantity,
                             row.index,
                             bound ? Json() : number,
                             bound ? Json() : fraction,
                             row.standard_error,
                             row.low,
                             row.high,
                             place.trials,
                             place.seed,
                             row.predicted,
                             fraction_text(row.predicted_exact),
                             row.claim,
                             row.z,
                             row.verdict,
                             row.relation,
                             bound ? number : Json(),
                             bound ? fraction : Json()});
  return first;
}

Document answers_document(std::span<const Answer> answers, const TableLook& look) {
  return {.columns = result_column_names(),
          .rows =
              [answers](const AddRow& add) {
                for (const Answer& answer : answers) {
                  const RowPlace place = place_of(answer);
                  for (const AnswerRow& row : rows_of(answer)) add(result_cells(place, row));
                }
              },
          .data = [answers] { return results_json(answers, answer_json); },
          .text = [answers, look] { return answers_page(answers, look); },
          .page = [answers, look] { return overview_page(answers, look, true); }};
}

}  // namespace speclab
