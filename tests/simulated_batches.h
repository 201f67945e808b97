#pragma once

#include <string>

#include "catch.h"
#include "model/registry.h"
#include "simulate/batch.h"

namespace speclab {

inline const std::string kMemoryless = "iid(draft=[2/3,1/3],target=[1/3,2/3])";
/// What is drafted and accepted depends on the token before.
inline const std::string kContexts =
    "automaton(draft=[[1/2,1/2],[3/4,1/4]],target=[[1/4,3/4],[1/2,1/2]],next=[[0,1],[1,0]],start="
    "0)";

inline BatchEstimates simulated(const std::string& pair, const BatchRequest& request,
                                const std::string& verifier = "token") {
  const Rows<double> rows(make_pair(pair));
  const Verifier rule = make_verifier(verifier);
  return estimate_batches(run_batches(rule, rows, request).tally, rule, rows, request);
}

/// The interval beyond which a closed form differs has the true value.
inline void check_holds(const Estimate& estimate, const Rational& truth) {
  CAPTURE(estimate.mean, to_double(truth), estimate.least, estimate.most);
  CHECK(estimate.least <= to_double(truth) + 1e-12);
  CHECK(to_double(truth) <= estimate.most + 1e-12);
}

}  // namespace speclab
