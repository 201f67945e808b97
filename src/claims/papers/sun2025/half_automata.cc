#include "claims/papers/sun2025/half_automata.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/error.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

constexpr std::size_t kMostContexts = 6;
constexpr std::size_t kMostPaths = 7;  ///< 1 + 2 + 4: gamma <= 2

/// A law on two tokens by the halves of token 0: 2, 1 or 0.
double share(int halves, std::size_t token) { return (token == 0 ? halves : 2 - halves) / 2.0; }

struct HalfPair {
  std::size_t contexts = 0;
  std::array<std::array<std::size_t, 2>, kMostContexts> next{};
  std::array<int, kMostContexts> draft{};
  std::array<int, kMostContexts> target{};
};

/// The outputs that block verification may accept from a context, parents first; see OutputTree.
struct HalfTree {
  struct Path {
    std::size_t state, parent;
    double mass, ratio, bound;
  };
  std::size_t size = 1;
  std::array<Path, kMostPaths> paths{};
  using Gains = std::array<double, kMostPaths>;

  HalfTree() = default;
  HalfTree(const HalfPair& pair, std::size_t start, int gamma) {
    paths[0] = {start, 0, 1, 1, 1};
    std::size_t begin = 0;
    for (int i = 1; i <= gamma; ++i) {
      const std::size_t end = size;
      for (std::size_t at = begin; at < end; ++at) {
        const Path from = paths[at];
        for (std::size_t x = 0; x < 2; ++x) {
          const double draft = share(pair.draft[from.state], x);
          const double target = share(pair.target[from.state], x);
          if (draft == 0 || target == 0) continue;
          const double ratio = from.ratio * draft / target;
          paths[size++] = {pair.next[from.state][x], at, from.mass * target, ratio,
                           std::min(from.bound, ratio)};
        }
      }
      begin = end;
    }
  }

  [[nodiscard]] double block_sum(const Gains& gains) const {
    double total = 0;
    for (std::size_t at = 1; at < size; ++at) total += paths[at].bound * gains[at];
    return total;
  }

  /// The maximum over non-increasing acceptance probabilities: at each level the best prefix-closed
  /// set among the outputs whose bound is not below it.
  [[nodiscard]] double best_sum(const Gains& gains) const {
    const auto first = gains.begin() + 1;
    const auto last = gains.begin() + static_cast<std::ptrdiff_t>(size);
    if (std::none_of(first, last, [](double gain) { return gain < 0; })) return block_sum(gains);
    std::array<double, kMostPaths> levels{};
    for (std::size_t at = 0; at < size; ++at) levels[at] = paths[at].bound;
    std::sort(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(size));
    double total = 0;
    double below = 0;
    for (std::size_t level = 0; level < size; ++level) {
      if (levels[level] == below) continue;
      Gains sums = gains;
      for (std::size_t at = size; at-- > 1;) {
        if (paths[at].bound >= levels[level] && sums[at] > 0) sums[paths[at].parent] += sums[at];
      }
      total += (levels[level] - below) * sums[0];
      below = levels[level];
    }
    return total;
  }
};

using Values = std::array<double, kMostContexts>;

/// E_{y~t} V of the context after y, for every context.
Values after(const HalfPair& pair, const Values& values) {
  Values means{};
  for (std::size_t state = 0; state < pair.contexts; ++state) {
    for (std::size_t y = 0; y < 2; ++y) {
      means[state] += share(pair.target[state], y) * values[pair.next[state][y]];
    }
  }
  return means;
}

/// Whether the most of E[N(iterations)] exceeds block's, from the first context.
bool exceeds(const HalfPair& pair, int gamma, int iterations) {
  std::array<HalfTree, kMostContexts> trees;
  for (std::size_t state = 0; state < pair.contexts; ++state) {
    trees[state] = HalfTree(pair, state, gamma);
  }
  Values block{};
  Values most{};
  for (int i = 1; i <= iterations; ++i) {
    const Values block_after = after(pair, block);
    const Values most_after = after(pair, most);
    Values block_now{};
    Values most_now{};
    for (std::size_t state = 0; state < pair.contexts; ++state) {
      const HalfTree& tree = trees[state];
      HalfTree::Gains of_block{};
      HalfTree::Gains of_most{};
      for (std::size_t at = 1; at < tree.size; ++at) {
        const auto& path = tree.paths[at];
        of_block[at] = path.mass * (1 + block_after[path.state] - block[path.state]);
        of_most[at] = path.mass * (1 + most_after[path.state] - most[path.state]);
      }
      block_now[state] = 1 + block_after[state] + tree.block_sum(of_block);
      most_now[state] = 1 + most_after[state] + tree.best_sum(of_most);
    }
    block = block_now;
    most = most_now;
  }
  return most[0] > block[0];
}

/// Whether every context is reached from the first, and first met in the order of its number.
bool in_order(const HalfPair& pair) {
  std::size_t met = 1;
  for (std::size_t at = 0; at < met; ++at) {
    for (const std::size_t to : pair.next[at]) {
      if (to > met) return false;
      if (to == met) ++met;
    }
  }
  return met == pair.contexts;
}

/// The next of all successors in lexicographic order; false after the last.
bool advance_moves(HalfPair& pair) {
  for (std::size_t digit = 2 * pair.contexts; digit-- > 0;) {
    std::size_t& move = pair.next[digit / 2][digit % 2];
    if (++move < pair.contexts) return true;
    move = 0;
  }
  return false;
}

/// The next of all laws whose halves fall by `step`: draft, then target, context by context; false
/// after the last.
bool advance_laws(HalfPair& pair, int step) {
  for (std::size_t digit = 2 * pair.contexts; digit-- > 0;) {
    int& halves = digit % 2 == 0 ? pair.draft[digit / 2] : pair.target[digit / 2];
    halves -= step;
    if (halves >= 0) return true;
    halves = 2;
  }
  return false;
}

bool whole(const HalfPair& pair) {
  const auto even = [&](const std::array<int, kMostContexts>& laws) {
    return std::all_of(laws.begin(), laws.begin() + static_cast<std::ptrdiff_t>(pair.contexts),
                       [](int halves) { return halves != 1; });
  };
  return even(pair.draft) && even(pair.target);
}

std::vector<AutomatonState> listed(const HalfPair& pair) {
  const auto law = [](int halves) {
    return std::vector<Rational>{Rational(halves, 2), Rational(2 - halves, 2)};
  };
  std::vector<AutomatonState> states;
  for (std::size_t i = 0; i < pair.contexts; ++i) {
    states.push_back({law(pair.draft[i]),
                      law(pair.target[i]),
                      {static_cast<State>(pair.next[i][0]), static_cast<State>(pair.next[i][1])}});
  }
  return states;
}

}  // namespace

HalfSearch search_halves(int contexts, int gamma, int iterations) {
  HalfSearch result;
  for (const int denominator : {1, 2}) {
    HalfPair pair{.contexts = static_cast<std::size_t>(contexts)};
    do {
      check_interrupted();
      if (!in_order(pair)) continue;
      pair.draft.fill(2);
      pair.target.fill(2);
      do {
        if (denominator == 2 && whole(pair)) continue;
        ++result.tried;
        if (!exceeds(pair, gamma, iterations)) continue;
        result.found = listed(pair);
        return result;
      } while (advance_laws(pair, 3 - denominator));
    } while (advance_moves(pair));
  }
  return result;
}

}  // namespace speclab
