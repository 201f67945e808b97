#include "answer/counterexample.h"

#include "model/json_law.h"

namespace speclab {

PairPointer pair_at(const Family& family, std::span<const Rational> point) {
  const std::string where = "the counterexample";
  return read_json_pair(parse_json(family.pair_object(point), where), where);
}

Confirmation confirm(Bench& bench, const Theorem& theorem, std::span<const Rational> point) {
  const PairPointer pair = pair_at(theorem.family, point);
  const auto ask = [&](const Verifier& verifier) {
    Question question{pair, verifier, {}};
    question.lengths.gamma = theorem.family.gamma();
    if (theorem.property == Property::lossless) {
      question.lengths.horizon = theorem.family.gamma() + 1;
    }
    ByEnumeration method;
    method.predictions = false;
    return bench.answer(question, method);
  };
  Confirmation result{QuantityId::expected_accepted, Rational(0), std::nullopt};
  if (theorem.property == Property::lossless) {
    result.quantity = QuantityId::tv_to_target;
    result.value = ask(theorem.verifier).fraction(result.quantity);
    result.fails = result.value > 0;
    return result;
  }
  result.value = ask(theorem.verifier).fraction(result.quantity);
  result.other = ask(*theorem.other).fraction(result.quantity);
  result.fails = theorem.property == Property::equals ? result.value != *result.other
                                                      : result.value < *result.other;
  return result;
}

}  // namespace speclab
