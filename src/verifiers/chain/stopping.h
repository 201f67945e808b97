#pragma once

#include <optional>
#include <type_traits>
#include <utility>

#include "base/spec.h"
#include "base/threshold.h"
#include "model/derived.h"
#include "verifiers/chain/block_path.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/chain/greedy_path.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// The rule that ends a draft before its window. "Beyond" theta means below it, or above it with
/// side=above; theta itself never counts.
///   law                     before a token, where max d is beyond
///   own-keep                after a token whose own d(x) is beyond; it is kept
///   own-drop                at a token whose own d(x) is beyond; it is discarded
///   own-drop-renormalised   as own-drop; the kept tokens are verified against d restricted to kept
///                           tokens, normalised, so that stopping is a coin of the law alone
struct StopRule {
  enum class Kind { law, own_keep, own_drop, own_drop_renormalised };
  Kind kind = Kind::law;
  Rational theta{0};
  bool above = false;

  static StopRule read(SpecReader& spec) {
    StopRule result;
    result.kind =
        spec.choice<Kind>("stop", {"law", "own-keep", "own-drop", "own-drop-renormalised"}, "law");
    result.theta = spec.number_between("theta", Rational(0), Rational(1));
    result.above = spec.word("side", {"below", "above"}, "below") == "above";
    return result;
  }

  [[nodiscard]] bool drops() const {
    return kind == Kind::own_drop || kind == Kind::own_drop_renormalised;
  }

  template <class Real>
  [[nodiscard]] bool beyond(const Real& probability) const {
    const int sign = compare(probability, from_rational<Real>(theta));
    return above ? sign > 0 : sign < 0;
  }

  /// Whether nothing is drafted at a node.
  template <class Laws>
  [[nodiscard]] bool ends_at(const Laws& laws) const {
    using Real = typename Laws::Real;
    return kind == Kind::law && beyond(Real(laws.draft(most_probable_draft(laws))));
  }

  /// Whether the draft ends after token x, which is kept.
  template <class Laws>
  [[nodiscard]] bool ends_after(const Laws& laws, Token x) const {
    using Real = typename Laws::Real;
    return kind == Kind::own_keep && beyond(Real(laws.draft(x)));
  }

  /// Whether token x is discarded.
  template <class Laws>
  [[nodiscard]] bool discards(const Laws& laws, Token x) const {
    using Real = typename Laws::Real;
    return drops() && beyond(Real(laws.draft(x)));
  }

  /// The mass of d restricted to the tokens that are kept.
  template <class Laws>
  [[nodiscard]] typename Laws::Real kept_mass(const Laws& laws) const {
    using Real = typename Laws::Real;
    static constexpr char kRule = 0;
    if (kind != Kind::own_drop_renormalised) return Real(1);
    return *DerivedValue<Real>(laws, key(&kRule), [&] {
      Real sum(0);
      for (Token x = 0; x < laws.vocabulary(); ++x) {
        if (!discards(laws, x)) sum += laws.draft(x);
      }
      return sum;
    });
  }

  /// The law proportional to [scale t - d']+, d' the law that the kept tokens are verified against;
  /// some token is kept.
  template <class Laws>
  [[nodiscard]] auto residual(const Laws& laws, const typename Laws::Real& scale) const {
    using Real = typename Laws::Real;
    static constexpr char kRule = 0;
    const bool all = kind != Kind::own_drop_renormalised;
    if constexpr (std::is_same_v<decltype(laws.residual(scale)), GapLaw<Real>>) {
      if (all) return MadeResidual<Real>(laws.residual(scale));
    }
    DerivedValue<MadeLaws<Real>> made(laws, key(&kRule), [&] { return checked(laws); });
    return MadeResidual<Real>(std::move(made), scale);
  }

 private:
  /// A residual, with the laws that it reads where they were made for it.
  template <class R>
  class MadeResidual {
   public:
    using Real = R;
    static constexpr bool kValid = true;
    explicit MadeResidual(GapLaw<Real> law) : law_(std::move(law)) {}
    MadeResidual(DerivedValue<MadeLaws<Real>> made, const Real& scale)
        : made_(std::move(made)), law_((*made_)->laws().residual(scale)) {}
    [[nodiscard]] Token size() const { return law_.size(); }
    [[nodiscard]] Real weight(Token x) const { return law_.weight(x); }
    [[nodiscard]] const Real& mass() const { return law_.mass(); }
    [[nodiscard]] Token pick(double u) const { return law_.pick(u); }

   private:
    std::optional<DerivedValue<MadeLaws<Real>>> made_;
    GapLaw<Real> law_;
  };

  [[nodiscard]] DerivedKey key(const void* rule) const {
    const double which = 2 * static_cast<int>(kind) + (above ? 1 : 0);
    return {rule, {which, to_double(theta)}};
  }

  /// The laws with d' as the draft.
  template <class Laws>
  [[nodiscard]] MadeLaws<typename Laws::Real> checked(const Laws& laws) const {
    auto drafts = draft_row_of(laws);
    if (kind == Kind::own_drop_renormalised) {
      const auto kept = kept_mass(laws);
      for (Token x = 0; x < laws.vocabulary(); ++x) {
        auto& draft = drafts[static_cast<std::size_t>(x)];
        draft = discards(laws, x) ? typename Laws::Real(0) : typename Laws::Real(draft / kept);
      }
    }
    return {laws, std::move(drafts), target_row_of(laws)};
  }
};

