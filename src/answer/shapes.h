#pragma once

#include <span>
#include <string>
#include <vector>

#include "answer/bench.h"

namespace speclab {

/// A node of a tree of drafts by its ranks and those of its ancestors: "[1,0]", the first child of
/// the second child of the root.
using RankPath = std::vector<int>;

/// The most shapes that are tried.
inline constexpr std::size_t kMostShapes = 5000;

/// Every shape of 1 to `nodes` nodes in which a child has all its earlier siblings, none deeper
/// than `depth` or with more than `width` children, fewer nodes first. They are the ordered trees:
/// 1, 2, 5, 14, 42 of 1, 2, 3, 4, 5 nodes, where neither bound cuts any.
/// @throws LimitError beyond kMostShapes
std::vector<std::vector<RankPath>> ordered_shapes(int nodes, int depth, int width);

/// One tree, and what a rule accepts of it.
struct ShapeWorth {
  std::string tree;      ///< "best", or how it is grown
  std::string verifier;  ///< the rule with the tree, canonical
  Rational accepted;     ///< E[accepted tokens] of the first iteration
  Rational share;        ///< of the best's; 1 where that is 0
};

/// The best tree of at most N nodes for a rule on a pair, first, and what the ways of growing one
/// reach.
struct BestShape {
  std::size_t shapes = 0;  ///< tried; 0: the best one is known without
  std::vector<ShapeWorth> trees;
};

/// The rules that best_shape knows:
///   rrs-without, traversal-without  trees drawn without replacement, of a shape that is fixed
///                                   before anything is drawn: all shapes are tried
///   target-only                     trees that are not sampled: any lossless rule accepts at most
///                                   the target's mass of their nodes, so that grow=target is best
std::span<const std::string_view> shape_rules();

/// @throws UsageError where `rule` is none of them
void check_shape_rule(const std::string& rule);

/// @param rule   one of shape_rules()
/// @param gamma  the depth that no node exceeds; a number
/// @returns the best, exactly, in fractions; of equal ones that of fewer nodes, then the first
/// @throws UsageError as check_shape_rule; LimitError where there are too many shapes, or paths
BestShape best_shape(Bench& bench, const PairPointer& pair, const std::string& rule, int gamma,
                     int nodes);

}  // namespace speclab
