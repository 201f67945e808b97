#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/sum.h"
#include "recorded/scored/text.h"

namespace speclab {

/// What a check of the texts says.
enum class TextVerdict {
  pass,
  fail,        ///< texts of the target are so with a chance below kTextAlarm
  suspect,     ///< no law forbids it, but a mistake explains it better
  not_tested,  ///< of texts that the target did not draw, or of too few
};

std::string_view text_verdict_name(TextVerdict verdict);

/// The chance at which a check fails.
inline constexpr double kTextAlarm = 1e-6;
/// Of a normal law: the quantile of the power at which it is said what would have been found, 95%.
inline constexpr double kPowerQuantile = 1.645;

struct TextCheck {
  std::string name;
  std::optional<double> statistic;
  std::optional<double> p_value;
  TextVerdict verdict = TextVerdict::not_tested;
  std::string detail;  ///< what was compared, and what the check would have found
};

/// Whether texts can be the target's own: sums over texts, in their order.
///
/// Mean ratio. Given the prefix, E[r_j] = sum of d over the tokens that t can draw <= 1 where the
/// target drew token j, at every position. So for every b in [0, 1] the product of 1 + b (r_j - 1)
/// over all tokens is a nonnegative supermartingale that begins at 1, and so is its mean over
/// several b; it ever reaches 1/a with probability a at most (Ville 1939), whatever the laws are.
/// The p-value is 1 over its largest value. Ratios that logarithms of other texts, of shifted ones
/// or of other temperatures give have a mean above 1 as a rule, and are found by their number:
/// `detail` says from which mean on, and where not even twice the mean would be found, nothing is
/// tested. Ratios above 1e18 count as 1e18, which lowers the mean.
///
/// Shift. Whether the draft's numbers follow the target's better when they are moved by a token:
/// c_k is a text's covariance of log target_j with log draft_{j+k}. Where c_k is above c_0 and
/// above -c_0 on average, k = -1 or 1, by Student's t over texts, a shift is suspected.
class TextTests {
 public:
  /// @param drawn  whether the target drew the texts (or people did)
  explicit TextTests(bool drawn) : drawn_(drawn) {}

  void add(const ScoredText& text);
  /// Of the texts so far, their last tokens included.
  [[nodiscard]] std::vector<TextCheck> checks();
  /// Tokens whose draft probability is 0.
  [[nodiscard]] std::int64_t never_drafted() const { return never_drafted_; }

 private:
  static constexpr int kBets = 8;  ///< b = 1/2, 1/6, 1/18, ..
  static constexpr double kLargestBet = 0.5, kBetStep = 3;
  static constexpr int kAtOnce = 16;  ///< tokens whose factors are multiplied before a logarithm

  void add_ratio(double log_ratio);
  void settle_wealth();
  /// By how much a mean above 1 exceeds it that is found with 95% power.
  [[nodiscard]] double found_above() const;
  void add_shift(const ScoredText& text);
  [[nodiscard]] TextCheck mean_check() const;
  [[nodiscard]] TextCheck shift_check(int shift) const;

  bool drawn_;
  std::int64_t tokens_ = 0;
  std::int64_t never_drafted_ = 0;
  Sum<double> ratios_, squares_;
  std::array<double, kBets> wealth_{};                         ///< logarithms
  std::array<double, kBets> factors_{1, 1, 1, 1, 1, 1, 1, 1};  ///< not yet in wealth_
  double most_wealth_ = 0;  ///< the largest logarithm of their mean
  struct Shift {
    std::array<Sum<double>, 2> sum, squares;  ///< of c_k - c_0, c_k + c_0
  };
  std::array<Shift, 2> shifts_;  ///< k = -1, 1
  std::int64_t texts_ = 0;       ///< long enough for a shift
};

}  // namespace speclab
