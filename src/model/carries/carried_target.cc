#include "model/carries/carried_target.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "base/first_false.h"
#include "model/state_table.h"

namespace speclab {
namespace {

using Points = RatioFunction::Points;
constexpr std::size_t kPoints = RatioFunction::kPoints;

/// A block is summed by its points where the last coefficients of the function, times the target
/// mass of the block, are below this part of the sum.
constexpr double kSmooth = 0x1p-44;

/// T_k at the Chebyshev points: [k][i] is cos(k (2 i + 1) pi / (2 kPoints)).
const std::array<Points, kPoints>& polynomials() {
  static const std::array<Points, kPoints> all = [] {
    std::array<Points, kPoints> made{};
    for (std::size_t k = 0; k < kPoints; ++k) {
      for (std::size_t i = 0; i < kPoints; ++i) {
        made[k][i] = std::cos(static_cast<double>(k * (2 * i + 1)) * std::numbers::pi /
                              static_cast<double>(2 * kPoints));
      }
    }
    return made;
  }();
  return all;
}

/// Adds weight * T_k(z) to each moment. @param z  in [-1, 1] but for rounding
void add_moments(double z, double weight, Points& moments) {
  // Outside, T_k grows without bound: ratios a few units in the last place apart.
  z = std::clamp(z, -1.0, 1.0);
  double here = weight;
  double next = weight * z;
  for (double& moment : moments) {
    moment += here;
    const double after = 2 * z * next - here;
    here = next;
    next = after;
  }
}

/// The coefficient of T_k in the polynomial through these values.
double coefficient(const Points& values, std::size_t k) {
  const Points& polynomial = polynomials()[k];
  double sum = 0;
  for (std::size_t i = 0; i < kPoints; ++i) sum += values[i] * polynomial[i];
  return 2 * sum / static_cast<double>(kPoints);
}

/// An address of the tables' own.
const char kKey = 0;

/// Replaces F by F (1 - share r / F)^power at each ratio r, and by 0 where that is negative.
template <std::size_t N>
void apply_carry(const std::array<double, N>& ratios, double share, int power,
                 std::array<double, N>& kept) {
  std::array<double, N> part;
  for (std::size_t i = 0; i < N; ++i) {
    const double gap = kept[i] - share * ratios[i];
    part[i] = gap > 0 ? gap / kept[i] : 0.0;
    kept[i] = gap > 0 ? gap : 0.0;
  }
  for (int left = power - 1; left > 0; left /= 2) {
    for (std::size_t i = 0; i < N && left % 2 == 1; ++i) kept[i] *= part[i];
    for (std::size_t i = 0; i < N && left > 1; ++i) part[i] *= part[i];
  }
}

/// F at each ratio. @param carries  bottom first
template <std::size_t N, class Carries>
std::array<double, N> factors(const std::array<double, N>& ratios, const Carries& carries) {
  std::array<double, N> kept;
  kept.fill(1);
  for (const auto& each : carries) {
    apply_carry(ratios, each.share, each.power, kept);
    // Not times 1 / mass, which overflows where powers are tiny.
    for (double& factor : kept) factor /= each.mass;
  }
  return kept;
}

}  // namespace

RankedSums::RankedSums(const StateTable& table)
    : table_(table),
      ranks_(std::min(table.listed(), table.target_law().count)),
      leaves_(std::bit_ceil((ranks_ + kLeaf - 1) / kLeaf)),
      blocks_(2 * leaves_) {
  if (ranks_ > 0) make(root());
}

double RankedSums::ratio(std::size_t rank) const {
  return table_.draft_at(rank) / table_.target_at(rank);
}

void RankedSums::make(const Place& place) {
  if (place.from == place.to) return;
  Block& block = blocks_[place.index];
  const double low = ratio(place.from);
  const double high = ratio(place.to - 1);
  block.middle = low + (high - low) / 2;
  block.half = std::max(high - block.middle, block.middle - low);
  const double scale = block.half > 0 ? 1 / block.half : 0.0;
  Points moments{};
  if (place.index >= leaves_) {
    for (std::size_t k = place.from; k < place.to; ++k) {
      add_moments((ratio(k) - block.middle) * scale, table_.target_at(k), moments);
    }
  } else {
    for (const bool second : {false, true}) {
      const Place half = place.half(second);
      make(half);
      const Block& part = blocks_[half.index];
      for (std::size_t i = 0; i < kPoints; ++i) {
        const double point = part.middle + part.half * polynomials()[1][i];
        add_moments((point - block.middle) * scale, part.weights[i], moments);
      }
    }
  }
  block.mass = moments[0];
  for (std::size_t i = 0; i < kPoints; ++i) {
    double sum = moments[0] / 2;
    for (std::size_t k = 1; k < kPoints; ++k) sum += moments[k] * polynomials()[k][i];
    block.weights[i] = 2 * sum / static_cast<double>(kPoints);
  }
}

template <class Visit>
void RankedSums::each_term(const RatioFunction& g, std::size_t from, std::size_t to,
                           const Visit& visit) const {
  for (; from < to; from += kPoints) {
    const std::size_t count = std::min(kPoints, to - from);
    Points values{};
    for (std::size_t i = 0; i < kPoints; ++i) values[i] = ratio(from + std::min(i, count - 1));
    g.apply(values);
    for (std::size_t i = 0; i < count; ++i) {
      if (!visit(from + i, table_.target_at(from + i) * values[i])) return;
    }
  }
}

double RankedSums::sum_directly(const RatioFunction& g, std::size_t from, std::size_t to) const {
  double sum = 0;
  each_term(g, from, to, [&sum](std::size_t, double term) {
    sum += term;
    return true;
  });
  return sum;
}

double RankedSums::sum_in(const RatioFunction& g, const Place& place, std::size_t from,
                          std::size_t to, double before) const {
  from = std::max(from, place.from);
  to = std::min(to, place.to);
  if (from >= to) return 0;
  if (from == place.from && to == place.to) {
    const Block& block = blocks_[place.index];
    Points values;
    for (std::size_t i = 0; i < kPoints; ++i) {
      values[i] = block.middle + block.half * polynomials()[1][i];
    }
    g.apply(values);
    double sum = 0;
    for (std::size_t i = 0; i < kPoints; ++i) sum += block.weights[i] * values[i];
    double left = 0;
    for (std::size_t k = kPoints - 3; k < kPoints; ++k) left += std::abs(coefficient(values, k));
    // Not where a ratio overflows: then `sum` is a NaN.
    if (left * block.mass <= kSmooth * std::abs(before + sum)) return sum;
  }
  if (place.index >= leaves_) return sum_directly(g, from, to);
  const double first = sum_in(g, place.half(false), from, to, before);
  return first + sum_in(g, place.half(true), from, to, before + first);
}

double RankedSums::sum(const RatioFunction& g, std::size_t from, std::size_t to) const {
  const double sum = sum_in(g, root(), from, to, 0);
  const std::size_t first = std::max(from, table_.listed());
  if (first >= to) return sum;
  // All tokens without entries have one ratio.
  Points values;
  values.fill(ratio(first));
  g.apply(values);
  return sum + table_.mass(0, -1, first, to).value() / ratio(first) * values[0];
}

std::size_t RankedSums::pick(const RatioFunction& g, std::size_t to, double left) const {
  const std::size_t inside = std::min(to, ranks_);
  if (to > inside) {
    const double within = sum_in(g, root(), 0, inside, 0);
    if (!(left < within)) {
      return inside + first_false(to - 1 - inside, [&](std::size_t k) {
               return !(within + sum(g, inside, inside + k + 1) > left);
             });
    }
  }
  Place place = root();
  while (place.index < leaves_) {
    const Place second = place.half(true);
    const double first = sum_in(g, place.half(false), 0, inside, 0);
    if (left < first || second.from >= inside) {
      place = place.half(false);
    } else {
      left -= first;
      place = second;
    }
  }
  return pick_directly(g, place.from, std::min(place.to, inside), left);
}

std::size_t RankedSums::pick_directly(const RatioFunction& g, std::size_t from, std::size_t to,
                                      double left) const {
  std::size_t last = from;
  each_term(g, from, to, [&](std::size_t rank, double term) {
    if (!(term > 0)) return true;
    last = rank;
    if (left < term) return false;
    left -= term;
    return true;
  });
  return last;
}

/// A form's weight over t.
class CarriedTarget::FormFunction : public RatioFunction {
 public:
  FormFunction(const CarriedTarget& target, const Form& form) : target_(target), form_(form) {}
  void apply(Points& points) const override {
    Points whole = factors(points, target_.carries_);
    for (double& each : whole) each *= form_.a;
    Points kept = whole;
    apply_carry(points, form_.b, form_.power, kept);
    for (std::size_t i = 0; i < kPoints; ++i) points[i] = kept[i] - form_.less * whole[i];
  }

