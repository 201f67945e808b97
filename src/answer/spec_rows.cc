#include "answer/spec_rows.h"

#include "theory/formulas.h"
#include "train/classifier.h"

namespace speclab {

SpecRows formula_rows_of(std::string_view text, const PairPointer& pair, int gamma,
                         Arithmetic arithmetic) {
  const FormulaResult formula =
      evaluate_formula(text, {pair, gamma, arithmetic == Arithmetic::rational});
  SpecRows made{formula.name, {}};
  for (const FormulaValue& value : formula.values) {
    made.rows.push_back(value_row("formula", value.quantity, "", {value.value, value.exact, {}}));
  }
  return made;
}

TrainedRows trained_rows_of(std::string_view text, const PairPointer& pair) {
  SpecReader reader(parse_spec(text));
  const Training training = read_training(reader);
  reader.finish();
  const Trained trained = train(pair, training);
  const TrainingReport report = report_training(pair, training, trained);
  TrainedRows made;
  made.name = reader.canonical();
  made.rates_file = rates_file_text(pair, training, trained, report);
  for (const TrainingValue& value : training_values(report)) {
    AnswerRow& row = made.rows.emplace_back();
    row.method = "train";
    row.quantity = quantity(value.quantity).path();
    row.index = value.index ? std::to_string(*value.index) : "";
    row.value = value.value;
  }
  return made;
}

}  // namespace speclab
