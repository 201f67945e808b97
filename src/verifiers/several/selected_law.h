#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/at_least_once.h"
#include "model/law.h"

namespace speclab {

// The law s of the token that path-block selects at a node (path_block.h), in the order of t/d:
//   rank(x)          0 for the most preferred token
//   probability(x)   s(x)
//   narrowed(x)      kappa after token x
//   residual(w)      the law proportional to [w t - s]+

/// The law by a state's table, whose order is the order of preference. With L = 1 - kappa G before
/// a token and M = L - kappa d after it, s = (L^K - M^K) / g(kappa). t / d and s / d both fall
/// along that order, so the tokens with w t > s need not be a prefix: they are found by bisecting
/// the ranges of ranks in which bounds of the two ratios decide nothing. The sum of s over a range
/// has the same form as s.
class RankedSelection {
 public:
  RankedSelection(const StateTable& table, double kappa, int drafts)
      : table_(&table), kappa_(kappa), drafts_(drafts), hit_(at_least_once(kappa, drafts)) {}

  [[nodiscard]] std::size_t rank(Token x) const { return table_->rank(x); }
  [[nodiscard]] double probability(Token x) const { return probability_at(rank(x)); }
  [[nodiscard]] double narrowed(Token x) const {
    const double left = left_at(rank(x));
    const double own = kappa_ * table_->draft_at(rank(x));
    return left > own ? own / left : 1.0;
  }

  /// A range of ranks, in all of which w t > s, and the sum of w t - s over it.
  struct Piece {
    std::size_t from;
    std::size_t to;
    double mass;
  };

  class Rest {
   public:
    using Real = double;
    Rest(const RankedSelection& law, double weight);
    [[nodiscard]] Token size() const { return static_cast<Token>(law_.table_->size()); }
    [[nodiscard]] double weight(Token x) const { return law_.rest_at(law_.rank(x), weight_); }
    [[nodiscard]] double mass() const { return mass_; }
    [[nodiscard]] Token pick(double u) const;

   private:
    const RankedSelection& law_;
    double weight_;
    double mass_ = 0;
    std::vector<Piece> pieces_;
  };
  [[nodiscard]] Rest residual(double weight) const { return {*this, weight}; }

 private:
  /// Ranges up to this long are summed token by token.
  static constexpr std::size_t kDirect = 16;
  /// A difference of sums is used where it is at least this fraction of them.
  static constexpr double kSpare = 0x1p-20;

  /// Which ranks of a range have w t > s, as far as bounds decide.
  enum class Side { without, mixed, within };

  /// 1 - kappa G before this rank.
  [[nodiscard]] double left_at(std::size_t rank) const {
    return positive_part<double>(1 - kappa_ * table_->draft_before(rank));
  }
  [[nodiscard]] double probability_at(std::size_t rank) const;
  [[nodiscard]] double rest_at(std::size_t rank, double weight) const {
    return positive_part<double>(weight * table_->target_at(rank) - probability_at(rank));
  }
  /// Sum of w t - s over the ranks [from, to), of any sign.
  [[nodiscard]] double rest_over(double weight, std::size_t from, std::size_t to) const;
  [[nodiscard]] Side side(double weight, std::size_t from, std::size_t to) const;
  void add_pieces(double weight, std::size_t from, std::size_t to,
                  std::vector<Piece>& pieces) const;

  const StateTable* table_;
  double kappa_;
  int drafts_;
  double hit_;
};

/// The law token by token, in O(V log V).
template <class R>
class ListedSelection {
 public:
  using Real = R;

  template <class Laws>
  ListedSelection(const Laws& laws, const Real& kappa, int drafts) : kappa_(kappa) {
    for (Token x = 0; x < laws.vocabulary(); ++x) {
      target_.push_back(laws.target(x));
      if (laws.draft(x) > 0) order_.push_back(x);
    }
    std::sort(order_.begin(), order_.end(), [&](Token x, Token y) {
      const Real left = laws.target(x) * laws.draft(y);
      const Real right = laws.target(y) * laws.draft(x);
      return left == right ? x < y : right < left;
    });
    const auto size = static_cast<std::size_t>(laws.vocabulary());
    rank_.assign(size, size);
    probability_.assign(size, Real(0));
    narrowed_.assign(size, Real(0));
    const Real hit = at_least_once(kappa_, drafts);
    Real preferred(0);
    for (std::size_t r = 0; r < order_.size(); ++r) {
      const auto x = static_cast<std::size_t>(order_[r]);
      const Real& draft = laws.draft(order_[r]);
      rank_[x] = r;
      const Real passed = min_one<Real>(kappa_ * preferred);
      const Real left = 1 - passed;
      narrowed_[x] = left > kappa_ * draft ? Real(kappa_ * draft / left) : Real(1);
      // Where kappa underflows, the path is treated as the only draft.
      probability_[x] =
          hit > 0 ? Real(never(passed, drafts) * at_least_once(narrowed_[x], drafts) / hit) : draft;
      preferred += draft;
    }
  }

  [[nodiscard]] const Real& probability(Token x) const { return probability_[index(x)]; }
  [[nodiscard]] const Real& narrowed(Token x) const { return narrowed_[index(x)]; }
  [[nodiscard]] std::size_t rank(Token x) const { return rank_[index(x)]; }

  [[nodiscard]] DenseLaw<Real> residual(const Real& weight) const {
    std::vector<Real> weights;
    for (std::size_t i = 0; i < target_.size(); ++i) {
      weights.push_back(positive_part<Real>(weight * target_[i] - probability_[i]));
    }
    return DenseLaw<Real>(std::move(weights));
  }

 private:
  static std::size_t index(Token x) { return static_cast<std::size_t>(x); }

  Real kappa_;
  std::vector<Token> order_;
  std::vector<Real> target_;
  std::vector<std::size_t> rank_;
  std::vector<Real> probability_;
  std::vector<Real> narrowed_;
};

/// The law of the selected token with or without the tables of a state.
template <class R>
class SelectedLaw {
 public:
  using Real = R;

  template <class Laws>
  SelectedLaw(const Laws& laws, const Real& kappa, int drafts) : law_(made(laws, kappa, drafts)) {}

  [[nodiscard]] std::size_t rank(Token x) const {
    return std::visit([x](const auto& law) { return law.rank(x); }, law_);
  }
  [[nodiscard]] Real probability(Token x) const {
    return std::visit([x](const auto& law) { return Real(law.probability(x)); }, law_);
  }
  [[nodiscard]] Real narrowed(Token x) const {
    return std::visit([x](const auto& law) { return Real(law.narrowed(x)); }, law_);
  }
  /// Calls act(residual(weight)).
  template <class Act>
  auto with_residual(const Real& weight, const Act& act) const {
    return std::visit([&](const auto& law) { return act(law.residual(weight)); }, law_);
  }

 private:
  static constexpr bool kRanked = std::is_same_v<Real, double>;
  using Listed = ListedSelection<Real>;
  using Law =
      std::conditional_t<kRanked, std::variant<RankedSelection, Listed>, std::variant<Listed>>;

  template <class Laws>
  static Law made(const Laws& laws, const Real& kappa, int drafts) {
    if constexpr (kRanked && requires { laws.table(); }) {
      if (laws.table() != nullptr) return RankedSelection(*laws.table(), kappa, drafts);
    }
    return Listed(laws, kappa, drafts);
  }

  Law law_;
};

}  // namespace speclab
