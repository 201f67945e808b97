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

AnswerRow number_row(const Answer& answer, QuantityId id, const Finding<Value>& finding) {
  AnswerRow row;
  row.method = kind_name(answer.kind);
  row.quantity = quantity(id).path();
  row.index = index_text(finding.index);
  row.value = finding.value.number;
  row.exact = finding.value.fraction;
  if (const auto& estimate = finding.value.estimate) {
    row.standard_error = estimate->standard_error;
    row.low = estimate->low;
    row.high = estimate->high;
  }
  return row;
}

AnswerRow form_row(const Comparison& comparison) {
  const Prediction& form = comparison.prediction;
  AnswerRow row;
  row.method = form.relation == Relation::equals ? "closed-form" : kBoundMethod;
  row.quantity = quantity(form.quantity).path();
  row.index = index_text(index_of(form));
  row.value = form.value;
  row.exact = form.exact;
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

std::vector<AnswerRow> rows_of(const Answer& answer) {
  std::vector<Comparison> forms = comparisons(answer);
  const auto first = first_equal(forms);
  std::vector<bool> shown(forms.size(), false);
  std::vector<AnswerRow> rows;
  for (const FoundQuantity<Value>& found : answer.found.all()) {
    for (const Finding<Value>& finding : found.values) {
      AnswerRow row = number_row(answer, found.id, finding);
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
    AnswerRow row;
    row.method = kind_name(answer.kind);
    row.quantity = quantity(QuantityId::undefined_trials).path();
    row.value = static_cast<double>(answer.run->undefined_trials);
    rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (!shown[i]) rows.push_back(form_row(forms[i]));
  }
  return rows;
}

}  // namespace speclab
