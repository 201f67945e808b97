#pragma once

#include <utility>
#include <vector>

#include "base/spec.h"
#include "base/threshold.h"
#include "model/derived.h"
#include "verifiers/chain/chain_draft.h"
#include "verifiers/choices.h"
#include "verifiers/info.h"

namespace speclab {

/// A divergence between the draft law d and the target law t.
enum class Divergence {
  tv,  ///< sum of [t - d]+, decided exactly
  kl,  ///< KL(t || d) in nats
  js,  ///< 1/2 KL(t || m) + 1/2 KL(d || m), m = (t + d) / 2, in nats
};

/// Whether D(t, d) <= most.
/// @throws InputError in rational arithmetic where the logarithms are too close to `most`
template <class Laws>
bool within(const Laws& laws, Divergence divergence, const typename Laws::Real& most,
            std::uint32_t state) {
  using Real = typename Laws::Real;
  if (divergence == Divergence::tv) {
    Real sum(0);
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      sum += positive_part<Real>(laws.target(x) - laws.draft(x));
    }
    return compare(sum, most) <= 0;
  }
  LogSum<Real> sum;
  for (Token x = 0; x < laws.vocabulary(); ++x) {
    const Real draft = laws.draft(x);
    const Real target = laws.target(x);
    if (divergence == Divergence::kl) {
      if (!(target > 0)) continue;
      if (!(draft > 0)) return false;  // infinite
      sum.add(target, Real(target / draft));
    } else {
      const Real middle = (target + draft) / 2;
      if (target > 0) sum.add(Real(target / 2), Real(target / middle));
      if (draft > 0) sum.add(Real(draft / 2), Real(draft / middle));
    }
  }
  const bool kl = divergence == Divergence::kl;
  return decide(sum, most, {"relaxed", state, kl ? "KL(t||d)" : "JS(t,d)", "threshold"}) <= 0;
}

/// A relaxed target: a law pi, a function of d and t, that token verification uses as the target.
///   ensemble      w t + (1 - w) d
///   fuzzy         d where D(t, d) <= threshold, else t
///   cascade-opt   t where max d < max t - alpha TV(d, t), else d
///   cascade-top   d on A = {t >= (1 - alpha) max t}, plus d(not A) t everywhere; alpha = 0: A is
///                 one token, the most probable, ties to the lowest
struct RelaxedTarget {
  enum class Law { ensemble, fuzzy, cascade_opt, cascade_top };
  Law law = Law::ensemble;
  Divergence divergence = Divergence::tv;
  Rational number{0};  ///< w, the threshold or alpha

  static RelaxedTarget read(SpecReader& spec) {
    RelaxedTarget result;
    result.law =
        spec.choice<Law>("pi", {"ensemble", "fuzzy", "cascade-opt", "cascade-top"}, "ensemble");
    if (result.law == Law::ensemble) {
      result.number = spec.number_between("weight", Rational(0), Rational(1));
    } else if (result.law == Law::fuzzy) {
      result.divergence = spec.choice<Divergence>("divergence", {"tv", "kl", "js"});
      result.number = spec.number("threshold");
      if (result.number < 0) spec.refuse("threshold is negative; give 0 or more");
    } else {
      result.number = spec.number_between("alpha", Rational(0), Rational(1));
    }
    return result;
  }

  /// The laws at a node with pi as the target.
  template <class Laws>
  [[nodiscard]] auto at(const Laws& laws, std::uint32_t state) const {
    using Real = typename Laws::Real;
    const double kind = 3 * static_cast<int>(law) + static_cast<int>(divergence);
    return DerivedValue<MadeLaws<Real>>(laws, {&kRule, {kind, to_double(number)}}, [&] {
      return MadeLaws<Real>(laws, draft_row_of(laws), row(laws, state));
    });
  }

 private:
  static constexpr char kRule = 0;

