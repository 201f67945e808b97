#include "prove/samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/special.h"

namespace speclab {
namespace {

using Law = std::vector<Rational>;

Law random_law(Token vocabulary, std::mt19937_64& engine) {
  Law law;
  Rational total(0);
  for (Token x = 0; x < vocabulary; ++x) {
    law.emplace_back(static_cast<long>(1 + engine() % 97));
    total += law.back();
  }
  for (Rational& share : law) share /= total;
  return law;
}

/// All laws of `left` units over the tokens from `at` on.
void each_law(std::vector<int>& units, std::size_t at, int left,
              std::vector<std::vector<int>>& laws) {
  if (at + 1 == units.size()) {
    units[at] = left;
    laws.push_back(units);
    return;
  }
  for (int k = 0; k <= left; ++k) {
    units[at] = k;
    each_law(units, at + 1, left - k, laws);
  }
}

}  // namespace

std::vector<Rational> random_sample(const AllPairs& family, std::mt19937_64& engine) {
  std::vector<Rational> point(family.parameters());
  const auto size = static_cast<std::size_t>(family.vocabulary());
  for (State state = 0; state < family.states(); ++state) {
    const Law draft = random_law(family.vocabulary(), engine);
    const Law target = random_law(family.vocabulary(), engine);
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
      return target[x] - draft[x] > target[y] - draft[y];
    });
    for (Token x = 0; x + 1 < family.vocabulary(); ++x) {
      const std::size_t from = order[static_cast<std::size_t>(x)];
      point[family.parameter(state, false, x)] = draft[from];
      point[family.parameter(state, true, x)] = target[from];
    }
  }
  return point;
}

bool search_grid(const AllPairs& family, int denominator, double most,
                 const std::function<bool(const std::vector<Rational>&)>& visit) {
  const std::size_t rows = std::size_t{2} * family.states();
  // Counted before they are made: of 64 tokens there are more than memory holds.
  const auto free = static_cast<unsigned>(family.free());
  const double count = binomial_coefficient(static_cast<unsigned>(denominator) + free, free);
  if (std::pow(count, static_cast<double>(rows)) > most) return false;
  std::vector<std::vector<int>> laws;
  std::vector<int> units(static_cast<std::size_t>(family.vocabulary()));
  each_law(units, 0, denominator, laws);
  std::vector<std::size_t> chosen(rows, 0);
  std::vector<Rational> point(family.parameters());
  for (;;) {
    bool again = false;  // the pair of a point that was before it
    for (std::size_t i = 0; i < point.size(); ++i) {
      point[i] = Rational(laws[chosen[i / family.free()]][i % family.free()], denominator);
      again = again || (family.absent(i) && point[i] != 0);
    }
    if (!again && visit(point)) return true;
    std::size_t row = rows;
    while (row > 0 && ++chosen[row - 1] == laws.size()) chosen[--row] = 0;
    if (row == 0) return false;
  }
}

std::vector<Rational> rounded(const AllPairs& family, const std::vector<Rational>& point,
                              int denominator) {
  std::vector<Rational> result(point.size());
  const std::size_t free = family.free();
  for (std::size_t row = 0; row < point.size() / free; ++row) {
    // Rounds down, then adds a unit where the remainder is largest.
    int left = denominator;
    Rational rest(1);
    std::vector<int> units(free + 1);
    std::vector<Rational> missing(free + 1);
    for (std::size_t x = 0; x <= free; ++x) {
      const Rational share = x < free ? point[row * free + x] : rest;
      rest -= share;
      const Rational wanted = share * denominator;
      units[x] =
          static_cast<int>((numerator(wanted) / speclab::denominator(wanted)).signed_value());
      missing[x] = wanted - units[x];
      left -= units[x];
    }
    for (; left > 0; --left) {
      const auto most = std::max_element(missing.begin(), missing.end()) - missing.begin();
      ++units[static_cast<std::size_t>(most)];
      missing[static_cast<std::size_t>(most)] -= 1;
    }
    for (std::size_t x = 0; x < free; ++x) result[row * free + x] = Rational(units[x], denominator);
  }
  return result;
}

}  // namespace speclab
