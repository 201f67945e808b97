#include "draft/sequoia.h"

#include <algorithm>

#include "base/sum.h"

namespace speclab {
namespace {

class SequoiaProgram {
 public:
  SequoiaProgram(const std::vector<double>& acceptance, int nodes, int depth)
      : acceptance_(acceptance),
        nodes_(static_cast<std::size_t>(nodes)),
        ranks_(std::min(acceptance.size(), nodes_)) {
    const auto levels = static_cast<std::size_t>(depth);
    const double size = static_cast<double>(nodes_) + 1;
    if (static_cast<double>(ranks_ * levels) * size * size / 2 > kMostSequoiaSteps) {
      throw LimitError("grow=sequoia takes too many steps for " + std::to_string(nodes) +
                       " nodes, depth " + std::to_string(depth) + " and width " +
                       std::to_string(ranks_) + "; give fewer, such as width=8 or depth=8");
    }
    best_.assign(levels + 1, std::vector(ranks_ + 1, std::vector<double>(nodes_ + 1, 0)));
    below_.assign(levels + 1, std::vector(ranks_ + 1, std::vector<std::size_t>(nodes_ + 1, 0)));
    for (std::size_t left = 1; left <= levels; ++left) {
      for (std::size_t rank = ranks_; rank-- > 0;) fill(left, rank);
    }
  }

  std::vector<std::vector<int>> paths() {
    add({}, best_.size() - 1, nodes_);
    std::sort(paths_.begin(), paths_.end());
    return std::move(paths_);
  }

 private:
  /// The siblings from `rank` on with their subtrees, `left` levels, for every number of nodes.
  void fill(std::size_t left, std::size_t rank) {
    for (std::size_t nodes = 1; nodes <= nodes_; ++nodes) {
      double& best = best_[left][rank][nodes];
      for (std::size_t subtree = 1; subtree <= nodes; ++subtree) {
        const double worth = acceptance_[rank] * (1 + best_[left - 1][0][subtree - 1]) +
                             best_[left][rank + 1][nodes - subtree];
        if (worth > best) {
          best = worth;
          below_[left][rank][nodes] = subtree;
        }
      }
    }
  }

  void add(const std::vector<int>& parent, std::size_t left, std::size_t nodes) {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
      const std::size_t subtree = below_[left][rank][nodes];
      if (subtree == 0) return;
      std::vector<int> path = parent;
      path.push_back(static_cast<int>(rank));
      paths_.push_back(path);
      if (left > 1) add(path, left - 1, subtree - 1);
      nodes -= subtree;
    }
  }

  const std::vector<double>& acceptance_;
  std::size_t nodes_;
  std::size_t ranks_;
  /// By levels left, first sibling and nodes: the largest sum, and the nodes of that sibling with
  /// its subtree.
  std::vector<std::vector<std::vector<double>>> best_;
  std::vector<std::vector<std::vector<std::size_t>>> below_;
  std::vector<std::vector<int>> paths_;
};

}  // namespace

std::vector<double> acceptance_by_rank(const Rows<double>& rows, int most) {
  std::vector<Sum<double>> sums;
  for (const Start& start : rows.pair().start()) {
    const AcceptanceByRank<double> of_start(rows, start.state, most);
    sums.resize(of_start.accepted().size());
    for (std::size_t j = 0; j < sums.size(); ++j) {
      sums[j] += to_double(start.probability) * of_start.accepted()[j];
    }
  }
  std::vector<double> mean;
  for (const Sum<double>& sum : sums) mean.push_back(sum.value());
  return mean;
}

std::vector<std::vector<int>> sequoia_paths(const std::vector<double>& acceptance, int nodes,
                                            int depth) {
  return SequoiaProgram(acceptance, nodes, depth).paths();
}

}  // namespace speclab
