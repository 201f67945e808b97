#include "optimum/prefix_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "system/interrupt.h"
#include "system/stage.h"

namespace speclab {

namespace {

/// Limit on the tokens that may follow a prefix, summed over prefixes: some seconds.
constexpr double kMostLooked = 1e8;

}  // namespace

std::string prefix_text(const Prefix& prefix) {
  return fmt::format("({})", fmt::join(prefix, ","));
}

PrefixTree::PrefixTree(const Rows<Rational>& rows, State start, int depth, std::size_t most)
    : depth_(depth) {
  nodes_.push_back({.state = start, .draft = Rational(1), .target = Rational(1), .children = {}});
  double looked = 0;
  begin_stage("prefixes of the program");
  for (std::size_t at = 0; at < nodes_.size(); ++at) {
    check_interrupted();
    count_in_stage();
    if (nodes_[at].depth == depth) break;
    looked += static_cast<double>(rows.vocabulary());
    if (looked > kMostLooked) {
      throw LimitError(
          fmt::format("the program's prefixes go on with more than {} tokens; lower gamma or the "
                      "vocabulary",
                      kMostLooked));
    }
    const auto draft = rows.draft(nodes_[at].state);
    const auto target = rows.target(nodes_[at].state);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (draft[x] == 0 || target[x] == 0) continue;
      if (nodes_.size() > most) {
        throw LimitError(
            fmt::format("the linear program would have more than {} prefixes; lower gamma", most));
      }
      const auto token = static_cast<Token>(x);
      Node child{.parent = at,
                 .token = token,
                 .state = rows.next(nodes_[at].state, token),
                 .depth = nodes_[at].depth + 1,
                 .draft = nodes_[at].draft * draft[x],
                 .target = nodes_[at].target * target[x],
                 .children = {}};
      nodes_[at].children.push_back(nodes_.size());
      nodes_.push_back(std::move(child));
    }
  }
}

Prefix PrefixTree::prefix(std::size_t v) const {
  Prefix prefix;
  for (; v != 0; v = nodes_[v].parent) prefix.push_back(nodes_[v].token);
  std::reverse(prefix.begin(), prefix.end());
  return prefix;
}

}  // namespace speclab
