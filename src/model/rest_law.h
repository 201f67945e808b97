#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <utility>
#include <variant>
#include <vector>

#include "model/law.h"

namespace speclab {

// The rest of a law [a t - b d]+ at a node when draft mass is subtracted repeatedly and some tokens
// are removed: the targets of recursive rejection, the law of a draft drawn without replacement,
// the slots of slot-block. With t the target and d the draft there:
//
//   weight(x) mass() pick(u)     as any law; probability(x) = weight(x) / mass()
//   strike(x)                    the weight of x is 0 from now on
//   keep(x)                      later subtractions leave x unchanged
//   subtract(laws, c)            every other weight w becomes [w - c d]+
//   scale(s)                     every weight is multiplied by s >= 0
//
// Subtracting and scaling keep the form [a t - b d]+, except for the tokens named. Worked example:
// t = (1/2, 1/4, 1/4), d = (1/4, 1/2, 1/4): strike(0), subtract(1/2) leaves (0, 0, 1/8).

/// By a state's table: O(log V) for each range of ranks between the tokens named.
class RankedRest {
 public:
  RankedRest(const StateTable& table, const Wide& a, const Wide& b)
      : table_(&table), a_(a), b_(b), above_(b_.high < 0 ? table.size() : table.count_above(a, b)) {
    add_up();
  }

  [[nodiscard]] double weight(Token x) const;
  [[nodiscard]] const Wide& mass() const { return mass_; }
  [[nodiscard]] Token pick(double u) const;
  void strike(Token x) { name(x, 0); }
  void keep(Token x) { name(x, weight(x)); }
  /// @param laws  those of the table
  template <class Laws>
  void subtract(const Laws& /*laws*/, const Wide& c) {
    subtract_draft(c);
  }
  void scale(const Wide& s);

 private:
  /// A token with an individual weight.
  struct Named {
    std::size_t rank;
    double weight;
  };

  void subtract_draft(const Wide& c);
  void name(Token x, double weight);
  void add_up();
  /// Calls visit(from, to) for the ranges of ranks between the named tokens, in order.
  template <class Visit>
  void for_ranges(const Visit& visit) const {
    std::size_t from = 0;
    for (const Named& named : named_) {
      visit(from, std::min(named.rank, above_));
      from = named.rank + 1;
    }
    visit(from, above_);
  }

  const StateTable* table_;
  Wide a_;
  Wide b_;
  std::size_t above_;                               ///< the ranks below it have weight
  boost::container::small_vector<Named, 4> named_;  ///< by rank
  Wide mass_;
};

/// Token by token.
template <class R>
class ListedRest {
 public:
  using Real = R;
  /// @param weight  token -> weight
  template <class Weight>
  ListedRest(Token size, const Weight& weight) {
    weights_.reserve(static_cast<std::size_t>(size));
    for (Token x = 0; x < size; ++x) weights_.push_back(weight(x));
    mass_ = total(weights_);
  }

  [[nodiscard]] Token size() const { return static_cast<Token>(weights_.size()); }
  [[nodiscard]] const Real& weight(Token x) const { return weights_[static_cast<std::size_t>(x)]; }
  [[nodiscard]] const Real& mass() const { return mass_; }
  [[nodiscard]] Token pick(double u) const { return pick_in_order(*this, u); }
  void keep(Token x) { kept_.push_back(x); }
  void strike(Token x) {
    Real& struck = weights_[static_cast<std::size_t>(x)];
    keep(x);
    if constexpr (std::is_same_v<Real, double>) {
      struck = 0;
      mass_ = total(weights_);
    } else {
      mass_ -= struck;
      struck = Real(0);
    }
  }
  template <class Laws>
  void subtract(const Laws& laws, const WideOf<Real>& wide) {
    const Real& c = narrow(wide);
    for (Token x = 0; x < size(); ++x) {
      if (std::find(kept_.begin(), kept_.end(), x) != kept_.end()) continue;
      Real& weight = weights_[static_cast<std::size_t>(x)];
      weight = positive_part<Real>(weight - c * laws.draft(x));
    }
    mass_ = total(weights_);
  }
  void scale(const WideOf<Real>& wide) {
    const Real& s = narrow(wide);
    for (Real& weight : weights_) weight *= s;
    mass_ *= s;
  }

