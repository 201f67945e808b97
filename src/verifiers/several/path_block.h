#pragma once

#include <utility>
#include <vector>

#include "base/spec.h"
#include "draft/given.h"
#include "draft/source.h"
#include "verifiers/chain/block_coin.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"
#include "verifiers/several/selected_law.h"

namespace speclab {

/// Drafts one token for every path in play and keeps the paths with the most preferred token.
/// @param path  the common prefix of all paths in play
/// @param prefers  (x, y) -> bool: whether x is preferred to y
template <class Laws, class Choices, class Path, class Prefers>
Token select_path(const Laws& laws, int& in_play, Choices& choices, const Path& path,
                  const Prefers& prefers) {
  Token best = kUndefined;
  int count = 0;
  const auto before = [&path] {
    std::vector<Token> tokens;
    for (const auto& step : path) tokens.push_back(step.token);
    return tokens;
  };
  for (int k = 0; k < in_play; ++k) {
    draft_below(choices, before, k);
    const Token x = choices.draft(laws.draft());
    if (best == kUndefined || prefers(x, best)) {
      best = x;
      count = 0;
    }
    count += x == best;
  }
  in_play = count;
  return best;
}

/// Selects one of `drafts` paths and verifies it as a block against the law of the path that the
/// correct order selects.
/// @param prefers  (laws, law, x, y) -> bool: whether x is preferred to y where a path is selected;
///                 the correct one uses the SelectedLaw
template <class View, class Choices, class Prefers>
void verify_selected(const View& view, const typename View::Node& root, int drafts, Window window,
                     Choices& choices, Iteration<View>& out, const Prefers& prefers) {
  using Real = typename View::Real;
  std::vector<SelectedLaw<Real>> selected;  // at X^0, ..., X^(gamma - 1)
  Real kappa(1);
  Real w(1);
  auto node = root;
  int in_play = drafts;
  for (int i = 0; i < window.drafts; ++i) {
    const auto laws = view.at(node);
    const SelectedLaw<Real>& law = selected.emplace_back(laws, kappa, drafts);
    const Token x = select_path(laws, in_play, choices, out.path, [&](Token left, Token right) {
      return prefers(laws, law, left, right);
    });
    w = min_one<Real>(w * laws.target(x) / law.probability(x));
    kappa = law.narrowed(x);
    node = view.next(node, x);
    out.path.push_back({x, node, w});
  }
  if (choices.accept(w)) {
    out.accept_path(window.drafts);
    return out.finish(view, choices, window);
  }
  for (int i = window.drafts - 1; i >= 0; --i) {
    const Real weight = i == 0 ? Real(1) : out.path[static_cast<std::size_t>(i) - 1].weight;
    const auto at = static_cast<std::size_t>(i);
    const bool accepted = selected[at].with_residual(weight, [&](const auto& residual) {
      const Real coin = block_coin<Real>(residual.mass(), weight);
      if (i > 0 && (!(coin > 0) || !choices.accept(coin))) return false;
      out.accept_path(i);
      out.correct(view, choices, residual);
      return true;
    });
    if (accepted) return;
  }
}

/// Path selection with block verification (Thomas and Pal): of K i.i.d. drafts one is selected by
/// a fixed order, and verified as a block against the law of the selected path in place of d.
///
/// At a node token x is preferred to x' if t/d is greater, or equal and x < x'. In doubles the
/// rounded t and d are compared, so that rounding may break a tie of fractions: another
/// order, lossless too, of another E[tau] (see tests/exact/doubles.test.cc). The selected path goes
/// at every node to the most preferred token among the drafts still on it; the others are not used
/// again. P(selected passes u) = (F + D(u))^K - F^K, F the draft mass of the prefixes of the same
/// length that are less preferred (lexicographically). With kappa = D / (F + D), G the draft mass
/// of the tokens preferred to x, and g(z) = 1 - (1 - z)^K its conditional law at u is
///   s(x) = (1 - kappa G)^K g(kappa') / g(kappa)     kappa' = kappa d(x) / (1 - kappa G)
/// K = 1 is block verification: s = d. Not monotone in K, and not always above block:
/// d = (1/2,1/2), t = (3/5,2/5), gamma = 1: 9/10, 17/20, 29/40 for K = 1, 2, 3.
struct PathBlock {
  int drafts = 1;

  static constexpr VerifierInfo kInfo{
      .name = "path-block",
      .parameters = "K=",
      .prose = "the most preferred of K drafts, verified as a block",
      .source = "Thomas and Pal (path selection)",
      .kind = VerifierKind::lossless,
      .example = "path-block(K=2)",
      .drafts = "K",
      .lacks = {.full_acceptance = true, .token_names = true}};
  static constexpr bool kCarries = false;
  static PathBlock read(SpecReader& spec) { return {read_drafts(spec, "K")}; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    verify_selected(
        view, root, drafts, window, choices, out,
        [](const auto&, const auto& law, Token x, Token y) { return law.rank(x) < law.rank(y); });
  }
};

}  // namespace speclab
