#include "claims/papers/yin2024/rules.h"

#include <cmath>

#include "claims/engine/ingredient.h"
#include "claims/engine/optimum.h"
#include "claims/engine/work.h"

namespace speclab {
namespace {

/// 1 - the least TV over all P: couplings of what is emitted (an accepted x, or a correction that
/// may be any token) with the target's token, worth 1 where they agree.
LinearProgram overlap_program(const Rule& rule) {
  LinearProgram program;
  std::vector<std::size_t> sources;  // tokens accepted; size() for a correction
  for (std::size_t x = 0; x < rule.size(); ++x) {
    if (rule.kept(x) > 0) sources.push_back(x);
  }
  if (rule.rejected() > 0) sources.push_back(rule.size());
  program.law_rows = sources.size();
  for (const std::size_t x : sources) {
    program.totals.push_back(x < rule.size() ? rule.kept(x) : rule.rejected());
  }
  program.totals.insert(program.totals.end(), rule.target.begin(), rule.target.end());
  for (std::size_t row = 0; row < sources.size(); ++row) {
    for (std::size_t y = 0; y < rule.size(); ++y) {
      program.columns.push_back({Rational(sources[row] == y || sources[row] == rule.size() ? 1 : 0),
                                 {{row, Rational(1)}, {sources.size() + y, Rational(1)}}});
    }
  }
  return program;
}

}  // namespace

Rational Rule::rejected() const {
  Rational sum(0);
  for (std::size_t x = 0; x < size(); ++x) sum += (1 - accept[x]) * draft[x];
  return sum;
}

Rational Rule::threshold(std::size_t x) const {
  return target[x] < draft[x] ? Rational(target[x] / draft[x]) : Rational(1);
}

bool Rule::exceeds() const {
  for (std::size_t x = 0; x < size(); ++x) {
    if (draft[x] > 0 && accept[x] > threshold(x)) return true;
  }
  return false;
}

Rational Rule::epsilon(std::size_t x) const {
  return ingredient("yin2024.lemma1.epsilon", Rational(kept(x) - target[x]));
}

Rational Rule::kept_by_epsilon(std::size_t x) const {
  return lesser<Rational>(draft[x], target[x] + epsilon(x));
}

Rational Rule::rejected_by_epsilon() const {
  Rational sum(0);
  for (std::size_t x = 0; x < size(); ++x) {
    sum += positive_part<Rational>(draft[x] - target[x] - epsilon(x));
  }
  return sum;
}

Rule::Law Rule::wanted() const {
  Law a;
  const Rational mass = rejected();
  for (std::size_t x = 0; x < size(); ++x) a.push_back((target[x] - kept(x)) / mass);
  return ingredient("yin2024.theorem4.A", std::move(a));
}

bool Rule::optimal(const Law& correction) const {
  const Law a = wanted();
  for (std::size_t x = 0; x < size(); ++x) {
    if (correction[x] > positive_part(a[x])) return false;
  }
  return true;
}

Rational Rule::loss(const Law& correction) const {
  Rational sum(0);
  const Rational mass = rejected();
  for (std::size_t x = 0; x < size(); ++x) sum += abs(target[x] - kept(x) - mass * correction[x]);
  return sum / 2;
}

Rational Rule::formula() const {
  Rational sum(0);
  for (std::size_t x = 0; x < size(); ++x) sum += abs(target[x] - kept(x));
  return ingredient("yin2024.theorem4.formula", Rational((sum - rejected()) / 2));
}

Rational Rule::certified() const {
  return 1 - ingredient("yin2024.theorem4.program", certify(overlap_program(*this)).bound);
}

Rule::Law Rule::corollary_law() const {
  Law law(size());
  const Rational mass = rejected();
  for (std::size_t x = 0; mass > 0 && x < size(); ++x) law[x] = (target[x] - kept(x)) / mass;
  return ingredient("yin2024.corollary1.P", std::move(law));
}

std::string Rule::text() const { return "b=" + law_text(accept); }

std::string law_text(std::span<const Rational> law) { return "(" + list_text(law) + ")"; }

Rule slack_rule(std::span<const Rational> draft, std::span<const Rational> target,
                const Rational& eps) {
  return Rule::of(draft, target, [&](const Rule&, std::size_t x) {
    const Rational raised = target[x] + eps;
    return raised < draft[x] ? Rational(raised / draft[x]) : Rational(1);
  });
}

std::vector<Rule> rules_of(const Instance& instance, RuleRange range) {
  std::vector<Rule> rules;
  if (!instance.pair().memoryless()) return rules;
  const auto draft = instance.draft();
  Rule rule{draft, instance.target(), Rule::Law(draft.size(), Rational(1))};
  const int steps = range == RuleRange::all && rule.size() <= 2 ? 4 : 2;
  const auto fixed = [&](std::size_t x) {
    return draft[x] == 0 || (range == RuleRange::over && rule.threshold(x) == 1);
  };
  int free = 0;
  for (std::size_t x = 0; x < rule.size(); ++x) free += fixed(x) ? 0 : 1;
  limit_work(std::pow(steps + 1, free), "rules");
  const auto choose = [&](const auto& self, std::size_t x) -> void {
    if (x == rule.size()) return rules.push_back(rule);
    if (fixed(x)) return self(self, x + 1);
    const Rational threshold = rule.threshold(x);
    for (int step = 0; step <= steps; ++step) {
      const Rational share(step, steps);
      rule.accept[x] = range == RuleRange::all     ? share
                       : range == RuleRange::under ? Rational(share * threshold)
                                                   : Rational(threshold + share * (1 - threshold));
      self(self, x + 1);
    }
    rule.accept[x] = 1;
  };
  choose(choose, 0);
  return rules;
}

Rational distance(const Instance& instance) {
  return total_variation(instance.draft(), instance.target());
}

Rational most_accepted_and_right(const Instance& instance) {
  LinearProgram program = position_program(instance, 1);
  for (auto& column : program.columns) column.reward += 1;
  return certify(program).bound;
}

Answer biased_token(const Instance& instance, std::string_view slack, std::string_view residual) {
  return exact_answer(fmt::format("biased(eps={},residual={})", slack, residual), instance, 1);
}

}  // namespace speclab
