#include "claims/instance.h"

#include "model/registry.h"
#include "verifiers/registry.h"

namespace speclab {

Instance make_instance(std::string_view pair, int gamma, int drafts) {
  return {std::make_shared<const Rows<Rational>>(make_pair(pair)), gamma, drafts};
}

Instance name_instance(std::shared_ptr<Pair> pair, std::string name, int gamma, int drafts) {
  pair->set_name(std::move(name));
  return {std::make_shared<const Rows<Rational>>(std::move(pair)), gamma, drafts};
}

ExactResult<Rational> exact_result(std::string_view verifier, const Instance& instance,
                                   std::optional<int> horizon, int iterations, bool law) {
  ExactRequest request;
  request.gamma = instance.gamma;
  request.horizon = horizon;
  request.iterations = iterations;
  request.law = law;
  return run_exact(make_verifier(verifier), *instance.rows, request);
}

Rational accepted(std::string_view verifier, const Instance& instance) {
  return exact_result(verifier, instance).expected_accepted;
}

Tally simulated_tally(std::string_view verifier, const Instance& instance,
                      SimulateRequest request) {
  request.gamma = instance.gamma;
  return run_trials(make_verifier(verifier), instance.doubles(), request).tally;
}

}  // namespace speclab
