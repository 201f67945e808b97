#include "theory/weight_bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/sum.h"
#include "theory/fourier.h"

namespace speclab {
namespace {

using Complex = Fourier::Complex;

/// The logarithms of weights on the grid reach this far from 0.
constexpr double kReach = 25;
/// Rounding of a step beside that of its convolution: of ratios, grid points and sums.
constexpr double kStepRounding = 1e-13;
constexpr std::size_t kFewestPoints = std::size_t{1} << 14;
constexpr std::size_t kMostPoints = std::size_t{1} << 20;
/// Most values that all positions' laws on the grid have: 2^24 doubles, twice.
constexpr std::size_t kMostKept = std::size_t{1} << 23;

/// A token that the draft can draw and the target does not exclude.
struct Moving {
  double draft;
  double target;
  double ratio;
};

std::vector<Moving> moving_tokens(std::span<const double> draft, std::span<const double> target) {
  std::vector<Moving> tokens;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    if (draft[x] > 0 && target[x] > 0) {
      tokens.push_back({draft[x], target[x], target[x] / draft[x]});
    }
  }
  return tokens;
}

double norm(const std::vector<double>& values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

/// Their plain sum, without the correction of total().
double plain_total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Point j of the grid is exp(step (one - j)), for each index on a cycle of the transform's size;
/// the cell j is between the points j and j + 1.
class WeightGrid {
 public:
  WeightGrid(std::vector<Moving> tokens, int gamma, WeightRule rule, std::size_t size)
      : tokens_(std::move(tokens)),
        gamma_(gamma),
        clamped_(rule == WeightRule::clamped),
        fourier_(size) {
    double least = 0, most = 0;
    for (const Moving& token : tokens_) {
      least = std::min(least, std::log(token.ratio));
      most = std::max(most, std::log(token.ratio));
    }
    const double below = std::clamp(-least * gamma, 1e-6, kReach);
    const double above = clamped_ ? 0 : std::min(most * gamma, kReach);
    const double whole = below + above;
    const double moves = std::min(most - least, 2 * whole);
    points_ = static_cast<std::size_t>(static_cast<double>(size) / (1 + moves / whole)) - 4;
    // Each split moves a weight by one point more, up or down. Most points are no margin, since
    // gamma is at most kMostKept / kFewestPoints.
    const auto margin = static_cast<std::size_t>(gamma) + 2;
    step_ = whole / static_cast<double>(points_ - 2 * margin);
    one_ = clamped_ ? 0 : static_cast<std::size_t>(std::ceil(above / step_)) + margin;
    for (std::size_t j = 0; j < points_; ++j) {
      points_at_.push_back(std::exp(-step_ * (static_cast<double>(j) - static_cast<double>(one_))));
      worth_.push_back(std::min(1.0, points_at_.back()));
    }
    make_kernels();
  }

  TailBounds bounds() {
    const auto bends = bend_laws();
    std::vector<double> low{1}, high{1};
    std::vector<double> lost(static_cast<std::size_t>(gamma_) + 1, 0.0);
    std::vector<double> law = point_law();
    double outside = 0;
    for (int i = 1; i <= gamma_; ++i) {
      const double before = plain_total(law);
      const double error = convolution_error(law);
      errors_ += error * worth_norm() + kStepRounding;
      const auto [after, split] = advanced(law, error, outside);
      law = after;
      const double below = std::max(0.0, before * moving_ - plain_total(law));
      outside += (below + error * std::sqrt(static_cast<double>(points_))) * points_at_.back();
      add_losses(split, bends, i, lost);
      Sum<double> kept;
      for (std::size_t j = 0; j < points_; ++j) kept += law[j] * worth_[j];
      low.push_back(std::clamp(kept.value() - errors_, 0.0, low.back()));
      high.push_back(std::min(high.back(), kept.value() + errors_ + outside +
                                               lost[static_cast<std::size_t>(i)] * (1 + 1e-9)));
    }
    return {std::move(low), std::move(high)};
  }

 private:
  [[nodiscard]] std::vector<double> point_law() const {
    std::vector<double> law(points_, 0.0);
    law[one_] = 1;
    return law;
  }

  /// The index on the cycle.
  [[nodiscard]] std::size_t place(long offset) const {
    return offset < 0 ? fourier_.size() - static_cast<std::size_t>(-offset)
                      : static_cast<std::size_t>(offset);
  }

  /// The kernel of the weights and, as imaginary parts, of (b - w)(w - a)/(b - a) over b; and that
  /// of the bends.
  void make_kernels() {
    moves_.assign(fourier_.size(), Complex());
    bends_.assign(fourier_.size(), Complex());
    const auto far = static_cast<double>(points_);
    for (const Moving& token : tokens_) {
      moving_ += token.draft;
      const double cells = -std::log(token.ratio) / step_;
      if (cells >= far) continue;  // below the grid from everywhere
      if (cells <= -far) {         // above it from everywhere
        moves_[place(-static_cast<long>(points_))] += token.draft;
        up_ = std::max(up_, points_);
        continue;
      }
      const long cell = static_cast<long>(std::floor(cells));
      const double b = std::exp(-step_ * static_cast<double>(cell));
      const double a = std::exp(-step_ * static_cast<double>(cell + 1));
      const double w = std::clamp(token.ratio, a, b);
      const double share = (w - a) / (b - a);
      moves_[place(cell)] += Complex(token.draft * share, token.draft * (1 - w / b) * share);
      moves_[place(cell + 1)] += token.draft * (1 - share);
      bends_[place(-cell)] += token.target;
      if (cell < 0) up_ = std::max(up_, static_cast<std::size_t>(-cell));
      if (cell > 0) back_ = std::max(back_, static_cast<std::size_t>(cell));
    }
    for (const Complex& value : moves_) kernel_norm_ += std::norm(value);
    kernel_norm_ = std::sqrt(kernel_norm_);
    kernel_ = moves_;
    fourier_.transform(moves_);
    fourier_.transform(bends_);
  }

  [[nodiscard]] std::vector<Complex> convolved(const std::vector<double>& law,
                                               const std::vector<Complex>& kernel) const {
    check_interrupted();
    std::vector<Complex> values(fourier_.size());
    std::copy(law.begin(), law.end(), values.begin());
    fourier_.transform(values);
    fourier_.convolve(values, kernel);
    return values;
  }

  /// A bound, in the Euclidean norm, of the error of a law after one token: of two transforms and
  /// one back, of a law and a kernel whose coefficients are at most about 1. The mass at 1, the
  /// largest by far where weights are clamped, is not transformed.
  [[nodiscard]] double convolution_error(const std::vector<double>& law) const {
    const double each = Fourier::kError * std::log2(static_cast<double>(fourier_.size()));
    const double transformed = norm(law) * norm(law) - law[one_] * law[one_];
    return each * (3 * std::sqrt(std::max(0.0, transformed)) + kernel_norm_);
  }

  /// By this an error in the Euclidean norm becomes one of what the law is worth, the weights above
  /// the grid included (Cauchy and Schwarz).
  [[nodiscard]] double worth_norm() const {
    return std::hypot(norm(worth_), std::sqrt(static_cast<double>(up_)));
  }

  struct Advanced {
    std::vector<double> law;
    std::vector<double> split;  ///< by cell: the sum of mass (b - w)(w - a)/(b - a)
  };

  /// The law one token later. Weights above the grid move down to its first point, which is 1 where
  /// weights are clamped; else their mass is added to `outside`.
  Advanced advanced(std::vector<double> law, double error, double& outside) const {
    const double at_one = std::exchange(law[one_], 0.0);
    auto values = convolved(law, moves_);
    const std::size_t turn = fourier_.size() - one_;
    for (std::size_t j = 0; j < values.size(); ++j) {
      values[j] += at_one * kernel_[(j + turn) % values.size()];
    }
    Advanced after{std::vector<double>(points_), std::vector<double>(points_)};
    for (std::size_t j = 0; j < points_; ++j) {
      after.law[j] = std::max(0.0, values[j].real());
      after.split[j] = points_at_[j] * (std::max(0.0, values[j].imag()) + error);
    }
    double above = 0;
    for (std::size_t j = fourier_.size() - up_; j < fourier_.size(); ++j) {
      above += std::max(0.0, values[j].real());
    }
    after.law[0] += above;
    if (!clamped_) outside += above;
    return after;
  }

  /// [k]: the measure -F_k'' by the points at or above which its mass begins: it is within k cells
  /// below. Mass at w = 1 itself bends no cell where weights are clamped, and all above 1 is there.
  [[nodiscard]] std::vector<std::vector<double>> bend_laws() const {
    std::vector<std::vector<double>> laws{point_law()};
    for (int k = 1; k < gamma_; ++k) {
      const auto values = convolved(laws.back(), bends_);
      std::vector<double> law(points_);
      for (std::size_t j = 0; j < points_; ++j) law[j] = std::max(0.0, values[j].real());
      if (clamped_) {
        for (std::size_t j = fourier_.size() - back_; j < fourier_.size(); ++j) {
          law[0] += std::max(0.0, values[j].real());
        }
      }
      laws.push_back(std::move(law));
    }
    return laws;
  }

  /// Adds to lost[i + k], k >= 1, what the split of the token i loses of F_k: each bend times the
  /// most that is split in a cell where it may be. Bends that left the grid may be anywhere.
  void add_losses(const std::vector<double>& split, const std::vector<std::vector<double>>& bends,
                  int i, std::vector<double>& lost) const {
    const double most = *std::max_element(split.begin(), split.end());
    std::vector<double> near = split;
    const auto widen = [&](std::size_t shift) {
      for (std::size_t j = shift; j < points_; ++j) near[j] = std::max(near[j], split[j - shift]);
    };
    widen(1);
    for (int k = 1; i + k <= gamma_; ++k) {
      widen(static_cast<std::size_t>(k) + 1);
      const std::vector<double>& law = bends[static_cast<std::size_t>(k)];
      double sum = 0;
      for (std::size_t j = clamped_ ? 1 : 0; j < points_; ++j) sum += law[j] * near[j];
      const double gone = std::max(0.0, 1 - plain_total(law)) + kStepRounding;
      lost[static_cast<std::size_t>(i) + static_cast<std::size_t>(k)] +=
          sum + gone * most + k * kStepRounding * norm(near);
    }
  }

  std::vector<Moving> tokens_;
  int gamma_;
  bool clamped_;
  Fourier fourier_;
  std::size_t points_ = 0;
  std::size_t one_ = 0;  ///< the point 1
  double step_ = 0;
  double moving_ = 0;     ///< draft probability of the tokens
  std::size_t up_ = 0;    ///< most points that a token moves a weight up
  std::size_t back_ = 0;  ///< and a bend
  double kernel_norm_ = 0;
  double errors_ = 0;
  std::vector<double> points_at_;
  std::vector<double> worth_;  ///< min(1, point)
  std::vector<Complex> kernel_;
  std::vector<Complex> moves_;  ///< the kernel's transform
  std::vector<Complex> bends_;
};

double steps_of(std::size_t size, int gamma) {
  const auto points = static_cast<double>(size);
  return points * gamma * (8 * std::log2(points) + gamma);
}

}  // namespace

std::vector<double> short_weight_tail(std::span<const double> draft, std::span<const double> target,
                                      int gamma, WeightRule rule) {
  std::vector<Moving> tokens = moving_tokens(draft, target);
  std::sort(tokens.begin(), tokens.end(),
            [](const Moving& a, const Moving& b) { return a.ratio > b.ratio; });
  // Over the tokens before each: the draft. From each on: the target.
  std::vector<double> drafts{0}, targets(tokens.size() + 1, 0.0);
  Sum<double> sum, rest;
  for (const Moving& token : tokens) drafts.push_back((sum += token.draft).value());
  for (std::size_t k = tokens.size(); k-- > 0;) targets[k] = (rest += tokens[k].target).value();
  const auto kept = [&](double w) {
    const auto first = std::partition_point(tokens.begin(), tokens.end(), [&](const Moving& token) {
      return w * token.target > token.draft;
    });
    const auto k = static_cast<std::size_t>(first - tokens.begin());
    return drafts[k] + w * targets[k];
  };
  std::vector<double> tail{1};
  if (gamma >= 1) tail.push_back(kept(1));
  if (gamma >= 2) {
    Sum<double> second;
    for (const Moving& token : tokens) {
      const double w = rule == WeightRule::clamped ? std::min(1.0, token.ratio) : token.ratio;
      second += token.draft * kept(w);
    }
    tail.push_back(second.value());
  }
  return tail;
}

TailBounds weight_tail_bounds(std::span<const double> draft, std::span<const double> target,
                              int gamma, WeightRule rule, double wanted, Budget& budget) {
  const std::size_t largest = std::min(kMostPoints, kMostKept / static_cast<std::size_t>(gamma));
  if (largest < kFewestPoints) {
    throw LimitError(fmt::format("bounds of P(tau >= i) are made up to a draft length of {}",
                                 kMostKept / kFewestPoints));
  }
  const std::vector<Moving> tokens = moving_tokens(draft, target);
  TailBounds bounds;
  for (std::size_t size = kFewestPoints;;) {
    budget.spend<double>(steps_of(size, gamma));
    bounds = WeightGrid(tokens, gamma, rule, size).bounds();
    const double width = plain_total(bounds.high) - plain_total(bounds.low);
    if (width <= wanted || 2 * size > largest) return bounds;
    // The width falls with the square of the size.
    const double needed = static_cast<double>(size) * std::sqrt(width / wanted);
    do size *= 2;
    while (2 * size <= largest && static_cast<double>(size) < needed);
  }
}

}  // namespace speclab
