#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "draft/given.h"
#include "draft/source.h"
#include "model/derived.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// The masses of SpecHub at a node: a, the hub, is the likeliest token of the draft d (of equal
/// ones the lowest); the first child x ~ d; the second is a where x is another token i, and else
/// i ~ d without a, so that P(i, a) = d(i) and P(a, i) = d(a) d(i) / (1 - d(a)). For i != a
///   first(i) = min(t(i), d(i)), accepted of (i, a)
///   second(i) = min(t(i) - first(i), P(a, i)), accepted of (a, i)
/// and of what is left of both, in this order, the hub:
///   after(a) = min(t(a), sum of P(a, i) - second(i)), of (a, i)
///   before(a) = min(t(a) - after(a), sum of d(i) - first(i)), of (i, a).
/// Worked example: d = (2/3, 1/3), t = (1/3, 2/3): first(1) = second(1) = after(0) = 1/3: every
/// draft set is accepted.
template <class Real>
class HubMasses {
 public:
  template <class Laws>
  explicit HubMasses(const Laws& laws)
      : hub_(most_probable(laws.vocabulary(), [&](Token x) { return laws.draft(x); })) {
    const Real of_hub = laws.draft(hub_);
    const Real others = 1 - of_hub;
    Real left_after = of_hub;
    Real left_before(0);
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      const Real d = laws.draft(x), t = laws.target(x);
      first_.push_back(std::min(t, d));
      second_.push_back(Real(0));
      pair_.push_back(Real(0));
      if (x == hub_ || !(others > 0)) continue;
      const auto at = static_cast<std::size_t>(x);
      pair_[at] = of_hub * d / others;
      second_[at] = std::min(Real(t - first_[at]), pair_[at]);
      left_after -= second_[at];
      left_before += d - first_[at];
    }
    left_after_ = positive_part<Real>(left_after);
    left_before_ = left_before;
    after_ = std::min(Real(laws.target(hub_)), left_after_);
    before_ = std::min(Real(laws.target(hub_) - after_), left_before_);
  }

  [[nodiscard]] Token hub() const { return hub_; }
  [[nodiscard]] std::size_t bytes() const { return 3 * first_.size() * sizeof(Real); }
  /// P(x is accepted) of (x, hub), of (hub, x), and of the hub where x is refused.
  template <class Laws>
  [[nodiscard]] Real accepts_first(const Laws& laws, Token x) const {
    return first_[static_cast<std::size_t>(x)] / laws.draft(x);
  }
  [[nodiscard]] Real accepts_second(Token x) const {
    return second_[static_cast<std::size_t>(x)] / pair_[static_cast<std::size_t>(x)];
  }
  /// @param after  of (hub, x), else of (x, hub)
  [[nodiscard]] Real accepts_hub(bool after) const {
    const Real& left = after ? left_after_ : left_before_;
    // Nothing is left where every other token is accepted: only rounding in doubles comes here.
    return left > 0 ? Real((after ? after_ : before_) / left) : Real(1);
  }
  /// The law of the correction. Nothing is left of the target where every set is accepted: only
  /// rounding in doubles comes here, and the target's own law takes its place.
  template <class Laws>
  [[nodiscard]] DenseLaw<Real> rest(const Laws& laws) const {
    std::vector<Real> weights;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      const auto at = static_cast<std::size_t>(x);
      const Real taken = x == hub_ ? Real(after_ + before_) : Real(first_[at] + second_[at]);
      weights.push_back(positive_part<Real>(laws.target(x) - taken));
    }
    const auto is_zero = [](const Real& weight) { return weight == 0; };
    if (std::all_of(weights.begin(), weights.end(), is_zero)) weights = target_row_of(laws);
    return DenseLaw<Real>(std::move(weights));
  }

 private:
  Token hub_;
  std::vector<Real> first_, second_, pair_;
  Real left_after_{}, left_before_{}, after_{}, before_{};
};

/// SpecHub: at a node of two children the pair holds the likeliest token, the hub, and is verified
/// by the plan of HubMasses: first the child that is not the hub, then the hub, else the
/// correction. A node of one child is token verification.
///
/// Lossless: at a node i is emitted with first(i) + second(i), the hub with after + before, and the
/// corrections have the rest of t, whose mass is that of the sets that nothing is accepted of.
/// Where d(a) = 1 there is no second child.
struct SpecHub {
  DraftSource source;

  static constexpr VerifierInfo kInfo{
      .name = "spechub",
      .parameters = "K=2 or tree=",
      .prose = "pairs of drafts of which one is the draft's likeliest token, by a plan of its own",
      .source =
          "Sun et al. 2024 (SpecHub), K = 2: Sequoia/Tree/MyTree.py@b67e121 of "
          "MasterGodzilla/Speculative_decoding_OT",
      .kind = VerifierKind::lossless,
      .example = "spechub(K=2)",
      .lacks = {.token_names = true}};
  static constexpr bool kCarries = false;
  static SpecHub read(SpecReader& spec) {
    SpecHub made{read_tree(spec, Draw::without)};
    const DraftSource& source = made.source;
    const auto more = [](int children) { return children > 2; };
    if (source.shaped() || source.paths > 2 ||
        std::any_of(source.profile.begin(), source.profile.end(), more)) {
      spec.refuse("SpecHub has at most two children at a node; give K=2, or a tree such as 2-2-1");
    }
    return made;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    source.check_window(window.drafts);
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const auto before = [&out] { return std::span<const Token>(out.tokens); };
      draft_below(choices, before, 0);
      const Token x = choices.draft(laws.draft());
      if (source.branching(out.accepted) == 1) {
        if (!choices.accept(likelihood_ratio(laws, x))) {
          return out.correct(view, choices, laws.residual(Real(1)));
        }
        out.accept(x, view.next(out.node, x));
        continue;
      }
      const DerivedValue<HubMasses<Real>> masses(laws, {&kInfo},
                                                 [&laws] { return HubMasses<Real>(laws); });
      const std::optional<Token> kept = kept_of(laws, *masses, x, before, choices);
      if (!kept) return out.correct(view, choices, masses->rest(laws));
      out.accept(*kept, view.next(out.node, *kept));
    }
    out.finish(view, choices, window);
  }

 private:
  /// Draws the second child and tests the two.
  template <class Laws, class Masses, class Before, class Choices>
  static std::optional<Token> kept_of(const Laws& laws, const Masses& masses, Token x,
                                      const Before& before, Choices& choices) {
    using Real = typename Laws::Real;
    const Token hub = masses.hub();
    std::vector<Real> weights(static_cast<std::size_t>(laws.vocabulary()), Real(0));
    if (x != hub) {
      weights[static_cast<std::size_t>(hub)] = Real(1);
    } else {
      for (Token y = 0; y < laws.vocabulary(); ++y) {
        if (y != hub) weights[static_cast<std::size_t>(y)] = laws.draft(y);
      }
    }
    DenseLaw<Real> second(std::move(weights));
    if (second.mass() > 0) {
      draft_below(choices, before, 1);
      const Token y = choices.draft(second);
      if (x != hub && choices.accept(masses.accepts_first(laws, x))) return x;
      if (x == hub && choices.accept(masses.accepts_second(y))) return y;
    }
    if (choices.accept(masses.accepts_hub(x == hub))) return hub;
    return std::nullopt;
  }
};

}  // namespace speclab
