#include "optimum/plan_book.h"

#include <stdexcept>

#include "optimum/optimum.h"

namespace speclab {

PlayablePlan::PlayablePlan(const AcceptancePlan& plan) {
  for (const AcceptancePlan::Choice& choice : plan.choices) {
    auto& [accepted, weights] = rationals_.choices[choice.drafts];
    accepted.push_back(choice.accepted);
    weights.push_back(choice.probability);
  }
  rationals_.corrections = plan.corrections;
  const auto near = [](const std::vector<Rational>& exact) {
    std::vector<double> doubles;
    for (const Rational& value : exact) doubles.push_back(to_double(value));
    return doubles;
  };
  for (const auto& [set, choice] : rationals_.choices) {
    doubles_.choices[set] = {choice.first, near(choice.second)};
  }
  for (const auto& [after, law] : rationals_.corrections) doubles_.corrections[after] = near(law);
}

const PlayablePlan& PlanBook::at(State start, int gamma) const {
  const std::scoped_lock lock(making_);
  auto& plan = plans_[{start, gamma}];
  if (!plan) {
    const StartOptimum found =
        find_optimum_from(rows_, {start, Rational(1)}, {{verifiers_, gamma, drafts_}, true, true});
    if (!found.certified) throw std::logic_error("a plan's certificate does not prove it");
    plan = std::make_unique<const PlayablePlan>(*found.plan);
  }
  return *plan;
}

}  // namespace speclab
