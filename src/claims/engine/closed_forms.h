#pragma once

#include <vector>

#include "claims/engine/check.h"
#include "theory/measure.h"
#include "theory/stepwise.h"

namespace speclab {

// Closed forms that several papers state, and hypotheses that several share.

/// A form of src/theory for P(tau >= i), i = 0 .. gamma, on an instance: tail_on(at,
/// greedy_tail<Rational>). `more` stands between the start law and gamma.
template <class Tail, class... More>
std::vector<Rational> tail_on(const Instance& at, Tail tail, More... more) {
  Budget budget;
  return tail(*at.rows, start_law(*at.rows), more..., at.gamma, budget);
}

/// The certified optimum of E[common prefix] over all couplings of X ~ D^gamma and Y ~ T^gamma.
extern const NamedForm kBestCoupling;
/// min(D(x^i), T(x^i)).
extern const NamedForm kMinOfJoint;

/// Two Bernoulli laws, without context.
bool bernoulli(const Instance& instance);
}  // namespace speclab
