#pragma once

#include <array>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <span>
#include <vector>

#include "base/types.h"

namespace speclab {

class StateTable;

/// A function of the ratio d / t of a token, t the target and d the draft.
class RatioFunction {
 public:
  static constexpr std::size_t kPoints = 12;
  using Points = std::array<double, kPoints>;
  RatioFunction() = default;
  RatioFunction(const RatioFunction&) = delete;
  RatioFunction& operator=(const RatioFunction&) = delete;
  virtual ~RatioFunction() = default;
  /// Overwrites ratios by values.
  virtual void apply(Points& points) const = 0;
};

/// Sums of t G(d / t) over ranges of a state's ranks for functions G that are smooth on the ratios
/// of a range: O(log V) values of G in place of one a token.
///
/// The ranks are halved into blocks. A block holds the sums of t times each Lagrange polynomial of
/// kPoints Chebyshev points on the interval of its ratios, so that sum t G(d / t) = sum weight
/// G(point) for every polynomial G of a degree below kPoints. Where the last Chebyshev coefficients
/// of G do not vanish on a block, its halves are summed, and in a leaf the tokens. The relative
/// error is below 1e-12 for what is asked here: powers of gaps and their differences.
class RankedSums {
 public:
  using Points = RatioFunction::Points;
  static constexpr std::size_t kPoints = RatioFunction::kPoints;
  /// The most ranks of a leaf.
  static constexpr std::size_t kLeaf = 48;

  /// @param table  must outlive this
  explicit RankedSums(const StateTable& table);

  /// Sum of t G(d / t) over the ranks [from, to). @pre they have target mass; G is smooth on them
  [[nodiscard]] double sum(const RatioFunction& g, std::size_t from, std::size_t to) const;

  /// The rank of [0, to) at which the running sum passes `left`. @param left  u * sum(g, 0, to)
  [[nodiscard]] std::size_t pick(const RatioFunction& g, std::size_t to, double left) const;

  [[nodiscard]] std::size_t bytes() const { return sizeof(*this) + blocks_.size() * sizeof(Block); }

 private:
  struct Block {
    double middle = 0;  ///< the ratios are in middle +- half
    double half = 0;
    double mass = 0;  ///< the sum of t
    Points weights{};
  };
  /// The ranks [from, to) of block `index`: the root is 1, the halves of n are 2 n and 2 n + 1.
  struct Place {
    std::size_t index;
    std::size_t from;
    std::size_t to;
    [[nodiscard]] Place half(bool second) const {
      const std::size_t middle = from + (to - from) / 2;
      return second ? Place{2 * index + 1, middle, to} : Place{2 * index, from, middle};
    }
  };

  [[nodiscard]] Place root() const { return {1, 0, ranks_}; }
  [[nodiscard]] double ratio(std::size_t rank) const;
  void make(const Place& place);
  /// @param before  the sum of the ranks before these, which an error is compared with
  [[nodiscard]] double sum_in(const RatioFunction& g, const Place& place, std::size_t from,
                              std::size_t to, double before) const;
  /// Calls visit(rank, t G(d / t)) for the ranks [from, to) while it returns true.
  template <class Visit>
  void each_term(const RatioFunction& g, std::size_t from, std::size_t to,
                 const Visit& visit) const;
  [[nodiscard]] double sum_directly(const RatioFunction& g, std::size_t from, std::size_t to) const;
  [[nodiscard]] std::size_t pick_directly(const RatioFunction& g, std::size_t from, std::size_t to,
                                          double left) const;

  const StateTable& table_;
  std::size_t ranks_;   ///< those that have entries and target mass
  std::size_t leaves_;  ///< a power of two
  std::vector<Block> blocks_;
};

/// The target t' of a node below carries whose tables are large: t' = t F(d / t), where each carry
/// by `share` s of power K replaces F by F (1 - s r / F)^K / mass at the ratio r, and by 0 where
/// that is negative. Questions about t' take O(log V) values of F.
class CarriedTarget {
 public:
  /// Below this many tokens a row is as fast.
  static constexpr std::size_t kLeast = 512;

  /// The weight a t' ((1 - b d / (a t'))^power - less) of a token, with less = 0 and power 1 the
  /// gap a t' - b d.
  struct Form {
    double a = 1;
    double b = 0;
    int power = 1;
    double less = 0;
  };

  /// The target itself. @param table  of at least kLeast tokens; must outlive this
  explicit CarriedTarget(const StateTable& table);

  /// Puts a carry on top. @param mass  > 0: that of the weights t' (1 - share d / t')^power
  void carry(double share, int power, double mass) { carries_.push_back({share, power, mass}); }

  [[nodiscard]] std::span<const double> draft_row() const;
  [[nodiscard]] double draft(Token x) const { return draft_row()[static_cast<std::size_t>(x)]; }
  [[nodiscard]] double target(Token x) const;
  /// Draft probability of the ranks below this one.
  [[nodiscard]] double draft_before(std::size_t rank) const;

  /// How many tokens have a t' > b d, of the first `limit` ranks: they are the first.
  [[nodiscard]] std::size_t count_above(double a, double b, std::size_t limit) const;
  [[nodiscard]] std::size_t count_above(double a, double b) const;

  /// Sum of a form's weights over the ranks [from, to). @pre a t' > b d in all of them
  [[nodiscard]] double mass(const Form& form, std::size_t from, std::size_t to) const;

  /// A token of the first `above` > 0 ranks. @param left  u * mass(form, 0, above)
  [[nodiscard]] Token pick(const Form& form, std::size_t above, double left) const;

 private:
  struct Carry {
    double share;
    int power;
    double mass;
  };
  class FormFunction;

  const StateTable* table_;
  const RankedSums* sums_;
  boost::container::small_vector<Carry, 4> carries_;
};

}  // namespace speclab