 private:
  const CarriedTarget& target_;
  const Form& form_;
};

CarriedTarget::CarriedTarget(const StateTable& table)
    : table_(&table),
      sums_(&table.derived<RankedSums>({&kKey}, [&table] { return RankedSums(table); })) {}

std::span<const double> CarriedTarget::draft_row() const { return table_->draft(); }

double CarriedTarget::draft_before(std::size_t rank) const { return table_->draft_before(rank); }

double CarriedTarget::target(Token x) const {
  const double own = table_->target_of(x);
  if (!(own > 0)) return 0;
  return own * factors(std::array{draft(x) / own}, carries_)[0];
}

std::size_t CarriedTarget::count_above(double a, double b, std::size_t limit) const {
  return first_false(std::min(limit, table_->target_law().count), [&](std::size_t k) {
    const std::array ratio{table_->draft_at(k) / table_->target_at(k)};
    return a * factors(ratio, carries_)[0] - b * ratio[0] > 0;
  });
}

std::size_t CarriedTarget::count_above(double a, double b) const {
  return count_above(a, b, table_->size());
}

double CarriedTarget::mass(const Form& form, std::size_t from, std::size_t to) const {
  return from < to ? sums_->sum(FormFunction(*this, form), from, to) : 0.0;
}

Token CarriedTarget::pick(const Form& form, std::size_t above, double left) const {
  return table_->token(sums_->pick(FormFunction(*this, form), above, left));
}

}  // namespace speclab
