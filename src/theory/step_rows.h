#pragma once

#include "theory/inquiry.h"
#include "theory/stepwise.h"

namespace speclab {

/// Adds the consequences of the step law of a rule that decides token by token: the law of tau,
/// E[N(i)], and rejections and target calls where whole decodes are requested.
/// @pre a window that is accepted in full has a bonus token from the target
template <class Inquiry>
void add_stepwise(Inquiry& inquiry, const StepRule<typename Inquiry::Real>& rule) {
  const int gamma = inquiry.setting().lengths.gamma;
  inquiry.add_accepted(
      stepwise_tail(inquiry.rows, inquiry.start, rule, inquiry.drafts(), inquiry.budget));
  inquiry.add_tokens(stepwise_tokens(inquiry.rows, inquiry.start, rule, gamma, inquiry.iterations(),
                                     inquiry.budget));
  const auto counts = stepwise_counts(inquiry.rows, inquiry.start, rule, gamma,
                                      inquiry.any_horizon(), inquiry.budget);
  inquiry.add(QuantityId::rejections, counts.rejections);
  inquiry.add_calls(counts.calls);
}

}  // namespace speclab
