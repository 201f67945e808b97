#include "answer/batch.h"

#include <algorithm>

#include "base/error.h"
#include "verifiers/contract.h"

namespace speclab {

bool BatchResult::biased() const {
  return std::any_of(found.tv.begin(), found.tv.end(),
                     [](const Estimate& tv) { return tv.least > 0; }) ||
         (found.joint_tv && found.joint_tv->least > 0);
}

BatchResult simulate_batch(const PairPointer& pair, const Verifier& verifier,
                           const BatchRequest& request, Planner& planner,
                           const Progress& progress) {
  if (const std::string why = why_no_batch(verifier, *pair); !why.empty()) throw InputError(why);
  Question question;
  question.pair = pair;
  question.verifier = verifier;
  question.lengths = {.gamma = request.gamma, .horizon = request.horizon};
  const BySimulation method{.trials = request.trials, .threads = request.threads};
  const auto rows = planner.plan(question, method).doubles;
  const BatchTallied tallied = with_verifier_named(
      verifier.name, [&] { return run_batches(verifier, *rows, request, progress); });
  return {pair,
          verifier.name,
          request,
          estimate_batches(tallied.tally, verifier, *rows, request),
          tallied.tally.trials,
          tallied.tally.undefined_trials,
          tallied.threads,
          tallied.seconds,
          tallied.interrupted};
}

}  // namespace speclab
