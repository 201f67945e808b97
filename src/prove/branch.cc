#include "prove/branch.h"

#include <map>
#include <utility>

namespace speclab {

Conditions joined(Conditions first, std::span<const Condition> then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

Conditions merged(std::span<const Condition> conditions) {
  std::map<Factor, Signs> known;
  for (const Condition& condition : conditions) {
    auto [place, fresh] = known.try_emplace(condition.factor, condition.signs);
    if (!fresh) place->second &= condition.signs;
  }
  Conditions result;
  for (const auto& [factor, signs] : known) result.push_back({factor, signs});
  return result;
}

Conditions renumbered(std::span<const Condition> conditions, const Factors& from, Factors& to) {
  Conditions result;
  for (const Condition& condition : conditions) {
    result.push_back({to.enter(from[condition.factor]), condition.signs});
  }
  return result;
}

Conditions conditions_of_all(const AllPairs& family, bool ordered, Factors& factors) {
  Conditions always = family.domain(factors);
  if (ordered) always = joined(std::move(always), family.ordered(factors));
  return merged(always);
}

Branch::Branch(const AllPairs& family, bool ordered, std::span<const Condition> conditions,
               const Factors& from)
    : functions(family.parameters()),
      always(conditions_of_all(family, ordered, functions.factors())),
      known(joined(always, renumbered(conditions, from, functions.factors()))) {}

Conditions failing_conditions(const Goal& goal, Functions& functions) {
  const Factored difference = functions.factored(goal.difference);
  Conditions failing;
  Polynomial odd = Polynomial::constant(Integer(difference.coefficient < 0 ? -1 : 1));
  for (const auto& [factor, exponent] : difference.powers) {
    failing.push_back({factor, kNonzero});
    if (exponent % 2 != 0) odd = odd * functions.factors()[factor];
  }
  if (goal.wanted == kZero) return failing;
  const Integer content = odd.content();
  if (odd.is_constant()) return content < 0 ? failing : Conditions{};
  odd.divide_by(content);
  failing.push_back({functions.factors().enter(odd), content < 0 ? negated(kNegative) : kNegative});
  return failing;
}

}  // namespace speclab
