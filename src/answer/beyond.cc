#include "answer/beyond.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "answer/interpreters.h"
#include "run/runs.h"
#include "theory/weight_bounds.h"
#include "verifiers/window.h"

namespace speclab {
namespace {

/// In doubles some seconds; fractions are counted at their worst, so that their limit is wider.
constexpr double most_steps(Arithmetic arithmetic) {
  return arithmetic == Arithmetic::rational ? 5e10 : 2e9;
}

/// Whether closed forms may be all that is asked: of the first iteration, or with a horizon of
/// whole decodes too.
bool has_forms(const Question& question) {
  return question.lengths.iterations == 0 && !question.law && !question.long_run &&
         !question.variance;
}

/// Of so many tokens fractions are beyond any work allowed here.
constexpr Token kManyTokens = 1024;

/// Whether there are few tokens, and so few draft sets that a limit which refuses them is better
/// raised.
bool few_draft_sets(const Question& question) {
  constexpr double kFew = 1e6;
  if (question.pair->vocabulary() >= kManyTokens) return false;
  const double length = full_window(*question.pair, question.lengths).drafts;
  return std::pow(question.pair->vocabulary(), length * std::max(1, question.verifier.drafts)) <=
         kFew;
}

/// Whether a form gives the quantity, or one claim a bound on either side.
bool enclose(QuantityId quantity, const std::vector<Prediction>& forms) {
  const auto has = [&](Relation relation, std::string_view claim) {
    return std::any_of(forms.begin(), forms.end(), [&](const Prediction& form) {
      return form.quantity == quantity && form.relation == relation &&
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
  check_lengths(*question.pair, question.lengths);
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
  check_lengths(*question.pair, question.lengths);
  const bool better_raised = !question.lengths.horizon && few_draft_sets(question);
  if (!has_forms(question) || better_raised || max_memory < kWeightBoundsBytes) {
    return std::nullopt;
  }
  const QuantityId needed =
      question.lengths.horizon ? QuantityId::target_calls : QuantityId::expected_accepted;
  std::vector<Arithmetic> arithmetics{Arithmetic::floating};
  const int tokens =
      question.lengths.horizon.value_or(full_window(*question.pair, question.lengths).drafts);
  if (question.arithmetic == Arithmetic::rational && question.pair->vocabulary() < kManyTokens &&
      few_denominators(*question.pair, tokens)) {
    arithmetics.insert(arithmetics.begin(), Arithmetic::rational);
  }
  for (const Arithmetic arithmetic : arithmetics) {
    Question asked = question;
    asked.arithmetic = arithmetic;
    Setting setting = setting_of(asked);
    // Of a whole decode its own forms alone are worth the time.
    (question.lengths.horizon ? setting.max_decode_work : setting.max_work) =
        most_steps(arithmetic);
    std::vector<Prediction> forms = predict(setting);
    if (!enclose(needed, forms)) continue;
    Answer answer = new_answer(asked, AnswerKind::closed_form);
    answer.add_predictions(std::move(forms));
    answer.notes.push_back("not enumerated, closed forms alone: " + reason);
    return answer;
  }
  return std::nullopt;
}

}  // namespace speclab
