#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "base/gathered.h"
#include "exact/sequences.h"
#include "verifiers/end_of_sequence.h"

namespace speclab {

/// The outcome of an iteration with its tokens.
template <class N>
struct Leaf {
  using Node = N;
  static constexpr bool kTokens = true;

  std::vector<Token> tokens;
  int accepted;
  Ending ending;
  Node node;

  Leaf(const Emitted<Node>& out, std::optional<Token>)
      : tokens(out.tokens), accepted(out.accepted), ending(out.ending), node(out.node) {}
  bool operator<(const Leaf& other) const {
    return std::tie(tokens, accepted, ending, node) <
           std::tie(other.tokens, other.accepted, other.ending, other.node);
  }
};

/// The outcome of an iteration with its number of tokens.
template <class N>
struct End {
  using Node = N;
  static constexpr bool kTokens = false;

  int emitted;    ///< tokens up to and with the end-of-sequence token
  int accepted;   ///< as in Iteration
  Ending ending;  ///< as in Iteration
  bool whole;     ///< no end-of-sequence token comes before the last one
  bool goes_on;   ///< the decode does: no end-of-sequence token, no undefined draw
  Node node;

  End(const Emitted<Node>& out, std::optional<Token> end)
      : emitted(static_cast<int>(before_end(out.tokens, end))),
        accepted(out.accepted),
        ending(out.ending),
        whole(static_cast<std::size_t>(emitted) == out.tokens.size()),
        goes_on(ending != Ending::undefined && !has_end(out.tokens, end)),
        node(out.node) {}
  bool operator<(const End& other) const {
    return std::tie(emitted, accepted, ending, whole, goes_on, node) <
           std::tie(other.emitted, other.accepted, other.ending, other.whole, other.goes_on,
                    other.node);
  }
};

/// All distinct outcomes of the iterations from a node with their probabilities, kept for the next
/// time they are asked for. Their nodes are those at which the next iteration begins. @tparam
/// Outcome  Leaf or End
template <class View, class Outcome>
class Outcomes {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;
  using Law = std::vector<std::pair<Outcome, Real>>;

  /// @param expected  about how many sequences of decisions an iteration has
  Outcomes(Sequences<View>& sequences, double expected)
      : sequences_(sequences), expected_(expected) {}

  /// From now on about so many sequences of decisions are expected of an iteration.
  void expect(double expected) { expected_ = expected; }

  /// Works out together what is not known yet of these nodes, all different.
  void prepare(std::span<const Node> nodes, Window window) {
    std::vector<Node> unknown;
    for (const Node& node : nodes) {
      if (known_.find(key(node, window)) == known_.end()) unknown.push_back(node);
    }
    std::vector<Merged> merged(unknown.size());
    const auto end = sequences_.end_token();
    sequences_.run(
        std::span<const Node>(unknown), window, {.corrections = true, .tokens = Outcome::kTokens},
        expected_ * static_cast<double>(unknown.size()), Merged{},
        [this, end](Merged& part, const Emitted<Node>& out, const Real& weight) {
          check_progress(out.tokens.size(), out.ending);
          const View& view = sequences_.view();
          if (!view.resets()) {
            part[Outcome(out, end)] += weight;
            return;
          }
          for (const auto& [state, probability] : view.roots(out.node)) {
            const Node root = view.rooted(out.node, state);
            part[Outcome({out.tokens, out.accepted, out.ending, root}, end)] +=
                Real(weight * probability);
          }
        },
        [&](std::size_t root, Merged&& part) {
          for (auto& [outcome, weight] : part) merged[root][outcome] += weight;
        });
    for (std::size_t i = 0; i < unknown.size(); ++i) {
      Law& law = known_[key(unknown[i], window)];
      law.reserve(merged[i].size());
      for (const auto& [outcome, weight] : merged[i]) law.emplace_back(outcome, reduced(weight));
    }
  }

  /// Of a node that was prepared.
  const Law& at(const Node& node, Window window) const { return known_.at(key(node, window)); }

 private:
  using Key = std::tuple<Node, int, bool>;
  using Merged = std::map<Outcome, Gathered<Real>>;
  static Key key(const Node& node, Window window) { return {node, window.drafts, window.bonus}; }

  Sequences<View>& sequences_;
  double expected_;
  std::map<Key, Law> known_;
};

}  // namespace speclab
