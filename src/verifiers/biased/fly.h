#pragma once

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "base/threshold.h"
#include "model/derived.h"
#include "model/rest_law.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/chain/sample_match.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// FLy: draws of the target, with a mismatch forgiven where the target is uncertain and the next W
/// tokens match.
///
/// At every i it makes `kDraws` draws from t(.|X^{i-1}), a match if one of them is X_i. A mismatch
/// at i is forgiven where the entropy of t there is at least theta, i + W + kSpare <=
/// window.drafts, and i+1 .. i+W all match (before forgiving). At the first unforgiven mismatch it
/// emits X^{i-1} and the first draw; where there is none it emits X, and Y ~ t.
///
/// The draws are made as a coin, whether one of them is X_i, and, where needed, the first draw
/// given that none is: t without X_i, normalised. A position is evaluated only when needed.
/// @tparam kReleased  as its code is released, at a temperature above 0: two draws a position, and
/// a window that must leave one position free. Biased before any window: a token has two draws to
/// match.
template <bool kReleased>
struct LooseMatch {
  static constexpr int kDraws = kReleased ? 2 : 1;
  static constexpr int kSpare = kReleased ? 1 : 0;
  int window = 1;     ///< W
  Rational theta{0};  ///< nats
  ChainDraft draft = ChainDraft::sampled;

  static constexpr VerifierInfo kInfo =
      kReleased
          ? VerifierInfo{.name = "fly-released",
                         .parameters = "window=, theta=, draft=sampled|argmax",
                         .prose =
                             "fly as released: two draws a position, either of which may match; "
                             "use fly",
                         .source = "Li et al. 2025 (FLy): fly/models/FLy.py@b212314 of AMD-AGI/FLy",
                         .kind = VerifierKind::printed,
                         .example = "fly-released(window=1,theta=1/2)"}
          : VerifierInfo{.name = "fly",
                         .parameters = "window=, theta=, draft=sampled|argmax",
                         .prose =
                             "sample-match that forgives a mismatch where t is uncertain and the "
                             "next W tokens match",
                         .source = "Li et al. 2025 (FLy)",
                         .kind = VerifierKind::biased,
                         .example = "fly(window=1,theta=1/2)"};
  static constexpr bool kCarries = false;
  static LooseMatch read(SpecReader& spec) {
    LooseMatch result;
    result.window = static_cast<int>(spec.integer("window", 0, 1'000'000));
    result.theta = spec.number("theta");
    if (result.theta < 0) spec.refuse("theta is negative; give 0 nats or more");
    result.draft = read_chain_draft(spec);
    return result;
  }
  [[nodiscard]] bool drafts_iid() const { return draft == ChainDraft::sampled; }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window span, Choices& choices,
                  Iteration<View>& out) const {
    const auto node_of = [&](int i) -> const typename View::Node& {
      return i == 1 ? root : out.path[static_cast<std::size_t>(i) - 2].node;
    };
    for (int i = 1; i <= span.drafts; ++i) {
      if (match(view, node_of, i, choices, out)) continue;
      const auto laws = view.at(node_of(i));
      if (i + window + kSpare <= span.drafts && uncertain(laws, view.state(node_of(i)))) {
        int after = i + 1;
        while (after <= i + window && match(view, node_of, after, choices, out)) ++after;
        if (after > i + window) continue;
      }
      out.accept_path(i - 1);
      return out.correct(view, choices,
                         without(laws, out.path[static_cast<std::size_t>(i) - 1].token));
    }
    out.accept_path(span.drafts);
    out.finish(view, choices, span);
  }

 private:
  /// Whether position i matches; the first call drafts it and tosses its coin. A step's weight is
  /// 1 for a match and 0 for a mismatch.
  template <class View, class NodeOf, class Choices>
  bool match(const View& view, const NodeOf& node_of, int i, Choices& choices,
             Iteration<View>& out) const {
    using Real = typename View::Real;
    const auto at = static_cast<std::size_t>(i) - 1;
    if (out.path.size() == at) {
      const auto laws = view.at(node_of(i));
      const Token x = next_of_chain(draft, laws, choices);
      Real hit(0);
      for (int k = 0; k < kDraws; ++k) hit += (1 - hit) * laws.target(x);
      const bool matched = choices.accept(hit);
      auto node = view.next(node_of(i), x);
      out.path.push_back({x, std::move(node), Real(matched ? 1 : 0)});
    }
    return out.path[at].weight > 0;
  }

  /// Whether the entropy of t, over its three largest probabilities, not renormalised, is at least
  /// theta.
  template <class Laws>
  bool uncertain(const Laws& laws, std::uint32_t state) const {
    using Real = typename Laws::Real;
    static constexpr char kRule = 0;
    const DerivedValue<LogSum<Real>> entropy(laws, {&kRule},
                                             [&laws] { return entropy_of_three(laws); });
    const ThresholdPlace place{"fly", state, "the entropy of t's three largest", "theta"};
    return decide(*entropy, from_rational<Real>(theta), place) >= 0;
  }

  template <class Laws>
  static LogSum<typename Laws::Real> entropy_of_three(const Laws& laws) {
    using Real = typename Laws::Real;
    std::array<Real, 3> largest{};
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      Real value = laws.target(x);
      for (Real& known : largest) {
        if (known < value) std::swap(known, value);
      }
    }
    LogSum<Real> entropy;
    for (const Real& value : largest) {
      if (value > 0) entropy.add(Real(-value), value);
    }
    return entropy;
  }

  template <class Laws>
  static RestLaw<typename Laws::Real> without(const Laws& laws, Token x) {
    auto rest = RestLaw<typename Laws::Real>::target(laws);
    rest.strike(x);
    return rest;
  }
};

using Fly = LooseMatch<false>;
using FlyReleased = LooseMatch<true>;

}  // namespace speclab
