#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/answer.h"

namespace speclab {

// A view of an answer: its numbers beside the closed forms.

/// The outcome of comparing a closed form with a result.
enum class Verdict {
  agrees,
  differs,
  bound_holds,
  bound_missed,
  not_compared,  ///< the answer has no such quantity
};

/// "agrees", "differs", "bound holds", "bound missed", "not compared".
std::string_view verdict_name(Verdict verdict);

/// "equals", "at_most", "at_least": the result stands in this relation to the closed form.
std::string_view relation_name(Relation relation);

/// A closed form beside a result.
struct Comparison {
  Prediction prediction;
  Verdict verdict = Verdict::not_compared;
  std::optional<double> difference;  ///< result - prediction
  std::optional<double> z;           ///< difference / standard error
  std::string z_missing;             ///< why a simulation has no z
};

/// Difference, relative to the larger of 1 and the value, at which doubles agree. Fractions must be
/// equal.
inline constexpr double kAgreementTolerance = 1e-9;

/// The index of an element that a prediction speaks of.
QuantityIndex index_of(const Prediction& prediction);

/// Compares a closed form with the answer's number. An estimate differs from a form outside its
/// [least, most]: a false alarm in 20,000 comparisons, of rare events too (simulate/interval.h).
Comparison compare(const Answer& answer, Prediction prediction);

/// All of an answer's predictions, in order.
std::vector<Comparison> comparisons(const Answer& answer);

}  // namespace speclab
