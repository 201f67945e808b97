#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/rational.h"
#include "base/sum.h"
#include "base/types.h"
#include "catch.h"

namespace speclab {

/// What makes rows of doubles hard.
enum class RowKind {
  uneven,      ///< weights of very unequal size, a tenth of them zero
  near_equal,  ///< target and draft 1e-12 apart, relatively
  tiny,        ///< probabilities down to 1e-300
  ties,        ///< few different ratios of target and draft, many of them 1
  disjoint,    ///< no token of both
};
inline constexpr RowKind kRowKinds[] = {RowKind::uneven, RowKind::near_equal, RowKind::tiny,
                                        RowKind::ties, RowKind::disjoint};

inline std::string_view row_kind_name(RowKind kind) {
  constexpr std::string_view kNames[] = {"uneven", "near_equal", "tiny", "ties", "disjoint"};
  return kNames[static_cast<std::size_t>(kind)];
}

/// A draft and a target row of one kind in doubles, and the doubles' exact values.
struct DrawnRows {
  DrawnRows(RowKind kind, std::size_t size, std::uint32_t seed) {
    boost::random::mt19937 engine(seed);
    boost::random::uniform_01<double> uniform;
    for (std::size_t x = 0; x < size; ++x) {
      const double u = uniform(engine);
      const double v = uniform(engine);
      switch (kind) {
        case RowKind::uneven:
          add(u < 0.1 ? 0 : std::pow(u, 4), v < 0.1 ? 0 : std::pow(v, 4));
          break;
        case RowKind::near_equal:
          add(u, u * (1 + 1e-12 * (2 * v - 1)));
          break;
        case RowKind::tiny:
          add(std::pow(10.0, -300 * u), std::pow(10.0, -300 * v));
          break;
        case RowKind::ties:
          add(std::floor(1 + 4 * u), std::floor(1 + 4 * u) * (v < 0.5 ? 1 : v < 0.75 ? 2 : 0.5));
          break;
        case RowKind::disjoint:
          add(x % 2 == 0 ? u : 0, x % 2 == 0 ? 0 : v);
          break;
      }
    }
    normalise(draft, kind != RowKind::ties);
    normalise(target, kind != RowKind::ties);
    for (const double entry : draft) exact_draft.emplace_back(entry);
    for (const double entry : target) exact_target.emplace_back(entry);
  }

  std::vector<double> draft, target;
  std::vector<Rational> exact_draft, exact_target;

 private:
  void add(double left, double right) {
    draft.push_back(left);
    target.push_back(right);
  }
  /// To a sum of 1; ties by a power of two, so that they stay ties, but for the first token.
  static void normalise(std::vector<double>& law, bool whole) {
    Sum<double> mass;
    for (const double entry : law) mass += entry;
    const double by = whole ? mass.value() : std::exp2(std::ceil(std::log2(mass.value())));
    for (double& entry : law) entry /= by;
    if (!whole) law.front() += 1 - mass.value() / by;
  }
};

/// Relative error that is allowed of a mass and of a weight.
inline constexpr double kAllowed = 1e-12;

/// |found - wanted| / wanted, or |found| where nothing is wanted.
inline double error(double found, const Rational& wanted) {
  const Rational difference = abs(Rational(found) - wanted);
  return to_double(wanted == 0 ? difference : Rational(difference / wanted));
}

/// Calls check(rows, both), `both` made of the rows, for rows of every kind and of 6 and 1024
/// tokens.
template <class Both, class Check>
void for_rows(std::uint32_t seed, const Check& check) {
  for (const RowKind kind : kRowKinds) {
    for (const std::size_t size : {std::size_t{6}, std::size_t{1024}}) {
      CAPTURE(row_kind_name(kind), size);
      const DrawnRows rows(kind, size, seed);
      Both both(rows);
      check(rows, both);
    }
  }
}

/// A walk of u from 0 to 1 in so many steps draws each token as often as its share of the exact
/// law, within less than so many draws.
template <class Law, class Exact>
void check_walk(const Law& law, const Exact& exact, int steps, double within) {
  std::vector<int> counts(static_cast<std::size_t>(law.size()));
  for (int i = 0; i < steps; ++i) {
    ++counts[static_cast<std::size_t>(law.pick((i + 0.5) / steps))];
  }
  for (Token x = 0; x < law.size(); ++x) {
    const double share = to_double(Rational(exact.weight(x) / exact.mass()));
    CAPTURE(x, share);
    CHECK(std::abs(counts[static_cast<std::size_t>(x)] - share * steps) < within);
  }
}

}  // namespace speclab
