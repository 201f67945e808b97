#include "simulate/distance.h"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <vector>

#include "base/sum.h"

namespace speclab {
namespace {

/// A cell's share of the trials and its probability under the law.
struct CountedCell {
  double share = 0;
  double law = 0;
};

struct Cells {
  std::vector<CountedCell> cells;
  double trials = 0;
  double reached_on = 0;  ///< share of the trials in the cells that have more than the law says
  double distance = 0;    ///< between the shares and the law
};

Cells read(std::span<const double> law, std::span<const std::uint64_t> counts,
           std::uint64_t trials) {
  Cells result;
  result.trials = static_cast<double>(trials);
  result.cells.reserve(law.size() + 1);
  std::uint64_t outside = trials;
  for (std::size_t i = 0; i < law.size(); ++i) {
    const std::uint64_t count = i < counts.size() ? counts[i] : 0;
    outside -= count;
    if (count > 0 || law[i] > 0) {
      result.cells.push_back({static_cast<double>(count) / result.trials, law[i]});
    }
  }
  if (outside > 0) result.cells.push_back({static_cast<double>(outside) / result.trials, 0});
  Sum<double> surplus, reached_on;
  for (const CountedCell& cell : result.cells) {
    if (!(cell.share > cell.law)) continue;
    surplus += cell.share - cell.law;
    reached_on += cell.share;
  }
  result.distance = std::clamp(surplus.value(), 0.0, 1.0);
  result.reached_on = std::min(1.0, reached_on.value());
  return result;
}

/// E|frequency - q| of a cell of probability q (De Moivre 1730): with m = floor(n q) + 1,
/// 2 m (1 - q) P(Binomial(n, q) = m) / n.
double mean_distance(double n, double q) {
  if (!(q > 0) || !(q < 1)) return 0;
  const double m = std::floor(n * q) + 1;
  if (m > n) return 2 * (1 - q) * std::exp(n * std::log(q));  // n q rounded up to n
  const double log_mass = std::lgamma(n + 1) - std::lgamma(m + 1) - std::lgamma(n - m + 1) +
                          m * std::log(q) + (n - m) * std::log1p(-q);
  return 2 * m * (1 - q) * std::exp(log_mass) / n;
}

/// Kullback and Leibler's divergence of coins.
double divergence(double a, double b) {
  const auto term = [](double x, double y) { return x > 0 ? x * std::log(x / y) : 0.0; };
  return term(a, b) + term(1 - a, 1 - b);
}

/// How much of E|frequency - q| is bias for a cell whose share clearly differs from q: with p the
/// nearest to q that Chernoff's bound does not exclude, e^(-n KL(q, p)) of it (change of measure).
double bias_left(double n, const CountedCell& cell) {
  constexpr double kClear = 7;
  if (!(n * divergence(cell.share, cell.law) > kClear)) return 1;
  double inside = cell.share, outside = cell.law;
  for (int i = 0; i < 40; ++i) {
    const double at = (inside + outside) / 2;
    (n * divergence(cell.share, at) > kClear ? outside : inside) = at;
  }
  return std::exp(-n * divergence(cell.law, outside));
}

/// The most by which the distance of the shares exceeds the true one on average.
double greatest_bias(const Cells& data, bool refined) {
  Sum<double> sum;
  for (const CountedCell& cell : data.cells) {
    if (!(cell.law > 0)) continue;
    sum += mean_distance(data.trials, cell.law) * (refined ? bias_left(data.trials, cell) : 1.0);
  }
  return sum.value() / 2;
}

/// The true distance below which these shares, of mean E D <= distance + bias, are rarer than
/// `tail`.
double freedman_limit(const Cells& data, double tail) {
  double likeliest = 0;
  for (const CountedCell& cell : data.cells) likeliest = std::max(likeliest, cell.law);
  const double excess = data.distance - greatest_bias(data, false);
  const auto possible = [&](double distance) {
    const double above = excess - distance;
    if (!(above > 0)) return true;
    const double rest = std::min(0.5, 1 - likeliest + distance);
    const double variance = rest * (1 - rest);
    if (!(variance > 0)) return false;
    const double u = above / variance;
    return data.trials * variance * ((1 + u) * std::log1p(u) - u) <= -std::log(tail);
  };
  if (possible(0)) return 0;
  double low = 0, high = data.distance;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (possible(middle) ? high : low) = middle;
  }
  return low;
}

double upper_share(double share, const Cells& data, double tail) {
  return upper_limit({share, share * (1 - share), {0, 1}, static_cast<std::uint64_t>(data.trials)},
                     tail);
}

/// For sets of cells without, or all with, the first: the least law of a set of a given share, sets
/// taken as divisible (cells in order of share / law).
class LeastLaw {
 public:
  LeastLaw(std::span<const CountedCell> cells, CountedCell with)
      : shares_{with.share}, laws_{with.law} {
    for (const CountedCell& cell : cells) {
      shares_.push_back(shares_.back() + cell.share);
      laws_.push_back(laws_.back() + cell.law);
    }
  }
  [[nodiscard]] double least() const { return shares_.front(); }
  [[nodiscard]] double greatest() const { return shares_.back(); }
  double operator()(double share) const {
    // Cells that no trial met come last, and may be left out.
    const auto from = std::lower_bound(shares_.begin(), shares_.end(), share);
    if (from == shares_.begin()) return laws_.front();
    if (from == shares_.end()) return laws_.back();
    const auto i = static_cast<std::size_t>(from - shares_.begin());
    const double part = (share - shares_[i - 1]) / (shares_[i] - shares_[i - 1]);
    return laws_[i - 1] + part * (laws_[i] - laws_[i - 1]);
  }

