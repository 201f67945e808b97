#include "answer/counterexample.h"

#include <stdexcept>

#include "model/json_law.h"
#include "theory/predictions.h"

namespace speclab {

PairPointer pair_at(const AllPairs& family, std::span<const Rational> point) {
  const std::string where = "the counterexample";
  return read_json_pair(parse_json(family.pair_object(point), where), where);
}

namespace {

/// What the table of predictions says of E[tau].
Rational predicted(const Theorem& theorem, const PairPointer& pair) {
  Setting setting{pair, theorem.verifier.spec, {}, Arithmetic::rational};
  setting.lengths.gamma = theorem.family.gamma();
  for (const Prediction& prediction : predict(setting)) {
    if (prediction.claim == theorem.form->claim &&
        prediction.quantity == QuantityId::expected_accepted) {
      return *prediction.exact;
    }
  }
  throw std::logic_error("a closed form that predicts nothing");
}

}  // namespace

Confirmation confirm(Bench& bench, const Theorem& theorem, std::span<const Rational> point) {
  const PairPointer pair = pair_at(theorem.family, point);
  const auto ask = [&](const Verifier& verifier) {
    Question question{pair, verifier, {}};
    question.lengths.gamma = theorem.family.gamma();
    if (theorem.property == TheoremProperty::lossless) {
      question.lengths.horizon = theorem.family.gamma() + 1;
    }
    ByEnumeration method;
    method.predictions = false;
    return bench.answer(question, method);
  };
  Confirmation result{QuantityId::expected_accepted, Rational(0), std::nullopt};
  if (theorem.property == TheoremProperty::lossless) {
    result.quantity = QuantityId::tv_to_target;
    result.value = ask(theorem.verifier).fraction(result.quantity);
    result.fails = result.value > 0;
    return result;
  }
  result.value = ask(theorem.verifier).fraction(result.quantity);
  result.other = theorem.property == TheoremProperty::predicts
                     ? predicted(theorem, pair)
                     : ask(*theorem.other).fraction(result.quantity);
  result.fails = theorem.property == TheoremProperty::at_least ? result.value < *result.other
                                                               : result.value != *result.other;
  return result;
}

}  // namespace speclab
