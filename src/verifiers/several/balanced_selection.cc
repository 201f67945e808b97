#include "verifiers/several/balanced_selection.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "base/power.h"
#include "base/sum.h"

namespace speclab {
namespace {

/// The matrix with a, b, c on its diagonal and ones above it, and its powers. Above the diagonal of
/// its K-th power are the divided differences of x^K over a, b, over b, c and over a, b, c (Opitz):
/// ab = (b^K - a^K) / (b - a), without cancellation.
template <class Real>
struct Differences {
  Real a, b, c, ab{1}, bc{1}, abc{0};

  Differences(const Real& first, const Real& second, const Real& third)
      : a(first), b(second), c(third) {}
  explicit Differences(int one) : a(one), b(one), c(one), ab(0), bc(0) {}

  Differences& operator*=(const Differences& other) {
    abc = a * other.abc + ab * other.bc + abc * other.c;
    ab = a * other.ab + ab * other.b;
    bc = b * other.bc + bc * other.c;
    a *= other.a;
    b *= other.b;
    c *= other.c;
    return *this;
  }
};

template <class Real>
Differences<Real> differences_of_power(int power, const Real& a, const Real& b, const Real& c) {
  return speclab::power(Differences<Real>(a, b, c), power);
}

/// Tokens with d > 0 in the order of t/d, with the sums over prefixes of them.
template <class Real>
struct Ordered {
  std::vector<std::size_t> tokens;
  std::vector<Real> draft, target;                                // by rank
  std::vector<Real> draft_below{Real(0)}, target_below{Real(0)};  // by the length of a prefix
  int drafts;

  Ordered(const std::vector<Real>& d, const std::vector<Real>& t, int count) : drafts(count) {
    std::vector<Real> ratios(d.size());
    for (std::size_t x = 0; x < d.size(); ++x) {
      if (!(d[x] > 0)) continue;
      tokens.push_back(x);
      ratios[x] = t[x] / d[x];
    }
    std::stable_sort(tokens.begin(), tokens.end(),
                     [&](std::size_t a, std::size_t b) { return ratios[a] < ratios[b]; });
    Sum<Real> draft_sum, target_sum;
    for (const std::size_t x : tokens) {
      draft.push_back(d[x]);
      target.push_back(t[x]);
      draft_below.push_back((draft_sum += d[x]).value());
      target_below.push_back((target_sum += t[x]).value());
    }
  }

  /// The prefixes that end at a corner of the least concave majorant of (T, D^K), from 0.
  [[nodiscard]] std::vector<std::size_t> corners() const {
    std::vector<Real> chosen;  // r of a prefix is at least this
    for (const Real& sum : draft_below) chosen.push_back(power(sum, drafts));
    std::vector<std::size_t> found{0};
    std::size_t untargeted = 0;
    while (untargeted < tokens.size() && !(target[untargeted] > 0)) ++untargeted;
    if (untargeted > 0) found.push_back(untargeted);
    const std::size_t kept = found.size();
    for (std::size_t end = untargeted + 1; end <= tokens.size(); ++end) {
      while (found.size() > kept) {
        const std::size_t last = found.back();
        const std::size_t before = found[found.size() - 2];
        const Real rise =
            (chosen[last] - chosen[before]) * (target_below[end] - target_below[last]);
        const Real next =
            (chosen[end] - chosen[last]) * (target_below[last] - target_below[before]);
        if (next < rise) break;
        found.pop_back();
      }
      found.push_back(end);
    }
    return found;
  }
};

/// The tokens of ranks first, .., end - 1 between two corners.
template <class Real>
struct Block {
  const Ordered<Real>& order;
  std::size_t first, end;
  Real drafted, targeted;
  Real rise;  ///< (D_b^K - D_a^K) / (D_b - D_a), without cancellation

  Block(const Ordered<Real>& all, std::size_t from, std::size_t to)
      : order(all), first(from), end(to) {
    Sum<Real> draft, target;
    for (std::size_t i = first; i < end; ++i) {
      draft += order.draft[i];
      target += order.target[i];
    }
    drafted = draft.value();
    targeted = target.value();
    rise = differences_of_power<Real>(order.drafts, order.draft_below[first],
                                      order.draft_below[end], Real(0))
               .ab;
  }