 private:
  std::vector<double> shares_, laws_;
};

/// The greatest of upper limit of P(set) - law(set) over the sets of cells. The likeliest cell is
/// never divided.
class SetLimit {
 public:
  explicit SetLimit(Cells& data) : data_(data) {
    auto& cells = data.cells;
    const auto likeliest = std::max_element(cells.begin(), cells.end(),
                                            [](const CountedCell& a, const CountedCell& b) {
                                              return a.share + a.law < b.share + b.law;
                                            });
    std::iter_swap(cells.begin(), likeliest);
    std::sort(cells.begin() + 1, cells.end(), [](const CountedCell& a, const CountedCell& b) {
      const double left = a.share * b.law, right = b.share * a.law;
      return left > right || (!(left < right) && a.share > b.share);
    });
    const std::span<const CountedCell> rest = std::span<const CountedCell>(cells).subspan(1);
    curves_.emplace_back(rest, CountedCell{});
    curves_.emplace_back(rest, cells.front());
  }

  [[nodiscard]] double at(double tail) const {
    double greatest = data_.distance;
    for (const LeastLaw& curve : curves_) {
      const auto minus = [&](double share) {
        return curve(share) - upper_share(share, data_, tail);
      };
      greatest = std::max({greatest, -minus(curve.least()), -minus(curve.greatest())});
      if (!(curve.greatest() > curve.least())) continue;
      const auto found =
          boost::math::tools::brent_find_minima(minus, curve.least(), curve.greatest(), 20);
      greatest = std::max(greatest, -found.second);
    }
    return std::min(1.0, greatest);
  }

 private:
  const Cells& data_;
  std::vector<LeastLaw> curves_;
};

}  // namespace

Estimate distance_estimate(std::span<const double> law, std::span<const std::uint64_t> counts,
                           std::uint64_t trials) {
  Cells data = read(law, counts, trials);
  const double on = data.reached_on;
  const Spread reached{on, on * (1 - on), {0, 1}, trials};
  const double at_least = lower_limit(reached, kIntervalTail);
  const double low = std::max(0.0, data.distance - (on - at_least) - greatest_bias(data, true));
  const double least = std::min(low, freedman_limit(data, kAlarmTail));
  const SetLimit limit(data);
  return {data.distance, std::sqrt(on * (1 - on) / data.trials),
          low,           limit.at(kIntervalTail),
          least,         limit.at(kAlarmTail)};
}

}  // namespace speclab
