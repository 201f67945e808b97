#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <span>
#include <type_traits>
#include <vector>

#include "exact/outcomes.h"

namespace speclab {

/// Foresees a number of a later level from those of the levels before, where it grows from level to
/// level: as many levels on as there were, at most.
///
/// Numbers are compared two levels apart, since they often rise every second level alone: the last
/// two ratios. Where the later one is not less the earlier one is taken to stay, and where it is,
/// its logarithm to fall on by as much. Of numbers that grow as a polynomial it foresees at
/// most 2.5 times those that come.
///
/// Worked example: 1, 1, 3, 4, 9, 14, 27, 42: ratios 42/14 = 3 and 14/4 = 3.5. Two levels after 42
/// it foresees 42 * 3 * (3/3.5) = 108.
class ForeseenGrowth {
 public:
  void add(double count) { counts_.push_back(count); }

  /// The number so many levels after the last one, or as many as it foresees; 0 where there are too
  /// few numbers, or some are 0.
  [[nodiscard]] double foreseen(std::size_t ahead) const {
    constexpr std::size_t kNeeded = 8;
    const std::size_t n = counts_.size();
    if (n < kNeeded || !(counts_[n - 5] > 0 && counts_[n - 3] > 0 && counts_[n - 1] > 0)) return 0;
    const double before = std::log(counts_[n - 3] / counts_[n - 5]);
    const double after = std::log(counts_[n - 1] / counts_[n - 3]);
    const double fall = std::max(0.0, before - after);
    double rise = std::min(before, after);
    double sum = std::log(counts_[n - 1]);
    for (std::size_t pair = 0; pair < std::min(ahead, n) / 2 && rise > 0; ++pair) {
      rise = std::max(0.0, rise - fall);
      sum += rise;
    }
    return std::exp(std::min(sum, kMost));
  }

 private:
  static constexpr double kMost = 600;  ///< far beyond any limit, and finite

  std::vector<double> counts_;
};

/// Refuses a decode whose contexts multiply from level to level long before the level that is over
/// the limit. Contexts of a carry do, without an end; a pair's states do not.
template <class View>
class ContextGrowth {
 public:
  using Node = typename View::Node;

  /// @param sequences, ends  must outlive this; `ends` counts what it runs in `sequences`
  ContextGrowth(Sequences<View>& sequences, Outcomes<View, End<Node>>& ends)
      : sequences_(sequences), ends_(ends) {}

  /// Works out the ends of the iterations from the contexts of the next level.
  /// @param ahead  how many levels with such a window come after it
  /// @throws LimitError where the sequences of this level are over the limit, or those of a later
  /// one are foreseen to be
  void prepare(std::span<const Node> nodes, Window window, std::size_t ahead) {
    sequences_.recount();
    ends_.prepare(nodes, window);
    if constexpr (!std::is_same_v<Node, State>) {
      std::set<State> states;
      for (const Node& node : nodes) states.insert(sequences_.view().state(node));
      // More states may be reached than before, but not for ever: they do not count as growth.
      const auto number = static_cast<double>(std::max<std::size_t>(1, states.size()));
      growth_.add(sequences_.counted() / number);
      sequences_.foresee(growth_.foreseen(ahead) * number);
    }
  }

 private:
  Sequences<View>& sequences_;
  Outcomes<View, End<Node>>& ends_;
  ForeseenGrowth growth_;
};

}  // namespace speclab
