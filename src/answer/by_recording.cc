#include <fmt/format.h>

#include <cmath>

#include "answer/clusters.h"
#include "answer/interpreters.h"
#include "base/error.h"

namespace speclab {
namespace {

void add_quantities(Answer& answer, const RecordedResult& result) {
  const double gamma = result.gamma;
  const auto ratio = [&](const std::vector<double>& sums, double most) {
    return ratio_value(sums, result.iterations, {0, most}).value();
  };
  answer.add(QuantityId::expected_accepted, ratio(result.accepted, gamma));
  for (std::size_t i = 0; i < result.law.size(); ++i) {
    answer.add(QuantityId::accepted_law, ratio(result.law[i], 1), {static_cast<int>(i)});
  }
  std::vector<double> reached(result.iterations.size(), 0.0);
  std::vector<Value> tail;
  for (std::size_t i = result.law.size(); i-- > 1;) {
    for (std::size_t p = 0; p < reached.size(); ++p) reached[p] += result.law[i][p];
    tail.push_back(ratio(reached, 1));
  }
  for (int i = 1; i <= result.gamma; ++i) {
    answer.add(QuantityId::accepted_tail, tail[static_cast<std::size_t>(result.gamma - i)], {i});
  }
  answer.add(QuantityId::iteration_undefined, ratio(result.undefined, 1));
  answer.add(QuantityId::expected_tokens, ratio(result.tokens, gamma + 1), {1});
}

Answer recorded_answer(const Question& question, const RecordedResults& results) {
  const Recording& recording = *recording_of(*question.pair);
  const int gamma = question.lengths.gamma;
  const RecordedResult& result = results.of(question.verifier.name, gamma);
  double all = 0;
  std::int64_t prompts = 0;
  for (const double count : result.iterations) {
    all += count;
    prompts += count > 0 ? 1 : 0;
  }
  const std::int64_t iterations = std::llround(all);  // of scored texts an expectation
  if (iterations == 0) {
    throw InputError(
        fmt::format("{}: gamma {} is longer than every recorded draft; {} tokens are "
                    "the most before the next start or the end",
                    recording.place(results.longest.prompt, results.longest.position), gamma,
                    results.longest.tokens));
  }
  Answer answer = new_answer(question, AnswerKind::simulate);
  Provenance& run = answer.run.emplace();
  run.trials = static_cast<std::uint64_t>(iterations);
  run.threads = results.threads;
  run.seconds = results.seconds;
  run.estimator = Estimator::conditional;
  run.undefined_trials = static_cast<std::uint64_t>(result.undefined_iterations);
  add_quantities(answer, result);
  const std::string_view part = recording.shape().texts ? "text" : "prompt";
  answer.notes.push_back(
      fmt::format("{}, {} of {} {}s{}; {}",
                  recording.shape().texts ? "of all iterations of whole decodes of the texts"
                                          : "of single iterations begun at the recorded starts",
                  iterations, prompts, part, recording.shape().texts ? "" : ", given their drafts",
                  prompts > 1 ? fmt::format("intervals over {}s (jackknife, Student's t)", part)
                              : fmt::format("one {} alone has no interval", part)));
  if (result.skipped > 0) {
    answer.notes.push_back(
        fmt::format("{} starts are left out: fewer than {} drafts are recorded before the next "
                    "start or the end",
                    result.skipped, gamma));
  }
  return answer;
}

}  // namespace

Answer interpret(const Plan& plan, const ByRecording& method, const Progress&) {
  const Question& question = plan.question;
  const Recording& recording = *recording_of(*question.pair);
  if (question.lengths.horizon || question.lengths.iterations > 0 || question.law ||
      question.long_run) {
    throw InputError(recording.name() +
                     " has single iterations alone: what follows another correction than the "
                     "recorded one is not in it; leave out horizon, iterations and law");
  }
  return recorded_answer(question, method.runs->of(question.pair));
}

}  // namespace speclab
