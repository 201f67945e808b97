#pragma once

#include <span>
#include <string>
#include <vector>

#include "claims/row.h"
#include "theory/measure.h"

namespace speclab {

// The acceptance rules over which yin2024 section 4 makes its statements.

/// One token under Algorithm 2: laws and acceptance probabilities.
struct Rule {
  std::span<const Rational> draft;
  std::span<const Rational> target;
  std::vector<Rational> accept;  ///< b(x)

  [[nodiscard]] Rational kept(std::size_t x) const { return accept[x] * draft[x]; }
  [[nodiscard]] Rational rejected() const {
    Rational sum(0);
    for (std::size_t x = 0; x < accept.size(); ++x) sum += (1 - accept[x]) * draft[x];
    return sum;
  }
  /// A(x) of Theorem 4. @pre rejected() > 0
  [[nodiscard]] std::vector<Rational> wanted() const {
    std::vector<Rational> a;
    const Rational mass = rejected();
    for (std::size_t x = 0; x < accept.size(); ++x) a.push_back((target[x] - kept(x)) / mass);
    return a;
  }
  /// TV of the emitted token from the target, with corrections from `correction`.
  [[nodiscard]] Rational loss(const std::vector<Rational>& correction) const {
    Rational sum(0);
    const Rational mass = rejected();
    for (std::size_t x = 0; x < accept.size(); ++x) {
      sum += abs(target[x] - kept(x) - mass * correction[x]);
    }
    return sum / 2;
  }
  /// Loss*_TV(b) by Theorem 4's formula.
  [[nodiscard]] Rational formula() const {
    Rational sum(0);
    for (std::size_t x = 0; x < accept.size(); ++x) sum += abs(target[x] - kept(x));
    return (sum - rejected()) / 2;
  }
  /// Speculative decoding's min(1, t(x) / d(x)).
  [[nodiscard]] Rational threshold(std::size_t x) const {
    return target[x] < draft[x] ? Rational(target[x] / draft[x]) : Rational(1);
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Rational& b : accept) text += (text.empty() ? "" : ",") + to_text(b);
    return "b=(" + text + ")";
  }
};

/// Which acceptance probabilities a statement ranges over; b = 1 where the draft never goes.
enum class RuleRange {
  all,    ///< b in {0, 1/4, .., 1}
  under,  ///< b = s min(1, t/d), s in {0, 1/2, 1}
  over,   ///< b = m + s (1 - m), m = min(1, t/d), s in {0, 1/2, 1}
};

/// Calls visit(rule) for every rule of the range on a memoryless pair.
template <class Visit>
void each_rule(const Instance& instance, RuleRange range, const Visit& visit) {
  const auto draft = instance.rows->draft(0);
  Rule rule{draft, instance.rows->target(0), std::vector<Rational>(draft.size(), Rational(1))};
  const int steps = range == RuleRange::all ? 4 : 2;
  const auto choose = [&](const auto& self, std::size_t x) -> void {
    if (x == draft.size()) return visit(rule);
    if (draft[x] == 0) return self(self, x + 1);
    const Rational threshold = rule.threshold(x);
    if (range == RuleRange::over && threshold == 1) return self(self, x + 1);
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
}

/// What compare(rule, comparisons) adds for the rules of a range that reject with positive
/// probability, as Theorem 4 supposes; nothing where the pair has a context.
template <class Compare>
Comparisons for_rules(const Instance& instance, RuleRange range, const Compare& compare) {
  Comparisons comparisons;
  if (!instance.pair().memoryless()) return comparisons;
  each_rule(instance, range, [&](const Rule& rule) {
    if (rule.rejected() > 0) compare(rule, comparisons);
  });
  return comparisons;
}

}  // namespace speclab
