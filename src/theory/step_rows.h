#pragma once

#include "theory/inquiry.h"
#include "theory/stepwise.h"

namespace speclab {

// The consequences of the step law of a rule that decides token by token.

/// Adds the law of tau.
template <class Real>
void add_step_tail(Inquiry<Real>& inquiry, const StepRule<Real>& rule) {
  inquiry.add_accepted(
      stepwise_tail(inquiry.rows, inquiry.start, rule, inquiry.drafts(), inquiry.budget));
}

/// Adds rejections and target calls of decodes of T tokens.
template <class Real>
void add_step_counts(Inquiry<Real>& inquiry, const StepRule<Real>& rule, int horizon) {
  const auto counts = stepwise_counts(inquiry.rows, inquiry.start, rule,
                                      inquiry.setting().lengths.gamma, horizon, inquiry.budget);
  inquiry.add(QuantityId::rejections, counts.rejections);
  inquiry.add_calls(counts.calls);
}

/// Adds the distance of T tokens from the target.
template <class Real>
void add_step_tv(Inquiry<Real>& inquiry, const StepRule<Real>& rule, int horizon) {
  inquiry.add(QuantityId::tv_to_target,
              stepwise_tv(inquiry.rows, inquiry.start, rule, horizon, inquiry.budget));
}

/// Adds the law of tau, E[N(i)], and rejections and target calls where whole decodes are requested.
/// @pre a window that is accepted in full has a bonus token from the target
template <class Real>
void add_stepwise(Inquiry<Real>& inquiry, const StepRule<Real>& rule) {
  add_step_tail(inquiry, rule);
  inquiry.add_tokens(stepwise_tokens(inquiry.rows, inquiry.start, rule,
                                     inquiry.setting().lengths.gamma, inquiry.iterations(),
                                     inquiry.budget));
  add_step_counts(inquiry, rule, inquiry.any_horizon());
}

}  // namespace speclab
