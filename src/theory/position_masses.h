#pragma once

#include <map>
#include <utility>
#include <vector>

#include "base/gathered.h"
#include "theory/accepted_masses.h"
#include "theory/multi_draft.h"

namespace speclab {

/// The accepted paths of a rule that decides position by position over the drafts that agree with
/// what was accepted: a recursion over states and the number of those drafts.
template <class Real, class Rule>
class PositionMasses {
 public:
  /// @param rule  (draft, target, number of drafts) -> Survivors
  PositionMasses(const Rows<Real>& rows, int drafts, Rule rule, Budget& budget)
      : rows_(rows),
        width_(static_cast<std::size_t>(drafts)),
        rule_(std::move(rule)),
        budget_(budget) {}

  /// P(tau >= i), i = 0..gamma.
  std::vector<Real> tail(const Measure<Real>& start, int gamma) {
    std::vector<Real> tail{Real(1)};
    Sum<Gathered<Real>> kept;
    walk(
        start, gamma, [&kept](const Gathered<Real>& mass) { kept += mass; },
        [&](const auto&) { tail.emplace_back(reduced(std::exchange(kept, {}).value())); });
    return tail;
  }

  /// See accepted_masses.h.
  AcceptedMasses<Real> masses(State state, int gamma) {
    Measure<Real> start(rows_.pair().states());
    start[state] = Real(1);
    AcceptedMasses<Real> masses{{{state, Real(1)}}};
    const auto none = [](const Gathered<Real>&) {};
    walk(start, gamma, none, [&masses](const auto& reached) {
      auto& here = masses.emplace_back();
      for (const auto& [state, by_count] : reached.entries()) {
        here.emplace_back(state, total(by_count));
      }
    });
    return masses;
  }

 private:
  using Masses = std::vector<Real>;  // by the number of drafts, from 1
  using Sums = std::vector<Gathered<Real>>;
  using Moves = std::vector<std::pair<State, Masses>>;

  const Moves& moves(State state, std::size_t k) {
    const auto [place, fresh] = known_.try_emplace({state, k});
    if (!fresh) return place->second;
    const auto size = static_cast<double>(k);
    budget_.spend<Real>(size * size * size * static_cast<double>(rows_.vocabulary()));
    const auto going = rule_(rows_.draft(state), rows_.target(state), static_cast<int>(k));
    std::map<State, std::vector<Sum<Real>>> sums;
    for (std::size_t s = 0; s < k; ++s) {
      for (std::size_t x = 0; x < going[s].size(); ++x) {
        if (!(going[s][x] > 0)) continue;
        auto& sum = sums[rows_.next(state, static_cast<Token>(x))];
        sum.resize(width_);
        sum[s] += going[s][x];
      }
    }
    for (const auto& [next, sum] : sums) {
      place->second.push_back({next, {}});
      for (const auto& one : sum) place->second.back().second.push_back(one.value());
    }
    return place->second;
  }

  /// Calls add(mass) for every move of an accepted token, and visit(masses by state and number of
  /// drafts) after 1, 2, .. of them.
  template <class Add, class Visit>
  void walk(const Measure<Real>& start, int gamma, const Add& add, const Visit& visit) {
    Measure<Masses> now(rows_.pair().states());
    Measure<Sums> after(rows_.pair().states());
    for (const auto& [state, mass] : start.entries()) {
      now[state].assign(width_, Real(0));
      now[state].back() = mass;
    }
    for (int i = 1; i <= gamma; ++i) {
      after.clear();
      for (const auto& [state, masses] : now.entries()) {
        for (std::size_t k = 1; k <= width_; ++k) {
          if (!(masses[k - 1] > 0)) continue;
          for (const auto& [next, going] : moves(state, k)) {
            budget_.spend<Real>(static_cast<double>(width_), i);
            Sums& reached = after[next];
            reached.resize(width_);
            for (std::size_t s = 0; s < width_; ++s) {
              const auto mass = Gathered<Real>(masses[k - 1]) * Gathered<Real>(going[s]);
              reached[s] += mass;
              add(mass);
            }
          }
        }
      }
      now.clear();
      for (const auto& [state, sums] : after.entries()) {
        Masses& masses = now[state];
        for (const auto& sum : sums) masses.push_back(reduced(sum));
      }
      visit(now);
    }
  }

  const Rows<Real>& rows_;
  std::size_t width_;
  Rule rule_;
  Budget& budget_;
  std::map<std::pair<State, std::size_t>, Moves> known_;
};

}  // namespace speclab
