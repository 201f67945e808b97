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

}  // namespace

Drafting drafting_of(const Setting& setting) {
  for (const VerifierInfo& row : verifier_rows()) {
    if (row.name == setting.verifier.name) return row.drafting;
  }
  return Drafting::window;
}

double step_time(const Setting& setting) {
  const Latency& latency = *setting.latency;
  return latency.draft + (drafting_of(setting) == Drafting::run ? latency.verifier : 0.0);
}

void add_decode_time(Record& record, const DecodeTime& decode) {
  add(record, "modelled_time", "draft_steps", decode.draft_steps);
  add(record, "modelled_time", "decode", decode.time);
  add(record, "modelled_time", "decode_speedup", decode.speedup);
}

void add_modelled_time(Record& record, const Setting& setting) {
  const Drafting drafting = drafting_of(setting);
  if (drafting == Drafting::run) {
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
