#include "answer/rows.h"

#include <algorithm>

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
  row.method = form.relation == Relation::equals ? "closed-form" : "bound";
  row.quantity = quantity(form.quantity).path();
  row.index = index_text(index_of(form));
  row.value = form.value;
  row.exact = form.exact;
  put_claim(row, comparison);
  return row;
}

}  // namespace

std::vector<AnswerRow> rows_of(const Answer& answer) {
  std::vector<Comparison> forms = comparisons(answer);
  std::vector<bool> shown(forms.size(), false);
  std::vector<AnswerRow> rows;
  for (const FoundQuantity<Value>& found : answer.found.all()) {
    for (const Finding<Value>& finding : found.values) {
      AnswerRow row = number_row(answer, found.id, finding);
      for (std::size_t i = 0; i < forms.size(); ++i) {
        const Prediction& form = forms[i].prediction;
        if (form.relation != Relation::equals || !is_about(form, found.id, finding.index)) {
          continue;
        }
        row.predicted = form.value;
        row.predicted_exact = form.exact;
        put_claim(row, forms[i]);
        shown[i] = true;
        break;
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
