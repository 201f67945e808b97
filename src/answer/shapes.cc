#include "answer/shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

#include "answer/answer.h"
#include "base/error.h"
#include "base/text.h"

namespace speclab {
namespace {

constexpr std::array<std::string_view, 3> kShapeRules{"rrs-without", "traversal-without",
                                                      "target-only"};

/// Adds to `shapes` what `nodes` nodes can be.
class ShapeLister {
 public:
  ShapeLister(std::vector<std::vector<RankPath>>& shapes, int depth, int width)
      : shapes_(shapes), depth_(depth), width_(width) {}

  void list(int nodes) {
    siblings({}, 0, nodes, [this] { shapes_.push_back(shape_); });
  }

 private:
  using Rest = std::function<void()>;

  /// Makes `nodes` nodes of the siblings below `parent` from `rank` on and what is below them, then
  /// goes on with `rest`.
  void siblings(const RankPath& parent, int rank, int nodes, const Rest& rest) {
    if (nodes == 0) {
      rest();
      return;
    }
    if (shapes_.size() > kMostShapes || rank == width_ ||
        static_cast<int>(parent.size()) == depth_) {
      return;
    }
    RankPath path = parent;
    path.push_back(rank);
    shape_.push_back(path);
    for (int below = nodes - 1; below >= 0; --below) {
      siblings(path, 0, below, [&] { siblings(parent, rank + 1, nodes - 1 - below, rest); });
    }
    shape_.pop_back();
  }

  std::vector<std::vector<RankPath>>& shapes_;
  int depth_;
  int width_;
  std::vector<RankPath> shape_;
};

std::string ranks_text(const std::vector<RankPath>& shape) {
  std::vector<std::string> nodes;
  for (const RankPath& path : shape) nodes.push_back(fmt::format("[{}]", fmt::join(path, ",")));
  return fmt::format("ranks=[{}]", fmt::join(nodes, ","));
}

int depth_of(const std::vector<RankPath>& shape) {
  std::size_t depth = 0;
  for (const RankPath& path : shape) depth = std::max(depth, path.size());
  return static_cast<int>(depth);
}

/// A path of so many first children, or so many children of the root.
std::vector<RankPath> chain_of(int nodes) {
  std::vector<RankPath> shape;
  for (int i = 1; i <= nodes; ++i) shape.emplace_back(static_cast<std::size_t>(i), 0);
  return shape;
}
std::vector<RankPath> star_of(int nodes) {
  std::vector<RankPath> shape;
  for (int i = 0; i < nodes; ++i) shape.push_back({i});
  return shape;
}

ShapeWorth worth_of(Bench& bench, const PairPointer& pair, const std::string& rule,
                    std::string tree, const std::string& source, int gamma) {
  const Verifier verifier = make_verifier(fmt::format("{}({})", rule, source));
  const Question question{.pair = pair, .verifier = verifier, .lengths = {.gamma = gamma}};
  const Answer answer = bench.answer(question, ByEnumeration{.predictions = false});
  return {std::move(tree), verifier.name, answer.fraction(QuantityId::expected_accepted), {}};
}

}  // namespace

std::span<const std::string_view> shape_rules() { return kShapeRules; }

void check_shape_rule(const std::string& rule) {
  if (std::find(kShapeRules.begin(), kShapeRules.end(), rule) == kShapeRules.end()) {
    std::vector<std::string> names(kShapeRules.begin(), kShapeRules.end());
    throw UsageError(fmt::format("the best shape is known for {}, not for '{}'{}", join(names),
                                 abbreviate(rule), suggestion(rule, names)));
  }
}

std::vector<std::vector<RankPath>> ordered_shapes(int nodes, int depth, int width) {
  std::vector<std::vector<RankPath>> shapes;
  ShapeLister lister(shapes, depth, width);
  for (int count = 1; count <= nodes && shapes.size() <= kMostShapes; ++count) lister.list(count);
  if (shapes.size() > kMostShapes) {
    throw LimitError(fmt::format(
        "there are more than {} shapes of at most {} nodes; give fewer nodes or a smaller gamma",
        kMostShapes, nodes));
  }
  return shapes;
}

BestShape best_shape(Bench& bench, const PairPointer& pair, const std::string& rule, int gamma,
                     int nodes) {
  check_shape_rule(rule);
  const int depth = std::min(gamma, nodes);
  BestShape best;
  const auto add = [&](std::string tree, const std::string& source, int length) {
    best.trees.push_back(worth_of(bench, pair, rule, std::move(tree), source, length));
  };
  if (rule == "target-only") {
    const std::string size = fmt::format(",nodes={}", nodes);
    add("best", "grow=target" + size, depth);
    add("grow=best", "grow=best" + size, depth);
    add("grow=beam", "grow=beam" + size + ",width=2", depth);
    add("grow=static", "grow=static" + size + fmt::format(",depth={}", depth), depth);
  } else {
    const int width = std::min(nodes, int{pair->vocabulary()});
    const auto shapes = ordered_shapes(nodes, depth, width);
    best.shapes = shapes.size();
    for (const auto& shape : shapes) {
      ShapeWorth found = worth_of(bench, pair, rule, "best", ranks_text(shape), depth_of(shape));
      if (best.trees.empty()) {
        best.trees.push_back(std::move(found));
      } else if (found.accepted > best.trees.front().accepted) {
        best.trees.front() = std::move(found);
      }
    }
    add("grow=sequoia", fmt::format("grow=sequoia,nodes={},depth={},width={}", nodes, depth, width),
        depth);
    add("siblings", ranks_text(star_of(width)), 1);
  }
  add("chain", ranks_text(chain_of(depth)), depth);
  const Rational most = best.trees.front().accepted;
  for (ShapeWorth& tree : best.trees) {
    tree.share = most > 0 ? Rational(tree.accepted / most) : Rational(1);
  }
  return best;
}

}  // namespace speclab
