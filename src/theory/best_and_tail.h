#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

#include "base/power.h"
#include "theory/multi_draft.h"

namespace speclab {

/// P(tau >= i), i = 0 .. gamma, of best-and-tail for a memoryless pair, b the likeliest token of d
/// (of equal ones the lowest), a = d(b) and d' = d without b, normalised. A node of depth i with k
/// sampled tokens on its path has the score a^(i-k) (1-a)^k and is reached with probability
/// A^k t(b)^(i-k), A = sum over x != b of min(t(x), d'(x)). There are C(i, k) of them; nodes of
/// other i or k have another score, unless a = 1/2, where all of one depth have the same: they come
/// in the order of the numbers whose digits, from the root on, are 0 for b and 1 for a sampled one.
///
/// Worked example: d = (1/2, 1/4, 1/4), t = (1/5, 1/2, 3/10): t(b) = 1/5, A = 4/5; N = 4, gamma =
/// 2: P(tau >= 1) = 1/5 + 4/5 and, of 00 and 01, P(tau >= 2) = 1/25 + 4/25.
template <class Real>
class BestAndTailLength {
 public:
  /// @param nodes  N  @param gamma  depth of the deepest nodes
  BestAndTailLength(std::span<const Real> draft, std::span<const Real> target, int nodes, int gamma)
      : nodes_(nodes), depth_(std::min(gamma, nodes)), tail_(static_cast<std::size_t>(gamma) + 1) {
    const auto best =
        static_cast<std::size_t>(std::max_element(draft.begin(), draft.end()) - draft.begin());
    best_ = draft[best];
    fixed_ = target[best];
    sampled_ = overlap_of_rest(draft, target, best);
  }

  /// Elementary steps of tail().
  [[nodiscard]] double work() const { return static_cast<double>(depth_) * depth_ + nodes_; }

  [[nodiscard]] std::vector<Real> tail() {
    tail_[0] = Real(1);
    if (best_ + best_ == Real(1)) {
      add_whole_depths();
    } else {
      add_groups();
    }
    return std::move(tail_);
  }

 private:
  /// The nodes of one depth with so many sampled tokens on their paths.
  struct Group {
    Real score;
    int depth;
    int sampled;
    int count;  ///< at most N
  };

  [[nodiscard]] Real reached(int depth, int sampled) const {
    return Real(power<Real>(sampled_, sampled) * power<Real>(fixed_, depth - sampled));
  }

  void add_whole_depths() {
    int left = nodes_;
    for (int depth = 1; depth <= depth_ && left > 0; ++depth) {
      const int here = depth < 30 ? std::min(left, 1 << depth) : left;
      for (int i = 0; i < here; ++i) {
        tail_[static_cast<std::size_t>(depth)] +=
            reached(depth, std::popcount(static_cast<unsigned>(i)));
      }
      left -= here;
    }
  }

  void add_groups() {
    std::vector<Group> groups;
    std::vector<int> paths{1};  // C(depth, k), at most N
    for (int depth = 1; depth <= depth_; ++depth) {
      paths.push_back(0);
      for (int k = depth; k > 0; --k) {
        int& count = paths[static_cast<std::size_t>(k)];
        count = std::min(nodes_, count + paths[static_cast<std::size_t>(k) - 1]);
      }
      for (int k = 0; k <= depth; ++k) {
        const Real score = power<Real>(best_, depth - k) * power<Real>(1 - best_, k);
        if (score > 0) groups.push_back({score, depth, k, paths[static_cast<std::size_t>(k)]});
      }
    }
    // By depth where d(b) = 1: only then do two groups have one score.
    std::stable_sort(groups.begin(), groups.end(),
                     [](const Group& one, const Group& two) { return one.score > two.score; });
    int left = nodes_;
    for (const Group& group : groups) {
      const int here = std::min(left, group.count);
      tail_[static_cast<std::size_t>(group.depth)] += here * reached(group.depth, group.sampled);
      left -= here;
    }
  }

  int nodes_;
  int depth_;
  Real best_, fixed_, sampled_;
  std::vector<Real> tail_;
};

}  // namespace speclab
