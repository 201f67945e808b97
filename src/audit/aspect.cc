#include "audit/aspect.h"

#include <algorithm>

#include "audit/binomial.h"

namespace speclab {
namespace {

/// Calls visit(p, q) for every key possible under the rule or the fault.
template <class Visit>
void each_key(const CasePlan& plan, std::size_t fault, const Visit& visit) {
  if (!plan.unseen[fault].empty()) return;
  for (const Aspect& aspect : plan.aspects) {
    const KeyLaw& other = aspect.faults[fault];
    for (const auto& [key, p] : aspect.law) visit(std::min(1.0, p), probability_of(other, key));
    for (const auto& [key, q] : other) {
      if (!aspect.law.contains(key)) visit(0.0, std::min(1.0, q));
    }
  }
}

}  // namespace

double probability_of(const KeyLaw& law, const OutcomeKey& key) {
  const auto found = law.find(key);
  return found == law.end() ? 0 : std::min(1.0, found->second);
}

OutcomeKey whole_outcome(int accepted, const std::vector<Token>& tokens) {
  OutcomeKey outcome{accepted};
  outcome.insert(outcome.end(), tokens.begin(), tokens.end());
  return outcome;
}

std::size_t test_count(const CasePlan& plan) {
  std::size_t tests = 0;
  for (const Aspect& aspect : plan.aspects) tests += aspect.law.size();
  return tests;
}

std::uint64_t trials_to_show(const CasePlan& plan, std::size_t fault, double level, double power,
                             std::uint64_t most) {
  std::uint64_t least = 0;
  each_key(plan, fault, [&](double p, double q) {
    const std::uint64_t bound = least == 0 ? most : least / 2;
    const std::uint64_t needed = decisions_needed(p, q, level, power, bound);
    if (needed > 0) least = needed;
  });
  return least;
}

double power_against(const CasePlan& plan, std::size_t fault, std::uint64_t trials, double level) {
  double best = 0;
  each_key(plan, fault, [&](double p, double q) {
    if (p != q) best = std::max(best, binomial_power(trials, p, q, level));
  });
  return best;
}

}  // namespace speclab
