#include "answer/answer.h"

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/error.h"

namespace speclab {
namespace {

bool finite(const Value& value) {
  if (!std::isfinite(value.number)) return false;
  if (!value.estimate) return true;
  const Estimate& e = *value.estimate;
  return std::isfinite(e.standard_error) && std::isfinite(e.low) && std::isfinite(e.high);
}

void refuse_missing(const Findings<Value>& found, QuantityId id) {
  const auto* wanted = found.find(id);
  if (wanted == nullptr || wanted->missing.empty()) return;
  throw LimitError(quantity(id).path() + ": " + wanted->missing);
}

}  // namespace

Value value_of(double number) { return {number, std::nullopt, std::nullopt}; }

Value value_of(const Rational& fraction) { return {to_double(fraction), fraction, std::nullopt}; }

Value value_of(const Estimate& estimate) { return {estimate.mean, std::nullopt, estimate}; }

std::string_view kind_name(AnswerKind kind) {
  constexpr std::array<std::string_view, 3> names{"exact", "simulate", "closed-form"};
  return names[static_cast<std::size_t>(kind)];
}

void Answer::add(QuantityId id, Value value, const QuantityIndex& index) {
  if (finite(value)) return found.add(id, std::move(value), index);
  add_missing(id, "it is not a finite number");
}

void Answer::add_missing(QuantityId id, const std::string& reason) {
  found.add_missing(id, reason);
  const std::string end = ": " + reason;
  const std::string path = quantity(id).path();
  // What several lack for one reason is one note.
  if (!notes.empty() && notes.back().ends_with(end)) {
    notes.back().insert(notes.back().size() - end.size(), ", " + path);
  } else {
    notes.push_back(path + end);
  }
}

void Answer::add_predictions(std::vector<Prediction> made) {
  for (Prediction& prediction : made) {
    if (std::isfinite(prediction.value)) {
      predictions.push_back(std::move(prediction));
    } else {
      notes.push_back(prediction.claim + ": its value for " + quantity(prediction.quantity).path() +
                      " is not a finite number");
    }
  }
}

const Rational& Answer::fraction(QuantityId id, const QuantityIndex& index) const {
  const Value* value = find(id, index);
  if (value != nullptr && value->fraction) return *value->fraction;
  refuse_missing(found, id);
  refuse_absent(id, index);
}

std::vector<Rational> Answer::fractions(QuantityId id) const {
  std::vector<Rational> values;
  for (const Value& value : found.list(id)) values.push_back(value.fraction.value());
  if (values.empty()) refuse_missing(found, id);
  return values;
}

}  // namespace speclab
