#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "answer/question.h"
#include "model/findings.h"
#include "simulate/estimate.h"
#include "theory/predictions.h"
#include "verifiers/iteration.h"

namespace speclab {

/// One number of an answer: exact, in either arithmetic, or estimated.
struct Value {
  double number = 0;                 ///< the value, or the mean of an estimate; finite
  std::optional<Rational> fraction;  ///< in rational arithmetic
  std::optional<Estimate> estimate;  ///< by simulation
};

Value value_of(double number);
Value value_of(const Rational& fraction);
Value value_of(const Estimate& estimate);

/// How an answer was found.
enum class AnswerKind {
  exact,        ///< every sequence of the verifier's decisions
  simulate,     ///< trials
  closed_form,  ///< predictions alone
};

/// "exact", "simulate", "closed-form".
std::string_view kind_name(AnswerKind kind);

/// How a simulation was run.
struct Provenance {
  std::uint64_t trials = 0;
  std::uint64_t seed = 0;
  int threads = 1;
  double seconds = 0;
  Estimator estimator = Estimator::plain;
  std::optional<double> variance_ratio;       ///< of tau's variance over the estimator's
  std::optional<double> seconds_to_permille;  ///< to a relative half-width of 0.1% of E[tau]
  std::size_t table_bytes = 0;                ///< held by the pair's rows and sampling tables
  std::uint64_t undefined_trials = 0;
  bool interrupted = false;
};

/// One way in which the first iteration can go.
struct OutcomeShare {
  std::vector<Token> draft;   ///< the tokens that the verifier drafted, in order
  std::vector<Token> tokens;  ///< what it emitted
  int accepted = 0;
  Ending ending = Ending::horizon;
  Value probability;
};

/// Everything that was found: one type for every method.
struct Answer {
  Question question;
  AnswerKind kind = AnswerKind::exact;
  Findings<Value> found;  ///< every number is finite; what is not is missing, with a note
  std::vector<Prediction> predictions;
  std::optional<Provenance> run;            ///< of a simulation
  std::optional<JointMeans> moments;        ///< of a simulated decode, for views such as costs
  std::vector<OutcomeShare> iteration_law;  ///< where it was asked for
  std::vector<std::string> notes;

  /// Adds a quantity's number, or a note where it is not finite.
  void add(QuantityId id, Value value, const QuantityIndex& index = {});
  /// Says why a quantity that was asked for is not there.
  void add_missing(QuantityId id, const std::string& reason);
  /// Adds predictions; one that is not finite becomes a note.
  void add_predictions(std::vector<Prediction> made);

  /// The value of an element, or null.
  [[nodiscard]] const Value* find(QuantityId id, const QuantityIndex& index = {}) const {
    return found.find(id, index);
  }
  /// A fraction that is known to be there. @throws std::out_of_range naming the quantity;
  /// LimitError where it is missing for a reason, with the reason
  [[nodiscard]] const Rational& fraction(QuantityId id, const QuantityIndex& index = {}) const;
  /// The fractions of a list, in order. @throws LimitError as fraction()
  [[nodiscard]] std::vector<Rational> fractions(QuantityId id) const;
};

}  // namespace speclab
