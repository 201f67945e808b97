#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "base/integer.h"
#include "theory/measure.h"

namespace speclab {

/// From a state: element i has, by the state that they lead to, the sums of P(tau >= i, X^i = x^i)
/// over the paths x^i of i tokens. Element 0 is the state itself.
template <class Real>
using AcceptedMasses = std::vector<std::vector<std::pair<State, Real>>>;

/// Expectations of a whole decode of T tokens.
template <class Real>
struct DecodeTotals {
  Real calls{0};              ///< iterations
  Real rejections{0};         ///< iterations that end in a correction
  Real draft_steps{0};        ///< drafted positions, one after another
  std::vector<Real> reached;  ///< element i: iterations that accept i tokens or more
};

/// Masses that have one denominator, so that sums of fractions of many digits reduce nothing: a
/// mass is number / scale. In doubles the scale is 1.
template <class Real>
struct Shared {
  using Number = double;
  static double denominator(double) { return 1; }
  static double common(double, double) { return 1; }
  static double number(double share, double) { return share; }
  static double value(double number, double) { return number; }
  static double bits(double) { return 0; }
};
template <>
struct Shared<Rational> {
  using Number = Integer;
  static Integer common(const Integer& a, const Integer& b) { return lcm(a, b); }
  static Integer denominator(const Rational& share) { return speclab::denominator(share); }
  /// @pre the share's denominator divides the scale
  static Integer number(const Rational& share, const Integer& scale) {
    return numerator(share) * (scale / denominator(share));
  }
  static Rational value(const Integer& number, const Integer& scale) { return {number, scale}; }
  static double bits(const Integer& scale) { return static_cast<double>(scale.bits()); }
};

/// The decode of a rule that keeps the target's law token by token: given X^i = x^i and tau >= i,
/// the next emitted token is drawn from t. Where the accepted masses do not depend on the draft
/// length either, those of one state serve every iteration from it:
///   P(tau = i, X^i = x^i, Y = y) = P(tau >= i, X^i = x^i) t(y) - P(tau >= i + 1, X^{i+1} = x^i y),
/// no less than 0, without the second term after a whole draft.
///
/// Worked example: token, toy pair, gamma = 1, T = 2: an iteration accepts with 2/3 and has a
/// bonus, or rejects and leaves one token to a second one, rejected with 1/3: 4/3 calls, 4/9
/// rejections.
template <class Real>
class LosslessDecode {
 public:
  /// @param masses  (state, gamma) -> AcceptedMasses of gamma + 1 elements
  template <class Masses>
  static DecodeTotals<Real> totals(const Rows<Real>& rows, const Measure<Real>& start, int gamma,
                                   int horizon, const Masses& masses, Budget& budget) {
    LosslessDecode decode(rows, gamma, horizon, budget);
    for (int n = 0; n < horizon; ++n) {
      decode.past_.push_back(n == 0 ? beginning(start) : decode.reached(n));
      if (decode.past_.size() > static_cast<std::size_t>(gamma) + 1) decode.past_.pop_front();
      for (const auto& [state, mass] : decode.past_.back().masses) {
        // Later windows are not longer than the first one from a state.
        auto [place, fresh] = decode.known_.try_emplace(state);
        if (fresh) place->second = decode.iterations(masses(state, decode.drafts(n)));
      }
      decode.count();
    }
    return std::move(decode.totals_);
  }

 private:
  using Common = Shared<Real>;
  using Number = typename Common::Number;

  /// What an iteration from a state does, by the number i of tokens.
  struct Iterations {
    std::vector<Real> tail;  ///< P(tau >= i)
    /// The state after an iteration of i drafts that are all accepted, and of i accepted ones of
    /// more.
    std::vector<std::map<State, Real>> whole, ended;
  };
  /// The contexts before an iteration that begins after n tokens.
  struct Position {
    int n;
    std::vector<std::pair<State, Number>> masses;
    Number scale;
  };

  LosslessDecode(const Rows<Real>& rows, int gamma, int horizon, Budget& budget)
      : rows_(rows), gamma_(gamma), horizon_(horizon), budget_(budget) {
    totals_.reached.resize(static_cast<std::size_t>(gamma) + 1);
  }

  [[nodiscard]] int drafts(int n) const { return std::min(gamma_, horizon_ - n); }

  static Position beginning(const Measure<Real>& start) {
    Position first{0, {}, Number(1)};
    for (const auto& [state, mass] : start.entries()) {
      first.scale = Common::common(first.scale, Common::denominator(mass));
    }
    for (const auto& [state, mass] : start.entries()) {
      first.masses.emplace_back(state, Common::number(mass, first.scale));
    }
    return first;
  }

