#pragma once

#include <array>
#include <utility>
#include <vector>

#include "verifiers/faults/engine_decisions.h"
#include "verifiers/faults/scene.h"

namespace speclab {

// Changed decisions of verifiers of several drafts that test the first tokens one after another and
// continue with the accepted one alone.

/// The first tokens are all different. Where the draft's law has fewer tokens than there are
/// drafts, the correction follows the rejection of the last of them.
template <class Real>
class WithoutReplacement : public ChangedDecisions<Real> {
 public:
  Token draft(Scene<Real>& on, const LawRef<Real>& law) override {
    if (on.accepted() > 0) return on.draft(law);
    if (left_.empty()) {
      for (Token x = 0; x < law.size(); ++x) left_.push_back(law.weight(x));
    } else {
      left_[static_cast<std::size_t>(on.last)] = Real(0);
    }
    Real mass(0);
    for (const Real& weight : left_) mass += weight;
    exhausted_ = !(mass > 0);
    return exhausted_ ? on.last : on.draft(left_);
  }
  bool accept(Scene<Real>& on, const Real& probability) override {
    if (exhausted_ || !on.accept(probability)) {
      if (!exhausted_) ++rejected_;
      return false;
    }
    return true;
  }
  Token correct(Scene<Real>& on, const LawRef<Real>& law) override {
    return exhausted_ ? on.correct(target_after_rejections(on)) : on.correct(law);
  }

 private:
  /// t^{m+1} = [t^m - d]+ normalised, m being the number of rejections.
  [[nodiscard]] std::vector<Real> target_after_rejections(const Scene<Real>& on) const {
    std::vector<Real> target;
    for (Token x = 0; x < on.vocabulary(); ++x) target.push_back(on.target(on.kRoot, x));
    for (int m = 0; m < rejected_; ++m) {
      Real mass(0);
      for (Token x = 0; x < on.vocabulary(); ++x) {
        Real& weight = target[static_cast<std::size_t>(x)];
        weight = positive_part<Real>(weight - on.draft(on.kRoot, x));
        mass += weight;
      }
      for (Real& weight : target) weight = Real(weight / mass);
    }
    return target;
  }

  std::vector<Real> left_;
  int rejected_ = 0;
  bool exhausted_ = false;
};

/// Below the accepted draft m the draft's law is read along the branch of draft m - 1. A token that
/// this law gives 0 is accepted with certainty where t > 0 (a ratio of infinity) and never where
/// t = 0 (a comparison with a NaN).
template <class Real>
class SiblingDraft : public ChangedDecisions<Real> {
 public:
  bool accept(Scene<Real>& on, const Real& probability) override {
    const Token x = on.last;
    if (on.accepted() == 0) {
      const bool accepted = on.accept(probability);
      if (accepted) sibling_ = on.next(on.kRoot, before_ == kUndefined ? x : before_);
      before_ = x;
      return accepted;
    }
    const Real target = on.target(on.here(), x);
    const Real draft = on.draft(sibling_, x);
    if (!on.accept(draft > 0 ? Real(target / draft) : Real(target > 0 ? 1 : 0))) return false;
    sibling_ = on.next(sibling_, x);
    return true;
  }
  Token correct(Scene<Real>& on, const LawRef<Real>& law) override {
    if (on.accepted() == 0) return on.correct(law);
    return on.correct(residual_across(on, on.here(), sibling_));
  }

 private:
  Token before_ = kUndefined;
  std::size_t sibling_ = Scene<Real>::kRoot;
};

/// Two drafts; the target's laws below the first tokens are those of the other draft's contexts.
template <class Real>
class SwappedRows : public ChangedDecisions<Real> {
 public:
  Token draft(Scene<Real>& on, const LawRef<Real>& law) override {
    if (on.accepted() > 0) return on.draft(law);
    if (row_ > 0) return first_[1];
    first_[0] = on.draft(law);
    on.along(1, 0);
    first_[1] = on.draft(law);
    return first_[0];
  }
  bool accept(Scene<Real>& on, const Real& probability) override {
    if (on.accepted() == 0) {
      if (on.accept(probability)) {
        other_ = on.next(on.kRoot, first_[1 - row_]);
        on.along(static_cast<int>(row_), 1);
        return true;
      }
      ++row_;
      return false;
    }
    if (!on.accept(Real(on.target(other_, on.last) / on.draft(on.here(), on.last)))) return false;
    on.along(1 - static_cast<int>(row_), on.accepted());
    other_ = on.next(other_, on.draft_at(other_));
    // What the verifier drafts next is of its own row.
    on.along(static_cast<int>(row_), on.accepted() + 1);
    return true;
  }
  Token correct(Scene<Real>& on, const LawRef<Real>& law) override {
    if (on.accepted() == 0) return on.correct(law);
    return on.correct(residual_across(on, other_, on.here()));
  }
  Token bonus(Scene<Real>& on, const LawRef<Real>&) override {
    return on.correct_by_target(other_);
  }

 private:
  std::array<Token, 2> first_{};
  std::size_t row_ = 0;  ///< the row that is tested
  std::size_t other_ = Scene<Real>::kRoot;
};

}  // namespace speclab
