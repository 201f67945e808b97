#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/sum.h"
#include "base/types.h"
#include "model/law.h"
#include "run/guide.h"
#include "system/interrupt.h"
#include "verifiers/contract.h"
#include "verifiers/iteration.h"

namespace speclab {

/// In the place of a token: there is none.
inline constexpr Token kNoToken = kUndefined;

/// One decision of a sequence.
template <class Real>
struct Decision {
  Token value;
  Token following;  ///< the next possible value, or kNoToken
  Real weight;      ///< of the sequence up to and with this decision
};

/// The first decisions of a sequence.
template <class Real>
using Trail = std::vector<Decision<Real>>;

/// Takes every sequence of decisions of a verifier in turn, each with its exact weight.
///
/// The verifier is run again for each sequence: a prefix of its decisions is replayed from the
/// trail, the last one is moved on to its next possible value, and what follows is new. A decision
/// that can go only one way is not a branch, so weights are positive throughout.
template <class R>
class Enumerator {
 public:
  using Real = R;
  using Use = UniformRange::Use;

  /// With `corrections` false the last draw of an iteration is not branched over: the law of the
  /// accepted tokens needs it only to know whether it was defined.
  explicit Enumerator(bool corrections = true) : corrections_(corrections) {}

  /// Takes the sequences that begin with `first` only.
  Enumerator(bool corrections, Trail<Real> first)
      : corrections_(corrections), trail_(std::move(first)), settled_(trail_.size()) {
    for (auto& decision : trail_) decision.following = kNoToken;
  }

  /// From now on led by `guide`, whose members outlive the enumerator. On a random walk there are
  /// no weights and nothing to advance to.
  void follow(const Guide& guide) {
    guide_ = guide;
    guided_ = true;
  }

  /// Before each run of the verifier.
  void restart() {
    depth_ = 0;
    corrected_ = false;
    if (!guided_) return;
    if (guide_.numbers != nullptr) guide_.numbers->restart();
    if (guide_.given != nullptr) guide_.given->restart();
    if (guide_.recorded != nullptr) guide_.recorded->clear();
  }

  /// The drafts that it was given, or null.
  [[nodiscard]] GivenDrafts* given() const { return guide_.given; }

  /// Moves on to the next sequence, or to the next that differs in its first `most` decisions;
  /// false after the last.
  bool advance(std::size_t most = std::numeric_limits<std::size_t>::max()) {
    if (trail_.size() > most) trail_.resize(most);
    while (!trail_.empty() && trail_.back().following == kNoToken) trail_.pop_back();
    if (trail_.empty()) return false;
    trail_.back().value = trail_.back().following;
    settled_ = trail_.size() - 1;
    return true;
  }

  /// @throws ContractError after the correction, an iteration's last decision
  void check_not_over() const {
    if (corrected_) refuse_late_decision();
  }

  /// The probability of the sequence just run.
  [[nodiscard]] Real weight() const { return depth_ == 0 ? Real(1) : trail_[depth_ - 1].weight; }

  /// The decisions of the sequence just run.
  [[nodiscard]] const Trail<Real>& trail() const { return trail_; }

  template <class Law>
  Token draft(const Law& law) {
    if (guided_) return guided_draft(law);
    return draw(law, Use::draft);
  }

  template <class Law>
  Token choose(const Law& law) {
    return draw(law);
  }

  template <class Law>
  Token correct(const Law& law) {
    if (guided_ && guide_.walk != nullptr) {
      return walk_draw(law, corrections_);
    }
    if (!corrections_ || !(law.mass() > 0)) {
      check_not_over();
      corrected_ = true;
      return law.mass() > 0 ? following(law, kNoToken) : kUndefined;
    }
    const Token y = draw(law);
    corrected_ = true;
    return y;
  }

