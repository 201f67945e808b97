#include <fmt/format.h>

#include <algorithm>

#include "base/power.h"
#include "optimum/acceptance_plan.h"

namespace speclab {
namespace {

/// Evaluates a plan from the definition. It shares no code with the construction of plans.
class PlanAudit {
 public:
  PlanAudit(const AcceptancePlan& plan, const AcceptanceProblem& problem,
            const Rows<Rational>& rows)
      : plan_(plan), problem_(problem), rows_(rows) {}

  PlanVerdict of(State start) {
    Prefix root;
    endings(root, start, Rational(1));
    choices();
    if (problem_.verifiers == VerifierClass::algorithm2) token_by_token();
    root.clear();
    output(root, start, Rational(1), Rational(0), Rational(0));
    if (!fault_.empty()) return {std::nullopt, fault_};
    return {expected_, ""};
  }

 private:
  void fault(const std::string& what) {
    if (fault_.empty()) fault_ = what;
  }

  /// Adds the mass of drafts whose longest prefix possible under the target is `prefix`.
  void endings(Prefix& prefix, State state, const Rational& draft) {
    if (static_cast<int>(prefix.size()) == problem_.gamma) {
      ends_[prefix] = draft;
      return;
    }
    for (Token x = 0; x < rows_.vocabulary(); ++x) {
      const Rational& d = rows_.draft(state)[static_cast<std::size_t>(x)];
      if (d == 0) continue;
      if (rows_.target(state)[static_cast<std::size_t>(x)] == 0) {
        ends_[prefix] += draft * d;
        continue;
      }
      prefix.push_back(x);
      endings(prefix, rows_.next(state, x), draft * d);
      prefix.pop_back();
    }
  }

  /// P(the set of K drafts is `set`), by inclusion and exclusion.
  [[nodiscard]] Rational probability_of(const std::vector<Prefix>& set) const {
    Rational total(0);
    for (unsigned long chosen = 0; chosen < (1UL << set.size()); ++chosen) {
      Rational mass(0);
      std::size_t count = 0;
      for (std::size_t i = 0; i < set.size(); ++i) {
        if ((chosen >> i & 1UL) == 0) continue;
        const auto found = ends_.find(set[i]);
        if (found == ends_.end()) return Rational(0);
        mass += found->second;
        ++count;
      }
      const Rational all = power(mass, problem_.drafts);  // of the drafts are among those chosen
      total += (set.size() - count) % 2 == 0 ? all : -all;
    }
    return total;
  }

  void choices() {
    std::map<std::vector<Prefix>, Rational> sets;
    for (const AcceptancePlan::Choice& choice : plan_.choices) {
      if (choice.probability < 0) fault("a choice of negative probability");
      if (choice.drafts.size() > static_cast<std::size_t>(problem_.drafts)) {
        return fault("a choice of more drafts than there are");
      }
      sets[choice.drafts] += choice.probability;
      const Prefix& accepted = choice.accepted;
      const bool drafted =
          std::any_of(choice.drafts.begin(), choice.drafts.end(), [&](const Prefix& draft) {
            return accepted.size() <= draft.size() &&
                   std::equal(accepted.begin(), accepted.end(), draft.begin());
          });
      if (!drafted) fault("accepts " + prefix_text(accepted) + ", which no draft begins with");
      stopped_[accepted] += choice.probability;
      expected_ += choice.probability * static_cast<long>(accepted.size());
    }
    Rational all(0);
    for (const auto& [set, mass] : sets) {
      std::string text;
      for (const Prefix& draft : set) text += prefix_text(draft);
      if (mass != probability_of(set)) fault("the drafts " + text + " have another probability");
      all += mass;
    }
    if (all != 1) fault("the choices' probabilities do not sum to 1");
  }

  /// P(tau >= i | X) is the same for all drafts X of the same first i tokens.
  void token_by_token() {
    std::map<Prefix, std::map<std::size_t, Rational>> stops;  // by draft, by accepted tokens
    for (const AcceptancePlan::Choice& choice : plan_.choices) {
      if (choice.drafts.empty()) return fault("a choice without a draft");
      stops[choice.drafts.front()][choice.accepted.size()] += choice.probability;
    }
    std::map<Prefix, Rational> chances;
    for (const auto& [draft, by_length] : stops) {
      const auto mass = ends_.find(draft);
      if (mass == ends_.end()) return fault("drafts " + prefix_text(draft) + ", which is none");
      Rational beyond(0);
      for (const auto& [length, probability] : by_length) beyond += probability;
      for (std::size_t i = 0; i <= draft.size(); ++i) {
        const Prefix first(draft.begin(), draft.begin() + static_cast<std::ptrdiff_t>(i));
        const Rational chance = beyond / mass->second;
        const auto [known, fresh] = chances.emplace(first, chance);
        if (known->second != chance) {
          fault("accepts " + prefix_text(first) + " by what is drafted after it");
        }
        const auto stopped = by_length.find(i);
        if (stopped != by_length.end()) beyond -= stopped->second;
      }
    }
  }

  /// Checks the output's law, prefix by prefix.
  /// @param carried  mass of outputs through this prefix that were corrected before and carried on
  /// @param plain    mass of those that continue by the plain target
  void output(Prefix& prefix, State state, const Rational& target, const Rational& carried,
              const Rational& plain) {
    const auto found = stopped_.find(prefix);
    Rational here = found == stopped_.end() ? Rational(0) : found->second;
    Rational passing(0);  // accepted beyond this prefix
    for (const auto& [accepted, mass] : stopped_) {
      if (accepted.size() > prefix.size() &&
          std::equal(prefix.begin(), prefix.end(), accepted.begin())) {
        passing += mass;
      }
    }
    if (here + passing + carried + plain != target) {
      fault(fmt::format("the output begins with {} with probability {}, the target with {}",
                        prefix_text(prefix), to_text(here + passing + carried + plain),
                        to_text(target)));
    }
    if (static_cast<int>(prefix.size()) == problem_.gamma) return;
    const bool coupling = problem_.verifiers == VerifierClass::coupling;
    const Rational corrected = coupling ? Rational(here + carried) : here;
    const auto law = plan_.corrections.find(prefix);
    for (Token x = 0; x < rows_.vocabulary(); ++x) {
      const auto i = static_cast<std::size_t>(x);
      const Rational& t = rows_.target(state)[i];
      const Rational fresh = corrected * (law == plan_.corrections.end() ? t : law->second.at(i));
      if (fresh < 0) fault("a correction of negative probability at " + prefix_text(prefix));
      if (t == 0) {
        if (fresh != 0) fault("a correction that the target never takes");
        continue;
      }
      prefix.push_back(x);
      output(prefix, rows_.next(state, x), target * t, coupling ? fresh : Rational(0),
             coupling ? Rational(0) : Rational(fresh + plain * t));
      prefix.pop_back();
    }
  }

  const AcceptancePlan& plan_;
  const AcceptanceProblem& problem_;
  const Rows<Rational>& rows_;
  std::map<Prefix, Rational> ends_;
  std::map<Prefix, Rational> stopped_;
  Rational expected_{0};
  std::string fault_;
};

}  // namespace

PlanVerdict check_plan(const AcceptancePlan& plan, const AcceptanceProblem& problem,
                       const Rows<Rational>& rows, State start) {
  return PlanAudit(plan, problem, rows).of(start);
}

}  // namespace speclab
