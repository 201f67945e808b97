#pragma once

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "verifiers/chain/chain_draft.h"
#include "verifiers/faults/scene.h"

namespace speclab {

// Changed decisions of verifiers that test one token after another: faults of their coins, of the
// draft and of the correction.

/// Every draft token is accepted untested.
template <class Real>
struct AlwaysAccept : ChangedDecisions<Real> {
  bool accept(Scene<Real>&, const Real&) override { return true; }
};

/// The draft is the likeliest token, the first of equals; drafts without replacement are then the
/// likeliest tokens in turn.
template <class Real>
struct GreedyDraft : ChangedDecisions<Real> {
  Token draft(Scene<Real>&, const LawRef<Real>& law) override {
    return most_probable(law.size(), [&law](Token x) { return law.weight(x); });
  }
};

/// A position's uniform u picks X by the inverse of the draft's cumulative sums and, if X is
/// rejected, Y by the inverse of the residual's. As u runs through [0, 1), the pair (X, Y) is
/// constant on the cells of the common refinement of the two partitions, so drawing a cell by its
/// length is drawing u. Both partitions are in the order of the tokens, as the sampler's are.
template <class Real>
struct SharedUniform : ChangedDecisions<Real> {
  Token draft(Scene<Real>& on, const LawRef<Real>& law) override {
    refine(on, law);
    const Token drawn = on.draft(std::move(lengths_));
    const auto [x, y] = tokens_[static_cast<std::size_t>(drawn)];
    correction_ = y;
    return x;
  }
  Token correct(Scene<Real>& on, const LawRef<Real>&) override {
    std::vector<Real> only(static_cast<std::size_t>(on.vocabulary()), Real(0));
    if (correction_ != kUndefined) only[static_cast<std::size_t>(correction_)] = Real(1);
    return on.correct(std::move(only));
  }

 private:
  /// d = (1/2, 1/2), residual (0, 1/4, 3/4) -> lengths 1/4, 1/4, 1/2, tokens (0,1), (0,2), (1,2).
  void refine(Scene<Real>& on, const LawRef<Real>& law) {
    lengths_.clear();
    tokens_.clear();
    const auto here = on.here();
    std::vector<Real> residual;
    for (Token x = 0; x < law.size(); ++x) {
      residual.push_back(positive_part<Real>(on.target(here, x) - on.draft(here, x)));
    }
    const Real mass = on.excess(here, Real(1));
    Token y = kUndefined;
    Real left_y(0);  // of y's part; beyond the last part (t = d, or rounding) there is no end
    const auto go_on = [&] {
      for (Token z = y + 1; z < law.size(); ++z) {
        const Real& weight = residual[static_cast<std::size_t>(z)];
        if (!(weight > 0)) continue;
        y = z;
        left_y = Real(weight / mass);
        return;
      }
      left_y = Real(2);
    };
    for (Token x = 0; x < law.size(); ++x) {
      Real left_x = law.weight(x);
      while (left_x > 0) {
        if (!(left_y > 0)) go_on();
        const Real length = left_y < left_x ? left_y : left_x;
        lengths_.push_back(length);
        tokens_.emplace_back(x, y);
        left_x -= length;
        left_y -= length;
      }
    }
  }

  std::vector<Real> lengths_;
  std::vector<std::pair<Token, Token>> tokens_;  ///< (X, Y); Y is kUndefined at t = d
  Token correction_ = kUndefined;
};

/// The coins of an iteration are one uniform u: given the coins so far it is uniform in [low,
/// high), high being the least probability that accepted and low the largest one that rejected.
template <class Real>
struct ReseededCoins : ChangedDecisions<Real> {
  bool accept(Scene<Real>& on, const Real& probability) override {
    const bool accepted = rejected_ ? on.accept(Real((probability - low_) / (high_ - low_)))
                                    : on.accept(Real(probability / high_));
    if (accepted && probability < high_) high_ = probability;
    if (!accepted && (!rejected_ || low_ < probability)) low_ = probability;
    rejected_ = rejected_ || !accepted;
    return accepted;
  }

 private:
  Real low_{0};
  Real high_{1};
  bool rejected_ = false;
};

/// u <= a where the right test is u < a. They differ at u = a alone, so in the exact law by
/// nothing; but generators do give 0, and at a = 0 a token that the target never emits comes out.
/// In doubles u <= a is u < the next number above a.
template <class Real>
struct ClosedCoin : ChangedDecisions<Real> {
  bool accept(Scene<Real>& on, const Real& probability) override {
    if constexpr (std::is_same_v<Real, double>) {
      return on.accept(std::nextafter(probability, std::numeric_limits<double>::infinity()));
    } else {
      return on.accept(probability);
    }
  }
};

/// Token 0 is taken for padding and accepted untested.
template <class Real>
struct TokenZero : ChangedDecisions<Real> {
  bool accept(Scene<Real>& on, const Real& probability) override {
    return on.last == 0 || on.accept(probability);
  }
};

/// The correction is drawn from the target without the rejected token.
template <class Real>
struct OneHotResidual : ChangedDecisions<Real> {
  Token correct(Scene<Real>& on, const LawRef<Real>&) override {
    const auto here = on.here();
    std::vector<Real> weights;
    for (Token x = 0; x < on.vocabulary(); ++x) {
      weights.push_back(x == on.last ? Real(0) : on.target(here, x));
    }
    return on.correct(std::move(weights));
  }
};

/// A token is accepted with its probability under the target.
template <class Real>
struct NoDraftLaw : ChangedDecisions<Real> {
  bool accept(Scene<Real>& on, const Real&) override {
    return on.accept(on.target(on.here(), on.last));
  }
};

/// The bonus token is drawn from the draft's law.
template <class Real>
struct DraftBonus : ChangedDecisions<Real> {
  Token bonus(Scene<Real>& on, const LawRef<Real>&) override {
    return on.correct_by_draft(on.here());
  }
};

/// The correction is drawn after the rejected token. The row after the last is that of the bonus
/// token; where there is none the index is clamped.
template <class Real>
struct LateResidual : ChangedDecisions<Real> {
  Token correct(Scene<Real>& on, const LawRef<Real>&) override {
    const auto here = on.here();
    const bool within = on.window.bonus || on.accepted() + 1 < on.window.drafts;
    return on.correct_by_residual(within ? on.next(here, on.last) : here, Real(1));
  }
};

}  // namespace speclab
