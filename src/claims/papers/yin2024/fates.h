#pragma once

#include <array>
#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "claims/engine/one_iteration.h"

namespace speclab {

// yin2024's random variables path by path: of a verifier's whole decodes to the horizon, and of
// Algorithm 2 in general, run with any acceptance probabilities b and corrections P. Both follow
// every sequence of decisions in fractions; neither knows a formula of the paper.

/// P(x_{1:n}, R_{n-1} = i, R_n = j), R_n = 1 where x_n is a correction. Position 1 counts as one
/// after a rejection: drafts begin there.
struct Fate {
  std::array<std::array<Rational, 2>, 2> mass{};

  [[nodiscard]] Rational accepted() const { return mass[0][0] + mass[1][0]; }
  /// f(x_{1:n}) of equation (22).
  [[nodiscard]] Rational rejected() const { return mass[0][1] + mass[1][1]; }
  [[nodiscard]] Rational reached() const { return accepted() + rejected(); }
};

/// What became of decodes of T tokens: the fate of every path x_{1:n}, 1 <= n <= T, that is
/// reached, by (start, x_{1:n}).
struct Fates {
  using Key = std::pair<State, TokenPath>;
  std::map<Key, Fate> paths;
  Rational calls{0};  ///< E[target calls]: iterations

  /// The fate of a path; all zero where it is never reached.
  [[nodiscard]] Fate at(State start, const TokenPath& path) const;
  /// P(R_n = 1).
  [[nodiscard]] Rational rejected_at(int n) const;
  /// E[N_rej] over positions 1 .. T.
  [[nodiscard]] Rational rejections(int horizon) const;
  /// TV of (start, x_{1:T}) from the target's.
  [[nodiscard]] Rational bias(const Instance& instance, int horizon) const;
};

/// Decodes of T = gamma tokens, the drafts to the horizon: of `batch(M)`, `batch-printed(M)` or
/// `token`. @throws std::logic_error for another verifier
Fates fates_of(std::string_view verifier, const Instance& instance);

/// Decodes of Algorithm 4 with line 28 after the loop over the drafts, still subtracting the
/// draft's law: all M roots rejected, it draws from [t^{M+1} - share d]+. @param share  1 as
/// printed
Fates fates_after_loop(int drafts, const Rational& share, const Instance& instance);

/// b_n and P_n of Algorithm 2 at one context.
struct Design {
  std::vector<Rational> accept;      ///< b(x), in [0, 1]
  std::vector<Rational> correction;  ///< weights of P; their sum need not be 1
};

/// The design at a context x_{1:n-1} with these laws.
using DesignOf = std::function<Design(std::span<const Rational> draft,
                                      std::span<const Rational> target, const TokenPath& before)>;

/// Decodes of T = gamma tokens by Algorithm 2: drafts to the horizon, each accepted with
/// probability b; at the first rejection a token from P, and the drafts begin anew after it.
Fates run_algorithm2(const Instance& instance, const DesignOf& design);

}  // namespace speclab
