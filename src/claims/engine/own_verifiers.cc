#include "claims/engine/own_verifiers.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "answer/own_verifier.h"
#include "base/power.h"
#include "base/spec.h"
#include "model/derived.h"
#include "model/law.h"
#include "theory/multi_draft.h"

namespace speclab {
namespace {

/// sun2025 appendix A, token_verification. Its rows of the draft have a zero row added, so that the
/// residual after the whole draft is the target. `draws`: whether the token is drawn from the
/// weights that the last lines make; in the text no line does.
template <bool draws>
struct TokenListing {
  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const Token x = choices.draft(view.at(node).draft());
      node = view.next(node, x);
      out.path.push_back({x, node, Real(0)});
    }
    std::size_t token_index = 0;
    while (token_index < out.path.size()) {
      const auto laws = view.at(out.node);
      const Token token_value = out.path[token_index].token;
      // random() > accept_probability rejects; draft(token_value) > 0, so the ratio is finite.
      if (!choices.accept(likelihood_ratio(laws, token_value))) break;
      ++token_index;
      out.accept(token_value, out.path[token_index - 1].node);
    }
    if constexpr (draws) {
      const auto laws = view.at(out.node);
      if (token_index == out.path.size()) return out.correct(view, choices, laws.target());
      out.correct(view, choices, laws.residual(Real(1)));
    }
  }
};

/// sun2025 appendix A, block_verification, with its loop run once more, at index gamma, where the
/// draft's row is the zero vector that the listing appends. `skips`: whether a step whose weights
/// are all 0 is left out, where the listing divides 0 by 0 and stops.
template <bool skips>
struct WholeBlockListing {
  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    Real accept_probability(1);
    Real chosen_probability(1);
    int chosen = -1;
    auto node = root;
    for (int token_index = 0; token_index <= window.drafts; ++token_index) {
      const auto laws = view.at(node);
      const bool last = token_index == window.drafts;
      const Real kept = last ? accept_probability : laws.residual(accept_probability).mass();
      const Real weights(kept + (1 - accept_probability));
      if (!(weights > 0)) {
        if (!skips) return out.add(view, kUndefined, Ending::undefined);
      } else if (choices.accept(Real(kept / weights))) {
        chosen = token_index;
        chosen_probability = accept_probability;
      }
      if (last) break;
      const Token token_value = choices.draft(laws.draft());
      accept_probability = min_one<Real>(accept_probability * likelihood_ratio(laws, token_value));
      node = view.next(node, token_value);
      out.path.push_back({token_value, node, accept_probability});
    }
    if (chosen < 0) return;
    out.accept_path(chosen);
    if (chosen == window.drafts) return out.finish(view, choices, window);
    out.correct(view, choices, view.at(out.node).residual(chosen_probability));
  }
};

/// Hierarchical speculative decoding. r*(x^i) is T/D of x^i over the largest T/D of a shorter
/// prefix (at least 1, that of the empty one), at most 1. The longest prefix whose coin accepts is
/// kept; the coin is r* of the whole draft, and below it the ratio of the branch divergences
/// sum [r* t - d]+ / sum [d - r* t]+.
struct Hierarchy {
  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    Rational ratio(1), largest(1);
    auto node = root;
    for (int i = 0; i < window.drafts; ++i) {
      const auto laws = view.at(node);
      const Token x = choices.draft(laws.draft());
      ratio *= likelihood_ratio(laws, x);
      node = view.next(node, x);
      out.path.push_back({x, node, std::min<Rational>(Rational(1), ratio / largest)});
      largest = std::max(largest, ratio);
    }
    for (int i = window.drafts; i > 0; --i) {
      const auto& step = out.path[static_cast<std::size_t>(i) - 1];
      if (i == window.drafts) {
        if (!choices.accept(step.weight)) continue;
        out.accept_path(i);
        return out.finish(view, choices, window);
      }
      const auto laws = view.at(step.node);
      Rational surplus(0), deficit(0);
      for (Token x = 0; x < view.vocabulary(); ++x) {
        const Rational gap = step.weight * laws.target(x) - laws.draft(x);
        (gap > 0 ? surplus : deficit) += abs(gap);
      }
      // 0/0: the two laws are equal there, and a longer prefix was kept.
      if (!(surplus > 0) || !choices.accept(Rational(surplus / deficit))) continue;
      out.accept_path(i);
      return out.correct(view, choices, laws.residual(step.weight));
    }
    out.correct(view, choices, view.at(root).residual(Rational(1)));
  }
};

