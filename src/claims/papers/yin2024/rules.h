#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "claims/engine/instance.h"
#include "claims/engine/row.h"
#include "theory/measure.h"

namespace speclab {

/// One token under yin2024's Algorithm 2: laws and acceptance probabilities.
struct Rule {
  using Law = std::vector<Rational>;

  std::span<const Rational> draft;
  std::span<const Rational> target;
  Law accept;  ///< b(x)

  /// Rules with b = value(rule, x).
  template <class Value>
  static Rule of(std::span<const Rational> draft, std::span<const Rational> target,
                 const Value& value) {
    Rule rule{draft, target, {}};
    for (std::size_t x = 0; x < draft.size(); ++x) rule.accept.push_back(value(rule, x));
    return rule;
  }

  [[nodiscard]] std::size_t size() const { return draft.size(); }
  [[nodiscard]] Rational kept(std::size_t x) const { return accept[x] * draft[x]; }
  /// sum (1 - b) d
  [[nodiscard]] Rational rejected() const;
  /// Speculative decoding's min(1, t(x) / d(x)).
  [[nodiscard]] Rational threshold(std::size_t x) const;
  /// Whether b exceeds min(1, t/d) at a token that is drafted.
  [[nodiscard]] bool exceeds() const;
  /// epsilon(x) = b d - t of equations (2) and (9), and what is kept, min(d, t + epsilon), and
  /// rejected, sum [d - t - epsilon]+, by it.
  [[nodiscard]] Rational epsilon(std::size_t x) const;
  [[nodiscard]] Rational kept_by_epsilon(std::size_t x) const;
  [[nodiscard]] Rational rejected_by_epsilon() const;
  /// A(x) of Theorem 4. @pre rejected() > 0
  [[nodiscard]] Law wanted() const;
  /// Whether the law is in Theorem 4's set of optima.
  [[nodiscard]] bool optimal(const Law& correction) const;
  /// TV of the emitted token from the target, with corrections from `correction`.
  [[nodiscard]] Rational loss(const Law& correction) const;
  /// Loss*_TV(b) by Theorem 4's formula.
  [[nodiscard]] Rational formula() const;
  /// Loss*_TV(b) proved: the least TV over all P, by a linear program.
  [[nodiscard]] Rational certified() const;
  /// Corollary 1's P for b <= min(1, t/d): [t - b d] / sum (1 - b) d, all 0 where nothing is
  /// rejected.
  [[nodiscard]] Law corollary_law() const;
  /// "b=(1,1/2)".
  [[nodiscard]] std::string text() const;
};

/// "(1/2,1/2)".
std::string law_text(std::span<const Rational> law);

/// Where statements about one token are checked.
inline constexpr BatteryShape kTokenBattery{
    .tokens = 4, .gammas = 1, .random = 0, .contexts = false};
inline constexpr SearchSpace kFewLaws{.tokens = 3, .gammas = 1, .denominator = 3};
inline constexpr SearchSpace kManyLaws{.tokens = 3, .gammas = 1, .denominator = {3, 4, 5}};
/// The hypotheses of those on RuleRange::over.
inline constexpr std::string_view kOverThreshold = "one token, b >= min(1, t/d), sum (1 - b) d > 0";

/// Which acceptance probabilities a statement ranges over; b = 1 where the draft never goes.
enum class RuleRange {
  all,    ///< b in {0, 1/4, .., 1} for two tokens at most, in {0, 1/2, 1} beyond
  under,  ///< b = s min(1, t/d), s in {0, 1/2, 1}
  over,   ///< b = m + s (1 - m), m = min(1, t/d), s in {0, 1/2, 1}
};

/// b = min(1, (t + eps) / d).
Rule slack_rule(std::span<const Rational> draft, std::span<const Rational> target,
                const Rational& eps);

/// The rules of a range; none where the pair has a context.
/// @throws LimitError where they are more than kMostCases
std::vector<Rule> rules_of(const Instance& instance, RuleRange range);

/// What compare(rule, says) adds for the rules of a range.
template <class Compare>
Comparisons for_rules(const Instance& instance, RuleRange range, const Compare& compare) {
  Comparisons says;
  for (const Rule& rule : rules_of(instance, range)) compare(rule, says);
  return says;
}

/// The same for those that reject with positive probability: only there is A defined.
template <class Compare>
Comparisons for_rejecting(const Instance& instance, RuleRange range, const Compare& compare) {
  return for_rules(instance, range, [&](const Rule& rule, Comparisons& says) {
    if (rule.rejected() > 0) compare(rule, says);
  });
}

/// TV(d, t) of a memoryless pair.
Rational distance(const Instance& instance);

/// The most of P(accept) + P(the token is right) over all b and P of Algorithm 2, certified:
/// couplings of the draft with the target's token, in which each counts. A column (x, y) is worth 2
/// at x = y (accepted, and right) and 1 elsewhere (one of the two).
Rational most_accepted_and_right(const Instance& instance);

/// The slacks of the verifier biased(eps) that stand for the class.
inline constexpr std::array<std::string_view, 3> kSlacks{"0", "1/10", "1/4"};

/// One token of biased(eps, residual), exactly.
Answer biased_token(const Instance& instance, std::string_view slack, std::string_view residual);

}  // namespace speclab

/// Rules are formatted as their text.
template <>
struct fmt::formatter<speclab::Rule> : fmt::formatter<std::string> {
  auto format(const speclab::Rule& rule, format_context& context) const {
    return formatter<std::string>::format(rule.text(), context);
  }
};
