#pragma once

#include <utility>
#include <vector>

#include "base/types.h"
#include "verify/iteration.h"

namespace speclab {

/// Takes every sequence of decisions of a verifier in turn, each with its exact weight.
///
/// The verifier is run again for each sequence: a prefix of its decisions is replayed from the
/// trail, the last one is moved on to its next possible value, and what follows is new. A decision
/// that can go only one way is not a branch, so weights are positive throughout.
template <class R>
class Enumerator {
 public:
  using Real = R;

  /// With `corrections` false the last draw of an iteration is not branched over: the law of the
  /// accepted tokens needs it only to know whether it was defined.
  explicit Enumerator(bool corrections = true) : corrections_(corrections) {}

  /// Before each run of the verifier.
  void restart() { depth_ = 0; }

  /// Moves on to the next sequence; false after the last.
  bool advance() {
    while (!trail_.empty() && trail_.back().following == kNone) trail_.pop_back();
    if (trail_.empty()) return false;
    trail_.back().value = trail_.back().following;
    trail_.back().fresh = true;
    return true;
  }

  /// The probability of the sequence just run.
  [[nodiscard]] Real weight() const { return depth_ == 0 ? Real(1) : trail_[depth_ - 1].weight; }

  template <class Law>
  Token draft(const Law& law) {
    return draw(law);
  }

  template <class Law>
  Token choose(const Law& law) {
    return draw(law);
  }

  template <class Law>
  Token correct(const Law& law) {
    if (!(law.mass() > 0)) return kUndefined;
    if (!corrections_) return following(law, kNone);
    return draw(law);
  }

  bool accept(const Real& probability) {
    if (depth_ < trail_.size() && !trail_[depth_].fresh) return trail_[depth_++].value == kAccepted;
    const bool surely = !(probability < 1);
    const bool never = !(probability > 0);
    if (depth_ == trail_.size()) {
      const Token first = never ? kRejected : kAccepted;
      trail_.push_back({first, surely || never ? kNone : kRejected, false, Real(0)});
    } else {
      trail_[depth_].following = kNone;
    }
    Decision& decision = trail_[depth_];
    decision.fresh = false;
    decision.weight = weight();
    if (!surely && !never) {
      decision.weight *= decision.value == kAccepted ? probability : Real(1 - probability);
    }
    ++depth_;
    return decision.value == kAccepted;
  }

 private:
  static constexpr Token kNone = -1;
  static constexpr Token kAccepted = 0;
  static constexpr Token kRejected = 1;

  struct Decision {
    Token value;
    Token following;  ///< the next possible value, or kNone
    bool fresh;       ///< value was moved on; its weight and following are not known yet
    Real weight;      ///< of the sequence up to and with this decision
  };

  template <class Law>
  static Token following(const Law& law, Token after) {
    for (Token x = after + 1; x < law.size(); ++x) {
      if (law.weight(x) > 0) return x;
    }
    return kNone;
  }

  template <class Law>
  Token draw(const Law& law) {
    if (depth_ < trail_.size() && !trail_[depth_].fresh) return trail_[depth_++].value;
    if (depth_ == trail_.size()) {
      const Token first = following(law, kNone);
      if (first == kNone) {
        // No weight: an outcome of its own, certain here.
        trail_.push_back({kUndefined, kNone, false, weight()});
        ++depth_;
        return kUndefined;
      }
      trail_.push_back({first, kNone, false, Real(0)});
    }
    Decision& decision = trail_[depth_];
    decision.following = following(law, decision.value);
    decision.fresh = false;
    decision.weight = weight() * law.weight(decision.value) / law.mass();
    ++depth_;
    return decision.value;
  }

  bool corrections_;
  std::size_t depth_ = 0;
  std::vector<Decision> trail_;
};

/// Follows one random sequence of decisions and multiplies the inverse probabilities of its
/// branches: the product's mean is the number of sequences (Knuth 1975, "Estimating the efficiency
/// of backtrack programs"). Tokens are equally likely. A coin accepts with probability
/// `accept_share` in (0, 1): a large one reaches the many long sequences of a verifier that stops
/// at its first rejection, which even branches hardly ever find.
template <class R, class Engine>
class BranchCounter {
 public:
  using Real = R;
  explicit BranchCounter(Engine& engine, bool corrections, double accept_share = 0.5)
      : engine_(&engine), corrections_(corrections), accept_share_(accept_share) {}

  [[nodiscard]] double branches() const { return branches_; }

  template <class Law>
  Token draft(const Law& law) {
    std::vector<Token> possible;
    for (Token x = 0; x < law.size(); ++x) {
      if (law.weight(x) > 0) possible.push_back(x);
    }
    if (possible.empty()) return kUndefined;
    return possible[branch(possible.size())];
  }

  template <class Law>
  Token choose(const Law& law) {
    return draft(law);
  }

  template <class Law>
  Token correct(const Law& law) {
    const double before = branches_;
    const Token x = draft(law);
    if (!corrections_) branches_ = before;
    return x;
  }

  bool accept(const Real& probability) {
    if (!(probability > 0)) return false;
    if (!(probability < 1)) return true;
    const bool accepted = static_cast<double>((*engine_)() >> 11) * 0x1p-53 < accept_share_;
    branches_ /= accepted ? accept_share_ : 1 - accept_share_;
    return accepted;
  }

 private:
  std::size_t branch(std::size_t count) {
    branches_ *= static_cast<double>(count);
    return (*engine_)() % count;
  }

  Engine* engine_;
  bool corrections_;
  double accept_share_;
  double branches_ = 1;
};

}  // namespace speclab
