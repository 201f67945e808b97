#pragma once

#include <string>
#include <vector>

namespace speclab {

/// What an engine counted of its requests: how many steps accepted 0, 1, .. drafted tokens.
struct ObservedRequests {
  int gamma = 0;                             ///< the longest draft: tokens that a step may accept
  std::vector<std::vector<double>> reached;  ///< [i - 1][request]: steps that accepted i or more
  std::vector<double> steps;                 ///< by request
};

/// Reads JSON lines, a request each, as vLLM reports them (--per-request-spec-decode-metrics: the
/// response, its "metrics" or their "speculative_decoding") with a list `acceptance_histogram`, and
/// as AIPerf does, with an object {accepted: steps}.
/// @throws InputError naming file and line
ObservedRequests read_observed(const std::string& path);

}  // namespace speclab