/// K i.i.d. candidates x, each accepted in turn with min(1, t / (rho d)); after K rejections the
/// residual t - min(d, t / rho) P_acc / beta.
struct KseqAt {
  int drafts = 1;
  Rational share;
  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    const auto laws = view.at(root);
    const std::vector<Rational> draft = draft_row_of(laws), target = target_row_of(laws);
    std::vector<Rational> residual;
    const Rational least = kseq_rho(std::span<const Rational>(draft), target, drafts);
    const Rational rho = least + share * (drafts - least);
    std::vector<Token> candidates;
    for (int k = 0; k < drafts; ++k) candidates.push_back(choices.draft(laws.draft()));
    for (const Token x : candidates) {
      if (!choices.accept(Rational(likelihood_ratio(laws, x) / rho))) continue;
      out.accept(x, view.next(root, x));
      return out.finish(view, choices, window);
    }
    Rational beta(0);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      residual.push_back(std::min<Rational>(draft[x], target[x] / rho));
      beta += residual.back();
    }
    const Rational scale =
        beta > 0 ? Rational((1 - power<Rational>(1 - beta, drafts)) / beta) : Rational(0);
    for (std::size_t x = 0; x < draft.size(); ++x) residual[x] = target[x] - scale * residual[x];
    out.correct(view, choices, DenseLaw<Rational>(std::move(residual)));
  }
};

/// zhong2025 Algorithm 2 in the reading that keeps x_r, the token at which the low-complexity
/// verifier says no, and draws t for the place after it, from the target there or, where x_r fails
/// the test of those laws, from their residual.
struct SprinterKept {
  Rational fp, tp;
  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    bool passes = true;
    while (passes && out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token x = choices.draft(laws.draft());
      passes = choices.accept(laws.draft(x) > laws.target(x) ? fp : tp);
      out.accept(x, view.next(out.node, x));
    }
    if (passes || !window.bonus) return;
    const auto laws = view.at(out.node);
    const Token x = out.tokens.back();
    const bool kept = laws.draft(x) <= laws.target(x) || choices.accept(likelihood_ratio(laws, x));
    if (kept) return out.correct(view, choices, laws.target());
    out.correct(view, choices, laws.residual(Rational(1)));
  }
};

Verifier sprinter_kept(SpecReader& spec) {
  const Rational fp = spec.number_between("fp", 0, 1);
  return own_verifier("sprinter-kept", SprinterKept{fp, spec.number_between("tp", 0, 1)});
}

Verifier kseq_at(SpecReader& spec) {
  const int drafts = static_cast<int>(spec.integer("K", 1, 16));
  return own_verifier("kseq-at", KseqAt{drafts, spec.number_between("share", 0, 1)});
}

struct Own {
  std::string_view name;
  Verifier (*make)(SpecReader& spec);
};

constexpr Own kOwn[] = {
    {"token-listing",
     [](SpecReader&) { return own_verifier("token-listing", TokenListing<true>{}); }},
    {"token-listing-printed",
     [](SpecReader&) { return own_verifier("token-listing-printed", TokenListing<false>{}); }},
    {"block-listing-whole",
     [](SpecReader&) { return own_verifier("block-listing-whole", WholeBlockListing<false>{}); }},
    {"block-listing-skipping",
     [](SpecReader&) { return own_verifier("block-listing-skipping", WholeBlockListing<true>{}); }},
    {"hsd", [](SpecReader&) { return own_verifier("hsd", Hierarchy{}); }},
    {"kseq-at", kseq_at},
    {"sprinter-kept", sprinter_kept},
};

}  // namespace

Verifier verifier_of(std::string_view text) {
  const Spec spec = parse_spec(text);
  for (const Own& own : kOwn) {
    if (own.name != spec.name) continue;
    SpecReader reader(spec);
    Verifier made = own.make(reader);
    reader.finish();
    return made;
  }
  return make_verifier(text);
}

}  // namespace speclab
