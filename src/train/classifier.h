#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/spec.h"
#include "model/pass_rates.h"
#include "model/quantities.h"
#include "model/rows.h"

namespace speclab {

/// How the contexts of labelled tokens are made; the labelled tokens themselves are drawn by the
/// draft.
enum class Prefixes {
  draft,  ///< prompts continued by the draft, as with a verifier that passes everything
  /// In equal parts (zhong2025 section 3.2): the prompt alone, and prompts continued by the draft,
  /// by the target, and by either with probability 1/2 at each token.
  equal,
};

/// "draft", "equal", in the order of the enumerators.
const std::vector<std::string>& prefixes_names();

/// How a low-complexity verifier is trained (zhong2025 section 3.2).
struct Training {
  Rational lambda{1};  ///< label 1 where d(x) / t(x) <= lambda (0 where t(x) = 0 < d(x))
  Rational tau{1, 2};  ///< inference threshold: a token passes where its score is at least tau
  int samples = 4096;  ///< labelled tokens to train on, and as many held out
  int length = 64;     ///< longest rollout; the pair's end and its end-of-sequence token cut it
  std::uint64_t seed = 1;
  Prefixes prefixes = Prefixes::draft;
  bool operator==(const Training&) const = default;
};

/// Most samples, longest rollout and largest seed.
inline constexpr int kMostTrainingSamples = 10'000'000;
inline constexpr int kLongestRollout = 1'000'000;
inline constexpr long long kLargestTrainingSeed = 4'294'967'295;

/// Reads lambda=, tau=1/2, samples=4096, length=64, seed=1, prefixes=draft|equal; the canonical
/// form shows the last four only where they are given.
/// @throws InputError naming the spec, the parameter and what to write
Training read_training(SpecReader& spec);

/// A held-out token.
struct HeldOut {
  double score;
  double excess;  ///< [1 - t(x) / d(x)]+
  bool acceptable;
};

/// A point of the ROC curve: a token passes where its score is at least `threshold`.
struct RocPoint {
  double threshold;  ///< HUGE_VAL at the curve's beginning (0, 0)
  double false_positive;
  double true_positive;
};

/// Error rates measured on held-out tokens; empty where there is no token of that kind.
struct MeasuredRates {
  std::optional<double> false_positive;  ///< P(passes | label 0)
  std::optional<double> true_positive;   ///< P(passes | label 1)
  /// The false-positive rate that Theorem 3.1 needs where rates depend on the token, whatever
  /// lambda is: sum of passes(x) [d - t]+ over sum of [d - t]+, in expectation over contexts.
  std::optional<double> excess_weighted;
  /// P(passes | d > t), the false-positive rate of Theorem 3.1, whatever lambda is.
  std::optional<double> unacceptable{};
};

/// What training finds.
struct Trained {
  LogisticRates rates;
  std::vector<HeldOut> held_out;  ///< `samples` of them
};

/// An upper bound on the bytes that a training takes besides its pair's rows. It depends only on
/// the number of samples.
double training_bytes(const Training& training);

/// @param most  bytes; see most_memory
/// @throws LimitError with the bytes and the limit where a training may take more
void check_training_memory(const Training& training, double most);

/// Trains a low-complexity verifier for one pair: logistic regression (liblinear, L2R_LR, C = 1) on
/// the standardised draft features of tokens drafted in the contexts of Training::prefixes. The
/// held-out tokens come from other rollouts, with streams of their own.
///
/// Deterministic: the rollouts come from keyed streams, the solver has no random part, and the
/// weights are rounded to multiples of 2^-20 so that another BLAS gives the same decisions.
/// Where all training tokens have one label, the score is that label, 0 or 1, for every token: the
/// weights are 0 and the intercept is +-kCertain.
Trained train(const PairPointer& pair, const Training& training);

/// The rates at inference threshold tau: a token passes where score >= tau.
MeasuredRates measured_rates(std::span<const HeldOut> samples, double tau);

/// The ROC curve from (0, 0) to (1, 1), a point for each distinct score; empty where only one
/// label occurs.
std::vector<RocPoint> roc_curve(std::span<const HeldOut> samples);

/// The area under a ROC curve by trapezoids: P(score of an acceptable token > score of another),
/// ties counted half. Empty for an empty curve.
std::optional<double> area_under(std::span<const RocPoint> curve);

/// A point of a curve and its place in it.
struct NumberedPoint {
  std::size_t index;
  RocPoint point;
};

/// The report of a training.
struct TrainingReport {
  std::vector<NumberedPoint> roc;  ///< at most 201 points, evenly spaced, and both ends
  std::optional<double> area;      ///< under the whole curve
  MeasuredRates rates;             ///< at the threshold
  /// For a pair of one state, Theorem 3.1 with the measured rates: the TV of one emitted token is
  /// fp TV(d, t), fp = P(passes | d > t), and with rates that depend on the token the same with the
  /// excess-weighted rate.
  std::optional<double> tv_by_class, tv_by_token;
};

/// One number of a report.
struct TrainingValue {
  QuantityId quantity;
  std::optional<std::size_t> index;  ///< of a point of the curve
  double value;
};

/// All numbers there are: both rates of each point of the curve, then its area and the rest.
std::vector<TrainingValue> training_values(const TrainingReport& report);

TrainingReport report_training(const PairPointer& pair, const Training& training,
                               const Trained& trained);

/// The text of the rates file (model/pass_rates.h). Its "training" is {"pair": spec text, "lambda":
/// "6/5", "samples", "length", "seed", "prefixes", "false_positive", "true_positive",
/// "excess_weighted", "area": a number or null each, "roc": [[threshold or null, false-positive
/// rate, true-positive rate],
/// ...]}.
std::string rates_file_text(const PairPointer& pair, const Training& training,
                            const Trained& trained, const TrainingReport& report);

}  // namespace speclab
