#include "report/modelled_time.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace speclab {
namespace {

/// function(value), for a monotone function with this slope at the value (delta method).
Value mapped(const Value& value, const std::function<double(double)>& function, double slope) {
  Value result;
  result.number = function(value.number);
  if (value.estimate) {
    const Estimate& e = *value.estimate;
    const double ends[] = {function(e.low), function(e.high)};
    result.estimate = Estimate{result.number, std::abs(slope) * e.standard_error,
                               std::min(ends[0], ends[1]), std::max(ends[0], ends[1])};
  }
  return result;
}

void add(Record& record, std::string group, std::string name, Value value) {
  Quantity quantity{.group = std::move(group), .name = std::move(name)};
  quantity.values.push_back(std::move(value));
  record.quantities.push_back(std::move(quantity));
}

/// A run whose N tokens passed has drafted min(N + 1, drafts) tokens.
void add_stopping_time(Record& record, const Setting& setting) {
  const Value* accepted = record.find("iteration.expected_accepted");
  if (accepted == nullptr) return;
  const int drafts = full_window(*setting.pair, {setting.gamma, setting.horizon}).drafts;
  double steps = 0, squares = 0;
  for (int i = 0; i <= drafts; ++i) {
    const Value* length = record.find("iteration.accepted_law[" + std::to_string(i) + "]");
    if (length == nullptr) return;
    const double drafted = std::min(i + 1, drafts);
    steps += drafted * length->number;
    squares += drafted * drafted * length->number;
  }
  const double cost = setting.latency->draft;
  Value result;
  result.number = cost * steps;
  if (accepted->estimate && record.run) {
    const auto trials = record.run->trials;
    const double spread = std::max(0.0, squares - steps * steps);
    const double error = cost * std::sqrt(spread / static_cast<double>(trials - 1));
    const Estimate& e = *accepted->estimate;
    // Where every run has the same length, the interval is as wide as E[N]'s.
    result.estimate = error > 0
                          ? student_estimate(result.number, error, trials)
                          : Estimate{result.number, 0, result.number - cost * (e.mean - e.low),
                                     result.number + cost * (e.high - e.mean)};
  }
  add(record, "modelled_time", "stop", std::move(result));
}

}  // namespace

Drafting drafting_of(const Setting& setting) {
  const VerifierInfo* row = find_verifier(setting.verifier.name);
  return row != nullptr ? row->drafting : Drafting::window;
}

double step_time(const Setting& setting) {
  const Latency& latency = *setting.latency;
  return latency.draft + (drafting_of(setting) == Drafting::run ? latency.verifier : 0.0);
}

WorkCosts work_costs(const Setting& setting) {
  const Latency& cost = *setting.latency;
  switch (drafting_of(setting)) {
    case Drafting::none:
      return {0, cost.target};
    case Drafting::run:
      return {cost.draft + cost.verifier, cost.target};
    case Drafting::window:
      break;
  }
  // Drafted side by side, but each of them is drafted and scored.
  const int drafts = make_verifier(setting.verifier.text).drafts;
  return {static_cast<double>(drafts) * (cost.draft + cost.target), 0};
}

void add_decode_time(Record& record, const DecodeTime& decode) {
  add(record, "modelled_time", "draft_steps", decode.draft_steps);
  add(record, "modelled_time", "decode", decode.time);
  add(record, "modelled_time", "decode_speedup", decode.speedup);
  add(record, "modelled_work", "decode", decode.work);
}

void add_modelled_time(Record& record, const Setting& setting) {
  const Drafting drafting = drafting_of(setting);
  if (drafting == Drafting::run) {
    add_stopping_time(record, setting);
    if (!setting.horizon) {
      record.notes.emplace_back(
          "modelled_time: of a verifier that drafts by runs it is told of "
          "whole decodes; add --horizon");
    }
    return;
  }
  const bool drafts = drafting == Drafting::window;
  const auto length = setting.pair->length();
  if (drafts && (setting.gamma == kUnbounded || (length && setting.gamma >= *length))) {
    record.notes.emplace_back(
        "modelled_time: of long runs it needs a --gamma that is finite and below the pair's "
        "length");
    return;
  }
  const Value* accepted = record.find("iteration.expected_accepted");
  if (accepted == nullptr) return;
  const Latency& latency = *setting.latency;
  const double time = (drafts ? setting.gamma * latency.draft : 0.0) + latency.target;
  const double each = 1 + accepted->number;
  const Value copy = *accepted;
  add(record, "modelled_time", "per_iteration", Value{time, std::nullopt, std::nullopt});
  add(record, "modelled_time", "per_token",
      mapped(
          copy, [&](double n) { return time / (1 + n); }, time / (each * each)));
  add(record, "", "speedup",
      mapped(
          copy, [&](double n) { return (1 + n) * latency.target / time; }, latency.target / time));
}

}  // namespace speclab
