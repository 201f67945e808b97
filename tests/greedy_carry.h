#pragma once

#include <vector>

#include "verifiers/choices.h"

namespace speclab {

/// How the target of the tokens that follow is modified; only nested is right.
enum class Carry { none, flat, nested };

/// Greedy block verification written a second time, in the direct form of sun2025 Algorithms 4, 5.
template <Carry kCarry>
struct Greedy {
  static constexpr bool kCarries = kCarry != Carry::none;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    std::vector<Real> ratios{Real(1)};
    std::vector<Real> shares{Real(1)};  // D(path) / T(path), T under the original target
    std::vector<typename View::Node> nodes{root};
    std::vector<Token> tokens;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(nodes.back());
      const Token x = choices.draft(laws.draft());
      ratios.push_back(ratios.back() * likelihood_ratio(laws, x));
      shares.push_back(shares.back() * original_share(view, nodes.back(), x));
      nodes.push_back(view.next(nodes.back(), x));
      tokens.push_back(x);
    }
    int tau = 0;
    for (int i = 1; i <= window.drafts; ++i) {
      const auto at = static_cast<std::size_t>(i);
      Real h = min_one<Real>(ratios[at]);
      if (i < window.drafts) {
        const auto laws = view.at(nodes[at]);
        Real excess(0);
        Real deficit(0);
        for (Token x = 0; x < view.vocabulary(); ++x) {
          const Real gap = ratios[at] * laws.target(x) - laws.draft(x);
          (gap > 0 ? excess : deficit) += gap > 0 ? gap : Real(-gap);
        }
        h = deficit > 0 ? min_one<Real>(excess / deficit) : Real(excess > 0 ? 1 : 0);
      }
      if (choices.accept(h)) tau = i;
    }
    const auto at = static_cast<std::size_t>(tau);
    for (std::size_t i = 0; i < at; ++i) out.accept(tokens[i], nodes[i + 1]);
    if (tau == window.drafts) return out.finish(view, choices, window);
    const auto laws = view.at(nodes[at]);
    const Token y = choices.correct(laws.residual(ratios[at]));
    out.add(view, y, Ending::correction);
    if (y == kUndefined) return;
    if constexpr (kCarry == Carry::nested) {
      const Real share = laws.draft(y) / (ratios[at] * laws.target(y));
      out.node = view.modified(out.node, share, window.drafts - tau - 1);
    } else if constexpr (kCarry == Carry::flat) {
      const Real share = shares[at] * original_share(view, nodes[at], y);
      out.node = view.modified(view.root(view.state(out.node)), share, window.drafts - tau - 1);
    }
  }

 private:
  template <class View>
  static typename View::Real original_share(const View& view, const typename View::Node& node,
                                            Token x) {
    using Real = typename View::Real;
    const auto original = view.root(view.state(node));
    const auto laws = view.at(original);
    return laws.target(x) > 0 ? Real(laws.draft(x) / laws.target(x)) : Real(0);
  }
};

}  // namespace speclab
