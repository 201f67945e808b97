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

void sprinter_time(Record& record, const Setting& setting) {
  const Value* calls = record.find("target_calls.expected");
  if (calls == nullptr || setting.gamma < *setting.horizon || setting.pair->end_token()) {
    record.notes.emplace_back(
        "modelled_time: for sprinter it needs --horizon, --gamma inf and a pair without eos");
    return;
  }
  const Latency& latency = *setting.latency;
  const double tokens = *setting.horizon;
  const double drafting = tokens * (latency.draft + latency.verifier);
  const auto time = [&](double n) { return drafting + n * latency.target; };
  const double all = time(calls->number);
  const Value copy = *calls;  // the record's quantities move as they grow
  add(record, "modelled_time", "decode", mapped(copy, time, latency.target));
  add(record, "", "speedup",
      mapped(
          copy, [&](double n) { return tokens * latency.target / time(n); },
          tokens * latency.target * latency.target / (all * all)));
}

}  // namespace

void add_modelled_time(Record& record, const Setting& setting) {
  if (setting.verifier.name.starts_with("sprinter")) return sprinter_time(record, setting);
  const bool drafts = setting.verifier.name != "autoregressive";
  const auto length = setting.pair->length();
  if (drafts && (setting.gamma == kUnbounded || (length && setting.gamma >= *length))) {
    record.notes.emplace_back(
        "modelled_time: it needs a --gamma that is finite and below the pair's length");
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
