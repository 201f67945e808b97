#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/sum.h"
#include "exact/leaves.h"
#include "verifiers/end_of_sequence.h"

namespace speclab {

/// A start of the pair as a node of the view.
template <class View>
struct Started {
  typename View::Node node;
  typename View::Real probability;
};

/// Whether the last of these tokens, cut by before_end, ends the sequence.
inline bool ends_with(const std::vector<Token>& tokens, std::optional<Token> end) {
  return end && !tokens.empty() && tokens.back() == *end;
}

/// The exact law of whole decodes of `horizon` tokens, iteration after iteration.
template <class V>
class Decode {
 public:
  using View = V;
  using Real = typename View::Real;
  using Node = typename View::Node;
  using TokenLaw = std::map<std::vector<Token>, Real>;

  Decode(const Rows<Real>& rows, const View& view, Drafting drafting, int gamma, int horizon,
         Leaves<View>& leaves)
      : rows_(rows),
        view_(view),
        drafting_(drafting),
        gamma_(gamma),
        horizon_(horizon),
        end_(rows.pair().end_token()),
        leaves_(leaves) {}

  /// Adds what is found to `result`.
  /// @param law  whether to keep the law of the tokens
  void run(std::span<const Started<View>> starts, bool law, ExactResult<Real>& result) {
    std::map<std::vector<Token>, Sum<Real>> all;
    Sum<Real> tv;
    for (const Started<View>& start : starts) {
      const TokenLaw reached = from(start);
      compare(start, reached, tv);
      if (!law) continue;
      for (const auto& [tokens, weight] : reached) all[tokens] += start.probability * weight;
    }
    // The undefined mass is an outcome that the target never has.
    result.add(QuantityId::tv_to_target, (tv.value() + undefined_) / 2);
    result.add(QuantityId::output_undefined, undefined_);
    for (auto& [tokens, weight] : all) result.add(QuantityId::output_law, weight.value(), tokens);
    result.add(QuantityId::decode_tokens, tokens_);
    result.add(QuantityId::target_calls, calls_);
    result.add(QuantityId::rejections, rejections_);
    result.add(QuantityId::draft_steps, steps_);
    if (calls_ > 0) {
      result.add(QuantityId::acceptance_length, Real(tokens_ / calls_));
    } else {
      result.add_missing(QuantityId::acceptance_length, "the target is never called");
    }
    std::vector<Real> rates;
    Real reached(0);
    for (std::size_t i = accepted_.size(); i-- > 1;) {
      reached += accepted_[i];
      rates.push_back(reached / iterations_);
    }
    std::reverse(rates.begin(), rates.end());
    result.add_list(QuantityId::position_rates, std::move(rates));
  }

 private:
  using Prefixes = std::map<std::pair<std::vector<Token>, Node>, Real>;

  /// The law of the T tokens from one start; adds the expectations to the result.
  TokenLaw from(const Started<View>& start) {
    const auto steps = static_cast<std::size_t>(horizon_);
    std::vector<Prefixes> levels(steps);
    levels[0][{{}, start.node}] = Real(1);
    TokenLaw reached;
    for (std::size_t n = 0; n < steps; ++n) {
      const Window window = window_within(gamma_, horizon_ - static_cast<int>(n));
      leaves_.prepare(nodes_of(levels[n]), window);
      for (const auto& [key, weight] : levels[n]) {
        check_interrupted();
        const Real mass = start.probability * weight;
        iterations_ += mass;
        for (const Leaf<View>& leaf : leaves_.at(key.second, window)) {
          count(leaf, window, Real(mass * leaf.weight));
          if (leaf.ending == Ending::undefined) continue;
          std::vector<Token> tokens = extended(key.first, leaf);
          const Real here = weight * leaf.weight;
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

  static std::vector<Node> nodes_of(const Prefixes& level) {
    std::vector<Node> nodes;
    for (const auto& [key, weight] : level) nodes.push_back(key.second);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
  }

  void count(const Leaf<View>& leaf, Window window, const Real& mass) {
    const std::size_t emitted = before_end(leaf.tokens, end_);
    const bool undefined = leaf.ending == Ending::undefined;
    const bool whole = emitted == leaf.tokens.size();
    const int last = static_cast<int>(emitted) + (undefined ? 1 : 0);
    if (calls_target(drafting_, leaf.ending, whole)) calls_ += mass;
    tokens_ += mass * Real(static_cast<long>(emitted));
    steps_ += mass * Real(static_cast<long>(draft_steps(drafting_, window.drafts, last)));
    if (undefined) undefined_ += mass;
    if (leaf.ending == Ending::correction && whole) rejections_ += mass;
    // Accepted tokens up to the end-of-sequence token count; what follows it was never needed.
    const auto drafts = static_cast<std::size_t>(window.drafts);
    if (accepted_.size() <= drafts) accepted_.resize(drafts + 1, Real(0));
    accepted_[std::min(static_cast<std::size_t>(leaf.accepted), emitted)] += mass;
  }

  /// The prefix with the leaf's tokens; to the horizon where the end-of-sequence token is one.
  std::vector<Token> extended(std::vector<Token> tokens, const Leaf<View>& leaf) const {
    const std::size_t emitted = before_end(leaf.tokens, end_);
    tokens.insert(tokens.end(), leaf.tokens.begin(),
                  leaf.tokens.begin() + static_cast<std::ptrdiff_t>(emitted));
    if (ends_with(tokens, end_)) tokens.resize(static_cast<std::size_t>(horizon_), *end_);
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
  Drafting drafting_;
  int gamma_;
  int horizon_;
  std::optional<Token> end_;
  Leaves<View>& leaves_;

  Real tokens_{0};  ///< expected, up to the horizon or the end-of-sequence token
  Real iterations_{0};
  Real calls_{0};       ///< expected iterations in which the target ran
  Real rejections_{0};  ///< expected positions emitted by a correction
  Real steps_{0};       ///< expected draft steps, one after another (see draft_steps)
  Real undefined_{0};
  std::vector<Real> accepted_;  ///< [tau]: expected iterations that accept tau tokens
};

}  // namespace speclab
