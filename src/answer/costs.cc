#include "answer/costs.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/error.h"
#include "base/text.h"
#include "verifiers/window.h"

namespace speclab {
namespace {

/// function(value), for a monotone function with this slope at the value (delta method).
Value mapped(const Value& value, const std::function<double(double)>& function, double slope) {
  Value result = value_of(function(value.number));
  if (value.estimate) {
    const Estimate& e = *value.estimate;
    const double ends[] = {function(e.low), function(e.high)};
    const double far[] = {function(e.least), function(e.most)};
    result.estimate = Estimate{result.number,
                               std::abs(slope) * e.standard_error,
                               std::min(ends[0], ends[1]),
                               std::max(ends[0], ends[1]),
                               std::min(far[0], far[1]),
                               std::max(far[0], far[1])};
  }
  return result;
}

/// Work of a draft step with what goes with it, and of a target call beyond that.
struct WorkCosts {
  double step;
  double call;
};

/// Nothing where costs depend on how many are done side by side.
std::optional<WorkCosts> work_costs(const Answer& answer, const CostModel& costs) {
  if (!costs.draft.constant() || !costs.target.constant() || costs.rule > 0) return std::nullopt;
  const Verifier& verifier = answer.question.verifier;
  const double draft = costs.draft.at(1);
  const double target = costs.target.at(1);
  switch (verifier.info->drafting) {
    case Drafting::none:
      return WorkCosts{0, target};
    case Drafting::run:
      return WorkCosts{draft + costs.verifier, target};
    case Drafting::window:
      break;
  }
  // Drafted side by side, but each of them is drafted and scored; a call returns one row more for
  // each root, from which the bonus token is drawn.
  return WorkCosts{verifier.drafts * (draft + target), draft_shape(verifier, 0).roots * target};
}

/// A run whose N tokens passed has drafted min(N + 1, drafts) tokens.
void add_stopping_time(Answer& answer, double cost) {
  const Value* accepted = answer.find(QuantityId::expected_accepted);
  if (accepted == nullptr) return;
  const int drafts = full_window(*answer.question.pair, answer.question.lengths).drafts;
  double steps = 0, squares = 0;
  for (int i = 0; i <= drafts; ++i) {
    const Value* length = answer.find(QuantityId::accepted_law, {i});
    if (length == nullptr) return;
    const double drafted = std::min(i + 1, drafts);
    steps += drafted * length->number;
    squares += drafted * drafted * length->number;
  }
  Value result = value_of(cost * steps);
  if (accepted->estimate && answer.run) {
    const Spread drafted{steps,
                         std::max(0.0, squares - steps * steps),
                         {std::min(1.0, static_cast<double>(drafts)), static_cast<double>(drafts)},
                         answer.run->trials};
    result.estimate = scaled(mean_estimate(drafted), cost);
  }
  answer.add(QuantityId::time_to_stop, std::move(result));
}

void add_iteration_costs(Answer& answer, const Latency& latency) {
  const Question& question = answer.question;
  const Drafting drafting = question.verifier.info->drafting;
  if (drafting == Drafting::run) {
    add_stopping_time(answer, step_time(question.verifier, latency));
    if (!question.lengths.horizon) {
      answer.notes.emplace_back(
          "modelled_time: a verifier that drafts by runs has one for whole decodes; add a horizon");
    }
    return;
  }
  const bool drafts = drafting == Drafting::window;
  const int gamma = question.lengths.gamma;
  const auto length = question.pair->length();
  if (drafts && (gamma == kUnbounded || (length && gamma >= *length))) {
    answer.notes.emplace_back(
        "modelled_time: an iteration has one only where gamma is finite and below the pair's "
        "length");
    return;
  }
  const Value* accepted = answer.find(QuantityId::expected_accepted);
  if (accepted == nullptr) return;
  const double time = (drafts ? gamma * latency.draft : 0.0) + latency.call();
  const double each = 1 + accepted->number;
  const Value copy = *accepted;
  answer.add(QuantityId::time_per_iteration, value_of(time));
  answer.add(QuantityId::first_time_per_token,
             mapped(
                 copy, [&](double n) { return time / (1 + n); }, time / (each * each)));
  answer.add(
      QuantityId::first_tokens_per_call,
      mapped(
          copy, [&](double n) { return (1 + n) * latency.single / time; }, latency.single / time));
}

void add_decode_costs(Answer& answer, const Latency& latency,
                      const std::optional<WorkCosts>& work) {
  const Value* steps = answer.find(QuantityId::draft_steps);
  const Value* calls = answer.find(QuantityId::target_calls);
  const Value* tokens = answer.find(QuantityId::decode_tokens);
  if (steps == nullptr || calls == nullptr || tokens == nullptr) return;
  const Value drafted = *steps, called = *calls, emitted = *tokens;
  const double step = step_time(answer.question.verifier, latency);
  const double call = latency.call();
  answer.add(QuantityId::time_draft_steps, drafted);
  if (answer.moments) {
    const TimeEstimates estimates = estimate_time(*answer.moments, step, call, latency.single);
    answer.add(QuantityId::time_of_decode, value_of(estimates.time));
    answer.add(QuantityId::decode_speedup, value_of(estimates.speedup));
    if (!work) return;
    answer.add(QuantityId::work_of_decode,
               value_of(estimate_time(*answer.moments, work->step, work->call, 0).time));
    return;
  }
  const double time = step * drafted.number + call * called.number;
  answer.add(QuantityId::time_of_decode, value_of(time));
  answer.add(QuantityId::decode_speedup, value_of(emitted.number * latency.single / time));
  if (!work) return;
  answer.add(QuantityId::work_of_decode,
             value_of(work->step * drafted.number + work->call * called.number));
}

/// In the long run every window is full.
void add_long_run_cost(Answer& answer, const Latency& latency) {
  const Value* length = answer.find(QuantityId::long_run_length);
  const Drafting drafting = answer.question.verifier.info->drafting;
  if (length == nullptr || drafting == Drafting::run) return;
  const int steps = drafting == Drafting::none ? 0 : answer.question.lengths.gamma;
  const double time = steps * latency.draft + latency.call();
  answer.add(QuantityId::long_run_speedup, value_of(length->number * latency.single / time));
}

}  // namespace

bool in_costs(QuantityId cost, const Question& question) {
  const bool runs = question.verifier.info->drafting == Drafting::run;
  switch (cost) {
    case QuantityId::time_to_stop:
      return runs;
    case QuantityId::time_per_iteration:
    case QuantityId::first_time_per_token:
    case QuantityId::first_tokens_per_call:
      return !runs;
    case QuantityId::long_run_speedup:
      return !runs && question.long_run;
    default:
      return question.lengths.horizon.has_value();
  }
}

void add_costs(Answer& answer, const CostModel& costs) {
  const Latency latency = Latencies(costs).of(answer.question);
  if (answer.question.verifier.info->drafting == Drafting::run && !costs.target.constant()) {
    answer.notes.emplace_back(
        "modelled_time: of a verifier that drafts by runs the target's calls are not known by "
        "their positions; give the target one time");
    return;
  }
  add_iteration_costs(answer, latency);
  add_decode_costs(answer, latency, work_costs(answer, costs));
  add_long_run_cost(answer, latency);
  answer.add_predictions(predict_costs(setting_of(answer.question), latency));
}

}  // namespace speclab
