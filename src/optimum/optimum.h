#pragma once

#include <optional>
#include <string>
#include <vector>

#include "optimum/acceptance_plan.h"
#include "optimum/acceptance_proof.h"
#include "optimum/node_masses.h"

namespace speclab {

/// A question about one pair.
struct OptimumRequest {
  AcceptanceProblem problem;
  bool exact = true;  ///< in fractions, with a proof; else in doubles within about 1e-9
  bool plan = false;  ///< also return the plan that attains it; in fractions only
};

/// The optimum from one start of the pair.
struct StartOptimum {
  Start start;
  Rational worth;                        ///< the largest attained value, or the largest known
  Rational bound;                        ///< of every verifier of the class; worth where certified
  std::optional<AcceptanceProof> proof;  ///< of the bound
  std::optional<AcceptancePlan> plan;    ///< where requested
  bool certified = false;                ///< proof and worth were checked and agree
};

/// The largest E[tau] of a class of verifiers, one iteration from the prompt.
struct Optimum {
  OptimumRequest request;
  std::vector<StartOptimum> starts;
  Rational worth;  ///< averaged over the starts
  Rational bound;  ///< the average of the bounds
  bool certified = false;
  ProgramSize size;  ///< of the largest of the programs
  double seconds = 0;
  std::vector<std::string> notes;
};

/// @throws UsageError for an unbounded gamma or no draft; what check_lengths throws
void check_sizes(const Pair& pair, int gamma, int drafts, int iterations);

/// The optimum from one start.
StartOptimum find_optimum_from(const Rows<Rational>& rows, const Start& start,
                               const OptimumRequest& request);

/// @throws UsageError where the class has no such setting; LimitError where the program is too
/// large; InputError where the pair ends before gamma tokens
Optimum find_optimum(const Rows<Rational>& rows, const OptimumRequest& request);

}  // namespace speclab
