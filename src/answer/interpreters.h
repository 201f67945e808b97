#pragma once

#include <optional>
#include <vector>

#include "answer/answer.h"
#include "answer/plan.h"

namespace speclab {

struct DecodeMeans;  // simulate/output_means.h

// The interpreters: each answers a planned question by its method.

/// Run by src/exact. @throws as run_exact does
Answer interpret(const Plan& plan, const ByEnumeration& method, const Progress& progress);

/// Run by src/simulate. Interrupted, the answer has the trials that were finished and reports it.
/// @throws as run_trials does; UsageError where the conditional estimator is asked for more than
/// one full iteration
Answer interpret(const Plan& plan, const BySimulation& method, const Progress& progress);

/// Run by src/recorded. @pre the pair is recorded, and verifier and gamma are in the request
/// @throws as run_recorded does; InputError where the question goes beyond one iteration
Answer interpret(const Plan& plan, const ByRecording& method, const Progress& progress);

/// From src/theory.
Answer interpret(const Plan& plan, const ByClosedForm& method, const Progress& progress);

/// The two parts of an answer by simulation: the trials, or their means, and what trials say.
Tallied sample(const Plan& plan, const BySimulation& method, const Progress& progress);
std::vector<DecodeMeans> means(const Plan& plan, const BySimulation& method);
Answer estimate(const Question& question, const Rows<double>& rows, const BySimulation& method,
                const Tallied& tallied, const std::vector<Prediction>* forms);

/// An answer without numbers, with what is noted about the question by any method.
Answer new_answer(const Question& question, AnswerKind kind);

/// Everything that an interpreter found, as values.
template <class T>
void take(Answer& answer, const Findings<T>& found) {
  for (const FoundQuantity<T>& quantity : found.all()) {
    if (!quantity.missing.empty()) answer.add_missing(quantity.id, quantity.missing);
    for (const Finding<T>& value : quantity.values) {
      answer.add(quantity.id, value_of(value.value), value.index);
    }
  }
}

}  // namespace speclab
