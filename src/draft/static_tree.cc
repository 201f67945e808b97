#include <algorithm>
#include <map>
#include <tuple>

#include "base/sum.h"
#include "draft/sequoia.h"
#include "draft/source.h"
#include "model/likeliest.h"
#include "model/rows.h"

namespace speclab {
namespace {

/// A node below which tokens are named by their ranks, from every start of a pair.
struct RankedNode {
  std::vector<int> path;
  std::vector<State> states;  ///< by start
  std::vector<double>
      masses;  ///< by start: its probability times that of the tokens under the target
};

class StaticTree {
 public:
  explicit StaticTree(const PairPointer& pair) : rows_(pair) {}

  std::vector<std::vector<int>> grow(int nodes, int depth) {
    RankedNode root;
    for (const Start& start : rows_.pair().start()) {
      root.states.push_back(start.state);
      root.masses.push_back(to_double(start.probability));
    }
    open_children(root);
    std::vector<std::vector<int>> paths;
    while (!open_.empty() && paths.size() < static_cast<std::size_t>(nodes)) {
      const auto first = open_.begin();
      const RankedNode node = first->second;
      open_.erase(first);
      paths.push_back(node.path);
      if (static_cast<int>(node.path.size()) < depth) open_children(node);
    }
    std::sort(paths.begin(), paths.end());
    return paths;
  }

 private:
  /// The larger mass first, then the shallower, then the first by ranks.
  using Order = std::tuple<double, std::size_t, std::vector<int>>;

  void open_children(const RankedNode& node) {
    for (int rank = 0; rank < rows_.vocabulary(); ++rank) {
      RankedNode child{node.path, node.states, node.masses};
      child.path.push_back(rank);
      for (std::size_t i = 0; i < node.states.size(); ++i) {
        const auto& tokens = ranked(node.states[i]);
        const auto at = static_cast<std::size_t>(rank);
        if (at >= tokens.size()) {
          child.masses[i] = 0;
          continue;
        }
        child.masses[i] *= rows_.target(node.states[i])[static_cast<std::size_t>(tokens[at])];
        child.states[i] = rows_.next(node.states[i], tokens[at]);
      }
      const double mass = total(child.masses);
      if (mass > 0) open_.emplace(Order{-mass, child.path.size(), child.path}, std::move(child));
    }
  }

  /// The tokens that the draft may draw, likeliest first, ties to the lower token.
  const std::vector<Token>& ranked(State state) {
    auto [known, fresh] = ranked_.try_emplace(state);
    if (fresh) {
      known->second =
          likeliest_tokens(rows_.draft(state), static_cast<std::size_t>(rows_.vocabulary()));
    }
    return known->second;
  }

  Rows<double> rows_;
  std::map<Order, RankedNode> open_;
  std::map<State, std::vector<Token>> ranked_;
};

}  // namespace

Growth grown_for(const Growth& growth, const PairPointer& pair) {
  Growth grown = growth;
  if (growth.kind == Growth::Kind::fixed) {
    grown.paths = StaticTree(pair).grow(growth.nodes, growth.depth);
  } else if (growth.kind == Growth::Kind::sequoia) {
    const auto acceptance = acceptance_by_rank(Rows<double>(pair), growth.width);
    grown.paths = sequoia_paths(acceptance, growth.nodes, growth.depth);
    grown.places = places_of(grown.paths);
  }
  return grown;
}

}  // namespace speclab
