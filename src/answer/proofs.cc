#include "answer/proofs.h"

#include <stdexcept>
#include <utility>

#include "answer/answer.h"
#include "model/families/json_law.h"
#include "theory/predictions.h"

namespace speclab {

Theorem theorem_of(const TheoremQuestion& question) {
  Theorem theorem{question.verifier, TheoremProperty::lossless, std::nullopt,
                  AllPairs(question.contexts, question.vocabulary, question.gamma)};
  read_property(question.property, theorem);
  return theorem;
}

TheoremAnswer prove(const TheoremQuestion& question, std::uint64_t most_queries) {
  Prover prover(theorem_of(question), {});
  const ProofState& state = prover.state();
  while (state.queries < most_queries && prover.step()) {
  }
  TheoremAnswer answer{prover.verdict(),
                       state.cells.size(),
                       state.pending.size() + state.undecided.size(),
                       prover.error_bound(),
                       {},
                       {},
                       {}};
  if (const auto& found = state.counterexample) {
    const TheoremFailure& failure = found->failure;
    answer.counterexample = prover.theorem().family.pair_text(found->point, failure.run.start);
    answer.gamma = failure.run.gamma;
    answer.detail = failure.detail;
  }
  return answer;
}

PairPointer pair_at(const AllPairs& family, std::span<const Rational> point, State start) {
  const std::string where = "the counterexample";
  return read_json_pair(parse_json(family.pair_object(point, start), where), where);
}

namespace {

/// What the closed form says of E[tau].
Rational predicted(const Theorem& theorem, const PairPointer& pair) {
  if (const auto exact = theorem.form->exact) {
    return exact(Rows<Rational>(pair), theorem.verifier, theorem.family.gamma());
  }
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

Confirmation confirm(Bench& bench, const Theorem& theorem, const Counterexample& found) {
  const ProofRun& run = found.failure.run;
  const PairPointer pair = pair_at(theorem.family, found.point, run.start);
  const auto ask = [&](const Verifier& verifier) {
    Question question{pair, verifier, {}};
    question.lengths.gamma = run.gamma;
    if (theorem.property == TheoremProperty::lossless) question.lengths.horizon = run.gamma + 1;
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
