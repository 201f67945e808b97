#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "base/rational.h"
#include "base/threshold.h"
#include "verifiers/faults/scene.h"

namespace speclab {

// Changed decisions that are faults of an engine around a verifier: the law that a draft is drawn
// from, the place where a rejection or a stop is handled, the row of the target that a position
// gets.

/// Whether a top-2 filter keeps x: fewer than two tokens are more probable, or as probable and
/// lower.
/// @param law  of a token its probability
template <class Law>
bool in_top_two(Token vocabulary, Token x, const Law& law) {
  int before = 0;
  for (Token y = 0; y < vocabulary && before < 2; ++y) {
    if (law(x) < law(y) || (y < x && !(law(y) < law(x)))) ++before;
  }
  return before < 2;
}

/// [t - d]+ with the two laws taken at different contexts.
template <class Real>
std::vector<Real> residual_across(const Scene<Real>& on, std::size_t target, std::size_t draft) {
  std::vector<Real> weights;
  for (Token x = 0; x < on.vocabulary(); ++x) {
    weights.push_back(positive_part<Real>(on.target(target, x) - on.draft(draft, x)));
  }
  return weights;
}

/// A draft drawn from one law and tested, and corrected, with another: each probability of d to the
/// nearest 1/256, then normalised, and d where all are 0; or filtered, the two most probable tokens
/// of d alone, of equal ones the lower.
template <class Real>
class DrawnDraft : public ChangedDecisions<Real> {
 public:
  explicit DrawnDraft(bool filtered) : filtered_(filtered) {}

  Token draft(Scene<Real>& on, const LawRef<Real>& law) override {
    std::vector<Real> exact;
    std::vector<Real> weights;
    Real mass(0);
    const auto weight = [&law](Token y) { return law.weight(y); };
    for (Token x = 0; x < law.size(); ++x) {
      exact.push_back(law.weight(x));
      if (filtered_) {
        weights.push_back(in_top_two(law.size(), x, weight) ? exact.back() : Real(0));
      } else {
        const int code = static_cast<int>(std::floor(256 * to_double(exact.back()) + 0.5));
        weights.push_back(Real(code > 0 ? code : 0));
      }
      mass += weights.back();
    }
    return on.draft(std::move(mass > 0 ? weights : exact));
  }

 private:
  bool filtered_;
};

/// A request's filter, here top-2, that the verifier applies to one of the two models only. Both
/// laws of the pair are what was asked for: with the target filtered the output is filtered once
/// more; with the draft filtered drafts of d are tested, and corrected, with the filtered d. A
/// drafted token that the filter took out of d has t/0, which accepts it, and 0/0, which does not.
template <class Real>
class FilteredLaw : public ChangedDecisions<Real> {
 public:
  explicit FilteredLaw(bool draft) : of_draft_(draft) {}

  bool accept(Scene<Real>& on, const Real&) override {
    const auto [draft, target] = seen(on);
    const Real& d = draft[static_cast<std::size_t>(on.last)];
    const Real& t = target[static_cast<std::size_t>(on.last)];
    return on.accept(d > 0 ? (t < d ? Real(t / d) : Real(1)) : Real(t > 0 ? 1 : 0));
  }
  Token correct(Scene<Real>& on, const LawRef<Real>&) override {
    const auto [draft, target] = seen(on);
    std::vector<Real> rest;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      rest.push_back(draft[x] < target[x] ? Real(target[x] - draft[x]) : Real(0));
    }
    return on.correct(std::move(rest));
  }
  Token bonus(Scene<Real>& on, const LawRef<Real>&) override { return on.correct(seen(on).second); }

 private:
  /// The draft's and the target's law as the verifier sees them.
  [[nodiscard]] std::pair<std::vector<Real>, std::vector<Real>> seen(Scene<Real>& on) const {
    const auto here = on.here();
    std::vector<Real> draft, target;
    for (Token x = 0; x < on.vocabulary(); ++x) {
      draft.push_back(on.draft(here, x));
      target.push_back(on.target(here, x));
    }
    keep_top_two(of_draft_ ? draft : target);
    return {std::move(draft), std::move(target)};
  }

  static void keep_top_two(std::vector<Real>& law) {
    std::vector<Real> kept(law.size(), Real(0));
    Real mass(0);
    const auto at = [&law](Token y) -> const Real& { return law[static_cast<std::size_t>(y)]; };
    for (std::size_t x = 0; x < law.size(); ++x) {
      if (!in_top_two(static_cast<Token>(law.size()), static_cast<Token>(x), at)) continue;
      kept[x] = law[x];
      mass += law[x];
    }
    for (Real& entry : kept) entry = Real(entry / mass);
    law = std::move(kept);
  }

  bool of_draft_;
};

/// A rejection is handled one position late: the rejected token is emitted and the correction
/// follows it. The row after the last drafted token is that of the bonus token.
template <class Real>
struct LateRejection : ChangedDecisions<Real> {
  bool accept(Scene<Real>& on, const Real& probability) override {
    return on.accept(probability) || on.accepted() + 1 == on.window.drafts;
  }
  Token correct(Scene<Real>& on, const LawRef<Real>&) override {
    on.emit(on.last);
    return on.correct_by_residual(on.here(), Real(1));
  }
};

/// What was accepted is cut at the first token whose draft probability is below theta, and a token
/// of the target stands in its place. (A stop that is known before a token is verified keeps the
/// law where it looks at the law alone; see stopping.h.)
template <class Real>
class LateStop : public ChangedDecisions<Real> {
 public:
  explicit LateStop(const Rational& theta) : theta_(from_rational<Real>(theta)) {}

  bool accept(Scene<Real>& on, const Real& probability) override {
    if (!on.accept(probability)) return false;
    cut_ = compare(on.draft(on.here(), on.last), theta_) < 0;
    return !cut_;
  }
  Token correct(Scene<Real>& on, const LawRef<Real>& law) override {
    return cut_ ? on.correct_by_target(on.here()) : on.correct(law);
  }

 private:
  Real theta_;
  bool cut_ = false;
};

/// The target's row of every position of a block is that of its first context: what depends on the
/// tokens before, as a repetition penalty does, is counted once a block.
template <class Real>
struct FrozenTarget : ChangedDecisions<Real> {
  bool accept(Scene<Real>& on, const Real&) override {
    return on.accept(Real(on.target(on.kRoot, on.last) / on.draft(on.here(), on.last)));
  }
  Token correct(Scene<Real>& on, const LawRef<Real>&) override {
    return on.correct(residual_across(on, on.kRoot, on.here()));
  }
  Token bonus(Scene<Real>& on, const LawRef<Real>&) override {
    return on.correct_by_target(on.kRoot);
  }
};

}  // namespace speclab