  /// r of the token of a rank.
  [[nodiscard]] Real chosen(std::size_t rank) const {
    if (!(targeted > 0)) return rise * order.draft[rank];
    return rise * drafted * Real(order.target[rank] / targeted);
  }
  /// The slope r / d there.
  [[nodiscard]] Real slope(std::size_t rank) const {
    if (!(targeted > 0)) return rise;
    return rise * Real(order.target[rank] / targeted) / Real(order.draft[rank] / drafted);
  }
};

/// The borders within one block, taken away one after another while u rises from 0 to 1.
template <class Real>
class Borders {
 public:
  Borders(const Block<Real>& block, std::vector<Real>& stands)
      : order_(block.order),
        first_(block.first),
        borders_(block.end - block.first + 1),
        stands_(stands) {
    for (std::size_t i = 1; i < borders_.size(); ++i) {
      borders_[i].before = i - 1;
      borders_[i - 1].after = i;
    }
    for (std::size_t i = 1; i + 1 < borders_.size(); ++i) {
      const std::size_t rank = first_ + i;
      borders_[i].bend = positive_part<Real>(block.slope(rank) - block.slope(rank - 1));
      expect(i);
    }
  }

  void remove_all() {
    while (!falls_.empty()) {
      const auto [now, at] = *falls_.begin();
      falls_.erase(falls_.begin());
      stands_[first_ + at] = now;
      const std::size_t before = borders_[at].before;
      const std::size_t after = borders_[at].after;
      advance(before, now);
      advance(after, now);
      borders_[before].after = after;
      borders_[after].before = before;
      expect(before);
      expect(after);
    }
  }

 private:
  struct Border {
    std::size_t before = 0, after = 0;  ///< the standing borders beside it
    Real since{0};                      ///< the u at which `bend` is what is left
    Real bend{0};                       ///< the change of the slope of the rest
    Real rate{0};  ///< the change of the slope of the standing borders' function
    Real fall{1};  ///< the u at which the bend is used up, at most 1
  };

  [[nodiscard]] bool within(std::size_t at) const { return at > 0 && at + 1 < borders_.size(); }

  /// Takes away the bend used up to `now`.
  void advance(std::size_t at, const Real& now) {
    if (!within(at)) return;
    Border& border = borders_[at];
    if (border.fall < 1) falls_.erase({border.fall, at});
    border.bend = positive_part<Real>(border.bend - (now - border.since) * border.rate);
    border.since = now;
  }

  void expect(std::size_t at) {
    if (!within(at)) return;
    Border& border = borders_[at];
    const Real& low = order_.draft_below[first_ + border.before];
    const Real& high = order_.draft_below[first_ + border.after];
    border.rate =
        (high - low) *
        differences_of_power<Real>(order_.drafts, low, order_.draft_below[first_ + at], high).abc;
    border.fall = Real(1);
    stands_[first_ + at] = border.fall;
    if (!(border.rate > 0)) return;
    const Real fall = border.since + border.bend / border.rate;
    if (!(fall < 1)) return;
    border.fall = fall;
    falls_.emplace(fall, at);
  }

  const Ordered<Real>& order_;
  std::size_t first_;
  std::vector<Border> borders_;
  std::set<std::pair<Real, std::size_t>> falls_;
  std::vector<Real>& stands_;
};

}  // namespace

template <class Real>
BalancedSelection<Real>::BalancedSelection(const std::vector<Real>& draft,
                                           const std::vector<Real>& target, int drafts)
    : rank_(draft.size(), 0), chosen_(draft.size(), Real(0)) {
  const Ordered<Real> order(draft, target, drafts);
  for (std::size_t i = 0; i < order.tokens.size(); ++i) rank_[order.tokens[i]] = i;
  stands_.assign(order.tokens.size(), Real(1));
  const std::vector<std::size_t> corners = order.corners();
  for (std::size_t corner = 1; corner < corners.size(); ++corner) {
    const Block<Real> block(order, corners[corner - 1], corners[corner]);
    for (std::size_t i = block.first; i < block.end; ++i) {
      chosen_[order.tokens[i]] = block.chosen(i);
    }
    Borders<Real>(block, stands_).remove_all();
  }
}

template <class Real>
std::vector<Real> BalancedSelection<Real>::weights(std::span<const Token> drawn) const {
  const auto rank = [&](std::size_t j) { return rank_[static_cast<std::size_t>(drawn[j])]; };
  std::vector<std::size_t> falling(drawn.size());
  std::iota(falling.begin(), falling.end(), std::size_t{0});
  std::sort(falling.begin(), falling.end(),
            [&](std::size_t a, std::size_t b) { return rank(a) > rank(b); });
  // The share of the mixture in which a draft is not in the best class.
  std::vector<Real> apart(drawn.size(), Real(0));
  Real most(0);
  std::size_t border = rank(falling.front());
  for (const std::size_t j : falling) {
    for (; border > rank(j); --border) most = std::max(most, stands_[border]);
    apart[j] = most;
  }
  std::vector<Real> result;
  Real open(1);
  for (const Real& share : apart) {
    result.push_back(positive_part<Real>(open - share));
    open = std::min(open, share);
  }
  return result;
}

template class BalancedSelection<double>;
template class BalancedSelection<Rational>;

}  // namespace speclab
