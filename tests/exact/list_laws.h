// Couplings of the target's token with the drafts' tokens by clocks: what each of them is checked
// for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "catch.h"
#include "model/view.h"
#include "simulate/statistics.h"
#include "theory/small_pairs.h"
#include "toy.h"
#include "verifiers/chain/gumbel.h"

namespace speclab {

/// Calls visit(tokens, their probability) for all drafts that begin with `drafted` and have so many
/// tokens more.
template <class Visit>
void for_drafts(const Laws<Rational>& laws, std::vector<Token>& drafted, int more,
                const Rational& mass, const Visit& visit) {
  if (more == 0) return visit(drafted, mass);
  for (Token x = 0; x < laws.vocabulary(); ++x) {
    if (!(laws.draft(x) > 0)) continue;
    drafted.push_back(x);
    for_drafts(laws, drafted, more - 1, Rational(mass * laws.draft(x)), visit);
    drafted.pop_back();
  }
}

/// Over all drafts the token has the target's law.
/// @param law_of  laws, drafted tokens -> the law of the token given them
/// @returns the probability that the token is a draft's
template <class LawOf>
Rational check_marginal(const Laws<Rational>& laws, int drafts, const LawOf& law_of) {
  std::vector<Rational> marginal(static_cast<std::size_t>(laws.vocabulary()), Rational(0));
  Rational matched(0);
  std::vector<Token> drafted;
  for_drafts(laws, drafted, drafts, Rational(1),
             [&](const std::vector<Token>& tokens, const Rational& mass) {
               const std::vector<Rational> law = law_of(laws, tokens);
               for (std::size_t y = 0; y < law.size(); ++y) {
                 CHECK(law[y] >= 0);
                 marginal[y] += mass * law[y];
                 const auto token = static_cast<Token>(y);
                 if (std::ranges::count(tokens, token) > 0) matched += mass * law[y];
               }
             });
  for (Token y = 0; y < laws.vocabulary(); ++y) {
    CHECK(marginal[static_cast<std::size_t>(y)] == laws.target(y));
  }
  return matched;
}

/// Of one draft it is the coupling of gumbel.
template <class LawOf>
void check_one_draft(const LawOf& law_of) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Rows<Rational> rows(random_pair(seed, 2 + seed % 4, 1));
    const Laws<Rational> laws = laws_at(rows, 0);
    const GumbelCoupling coupling(laws);
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      if (!(laws.draft(x) > 0)) continue;
      CAPTURE(seed, x);
      const auto mismatch = coupling.mismatch(x);
      const std::vector<Rational> law = law_of(laws, {x});
      for (Token y = 0; y < laws.vocabulary(); ++y) {
        CHECK(law[static_cast<std::size_t>(y)] ==
              (y == x ? coupling.match(x) : mismatch.weight(y)));
      }
    }
  }
}

/// Two laws of four tokens, for clocks that are drawn.
inline const std::vector<double> kClockDraft{0.5, 0.3, 0.2, 0.0};
inline const std::vector<double> kClockTarget{0.1, 0.0, 0.55, 0.35};

/// P(X_1, .., X_K, Y) on them in the order of the base-4 number.
template <class LawOf>
std::vector<double> joint_law(int drafts, const LawOf& law_of) {
  const Laws<double> laws(kClockDraft, kClockTarget);
  std::vector<double> joint;
  const int cells = 1 << (2 * drafts);
  for (int code = 0; code < cells; ++code) {
    std::vector<Token> tokens;
    double mass = 1;
    for (int k = drafts - 1; k >= 0; --k) {
      tokens.push_back((code >> (2 * k)) & 3);
      mass *= kClockDraft[static_cast<std::size_t>(tokens.back())];
    }
    if (mass > 0) {
      for (const double y : law_of(laws, tokens)) joint.push_back(mass * y);
    } else {
      joint.resize(joint.size() + 4, 0.0);
    }
  }
  return joint;
}

/// The counts are of the first law, and found not to be of the second. Of a right law it fails with
/// a probability of 1e-9 at most over the choice of the seed.
inline void check_counts(const std::vector<double>& law, const std::vector<double>& wrong,
                         const std::vector<std::uint64_t>& counts) {
  const FitTest test = fit_test(law, counts);
  CHECK(test.outside == 0);
  CHECK_FALSE(test.too_small);
  CHECK_FALSE(test.rejects(1e-9));
  CHECK(fit_test(wrong, counts).rejects(1e-9));
}

}  // namespace speclab
