#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/sum.h"
#include "exact/exact.h"
#include "exact/outcomes.h"

namespace speclab {

/// A start of the pair as a node of the view.
template <class View>
struct Started {
  typename View::Node node;
  typename View::Real probability;
};

/// The different nodes of a container whose keys are nodes, or pairs of a node and more, in order.
template <class Node, class Keyed, class NodeOf>
std::vector<Node> nodes_of(const Keyed& keyed, const NodeOf& node_of) {
  std::vector<Node> nodes;
  for (const auto& [key, weight] : keyed) nodes.push_back(node_of(key));
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

/// The joint law of the `horizon` tokens of whole decodes, iteration after iteration, and its
/// distance from the target's. There are up to V^T sequences.
template <class V>
class OutputLaw {
 public:
  using View = V;
  using Real = typename View::Real;
  using Node = typename View::Node;
  using TokenLaw = std::map<std::vector<Token>, Real>;

  OutputLaw(const Rows<Real>& rows, const View& view, int gamma, int horizon,
            Outcomes<View, Leaf<Node>>& leaves)
      : rows_(rows),
        view_(view),
        gamma_(gamma),
        horizon_(horizon),
        end_(rows.pair().end_token()),
        leaves_(leaves) {}

  /// Adds the total variation distance to `result`. The undefined mass is an outcome that the
  /// target never has.
  /// @param law        whether to add the law of the tokens too
  /// @param undefined  the mass of the decodes that end in an undefined draw
  void run(std::span<const Started<View>> starts, bool law, const Real& undefined,
           ExactResult<Real>& result) {
    std::map<std::vector<Token>, Sum<Real>> all, corrected;
    Sum<Real> tv;
    for (const Started<View>& start : starts) {
      TokenLaw rejected;
      const TokenLaw reached = from(start.node, law ? &rejected : nullptr);
      compare(start, reached, tv);
      if (!law) continue;
      for (const auto& [tokens, weight] : reached) all[tokens] += start.probability * weight;
      for (const auto& [tokens, weight] : rejected) corrected[tokens] += start.probability * weight;
    }
    result.add(QuantityId::tv_to_target, (tv.value() + undefined) / 2);
    for (auto& [tokens, weight] : all) result.add(QuantityId::output_law, weight.value(), tokens);
    for (auto& [tokens, weight] : corrected) {
      result.add(QuantityId::corrected_law, weight.value(), tokens);
    }
  }

 private:
  using Prefixes = std::map<std::pair<std::vector<Token>, Node>, Real>;

  /// The law of the T tokens from one start.
  /// @param rejected  where not null: of every x_{1:n} the probability that it is emitted and its
  /// last token is a correction is added to it, f(x_{1:n}) of yin2024's equation (22)
  TokenLaw from(const Node& start, TokenLaw* rejected) {
    const auto steps = static_cast<std::size_t>(horizon_);
    std::vector<Prefixes> levels(steps);
    levels[0][{{}, start}] = Real(1);
    TokenLaw reached;
    for (std::size_t n = 0; n < steps; ++n) {
      const Window window = window_within(gamma_, horizon_ - static_cast<int>(n));
      leaves_.prepare(nodes_of<Node>(levels[n], [](const auto& key) { return key.second; }),
                      window);
      for (const auto& [key, weight] : levels[n]) {
        check_interrupted();
        for (const auto& [leaf, share] : leaves_.at(key.second, window)) {
          if (leaf.ending == Ending::undefined) continue;
          std::vector<Token> tokens = extended(key.first, leaf.tokens);
          const Real here = weight * share;
          if (rejected != nullptr && corrected_last(leaf)) {
            std::vector<Token> emitted = key.first;
            emitted.insert(emitted.end(), leaf.tokens.begin(), leaf.tokens.end());
            (*rejected)[std::move(emitted)] += here;
          }
          if (tokens.size() == steps) {
            reached[std::move(tokens)] += here;
          } else {
            levels[tokens.size()][{tokens, leaf.node}] += here;
          }
        }
      }
      levels[n].clear();
    }
    return reached;
  }

  /// Whether the last token is a correction, and no end-of-sequence token comes before it.
  bool corrected_last(const Leaf<Node>& leaf) const {
    return leaf.ending == Ending::correction && before_end(leaf.tokens, end_) == leaf.tokens.size();
  }

  /// The prefix with the leaf's tokens; to the horizon where the end-of-sequence token is one.
  std::vector<Token> extended(std::vector<Token> tokens, const std::vector<Token>& more) const {
    const std::size_t emitted = before_end(more, end_);
    tokens.insert(tokens.end(), more.begin(), more.begin() + static_cast<std::ptrdiff_t>(emitted));
    if (has_end(more, end_)) tokens.resize(static_cast<std::size_t>(horizon_), *end_);
    return tokens;
  }

  /// Adds sum |output - target| over all sequences of `horizon` tokens.
  void compare(const Started<View>& start, const TokenLaw& reached, Sum<Real>& tv) const {
    TokenLaw target = target_law(view_.state(start.node));
    for (const auto& [sequence, probability] : reached) {
      const auto known = target.find(sequence);
      const Real difference =
          known == target.end() ? probability : Real(probability - known->second);
      tv += start.probability * (difference < 0 ? Real(-difference) : difference);
      if (known != target.end()) target.erase(known);
    }
    for (const auto& [sequence, probability] : target) tv += start.probability * probability;
  }

  /// The law of the target's next `horizon` tokens.
  TokenLaw target_law(State start) const {
    struct Prefix {
      std::vector<Token> tokens;
      State state;
      Real mass;
    };
    std::vector<Prefix> layer{{{}, start, Real(1)}};
    for (int n = 0; n < horizon_; ++n) {
      std::vector<Prefix> after;
      for (Prefix& prefix : layer) {
        check_interrupted();
        const auto row = rows_.target(prefix.state);
        std::vector<Token> possible;
        for (std::size_t x = 0; x < row.size(); ++x) {
          if (row[x] > 0) possible.push_back(static_cast<Token>(x));
        }
        for (const Token x : possible) {
          // The last one takes the prefix over, so that a sure path is never copied.
          std::vector<Token> tokens =
              x == possible.back() ? std::move(prefix.tokens) : prefix.tokens;
          tokens.push_back(x);
          after.push_back({std::move(tokens), rows_.next(prefix.state, x),
                           Real(prefix.mass * row[static_cast<std::size_t>(x)])});
        }
      }
      layer = std::move(after);
    }
    TokenLaw law;
    for (Prefix& prefix : layer) law.emplace(std::move(prefix.tokens), std::move(prefix.mass));
    return law;
  }

  const Rows<Real>& rows_;
  const View& view_;
  int gamma_;
  int horizon_;
  std::optional<Token> end_;
  Outcomes<View, Leaf<Node>>& leaves_;
};

}  // namespace speclab