/// A stopping rule around token, block or greedy block verification: the draft ends by the rule or
/// at the window's end, its tokens are verified as a window of that length, and where all of them
/// are accepted Y ~ t. Lossless except for own-drop: otherwise the drafted tree is cut at contexts,
/// or by coins independent of the tokens that are verified.
///
/// Greedy block's carry lasts as long as a draft along the emitted tokens would: up to the window's
/// end or to where the rule cuts the tree. A discarded token leaves that unknown, so own-drop and
/// own-drop-renormalised are refused with it.
struct Stopping {
  enum class Verify { token, block, greedy_block };
  Verify verify = Verify::token;
  StopRule stop;

  static constexpr VerifierInfo kInfo{
      .name = "stopping",
      .parameters =
          "verify=token|block|greedy-block, stop=law|own-keep|own-drop|own-drop-renormalised, "
          "theta=, side=below|above",
      .prose = "stops drafting where d is beyond theta; lossless except for own-drop",
      .source = "rules of engines (speclab list engines) around Algorithms 1, 2, 4 of sun2025",
      .kind = VerifierKind::biased,
      .example = "stopping(verify=block,stop=law,theta=1/2)"};
  static constexpr bool kCarries = true;

  static Stopping read(SpecReader& spec) {
    Stopping result;
    result.verify = spec.choice<Verify>("verify", {"token", "block", "greedy-block"}, "token");
    result.stop = StopRule::read(spec);
    if (result.verify == Verify::greedy_block && result.stop.drops()) {
      spec.refuse("greedy-block does not know where its carry ends; give stop=law or own-keep");
    }
    return result;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window window,
                  Choices& choices, Iteration<View>& out) const {
    draft(view, root, window, choices, out);
    const int length = static_cast<int>(out.path.size());
    const Window after{.drafts = length, .bonus = window.bonus || length < window.drafts};
    switch (verify) {
      case Verify::token:
        return settle_tokens(view, root, after, choices, out);
      case Verify::block:
        break;
      case Verify::greedy_block:
        return settle_until_cut(view, root, window, after, choices, out);
    }
    using Real = typename View::Real;
    Real weight(1);
    for (auto& step : out.path) {
      weight = min_one<Real>(weight * step.weight);
      step.weight = weight;
    }
    settle_block(
        view, root, 0, after, weight, choices, out,
        [this](const auto& laws, const Real& scale) { return stop.residual(laws, scale); });
  }

 private:
  /// Drafts into out.path; a step's weight is t(x) / d'(x).
  template <class View, class Choices>
  void draft(const View& view, const typename View::Node& root, Window window, Choices& choices,
             Iteration<View>& out) const {
    using Real = typename View::Real;
    auto node = root;
    while (static_cast<int>(out.path.size()) < window.drafts) {
      const auto laws = view.at(node);
      if (stop.ends_at(laws)) return;
      const Token x = choices.draft(laws.draft());
      if (stop.discards(laws, x)) return;
      const Real ratio = likelihood_ratio(laws, x) * stop.kept_mass(laws);
      node = next(view, node, x);
      out.path.push_back({x, node, ratio});
      if (stop.ends_after(laws, x)) return;
    }
  }

  template <class View, class Choices>
  void settle_tokens(const View& view, const typename View::Node& root, Window after,
                     Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    for (int i = 0; i < after.drafts; ++i) {
      if (choices.accept(out.path[static_cast<std::size_t>(i)].weight)) continue;
      out.accept_path(i);
      const auto laws = view.at(i == 0 ? root : out.path[static_cast<std::size_t>(i) - 1].node);
      return out.correct(view, choices, stop.residual(laws, Real(1)));
    }
    out.accept_path(after.drafts);
    out.finish(view, choices, after);
  }

  /// As GreedyBlockVerification, with the draft's end in the place of gamma.
  template <class View, class Choices>
  void settle_until_cut(const View& view, const typename View::Node& root, Window window,
                        Window after, Choices& choices, Iteration<View>& out) const {
    using Real = typename View::Real;
    Real ratio(1);
    for (auto& step : out.path) {
      ratio = ratio * step.weight;
      step.weight = ratio;
    }
    settle_greedily(view, root, 0, after, window.drafts, choices, out);
    if (out.ending != Ending::bonus && out.ending != Ending::correction) return;
    const auto at = static_cast<std::size_t>(out.accepted);
    cut(view, at > 0 ? out.path[at - 1].node : root, out.tokens.back(), out.node);
  }

  /// The node after x; the carry of greedy block ends where the tree is cut.
  template <class View>
  typename View::Node next(const View& view, const typename View::Node& node, Token x) const {
    auto after = view.next(node, x);
    if (verify == Verify::greedy_block) cut(view, node, x, after);
    return after;
  }

  /// Ends all modifications where a draft through x at `node` would end at `after`. Without
  /// modifications `after` may be past the pair's last position, where there are no laws.
  template <class View>
  void cut(const View& view, const typename View::Node& node, Token x,
           typename View::Node& after) const {
    if (after.stack.empty()) return;
    if (stop.ends_after(view.at(node), x) || stop.ends_at(view.at(after))) after.stack.clear();
  }
};

}  // namespace speclab