 private:
  std::vector<Real> weights_;
  std::vector<Token> kept_;
  Real mass_{0};
};

/// Uses the table where there is one. None of it is inlined: with callers that are flattened, the
/// exact interpreter would be many times its size.
template <class R>
class RestLaw {
 public:
  using Real = R;
  using Scale = WideOf<Real>;

  template <class Laws>
  static RestLaw draft(const Laws& laws) {
    return made(laws, Scale(0), Scale(-1), [&](Token x) { return Real(laws.draft(x)); });
  }
  template <class Laws>
  static RestLaw target(const Laws& laws) {
    return made(laws, Scale(1), Scale(0), [&](Token x) { return Real(laws.target(x)); });
  }
  /// [scale t - d]+.
  template <class Laws>
  static RestLaw residual(const Laws& laws, const Real& scale) {
    return made(laws, Scale(scale), Scale(1), [&](Token x) {
      return positive_part<Real>(scale * laws.target(x) - laws.draft(x));
    });
  }

  [[nodiscard]] Token size() const { return size_; }
  [[nodiscard, gnu::noinline]] Real weight(Token x) const {
    return std::visit([x](const auto& rest) { return Real(rest.weight(x)); }, rest_);
  }
  [[nodiscard]] Real mass() const {
    return std::visit([](const auto& rest) { return Real(narrow(rest.mass())); }, rest_);
  }
  /// The mass at its full accuracy.
  [[nodiscard, gnu::noinline]] Scale wide_mass() const {
    return std::visit([](const auto& rest) { return Scale(rest.mass()); }, rest_);
  }
  [[nodiscard, gnu::noinline]] Token pick(double u) const {
    return std::visit([u](const auto& rest) { return rest.pick(u); }, rest_);
  }
  /// weight(x) / mass(). @pre mass() > 0
  [[nodiscard]] Real probability(Token x) const { return Real(weight(x) / mass()); }

  [[gnu::noinline]] void strike(Token x) {
    std::visit([x](auto& rest) { rest.strike(x); }, rest_);
  }
  [[gnu::noinline]] void keep(Token x) {
    std::visit([x](auto& rest) { rest.keep(x); }, rest_);
  }
  template <class Laws>
  [[gnu::noinline]] void subtract(const Laws& laws, const Scale& c) {
    std::visit([&](auto& rest) { rest.subtract(laws, c); }, rest_);
  }
  [[gnu::noinline]] void scale(const Scale& s) {
    std::visit([&s](auto& rest) { rest.scale(s); }, rest_);
  }
  /// Scales the mass to 1 where it is positive.
  void normalise() {
    if (mass() > 0) scale(Scale(1) / wide_mass());
  }

 private:
  static constexpr bool kRanked = std::is_same_v<Real, double>;
  using Listed = ListedRest<Real>;
  using Rest = std::conditional_t<kRanked, std::variant<RankedRest, Listed>, std::variant<Listed>>;

  RestLaw(Token size, Rest rest) : size_(size), rest_(std::move(rest)) {}

  template <class Laws, class Weight>
  [[gnu::noinline]] static RestLaw made(const Laws& laws, const Scale& a, const Scale& b,
                                        const Weight& weight) {
    if constexpr (kRanked && requires { laws.table(); }) {
      if (const StateTable* table = laws.table()) {
        return {laws.vocabulary(), Rest(RankedRest(*table, a, b))};
      }
    }
    return {laws.vocabulary(), Rest(Listed(laws.vocabulary(), weight))};
  }

  Token size_;
  Rest rest_;
};

}  // namespace speclab
