#pragma once

#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "exact/sequences.h"

namespace speclab {

/// What an iteration adds, with equal continuations merged.
template <class View>
struct Leaf {
  std::vector<Token> tokens;
  int accepted;
  Ending ending;
  typename View::Node node;
  typename View::Real weight;
};

/// All distinct ends of the iterations from a node, kept for the next time they are asked for.
template <class View>
class Leaves {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;

  /// @param expected  about how many sequences of decisions an iteration has
  Leaves(Sequences<View>& sequences, double expected)
      : sequences_(sequences), expected_(expected) {}

  /// Works out together what is not known yet of these nodes, all different.
  void prepare(std::span<const Node> nodes, Window window) {
    std::vector<Node> unknown;
    for (const Node& node : nodes) {
      if (known_.find(key(node, window)) == known_.end()) unknown.push_back(node);
    }
    std::vector<Merged> merged(unknown.size());
    sequences_.run(
        std::span<const Node>(unknown), window, true,
        expected_ * static_cast<double>(unknown.size()), Merged{},
        [](Merged& part, const Emitted<Node>& out, const Real& weight) {
          check_progress(out.tokens.size(), out.ending);
          part[{out.tokens, out.accepted, out.ending, out.node}] += weight;
        },
        [&](std::size_t root, Merged&& part) {
          for (auto& [end, weight] : part) merged[root][end] += weight;
        });
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      auto& list = known_[key(unknown[i], window)];
      for (auto& [end, weight] : merged[i]) {
        list.push_back({std::get<0>(end), std::get<1>(end), std::get<2>(end), std::get<3>(end),
                        std::move(weight)});
      }
    }
  }

  /// Of a node that was prepared.
  const std::vector<Leaf<View>>& at(const Node& node, Window window) const {
    return known_.at(key(node, window));
  }

 private:
  using Key = std::tuple<Node, int, bool>;
  using Merged = std::map<std::tuple<std::vector<Token>, int, Ending, Node>, Real>;
  static Key key(const Node& node, Window window) { return {node, window.drafts, window.bonus}; }

  Sequences<View>& sequences_;
  double expected_;
  std::map<Key, std::vector<Leaf<View>>> known_;
};

}  // namespace speclab
