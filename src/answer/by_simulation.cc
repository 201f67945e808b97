#include "answer/interpreters.h"
#include "base/error.h"
#include "simulate/lossless_decodes.h"
#include "simulate/output_means.h"

namespace speclab {
namespace {

SimulateRequest request_of(const Question& question, const BySimulation& method) {
  return {.lengths = question.lengths,
          .law = question.law,
          .variance = question.variance,
          .decode_counts = method.decode_counts,
          .companions = method.companions,
          .drafting = question.verifier.info->drafting,
          .first_trial = method.first_trial,
          .trials = method.trials,
          .seed = method.seed,
          .threads = method.threads,
          .draws = method.draws,
          .estimator = method.estimator};
}

/// Seconds until E[tau]'s 95% half-width is a thousandth of it, at the speed and spread of the run.
std::optional<double> seconds_to_permille(const Estimate& accepted, double seconds) {
  const double half_width = accepted.high - accepted.mean;
  if (!(accepted.mean > 0) || !(half_width > 0)) return std::nullopt;
  const double factor = half_width / (1e-3 * accepted.mean);
  return seconds * factor * factor;
}

}  // namespace

Tallied sample(const Plan& plan, const BySimulation& method, const Progress& progress) {
  return run_trials(plan.question.verifier, *plan.doubles, request_of(plan.question, method),
                    progress);
}

std::vector<DecodeMeans> means(const Plan& plan, const BySimulation& method) {
  return output_means(plan.question.verifier, *plan.doubles, request_of(plan.question, method));
}

Answer interpret(const Plan& plan, const BySimulation& method, const Progress& progress) {
  return estimate(plan.question, *plan.doubles, method, sample(plan, method, progress), nullptr);
}

Answer estimate(const Question& question, const Rows<double>& rows, const BySimulation& method,
                const Tallied& tallied, const std::vector<Prediction>* forms) {
  const SimulateRequest request = request_of(question, method);
  const bool lossless = question.verifier.info->kind == VerifierKind::lossless;
  const Estimates estimates = lossless ? estimate_lossless(tallied.tally, rows, request)
                                       : estimate(tallied.tally, rows, request);
  Answer answer = new_answer(question, AnswerKind::simulate);
  take(answer, estimates.found);
  answer.moments = estimates.decode;
  answer.run = Provenance{.trials = tallied.tally.trials,
                          .seed = method.seed,
                          .threads = tallied.threads,
                          .seconds = tallied.seconds,
                          .estimator = method.estimator,
                          .variance_ratio = estimates.variance_ratio,
                          .seconds_to_permille = seconds_to_permille(
                              estimates.found.at(QuantityId::expected_accepted), tallied.seconds),
                          .table_bytes = rows.bytes(),
                          .undefined_trials = tallied.tally.undefined_trials,
                          .interrupted = tallied.interrupted};
  try {
    answer.add_predictions(forms ? *forms : predict(setting_of(question)));
  } catch (const Error& error) {
    // The trials that are done are not lost with them.
    if (error.code() != ExitCode::interrupted) throw;
    answer.notes.emplace_back("the closed forms are left out: interrupted");
    answer.run->interrupted = true;
  }
  return answer;
}

}  // namespace speclab
