#pragma once

#include <vector>

#include "claims/papers/yin2024/decodes.h"
#include "claims/papers/yin2024/rules.h"

namespace speclab {

// Members of the class of Algorithm 2 as tables, and their decodes by the exact interpreter: the
// verifier `rule` with b(x | state) and P(. | state).

/// A row a state of the pair.
struct RuleTables {
  std::vector<std::vector<Rational>> accept;   ///< b, in [0, 1]
  std::vector<std::vector<Rational>> correct;  ///< P, a law; all 0: no law

  /// Adds the row of the next state.
  void add(std::vector<Rational> b, std::vector<Rational> law);
};

/// The tables of a one-token rule, on a memoryless pair.
RuleTables tables_of(const Rule& rule, std::vector<Rational> law);

/// A decode of T = gamma tokens, with the law of its output.
Answer run_tables(const RuleTables& tables, const Instance& instance);

/// E[N_rej] and TV of the T tokens of a run.
struct RunPoint {
  Rational rejections;
  Rational distance;
};
RunPoint point_of(const Answer& run);

/// P(the output is these tokens) of a run.
Rational output_share(const Answer& run, const TokenPath& tokens);

/// The region of Figure 4 (a) at one token: which (P(reject), TV) the class of Algorithm 2 has.
///
/// With m = b d, sum m = 1 - r, the output is m + r P. Its TV is at least [TV(d, t) - r]+; at most
/// max over sets S of tokens of min(d(S) + r, 1) - t(S), S not empty, since m(S) <= min(d(S), 1 -
/// r). Both are attained, and m and P between those of two rules of one r are a rule's: everything
/// between is realised.
class TradeRegion {
 public:
  /// @pre a memoryless pair
  explicit TradeRegion(const Instance& instance);

  [[nodiscard]] Rational lowest(const Rational& rejected) const;
  [[nodiscard]] Rational highest(const Rational& rejected) const;
  /// A rule with P(reject) = rejected and TV = distance.
  /// @pre lowest(rejected) <= distance <= highest(rejected), 0 <= rejected <= 1
  [[nodiscard]] RuleTables rule_at(const Rational& rejected, const Rational& distance) const;

 private:
  using Masses = std::vector<Rational>;
  /// m and r P; their sum is the output's law.
  struct Split {
    Masses kept;
    Masses corrected;
  };
  [[nodiscard]] Split low(const Rational& rejected) const;
  [[nodiscard]] Split high(const Rational& rejected) const;
  [[nodiscard]] Rational distance_at(const Split& from, const Split& to,
                                     const Rational& share) const;
  [[nodiscard]] Rational share_of(const Split& from, const Split& to,
                                  const Rational& distance) const;
  /// The set S of the maximum, by token.
  [[nodiscard]] std::vector<bool> best_set(const Rational& rejected) const;

  std::span<const Rational> draft_;
  std::span<const Rational> target_;
  Rational between_;  ///< TV(d, t)
};

}  // namespace speclab
