#include "answer/rows.h"

#include <map>
#include <utility>

namespace speclab {
namespace {

void put_claim(AnswerRow& row, const Comparison& comparison) {
  row.claim = comparison.prediction.claim;
  row.relation = relation_name(comparison.prediction.relation);
  row.z = comparison.z;
  if (comparison.verdict != Verdict::not_compared) row.verdict = verdict_name(comparison.verdict);
}

AnswerRow form_row(const Comparison& comparison) {
  const Prediction& form = comparison.prediction;
  AnswerRow row =
      value_row(form.relation == Relation::equals ? "closed-form" : kBoundMethod, form.quantity,
                index_text(index_of(form)), {form.value, form.exact, {}});
  put_claim(row, comparison);
  return row;
}

/// For each number that closed forms speak of: the first that says what it is.
std::map<std::pair<QuantityId, QuantityIndex>, std::size_t> first_equal(
    const std::vector<Comparison>& forms) {
  std::map<std::pair<QuantityId, QuantityIndex>, std::size_t> first;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const Prediction& form = forms[i].prediction;
    if (form.relation == Relation::equals) first.try_emplace({form.quantity, index_of(form)}, i);
  }
  return first;
}

}  // namespace

AnswerRow value_row(std::string_view method, QuantityId id, std::string index, const Value& value) {
  AnswerRow row;
  row.method = method;
  row.quantity = quantity(id).path();
  row.index = std::move(index);
  row.value = value.number;
  row.exact = value.fraction;
  if (const auto& estimate = value.estimate) {
    row.standard_error = estimate->standard_error;
    row.low = estimate->low;
    row.high = estimate->high;
  }
  return row;
}

std::vector<AnswerRow> rows_of(const Answer& answer) {
  std::vector<Comparison> forms = comparisons(answer);
  const auto first = first_equal(forms);
  std::vector<bool> shown(forms.size(), false);
  std::vector<AnswerRow> rows;
  for (const FoundQuantity<Value>& found : answer.found.all()) {
    for (const Finding<Value>& finding : found.values) {
      AnswerRow row =
          value_row(kind_name(answer.kind), found.id, index_text(finding.index), finding.value);
      if (const auto place = first.find({found.id, finding.index}); place != first.end()) {
        const Prediction& form = forms[place->second].prediction;
        row.predicted = form.value;
        row.predicted_exact = form.exact;
        put_claim(row, forms[place->second]);
        shown[place->second] = true;
      }
      rows.push_back(std::move(row));
    }
  }
  if (answer.run) {
    rows.push_back(value_row(kind_name(answer.kind), QuantityId::undefined_trials, "",
                             value_of(static_cast<double>(answer.run->undefined_trials))));
  }
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (!shown[i]) rows.push_back(form_row(forms[i]));
  }
  return rows;
}

}  // namespace speclab
