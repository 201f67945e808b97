#include "claims/engine/instance.h"

#include "claims/engine/ingredient.h"
#include "claims/engine/own_verifiers.h"
#include "model/families/iid.h"
#include "model/registry.h"

namespace speclab {

Question question_of(std::string_view verifier, const Instance& instance,
                     std::optional<int> horizon, int iterations, bool law) {
  return {.pair = instance.pair_pointer(),
          .verifier = verifier_of(played(verifier)),
          .lengths = {instance.gamma, horizon, iterations},
          .law = law,
          .arithmetic = Arithmetic::rational};
}

Instance make_instance(const PairPointer& pair, int gamma, int drafts) {
  auto bench = std::make_shared<Bench>();
  auto rows = bench->rationals(pair);
  return {.rows = std::move(rows), .gamma = gamma, .drafts = drafts, .bench = std::move(bench)};
}

Instance make_instance(std::string_view pair, int gamma, int drafts) {
  return make_instance(make_pair(pair), gamma, drafts);
}

Instance make_instance(const NamedPair& at) { return make_instance(at.pair, at.gamma, at.drafts); }

Instance name_instance(std::shared_ptr<Pair> pair, std::string name, int gamma, int drafts) {
  pair->set_name(std::move(name));
  return make_instance(PairPointer(std::move(pair)), gamma, drafts);
}

Instance printed_numbers() {
  const std::vector<Rational> certain{Rational(1)};
  return name_instance(std::make_shared<IidPair>(certain, certain), "");
}

Answer exact_answer(std::string_view verifier, const Instance& instance, std::optional<int> horizon,
                    int iterations, bool law) {
  return instance.bench->answer(question_of(verifier, instance, horizon, iterations, law),
                                ByEnumeration{.predictions = false});
}

Rational exact_tv(std::string_view verifier, const Instance& instance, int horizon) {
  return exact_answer(verifier, instance, horizon).fraction(QuantityId::tv_to_target);
}

Rational accepted(std::string_view verifier, const Instance& instance) {
  return exact_answer(verifier, instance).fraction(QuantityId::expected_accepted);
}

std::vector<Rational> expected_tokens(std::string_view verifier, const Instance& instance,
                                      int iterations) {
  return exact_answer(verifier, instance, std::nullopt, iterations)
      .fractions(QuantityId::expected_tokens);
}

Answer simulated_answer(std::string_view verifier, const Instance& instance,
                        const BySimulation& method, int horizon) {
  return instance.bench->answer(question_of(verifier, instance, horizon, 0, false), method);
}

}  // namespace speclab
