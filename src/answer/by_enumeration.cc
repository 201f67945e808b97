#include <fmt/format.h>

#include "answer/answer.h"
#include "answer/interpreters.h"
#include "answer/iteration_law.h"
#include "exact/exact.h"

namespace speclab {
namespace {

/// Of the paths that a question may take, the share that the law of its first iteration may.
constexpr double kLawShare = 1e-3;

template <class Real>
Answer enumerated(const Plan& plan, const std::shared_ptr<const Rows<Real>>& rows,
                  const ByEnumeration& method) {
  const Question& question = plan.question;
  const ExactRequest request{.lengths = question.lengths,
                             .law = question.law,
                             .variance = question.variance,
                             .long_run = question.long_run,
                             .max_paths = method.max_paths,
                             .max_memory = plan.max_memory,
                             .threads = method.threads};
  Answer answer = new_answer(question, AnswerKind::exact);
  take(answer, run_exact<Real>(question.verifier, *rows, request));
  if (question.law && method.iteration_law)
    add_iteration_law<Real>(answer, rows, kLawShare * method.max_paths);
  if (method.predictions) answer.add_predictions(predict(setting_of(question)));
  return answer;
}

}  // namespace

Answer interpret(const Plan& plan, const ByEnumeration& method, const Progress&) {
  return plan.fractions ? enumerated(plan, plan.fractions, method)
                        : enumerated(plan, plan.doubles, method);
}

Answer interpret(const Plan& plan, const ByClosedForm&, const Progress&) {
  Answer answer = new_answer(plan.question, AnswerKind::closed_form);
  answer.add_predictions(predict(setting_of(plan.question)));
  return answer;
}

Answer new_answer(const Question& question, AnswerKind kind) {
  Answer answer;
  answer.question = question;
  answer.kind = kind;
  const Lengths& lengths = question.lengths;
  if (question.verifier.info->drafting == Drafting::run && lengths.gamma != kUnbounded &&
      (!lengths.horizon || lengths.gamma < *lengths.horizon)) {
    answer.notes.push_back(fmt::format(
        "{} has no window and no bonus token: gamma={} cuts a run there, the target is not called, "
        "and the next iteration drafts on",
        question.verifier.info->name, lengths.gamma));
  }
  if (question.pair->resets() && (lengths.horizon || lengths.iterations > 1)) {
    answer.notes.emplace_back(
        "the draft begins anew with each iteration: closed forms of several iterations, which take "
        "its laws to depend on the tokens alone, are left out");
  }
  return answer;
}

}  // namespace speclab
