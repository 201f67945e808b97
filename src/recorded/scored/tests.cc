#include "recorded/scored/tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/special.h"

namespace speclab {
namespace {

/// Logarithms below this count as it in covariances.
constexpr double kLeastLog = -30;
/// Tokens of a text from which on a shift is looked at.
constexpr std::size_t kLeastShifted = 8;
/// Ratios above this count as it in the power that is stated, and nowhere else.
constexpr double kCutRatio = 100;
/// And above this in bets; kAtOnce of them multiply to a finite number.
constexpr double kMostRatio = 1e18;
/// Tokens decide where they would show a mean that is above 1 by no more than this.
constexpr double kDecided = 1;

/// P(Student's t is as large as a mean over its error), from sums over n texts.
double mean_above_zero(double sum, double squares, double n) {
  const double mean = sum / n;
  const double error = std::sqrt(std::max(0.0, (squares - n * mean * mean) / (n - 1)) / n);
  if (error > 0) return students_above(mean / error, n - 1);
  return mean > 0 ? 0.0 : 1.0;
}

}  // namespace

std::string_view text_verdict_name(TextVerdict verdict) {
  constexpr std::array<std::string_view, 4> names{"pass", "fail", "suspect", "not tested"};
  return names[static_cast<std::size_t>(verdict)];
}

void TextTests::add_ratio(double log_ratio) {
  const double ratio = std::exp(std::min(log_ratio, 700.0));
  ratios_ += ratio;
  const double cut = std::min(ratio, kCutRatio) - 1;
  squares_ += cut * cut;
  const double gain = std::min(ratio, kMostRatio) - 1;
  double bet = kLargestBet;
  for (double& factor : factors_) {
    factor *= 1 + bet * gain;
    bet /= kBetStep;
  }
  if (++tokens_ % kAtOnce == 0) settle_wealth();
}

/// The supermartingale may be looked at as often as one likes. Its mean over the bets is at least
/// the largest over their number.
void TextTests::settle_wealth() {
  for (std::size_t b = 0; b < wealth_.size(); ++b) {
    wealth_[b] += std::log(factors_[b]);
    factors_[b] = 1;
  }
  const double most = *std::max_element(wealth_.begin(), wealth_.end());
  most_wealth_ = std::max(most_wealth_, most - std::log(double{kBets}));
}

void TextTests::add(const ScoredText& text) {
  const auto width = static_cast<std::size_t>(text.width);
  for (std::size_t j = 0; j < text.size(); ++j) {
    // Of a drafter by start that which starts at the token.
    const double draft = width > 0 ? text.draft[j * width] : text.draft[j];
    if (draft == -HUGE_VAL) ++never_drafted_;
    add_ratio(draft - text.target[j]);
  }
  add_shift(text);
}

void TextTests::add_shift(const ScoredText& text) {
  const std::size_t n = text.size();
  if (n < kLeastShifted) return;
  const auto width = static_cast<std::size_t>(std::max(text.width, 1));
  const auto draft = [&](std::size_t j) { return std::max(kLeastLog, text.draft[j * width]); };
  const auto target = [&](std::size_t j) { return std::max(kLeastLog, text.target[j]); };
  double means[2] = {0, 0};
  for (std::size_t j = 0; j < n; ++j) {
    means[0] += draft(j) / static_cast<double>(n);
    means[1] += target(j) / static_cast<double>(n);
  }
  double lags[3] = {0, 0, 0};
  for (std::size_t j = 1; j + 1 < n; ++j) {
    const double centred = (target(j) - means[1]) / static_cast<double>(n - 2);
    for (std::size_t k = 0; k < 3; ++k) lags[k] += centred * (draft(j + k - 1) - means[0]);
  }
  ++texts_;
  for (std::size_t k = 0; k < 2; ++k) {
    const std::array gains{lags[2 * k] - lags[1], lags[2 * k] + lags[1]};
    for (std::size_t side = 0; side < gains.size(); ++side) {
      shifts_[k].sum[side] += gains[side];
      shifts_[k].squares[side] += gains[side] * gains[side];
    }
  }
}

/// A bet of b on n tokens with the mean 1 + m and the squares s^2 of r - 1 multiplies to about
/// exp(n (b m - b^2 s^2 / 2)), with n b^2 s^2 the variance of the logarithm.
double TextTests::found_above() const {
  const auto tokens = static_cast<double>(tokens_);
  const double square = squares_.value() / tokens;
  const double error = std::sqrt(square / tokens);
  double least = HUGE_VAL;
  double bet = kLargestBet;
  for (int b = 0; b < kBets; ++b, bet /= kBetStep) {
    least = std::min(least, std::log(kBets / kTextAlarm) / (tokens * bet) + bet * square / 2 +
                                kPowerQuantile * error);
  }
  return least;
}

TextCheck TextTests::mean_check() const {
  TextCheck check{.name = "mean-ratio"};
  if (tokens_ == 0) return check;
  const double mean = ratios_.value() / static_cast<double>(tokens_);
  check.statistic = mean;
  check.detail = fmt::format(
      "the mean of draft over target probability is {:.6g} over {} tokens; texts of "
      "the target give 1 at most",
      mean, tokens_);
  if (!drawn_) {
    check.detail += "; not tested: people wrote the texts";
    return check;
  }
  const double p_value = std::min(1.0, std::exp(-most_wealth_));
  const double above = found_above();
  if (p_value >= kTextAlarm && above > kDecided) {
    check.detail += fmt::format(
        "; not tested: so few tokens would show a mean of {:.6g} or more alone; score more texts",
        1 + above);
    return check;
  }
  check.p_value = p_value;
  check.verdict = p_value < kTextAlarm ? TextVerdict::fail : TextVerdict::pass;
  check.detail +=
      check.verdict == TextVerdict::fail
          ? "; the texts are not the target's at these log-probabilities: they may "
            "be shifted, of another temperature or filter, or written by people"
          : fmt::format("; a mean of {:.6g} would have been found with 95% power", 1 + above);
  return check;
}

TextCheck TextTests::shift_check(int shift) const {
  TextCheck check{.name = shift < 0 ? "shift-back" : "shift-forward"};
  const Shift& sums = shifts_[shift < 0 ? 0 : 1];
  const auto n = static_cast<double>(texts_);
  check.detail = fmt::format(
      "covariance of the target's log-probabilities with the draft's of a "
      "token {}, less that with the draft's of the same token",
      shift < 0 ? "before" : "later");
  if (texts_ < 2) {
    check.detail += fmt::format("; not tested: two texts of {} tokens are needed", kLeastShifted);
    return check;
  }
  check.statistic = sums.sum[0].value() / n;
  double p_value = 0;
  for (std::size_t side = 0; side < sums.sum.size(); ++side) {
    p_value =
        std::max(p_value, mean_above_zero(sums.sum[side].value(), sums.squares[side].value(), n));
  }
  check.p_value = p_value;
  check.verdict = p_value < kTextAlarm ? TextVerdict::suspect : TextVerdict::pass;
  if (check.verdict == TextVerdict::suspect) {
    check.detail += fmt::format(
        "; the draft's log-probabilities may be shifted: entry j fits token "
        "j {} 1",
        shift < 0 ? "+" : "-");
  }
  return check;
}

std::vector<TextCheck> TextTests::checks() {
  settle_wealth();  // of the last tokens
  return {mean_check(), shift_check(-1), shift_check(1)};
}

}  // namespace speclab
