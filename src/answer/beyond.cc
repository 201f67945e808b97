#include "answer/beyond.h"

#include <algorithm>
#include <string_view>

#include "answer/interpreters.h"
#include "run/runs.h"
#include "theory/weight_bounds.h"
#include "verifiers/window.h"

namespace speclab {
namespace {

constexpr double kMostBoundSteps = 2e9;

bool first_iteration_alone(const Question& question) {
  return !question.lengths.horizon && question.lengths.iterations == 0 && !question.law &&
         !question.long_run && !question.variance;
}

/// Of fewer tokens a refusal names a draft length that is within the limit.
constexpr Token kManyTokens = 1024;

/// Whether a form gives E[accepted], or one claim a bound on either side.
bool enclose(const std::vector<Prediction>& forms) {
  const auto has = [&](Relation relation, std::string_view claim) {
    return std::any_of(forms.begin(), forms.end(), [&](const Prediction& form) {
      return form.quantity == QuantityId::expected_accepted && form.relation == relation &&
             (claim.empty() || form.claim == claim);
    });
  };
  return has(Relation::equals, "") ||
         std::any_of(forms.begin(), forms.end(), [&](const Prediction& form) {
           return has(Relation::at_least, form.claim) && has(Relation::at_most, form.claim);
         });
}

}  // namespace

bool clearly_beyond(const Question& question, double max_paths) {
  const Verifier& verifier = question.verifier;
  const auto steps = verifier.runs->steps;
  if (steps != nullptr && steps(verifier.program.get())) return false;
  const auto tokens = static_cast<double>(question.pair->vocabulary());
  return question.pair->memoryless() && verifier.drafts > 0 &&
         full_window(*question.pair, question.lengths).drafts > 1 &&
         tokens * tokens > 2 * max_paths;
}

std::optional<Answer> answer_beyond(const Question& question, const std::string& reason,
                                    double max_memory) {
  if (!first_iteration_alone(question) || question.pair->vocabulary() < kManyTokens ||
      max_memory < kWeightBoundsBytes) {
    return std::nullopt;
  }
  Question in_doubles = question;
  in_doubles.arithmetic = Arithmetic::floating;
  Setting setting = setting_of(in_doubles);
  setting.max_work = kMostBoundSteps;
  std::vector<Prediction> forms = predict(setting);
  if (!enclose(forms)) return std::nullopt;
  Answer answer = new_answer(in_doubles, AnswerKind::closed_form);
  answer.add_predictions(std::move(forms));
  answer.notes.push_back("not enumerated, closed forms alone: " + reason);
  return answer;
}

}  // namespace speclab
