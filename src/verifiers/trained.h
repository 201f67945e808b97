#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "model/rows.h"

namespace speclab {

/// How a low-complexity verifier is trained (zhong2025 section 3.2).
struct Training {
  Rational lambda{1};  ///< label 1 where d(x) / t(x) <= lambda (0 where t(x) = 0 < d(x))
  int samples = 4096;  ///< labelled tokens to train on, and as many held out
  int length = 64;     ///< longest rollout; the pair's end and its end-of-sequence token cut it
  std::uint64_t seed = 1;
  bool operator==(const Training&) const = default;
};

/// What the verifier knows of a drafted token: nothing of the target.
///   0  ln d(x); the logarithm of 0 is taken as ln of the smallest double, -744.44
///   1  ln of the rank, the rank being 1 + the number of tokens with larger d
///   2  entropy of d in nats
///   3  the largest probability of d
///   4  the largest less the second largest (V = 1: less 0)
inline constexpr std::size_t kDraftFeatures = 5;
using DraftFeatures = std::array<double, kDraftFeatures>;

/// The features of token x under a draft law. All are finite.
DraftFeatures draft_features(std::span<const double> draft, Token x);

/// A point of the ROC curve: what passes where the score is at least `threshold`.
struct RocPoint {
  double threshold;  ///< HUGE_VAL at the curve's beginning (0, 0)
  double false_positive;
  double true_positive;
};

/// Error rates measured on held-out tokens; nothing where there is no token of that kind.
struct MeasuredRates {
  std::optional<double> false_positive;  ///< P(passes | label 0)
  std::optional<double> true_positive;   ///< P(passes | label 1)
  /// The false-positive rate that Theorem 3.1 needs where rates depend on the token, whatever
  /// lambda is: sum of passes(x) [d - t]+ over sum of [d - t]+, in expectation over contexts.
  std::optional<double> excess_weighted;
};

/// A low-complexity verifier trained for one pair: logistic regression (liblinear, L2R_LR, C = 1)
/// on the standardised draft features of tokens that the draft's own rollouts visit.
///
/// Deterministic: the rollouts come from keyed streams, the solver has no random part, and the
/// weights are rounded to multiples of 2^-20 so that another BLAS gives the same decisions.
/// Where the training tokens are all of one label the score is that label for every token.
class TrainedClassifier {
 public:
  /// A held-out token.
  struct Sample {
    double score;
    double excess;  ///< [1 - t(x) / d(x)]+
    bool acceptable;
  };

  TrainedClassifier(PairPointer pair, const Training& training);
  TrainedClassifier(const TrainedClassifier&) = delete;
  TrainedClassifier& operator=(const TrainedClassifier&) = delete;
  ~TrainedClassifier();

  /// The modelled probability, in [0, 1], that token x drafted at a state is acceptable. It is
  /// computed from the pair's doubles in either arithmetic. Safe to call from several threads.
  [[nodiscard]] double score(State state, Token x) const {
    const double* known = scores_[state].load(std::memory_order_acquire);
    return (known != nullptr ? known : make(state))[static_cast<std::size_t>(x)];
  }

  [[nodiscard]] const Training& training() const { return training_; }
  [[nodiscard]] const PairPointer& pair() const { return pair_; }
  [[nodiscard]] std::span<const Sample> held_out() const { return held_out_; }

 private:
  const double* make(State state) const;
  [[nodiscard]] double score_of(const DraftFeatures& features) const;
  void fit(std::span<const DraftFeatures> features, const std::vector<bool>& labels);

  PairPointer pair_;
  Training training_;
  Rows<double> rows_;
  DraftFeatures mean_{};
  DraftFeatures scale_{};  ///< 1 / standard deviation, 0 for a feature that does not vary
  std::array<double, kDraftFeatures + 1> weights_{};  ///< the last one is the intercept
  std::optional<double> constant_;                    ///< the score where one label was seen
  std::vector<Sample> held_out_;
  mutable std::vector<std::atomic<const double*>> scores_;  ///< V scores a state, or null
  mutable std::mutex making_;
};

/// The classifier of a pair; trained once and kept while it is among the last few asked for.
std::shared_ptr<const TrainedClassifier> trained_classifier(const PairPointer& pair,
                                                            const Training& training);

/// The rates at inference threshold tau: a token passes where score >= tau.
MeasuredRates measured_rates(std::span<const TrainedClassifier::Sample> samples, double tau);

/// The ROC curve from (0, 0) to (1, 1), a point for each distinct score; empty where only one
/// label occurs.
std::vector<RocPoint> roc_curve(std::span<const TrainedClassifier::Sample> samples);

/// The area under a ROC curve by trapezoids: P(score of an acceptable token > score of another),
/// ties counted half. Nothing for an empty curve.
std::optional<double> area_under(std::span<const RocPoint> curve);

}  // namespace speclab
