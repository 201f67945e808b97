#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/gathered.h"
#include "base/sum.h"
#include "exact/outcomes.h"

namespace speclab {

/// What iterations add up to, each counted with its weight: what a decode reports and, an iteration
/// alone, what the long run is made of.
template <class R>
struct Counts {
  using Real = R;

  Sum<Real> iterations;
  Sum<Real> tokens;      ///< emitted, up to the end-of-sequence token
  Sum<Real> calls;       ///< iterations in which the target ran
  Sum<Real> rejections;  ///< positions emitted by a correction
  Sum<Real> steps;       ///< draft steps, one after another (see draft_steps)
  Sum<Real> undefined;
  std::vector<Sum<Real>> accepted;  ///< [tau]: iterations that accept tau tokens

  template <class Node>
  void add(const End<Node>& end, Drafting drafting, Window window, const Real& mass) {
    const bool undefined_here = end.ending == Ending::undefined;
    const int last = end.emitted + (undefined_here ? 1 : 0);
    iterations += mass;
    tokens += mass * Real(static_cast<long>(end.emitted));
    if (calls_target(drafting, end.ending, end.whole)) calls += mass;
    if (end.ending == Ending::correction && end.whole) rejections += mass;
    steps += mass * Real(static_cast<long>(draft_steps(drafting, window.drafts, last)));
    if (undefined_here) undefined += mass;
    // Accepted tokens up to the end-of-sequence token count; what follows it was never needed.
    const auto drafts = static_cast<std::size_t>(window.drafts);
    if (accepted.size() <= drafts) accepted.resize(drafts + 1);
    accepted[static_cast<std::size_t>(std::min(end.accepted, end.emitted))] += mass;
  }

  /// Adds `weight` times what another has counted.
  template <class Other>
  void add(const Real& weight, const Counts<Other>& other) {
    iterations += weight * Real(reduced(other.iterations.value()));
    tokens += weight * Real(reduced(other.tokens.value()));
    calls += weight * Real(reduced(other.calls.value()));
    rejections += weight * Real(reduced(other.rejections.value()));
    steps += weight * Real(reduced(other.steps.value()));
    undefined += weight * Real(reduced(other.undefined.value()));
    if (accepted.size() < other.accepted.size()) accepted.resize(other.accepted.size());
    for (std::size_t i = 0; i < other.accepted.size(); ++i) {
      accepted[i] += weight * Real(reduced(other.accepted[i].value()));
    }
  }

  /// The share of the iterations that accept at least 1, 2, .. tokens.
  [[nodiscard]] std::vector<Real> position_rates() const {
    std::vector<Real> rates;
    Sum<Real> reached;
    for (std::size_t i = accepted.size(); i-- > 1;) {
      reached += accepted[i].value();
      rates.push_back(reached.value() / iterations.value());
    }
    std::reverse(rates.begin(), rates.end());
    return rates;
  }

  /// Accepted tokens over all iterations.
  [[nodiscard]] Real accepted_tokens() const {
    Sum<Real> sum;
    for (std::size_t i = 1; i < accepted.size(); ++i) {
      sum += accepted[i].value() * Real(static_cast<long>(i));
    }
    return sum.value();
  }
};

}  // namespace speclab