  bool accept(const Real& probability) {
    if (guided_ && guide_.walk != nullptr) {
      check_interrupted();
      return probability > 0 && (!(probability < 1) || guide_.walk->accepts());
    }
    if (depth_ < settled_) return trail_[depth_++].value == kAccepted;
    const bool always = !(probability < 1);
    const bool never = !(probability > 0);
    if (depth_ == trail_.size()) {
      push(never ? kRejected : kAccepted, always || never ? kNoToken : kRejected);
    } else {
      trail_[depth_].following = kNoToken;
    }
    const bool accepted = trail_[depth_].value == kAccepted;
    if constexpr (std::is_same_v<Real, double>) {
      if (guided_) record(Use::coin, accepted ? 0 : probability, accepted ? probability : 1);
    }
    if (always || never) {
      settle(weight());
    } else {
      settle(weight() * (accepted ? probability : Real(1 - probability)));
    }
    return accepted;
  }

 private:
  static constexpr Token kAccepted = 0;
  static constexpr Token kRejected = 1;

  template <class Law>
  static Token following(const Law& law, Token after) {
    for (Token x = after + 1; x < law.size(); ++x) {
      if (law.weight(x) > 0) return x;
    }
    return kNoToken;
  }

  template <class Law>
  [[gnu::noinline]] Token guided_draft(const Law& law) {
    Token x = kUndefined;
    if (guide_.given != nullptr) {
      check_not_over();
      x = guide_.given->next();
      if (x >= law.size() || !(law.weight(x) > 0)) {
        throw ContractError("a verifier drafts from another law than the draft's");
      }
    } else if constexpr (std::is_same_v<Real, double>) {
      if (guide_.numbers != nullptr) {
        check_not_over();
        x = pick(law, guide_.numbers->next());
      } else {
        x = draw(law, Use::draft);
      }
    } else {
      x = draw(law, Use::draft);
    }
    if (guide_.recorded != nullptr) guide_.recorded->push_back(x);
    return x;
  }

  template <class Law>
  [[gnu::noinline]] Token walk_draw(const Law& law, bool counted = true) {
    check_interrupted();
    std::size_t possible = 0;
    for (Token x = 0; x < law.size(); ++x) possible += law.weight(x) > 0 ? 1 : 0;
    if (possible == 0) return kUndefined;
    std::size_t left = guide_.walk->one_of(possible, counted);
    Token x = following(law, kNoToken);
    for (; left > 0; --left) x = following(law, x);
    return x;
  }

  template <class Law>
  Token draw(const Law& law, Use use = Use::draw) {
    if (guided_ && guide_.walk != nullptr) return walk_draw(law);
    if (depth_ < settled_) return trail_[depth_++].value;
    if (depth_ == trail_.size()) {
      // Without any weight: an outcome of its own, certain here.
      push(following(law, kNoToken), kNoToken);
      if (trail_.back().value == kUndefined) {
        settle(weight());
        return kUndefined;
      }
    }
    const Token x = trail_[depth_].value;
    trail_[depth_].following = following(law, x);
    if constexpr (std::is_same_v<Real, double>) {
      if (guided_ && guide_.ranges != nullptr) record_draw(law, x, use);
    }
    settle(weight() * law.weight(x) / law.mass());
    return x;
  }

  /// The numbers that lead to the decision at depth_; those of the decisions before it stand.
  void record(Use use, double least, double below) {
    if (guide_.ranges == nullptr) return;
    guide_.ranges->resize(depth_);
    guide_.ranges->push_back({use, std::clamp(least, 0.0, 1.0), std::clamp(below, 0.0, 1.0)});
  }

  template <class Law>
  [[gnu::noinline]] void record_draw(const Law& law, Token x, Use use) {
    Sum<double> before;
    for (Token y = 0; y < x; ++y) before += law.weight(y);
    const double least = before.value() / law.mass();
    record(use, least, following(law, x) == kNoToken ? 1 : least + law.weight(x) / law.mass());
  }

  /// One more decision, its weight not known yet.
  void push(Token value, Token following) {
    check_interrupted();
    check_not_over();
    trail_.push_back({value, following, Real(0)});
  }

  /// The weight of the trail's last decision, which is known from now on.
  void settle(Real weight) {
    trail_[depth_].weight = std::move(weight);
    settled_ = ++depth_;
  }

  bool corrections_;
  bool corrected_ = false;  ///< the correction was drawn: nothing may follow
  bool guided_ = false;     ///< by guide_
  Guide guide_{};
  Trail<Real> trail_;
  std::size_t depth_ = 0;
  std::size_t settled_ = 0;  ///< the first so many decisions are replayed
};

}  // namespace speclab
