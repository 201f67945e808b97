#pragma once

#include <algorithm>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/gathered.h"
#include "theory/measure.h"

namespace speclab {

/// From a state: element i has, by the state that they lead to, the sums of P(tau >= i, X^i = x^i)
/// over the paths x^i of i tokens. Element 0 is the state itself.
template <class Real>
using AcceptedMasses = std::vector<std::vector<std::pair<State, Real>>>;

/// Elementary steps (see Budget) of adding to the entry of a map: in fractions the addition is all.
template <class Real>
constexpr double kMapSteps = std::is_same_v<Real, double> ? 8 : 1;

/// Expectations of a whole decode of T tokens.
template <class Number>
struct DecodeTotals {
  Number calls{};               ///< iterations
  Number rejections{};          ///< iterations that end in a correction
  Number draft_steps{};         ///< drafted positions, one after another
  std::vector<Number> reached;  ///< element i - 1: iterations that accept i tokens or more
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
    for (const auto& [state, mass] : start.entries()) decode.contexts_[0][state] += mass;
    std::map<State, Iterations> known;
    for (int n = 0; n < horizon; ++n) {
      for (const auto& [state, sum] : std::exchange(decode.contexts_[index(n)], {})) {
        const Real mass = reduced(sum);
        if (!(mass > 0)) continue;
        // Later windows are not longer than the first one from a state.
        auto [place, fresh] = known.try_emplace(state);
        if (fresh) {
          const AcceptedMasses<Real> accepted = masses(state, decode.drafts(n));
          if (known.size() == 1) decode.foresee(accepted);
          place->second = decode.iterations(accepted);
        }
        decode.iterate(n, mass, place->second);
      }
    }
    const DecodeTotals<Gathered<Real>>& sums = decode.totals_;
    DecodeTotals<Real> totals{
        reduced(sums.calls), reduced(sums.rejections), reduced(sums.draft_steps), {}};
    for (const auto& sum : sums.reached) totals.reached.push_back(reduced(sum));
    return totals;
  }

 private:
  /// What an iteration from a state does, by the number i of tokens.
  struct Iterations {
    std::vector<Real> tail;  ///< P(tau >= i)
    /// The state after an iteration of i drafts that are all accepted, and of i accepted ones of
    /// more.
    std::vector<std::map<State, Real>> whole, ended;
  };

  LosslessDecode(const Rows<Real>& rows, int gamma, int horizon, Budget& budget)
      : rows_(rows), gamma_(gamma), horizon_(horizon), budget_(budget), contexts_(index(horizon)) {
    totals_.reached.resize(index(gamma));
  }

  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  [[nodiscard]] int drafts(int n) const { return std::min(gamma_, horizon_ - n); }

  void spend(Budget& budget, const AcceptedMasses<Real>& accepted, std::size_t i,
             double times) const {
    budget.spend<Real>(
        times * kMapSteps<Real> * static_cast<double>(accepted[i].size()) * rows_.vocabulary(),
        static_cast<int>(i));
  }

  /// What the first state takes, those that a whole draft leads to are taken to take too: many are
  /// refused at once.
  void foresee(const AcceptedMasses<Real>& first) const {
    Budget ahead = budget_;
    for (std::size_t i = 0; i < first.size(); ++i) {
      spend(ahead, first, i, static_cast<double>(first.back().size()));
    }
  }

  static std::map<State, Real> reduced_law(const std::map<State, Gathered<Real>>& sums) {
    std::map<State, Real> law;
    for (const auto& [state, sum] : sums) law.emplace(state, reduced(sum));
    return law;
  }

  Iterations iterations(const AcceptedMasses<Real>& accepted) {
    Iterations found;
    for (std::size_t i = 0; i < accepted.size(); ++i) {
      spend(budget_, accepted, i, 1);
      Sum<Real> tail;
      std::map<State, Gathered<Real>> next;
      for (const auto& [state, mass] : accepted[i]) {
        tail += mass;
        const auto target = rows_.target(state);
        for (std::size_t y = 0; y < target.size(); ++y) {
          if (!(target[y] > 0)) continue;
          next[rows_.next(state, static_cast<Token>(y))] +=
              Gathered<Real>(mass) * Gathered<Real>(target[y]);
        }
      }
      found.tail.push_back(tail.value());
      found.whole.push_back(reduced_law(next));
      if (i + 1 == accepted.size()) break;
      for (const auto& [state, mass] : accepted[i + 1]) next[state] += Real(-mass);
      found.ended.push_back(reduced_law(next));
    }
    return found;
  }

  /// One iteration after n tokens, of this probability.
  void iterate(int n, const Real& mass, const Iterations& from) {
    const int last = drafts(n);
    totals_.calls += mass;
    totals_.draft_steps += Real(mass * last);
    totals_.rejections += Real(mass * (1 - from.tail[index(last)]));
    for (int i = 1; i <= last; ++i) {
      totals_.reached[index(i - 1)] += Real(mass * from.tail[index(i)]);
    }
    for (int i = 0; i <= last && n + i + 1 < horizon_; ++i) {
      const auto& law = (i == last ? from.whole : from.ended)[index(i)];
      auto& next = contexts_[index(n + i + 1)];
      budget_.spend<Real>(static_cast<double>(law.size()), n + i);
      for (const auto& [state, share] : law) next[state] += Real(mass * share);
    }
  }

  const Rows<Real>& rows_;
  int gamma_;
  int horizon_;
  Budget& budget_;
  std::vector<std::map<State, Gathered<Real>>> contexts_;  ///< before an iteration, by its tokens
  DecodeTotals<Gathered<Real>> totals_;
};

}  // namespace speclab
