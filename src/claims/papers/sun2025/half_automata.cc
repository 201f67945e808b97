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
    int length;
    double mass, ratio, bound;
  };
  std::size_t size = 1;
  std::array<Path, kMostPaths> paths{};
  using Gains = std::array<double, kMostPaths>;

  HalfTree() = default;
  HalfTree(const HalfPair& pair, std::size_t start, int gamma) {
    paths[0] = {start, 0, 0, 1, 1, 1};
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
          paths[size++] = {pair.next[from.state][x], at,    i,
                           from.mass * target,       ratio, std::min(from.bound, ratio)};
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

using Trees = std::array<HalfTree, kMostContexts>;

/// What block has from each context, and the most.
struct Pairing {
  Values block{};
  Values most{};
};

/// One iteration: `one_more` is the value where the next token of the target comes first, `stopped`
/// where x^l is accepted and nothing more, by l.
Pairing iterate(const HalfPair& pair, const Trees& trees, const Pairing& one_more,
                const std::array<Pairing, 3>& going_on, const std::array<Pairing, 3>& stopped,
                double reward) {
  Pairing now;
  for (std::size_t state = 0; state < pair.contexts; ++state) {
    const HalfTree& tree = trees[state];
    HalfTree::Gains of_block{};
    HalfTree::Gains of_most{};
    for (std::size_t at = 1; at < tree.size; ++at) {
      const auto& path = tree.paths[at];
      const auto l = static_cast<std::size_t>(path.length);
      const std::size_t to = path.state;
      of_block[at] = path.mass * (reward + going_on[l].block[to] - stopped[l].block[to]);
      of_most[at] = path.mass * (reward + going_on[l].most[to] - stopped[l].most[to]);
    }
    now.block[state] = reward + one_more.block[state] + tree.block_sum(of_block);
    now.most[state] = reward + one_more.most[state] + tree.best_sum(of_most);
  }
  return now;
}

Pairing after(const HalfPair& pair, const Pairing& values) {
  return {after(pair, values.block), after(pair, values.most)};
}

bool mean_exceeds(const HalfPair& pair, const Trees& trees, int, int iterations) {
  Pairing value;
  for (int i = 1; i <= iterations; ++i) {
    const Pairing one_more = after(pair, value);
    value =
        iterate(pair, trees, one_more, {one_more, one_more, one_more}, {value, value, value}, 1);
  }
  return value.most[0] > value.block[0];
}

/// P(N(i) >= n) by n, 0 .. 3 (gamma + 1).
constexpr int kMostTokens = 9;
using Tails = std::array<Pairing, kMostTokens + 1>;

bool tails_exceed(const HalfPair& pair, const Trees& trees, int gamma, int iterations) {
  Values sure{};
  sure.fill(1);
  Tails tails{};
  tails[0] = {sure, sure};
  for (int i = 1; i <= iterations; ++i) {
    Tails next{};
    const auto before = [&](int n) { return tails[static_cast<std::size_t>(std::max(n, 0))]; };
    for (int n = 0; n <= i * (gamma + 1); ++n) {
      std::array<Pairing, 3> going_on{};
      std::array<Pairing, 3> stopped{};
      for (int l = 0; l <= gamma; ++l) {
        going_on[static_cast<std::size_t>(l)] = after(pair, before(n - l - 1));
        stopped[static_cast<std::size_t>(l)] = before(n - l);
      }
      next[static_cast<std::size_t>(n)] =
          n <= i ? Pairing{sure, sure} : iterate(pair, trees, going_on[0], going_on, stopped, 0);
    }
    tails = next;
  }
  return std::any_of(tails.begin(), tails.end(),
                     [](const Pairing& tail) { return tail.most[0] > tail.block[0]; });
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

HalfSearch search_halves(HalfQuantity quantity, int contexts, int gamma, int iterations) {
  const auto exceeds = quantity == HalfQuantity::mean ? &mean_exceeds : &tails_exceed;
  HalfSearch result;
  const auto search = [&](HalfPair pair, int denominator) {
    do {
      check_interrupted();
      if (!in_order(pair)) continue;
      pair.draft.fill(2);
      pair.target.fill(2);
      do {
        if (denominator == 2 && whole(pair)) continue;
        ++result.tried;
        Trees trees;
        for (std::size_t state = 0; state < pair.contexts; ++state) {
          trees[state] = HalfTree(pair, state, gamma);
        }
        if (!exceeds(pair, trees, gamma, iterations)) continue;
        result.found = listed(pair);
        return;
      } while (advance_laws(pair, 3 - denominator));
    } while (advance_moves(pair));
  };
  for (std::size_t count = 1; count <= static_cast<std::size_t>(contexts); ++count) {
    for (const int denominator : {1, 2}) {
      if (!result.found) search({.contexts = count}, denominator);
    }
  }
  return result;
}

}  // namespace speclab