  Iterations iterations(const AcceptedMasses<Real>& accepted) {
    Iterations found;
    for (std::size_t i = 0; i < accepted.size(); ++i) {
      budget_.spend<Real>(static_cast<double>(accepted[i].size()) * rows_.vocabulary(),
                          static_cast<int>(i));
      Sum<Real> tail;
      std::map<State, Real> next;
      for (const auto& [state, mass] : accepted[i]) {
        tail += mass;
        const auto target = rows_.target(state);
        for (std::size_t y = 0; y < target.size(); ++y) {
          if (target[y] > 0) next[rows_.next(state, static_cast<Token>(y))] += mass * target[y];
        }
      }
      found.tail.push_back(tail.value());
      found.whole.push_back(next);
      if (i + 1 == accepted.size()) break;
      for (const auto& [state, mass] : accepted[i + 1]) next[state] -= mass;
      found.ended.push_back(std::move(next));
    }
    return found;
  }

  /// The law of the state where an iteration from `state` after n tokens ends after m.
  const std::map<State, Real>& law(int n, State state, int m) const {
    const Iterations& from = known_.at(state);
    const int accepted = m - 1 - n;
    return (accepted == drafts(n) ? from.whole : from.ended)[static_cast<std::size_t>(accepted)];
  }

  /// The contexts after m tokens, from those of at most gamma + 1 positions before. Each scale
  /// divides the next one.
  Position reached(int m) {
    const Number oldest = past_.front().scale;
    Number scale(1);
    for (const Position& from : past_) {
      Number shares(1);
      for (const auto& [state, mass] : from.masses) {
        const auto& onward = law(from.n, state, m);
        budget_.spend<Real>(static_cast<double>(onward.size()), m);
        for (const auto& [next, share] : onward) {
          shares = Common::common(shares, Common::denominator(share));
        }
        check_digits(shares, from.masses.size());
      }
      scale = Common::common(scale, Number(from.scale / oldest) * shares);
      check_digits(scale, from.masses.size());
    }
    std::map<State, Number> sums;
    for (const Position& from : past_) {
      const Number left = scale / Number(from.scale / oldest);
      for (const auto& [state, mass] : from.masses) {
        const auto& shares = law(from.n, state, m);
        budget_.spend<Real>(static_cast<double>(shares.size()), m);
        for (const auto& [next, share] : shares) sums[next] += mass * Common::number(share, left);
      }
    }
    Position after{m, {}, oldest * scale};
    check_digits(after.scale, sums.size());
    for (auto& [state, mass] : sums) {
      if (mass > Number(0)) after.masses.emplace_back(state, std::move(mass));
    }
    return after;
  }

  /// Contexts whose denominators have little in common have a common one of too many digits.
  /// @throws LimitError beyond 131,072 bits (a chain of 7 states a position has 40,000 at T = 50),
  /// or 2 MB of numbers
  static void check_digits(const Number& scale, std::size_t numbers) {
    constexpr double kMostBits = 0x1p17;
    constexpr double kMostInAll = 0x1p24;
    const double bits = Common::bits(scale);
    if (bits > kMostBits || bits * static_cast<double>(numbers) > kMostInAll) {
      throw LimitError("the fractions of the closed form have too many digits");
    }
  }

  /// Adds the iterations that begin at the last position.
  void count() {
    const Position& here = past_.back();
    const auto sum = [&](std::size_t i) {
      Number scale(1);
      for (const auto& [state, mass] : here.masses) {
        scale = Common::common(scale, Common::denominator(known_.at(state).tail[i]));
      }
      Number all(0);
      for (const auto& [state, mass] : here.masses) {
        all += mass * Common::number(known_.at(state).tail[i], scale);
      }
      return Common::value(all, here.scale * scale);
    };
    const auto last = static_cast<std::size_t>(drafts(here.n));
    const Real began = sum(0);
    totals_.calls += began;
    totals_.draft_steps += began * drafts(here.n);
    totals_.reached[0] += began;
    for (std::size_t i = 1; i <= last; ++i) {
      const Real tail = sum(i);
      totals_.reached[i] += tail;
      if (i == last) totals_.rejections += began - tail;
    }
  }

  const Rows<Real>& rows_;
  int gamma_;
  int horizon_;
  Budget& budget_;
  std::map<State, Iterations> known_;
  std::deque<Position> past_;  ///< the last gamma + 1
  DecodeTotals<Real> totals_;
};

}  // namespace speclab
