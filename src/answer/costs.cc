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

/// The time of a draft step with what goes with it.
double step_time(const Answer& answer, const Latency& latency) {
  const bool run = answer.question.verifier.info->drafting == Drafting::run;
  return latency.draft + (run ? latency.verifier : 0.0);
}

/// Work of a draft step with what goes with it, and of a target call beyond that.
struct WorkCosts {
  double step;
  double call;
};

WorkCosts work_costs(const Answer& answer, const Latency& cost) {
  const Verifier& verifier = answer.question.verifier;
  switch (verifier.info->drafting) {
    case Drafting::none:
      return {0, cost.target};
    case Drafting::run:
      return {cost.draft + cost.verifier, cost.target};
    case Drafting::window:
      break;
  }
  // Drafted side by side, but each of them is drafted and scored.
  return {verifier.drafts * (cost.draft + cost.target), 0};
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
    add_stopping_time(answer, latency.draft);
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
  const double time = (drafts ? gamma * latency.draft : 0.0) + latency.target;
  const double each = 1 + accepted->number;
  const Value copy = *accepted;
  answer.add(QuantityId::time_per_iteration, value_of(time));
  answer.add(QuantityId::first_time_per_token,
             mapped(
                 copy, [&](double n) { return time / (1 + n); }, time / (each * each)));
  answer.add(
      QuantityId::first_tokens_per_call,
      mapped(
          copy, [&](double n) { return (1 + n) * latency.target / time; }, latency.target / time));
}

void add_decode_costs(Answer& answer, const Latency& latency) {
  const Value* steps = answer.find(QuantityId::draft_steps);
  const Value* calls = answer.find(QuantityId::target_calls);
  const Value* tokens = answer.find(QuantityId::decode_tokens);
  if (steps == nullptr || calls == nullptr || tokens == nullptr) return;
  const double step = step_time(answer, latency);
  const WorkCosts work = work_costs(answer, latency);
  answer.add(QuantityId::time_draft_steps, *steps);
  if (answer.moments) {
    const TimeEstimates estimates = estimate_time(*answer.moments, step, latency.target);
    answer.add(QuantityId::time_of_decode, value_of(estimates.time));
    answer.add(QuantityId::decode_speedup, value_of(estimates.speedup));
    answer.add(QuantityId::work_of_decode,
               value_of(estimate_time(*answer.moments, work.step, work.call).time));
    return;
  }
  const double time = step * steps->number + latency.target * calls->number;
  answer.add(QuantityId::time_of_decode, value_of(time));
  answer.add(QuantityId::decode_speedup, value_of(tokens->number * latency.target / time));
  answer.add(QuantityId::work_of_decode,
             value_of(work.step * steps->number + work.call * calls->number));
}

[[noreturn]] void refuse_latency(const std::string& text) {
  throw InputError(
      "latencies are times such as draft=0.1,verifier=0.02,target=1 (target above 0, the others 0 "
      "or more), not '" +
      abbreviate(text) + "'");
}

double read_time(const std::string& part, const std::string& text) {
  try {
    const Rational value = parse_rational(part);
    if (value >= 0 && value <= 1'000'000'000) return to_double(value);
  } catch (const InputError&) {
    refuse_latency(text);
  }
  refuse_latency(text);
}

}  // namespace

Latency read_latency(const std::string& text) {
  Latency latency;
  std::vector<std::string> seen;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, end - at);
    at = end + 1;
    const auto equals = part.find('=');
    if (equals == std::string::npos) refuse_latency(text);
    const std::string key = part.substr(0, equals);
    double* const place = key == "draft"      ? &latency.draft
                          : key == "verifier" ? &latency.verifier
                          : key == "target"   ? &latency.target
                                              : nullptr;
    if (place == nullptr || std::find(seen.begin(), seen.end(), key) != seen.end()) {
      refuse_latency(text);
    }
    seen.push_back(key);
    *place = read_time(part.substr(equals + 1), text);
  }
  if (!(latency.target > 0)) refuse_latency(text);
  return latency;
}

void add_costs(Answer& answer, const Latency& latency) {
  add_iteration_costs(answer, latency);
  add_decode_costs(answer, latency);
  answer.add_predictions(predict_costs(setting_of(answer.question), latency));
}

}  // namespace speclab
