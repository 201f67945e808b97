#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "claims/engine/optimum.h"
#include "claims/engine/row.h"
#include "claims/papers/yin2024/fates.h"
#include "theory/measure.h"

namespace speclab {

// The acceptance rules over which yin2024 makes its statements: at one token, and whole members of
// the class of Algorithm 2.

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
    return ingredient("yin2024.theorem4.A", std::move(a));
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
    return ingredient("yin2024.theorem4.formula", Rational((sum - rejected()) / 2));
  }
  /// Loss*_TV(b) proved: the least TV over all P, by a linear program.
  [[nodiscard]] Rational certified() const;
  /// epsilon(x) = b d - t of equations (2) and (9).
  [[nodiscard]] Rational epsilon(std::size_t x) const {
    return ingredient("yin2024.lemma1.epsilon", Rational(kept(x) - target[x]));
  }
  /// Whether b exceeds min(1, t/d) at a token that is drafted.
  [[nodiscard]] bool exceeds() const {
    for (std::size_t x = 0; x < accept.size(); ++x) {
      if (draft[x] > 0 && accept[x] > threshold(x)) return true;
    }
    return false;
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
  all,    ///< b in {0, 1/4, .., 1} for two tokens at most, in {0, 1/2, 1} beyond
  under,  ///< b = s min(1, t/d), s in {0, 1/2, 1}
  over,   ///< b = m + s (1 - m), m = min(1, t/d), s in {0, 1/2, 1}
};

/// Calls visit(rule) for every rule of the range on a memoryless pair.
template <class Visit>
void each_rule(const Instance& instance, RuleRange range, const Visit& visit) {
  const auto draft = instance.rows->draft(0);
  Rule rule{draft, instance.rows->target(0), std::vector<Rational>(draft.size(), Rational(1))};
  const int steps = range == RuleRange::all && draft.size() <= 2 ? 4 : 2;
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

/// What compare(rule, comparisons) adds for the rules of a range, those that never reject among
/// them; nothing where the pair has a context.
template <class Compare>
Comparisons for_rules(const Instance& instance, RuleRange range, const Compare& compare) {
  Comparisons comparisons;
  if (!instance.pair().memoryless()) return comparisons;
  each_rule(instance, range, [&](const Rule& rule) { compare(rule, comparisons); });
  return comparisons;
}

/// The same for those that reject with positive probability: only there is A defined.
template <class Compare>
Comparisons for_rejecting(const Instance& instance, RuleRange range, const Compare& compare) {
  return for_rules(instance, range, [&](const Rule& rule, Comparisons& comparisons) {
    if (rule.rejected() > 0) compare(rule, comparisons);
  });
}

/// Calls visit(law) for the laws with probabilities of this denominator.
template <class Visit>
void each_law(std::size_t tokens, int denominator, const Visit& visit) {
  std::vector<Rational> law(tokens, Rational(0));
  const auto choose = [&](const auto& self, std::size_t x, int left) -> void {
    if (x + 1 == tokens) {
      law[x] = Rational(left, denominator);
      return visit(law);
    }
    for (int part = 0; part <= left; ++part) {
      law[x] = Rational(part, denominator);
      self(self, x + 1, left - part);
    }
  };
  choose(choose, 0, denominator);
}

/// The slacks of the verifier biased(eps) that stand for the class.
inline constexpr std::array<std::string_view, 3> kSlacks{"0", "1/10", "1/4"};

/// One token of biased(eps, residual), exactly.
Answer biased_token(const Instance& instance, std::string_view slack, std::string_view residual);

/// TV(d, t) of a memoryless pair.
Rational distance(const Instance& instance);

/// Members of the class of Algorithm 2 that Corollary 1 describes: b = share * min(1, t/d), with P
/// as it has it.
struct Member {
  std::string_view text;
  /// A share in [0, 1] of a context and a token.
  Rational (*share)(const TokenPath& before, std::size_t x);

  [[nodiscard]] DesignOf design() const;
};

/// Speculative decoding; half of its b; b = 0; shares that change from context to context.
std::span<const Member> members();

/// Corollary 1's P for an acceptance law b <= min(1, t/d): [t - b d] / sum (1 - b) d, and all zero
/// where nothing is rejected.
std::vector<Rational> corollary_law(const Rule& rule);

/// A design without regard to the target's law: b in {0, 1/3, 2/3, 1}, P positive everywhere, both
/// different from context to context.
Design arbitrary_design(std::span<const Rational> draft, std::span<const Rational> target,
                        const TokenPath& before);

}  // namespace speclab
