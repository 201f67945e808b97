#include "answer/bench.h"

#include "answer/answer.h"
#include "answer/interpreters.h"
#include "simulate/output_means.h"
#include "verifiers/contract.h"

namespace speclab {

Question Bench::question(const std::string& pair_text, std::string_view verifier, Lengths lengths,
                         Arithmetic arithmetic) {
  return {.pair = pair(pair_text),
          .verifier = make_verifier(verifier),
          .lengths = lengths,
          .arithmetic = arithmetic};
}

Answer Bench::answer(const Question& question, const AnswerMethod& method,
                     const Progress& progress) {
  const Plan planned = plan(question, method);
  return with_verifier_named(question.verifier.name, [&] {
    return std::visit([&](const auto& by) { return interpret(planned, by, progress); }, method);
  });
}

Tallied Bench::sample(const Question& question, const BySimulation& method,
                      const Progress& progress) {
  const Plan planned = plan(question, method);
  return with_verifier_named(question.verifier.name,
                             [&] { return speclab::sample(planned, method, progress); });
}

std::vector<DecodeMeans> Bench::means(const Question& question, const BySimulation& method) {
  const Plan planned = plan(question, method);
  return with_verifier_named(question.verifier.name,
                             [&] { return speclab::means(planned, method); });
}

Answer Bench::estimate(const Question& question, const BySimulation& method, const Tallied& tallied,
                       const std::vector<Prediction>* forms) {
  return speclab::estimate(question, *sampled(question), method, tallied, forms);
}

}  // namespace speclab
