#pragma once

// A verifier is a function object with
//
//   template <class View, class Choices>
//   void operator()(const View& view, const typename View::Node& root, Window window,
//                   Choices& choices, Iteration<View>& out) const;
//
// that runs one iteration from `root`. Every random decision is made by `choices`:
//
//   choices.draft(law)           -> token   a draft token
//   choices.accept(probability)  -> bool    a coin, its probability in [0, 1]
//   choices.choose(law)          -> token   a choice among several candidates to accept
//   choices.correct(law)         -> token   the correction or bonus token, or kUndefined where the
//                                           law has no weight. Always an iteration's last decision.
//
// It emits at most window.drafts tokens and, where window.bonus, one more. A law's weights are not
// negative and sum to its mass(). A verifier that breaks this contract is refused with a
// ContractError (see contract.h). Every law and coin of a plugin and of Python is checked
// (run/contract_choices.h). In a verifier of the list, which the tests check, a ratio above 1 may
// stand for a coin of probability 1.
//
// Two interpreters implement `choices`: the Enumerator (src/run) follows every sequence of
// decisions with its exact weight, the Sampler (src/simulate) draws one from random streams.

#include "model/view.h"
#include "verifiers/iteration.h"

namespace speclab {

/// target(x) / draft(x), the likelihood ratio of a drafted token (draft(x) > 0 then).
template <class Laws>
auto likelihood_ratio(const Laws& laws, Token x) {
  using Real = typename Laws::Real;
  return Real(laws.target(x) / laws.draft(x));
}

/// sum_x min(d(x), t(x)), the mass that the two laws share.
template <class Laws>
auto shared_mass(const Laws& laws) {
  using Real = typename Laws::Real;
  return Real(Real(1) - laws.residual(Real(1)).mass());
}

}  // namespace speclab