  /// pi of every token.
  template <class Laws>
  std::vector<typename Laws::Real> row(const Laws& laws, std::uint32_t state) const {
    using Real = typename Laws::Real;
    const Real value = from_rational<Real>(number);
    switch (law) {
      case Law::ensemble:
        return mixed(laws, value);
      case Law::fuzzy:
        return mixed(laws, Real(within(laws, divergence, value, state) ? 0 : 1));
      case Law::cascade_opt:
        return mixed(laws, Real(defers(laws, value) ? 1 : 0));
      case Law::cascade_top:
        break;
    }
    return top(laws, value);
  }

  template <class Laws, class Real>
  static std::vector<Real> mixed(const Laws& laws, const Real& weight) {
    std::vector<Real> result;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      if (weight == 0) {
        result.push_back(laws.draft(x));
      } else {
        result.push_back(Real(weight * laws.target(x) + (1 - weight) * laws.draft(x)));
      }
    }
    return result;
  }

  template <class Laws, class Real>
  static bool defers(const Laws& laws, const Real& alpha) {
    Real distance(0);
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      distance += positive_part<Real>(laws.target(x) - laws.draft(x));
    }
    const Real best = laws.target(most_probable_target(laws)) - alpha * distance;
    return compare(Real(laws.draft(most_probable_draft(laws))), best) < 0;
  }

  template <class Laws, class Real>
  static std::vector<Real> top(const Laws& laws, const Real& alpha) {
    const Token first = most_probable_target(laws);
    const Real least = (1 - alpha) * laws.target(first);
    const auto trusted = [&](Token x) {
      return alpha > 0 ? compare(Real(laws.target(x)), least) >= 0 : x == first;
    };
    Real outside(0);
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      if (!trusted(x)) outside += laws.draft(x);
    }
    std::vector<Real> result;
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      Real weight = outside * laws.target(x);
      if (trusted(x)) weight += laws.draft(x);
      result.push_back(std::move(weight));
    }
    return result;
  }
};

/// Token verification against a relaxed target pi: X_i is accepted with min(1, pi/d), corrected
/// from [pi - d]+ normalised; the bonus is drawn from t or from pi. P(accept) = 1 - TV(d, pi), and
/// every token except a bonus from t follows pi.
struct Relaxed {
  RelaxedTarget pi;
  bool relaxed_bonus = false;

  static constexpr VerifierInfo kInfo{
      .name = "relaxed",
      .parameters =
          "pi=ensemble|fuzzy|cascade-opt|cascade-top, weight= | divergence=tv|kl|js, threshold= | "
          "alpha=, bonus=target|relaxed",
      .prose =
          "token verification against a law pi between draft and target; biased towards the draft",
      .source = "Narasimhan et al. 2025 (speculative cascades); Holsman et al. 2025 (fuzzy)",
      .kind = VerifierKind::biased,
      .example = "relaxed(pi=ensemble,weight=1/2)"};
  static constexpr bool kCarries = false;
  static Relaxed read(SpecReader& spec) {
    Relaxed result{RelaxedTarget::read(spec)};
    result.relaxed_bonus = spec.word("bonus", {"target", "relaxed"}, "target") == "relaxed";
    return result;
  }

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node&, Window window, Choices& choices,
                  Iteration<View>& out) const {
    using Real = typename View::Real;
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const auto made = pi.at(laws, view.state(out.node));
      const auto relaxed = made->laws();
      const Token x = choices.draft(laws.draft());
      if (!choices.accept(Real(relaxed.target(x) / laws.draft(x)))) {
        return out.correct(view, choices, relaxed.residual(Real(1)));
      }
      out.accept(x, view.next(out.node, x));
    }
    if (!relaxed_bonus || !window.bonus) return out.finish(view, choices, window);
    const auto made = pi.at(view.at(out.node), view.state(out.node));
    out.add(view, choices.correct(made->laws().target()), Ending::bonus);
  }
};

}  // namespace speclab
