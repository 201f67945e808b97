#include "report/records.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/modelled_time.h"

namespace speclab {
namespace {

template <class Real>
Value exact_value(const Real& value) {
  Value result;
  result.number = to_double(value);
  if constexpr (std::is_same_v<Real, Rational>) result.fraction = value;
  return result;
}

Value estimated_value(const Estimate& estimate) { return {estimate.mean, std::nullopt, estimate}; }

bool finite(const Value& value) {
  if (!std::isfinite(value.number)) return false;
  if (!value.estimate) return true;
  const Estimate& e = *value.estimate;
  return std::isfinite(e.standard_error) && std::isfinite(e.low) && std::isfinite(e.high);
}

/// Collects the quantities of a record; what is no finite number is missing, with a note.
class Collector {
 public:
  explicit Collector(Record& record) : record_(record) {}

  void single(std::string group, std::string name, Value value) {
    Quantity quantity{.group = std::move(group), .name = std::move(name)};
    if (finite(value)) {
      quantity.values.push_back(std::move(value));
    } else {
      quantity.missing = "it is not a finite number";
    }
    add(std::move(quantity));
  }

  void missing(std::string group, std::string name, std::string reason) {
    add({.group = std::move(group), .name = std::move(name), .missing = std::move(reason)});
  }

  void list(std::string group, std::string name, int first_label, std::vector<Value> values) {
    add({.group = std::move(group),
         .name = std::move(name),
         .shape = Quantity::Shape::list,
         .values = std::move(values),
         .first_label = first_label});
  }

  void law(std::vector<std::vector<Token>> tokens, std::vector<Value> values) {
    add({.group = "output",
         .name = "law",
         .shape = Quantity::Shape::law,
         .values = std::move(values),
         .tokens = std::move(tokens)});
  }

 private:
  void add(Quantity quantity) {
    if (!quantity.missing.empty()) {
      record_.notes.push_back(quantity.path() + ": " + quantity.missing);
    }
    record_.quantities.push_back(std::move(quantity));
  }

  Record& record_;
};

Record new_record(const std::string& verifier, const Setting& setting) {
  Record record;
  record.pair = setting.pair->name();
  record.verifier = verifier;
  record.gamma = setting.gamma;
  record.horizon = setting.horizon;
  record.arithmetic = setting.arithmetic;
  return record;
}

void add_comparisons(Record& record, const Setting& setting) {
  for (Prediction& prediction : predict(setting)) {
    if (!std::isfinite(prediction.value)) {
      record.notes.push_back(prediction.claim + ": its value for " + prediction.quantity +
                             " is not a finite number");
      continue;
    }
    record.comparisons.push_back(compare(record, std::move(prediction)));
  }
}

/// How far a result may be above and below a closed form without differing from it.
struct Slack {
  double above = 0;
  double below = 0;
};

/// The verdict on `difference` = result - prediction.
Verdict judge(Relation relation, double difference, Slack slack) {
  const bool not_above = difference <= slack.above;
  const bool not_below = difference >= -slack.below;
  switch (relation) {
    case Relation::equals:
      return not_above && not_below ? Verdict::agrees : Verdict::differs;
    case Relation::at_most:
      return not_above ? Verdict::bound_holds : Verdict::bound_missed;
    case Relation::at_least:
      return not_below ? Verdict::bound_holds : Verdict::bound_missed;
  }
  return Verdict::not_compared;
}

template <class Value, class Function>
auto transformed(const std::vector<Value>& values, Function function) {
  std::vector<speclab::Value> result;
  result.reserve(values.size());
  for (const Value& value : values) result.push_back(function(value));
  return result;
}

/// The output's law as parallel lists.
template <class Real, class Function>
void add_law(Collector& collect, const std::vector<std::pair<std::vector<Token>, Real>>& law,
             Function function) {
  std::vector<std::vector<Token>> tokens;
  std::vector<Value> values;
  for (const auto& [sequence, probability] : law) {
    tokens.push_back(sequence);
    values.push_back(function(probability));
  }
  collect.law(std::move(tokens), std::move(values));
}

}  // namespace

Comparison compare(const Record& record, Prediction prediction) {
  Comparison result;
  const Value* value = record.find(prediction.quantity);
  if (value == nullptr) {
    result.z_missing = "the result has no such quantity";
  } else {
    double difference = value->number - prediction.value;
    const double rounding = kAgreementTolerance * std::max(1.0, std::abs(prediction.value));
    Slack slack{rounding, rounding};
    if (value->fraction && prediction.exact) {
      difference = to_double(Rational(*value->fraction - *prediction.exact));
      slack = {};
    }
    if (value->estimate) {
      const Estimate& e = *value->estimate;
      // The reach is the wider one where few trials differ from the others, the interval below a
      // distance, whose estimate is biased upward.
      const double errors = kAgreementErrors * e.standard_error;
      slack.above += std::max({errors, e.mean - e.low, e.reach_below});
      slack.below += std::max({errors, e.high - e.mean, e.reach_above});
      if (prediction.quantity == "output.tv_to_target") {
        result.z_missing = "the estimate of a distance is biased upward; see its interval";
      } else if (e.standard_error > 0) {
        result.z = difference / e.standard_error;
      } else {
        result.z_missing = "the standard error is 0";
      }
    }
    result.difference = difference;
    result.verdict = judge(prediction.relation, difference, slack);
  }
  result.prediction = std::move(prediction);
  return result;
}

template <class Real>
Record exact_record(const std::string& verifier, const Setting& setting,
                    const ExactResult<Real>& result, bool law) {
  Record record = new_record(verifier, setting);
  Collector collect(record);
  const auto value = [](const Real& real) { return exact_value(real); };
  collect.single("iteration", "expected_accepted", value(result.expected_accepted));
  collect.list("iteration", "accepted_law", 0, transformed(result.accepted_law, value));
  collect.single("iteration", "undefined_mass", value(result.undefined_mass));
  if (setting.iterations > 0) {
    collect.list("iterations", "expected_tokens", 1, transformed(result.expected_tokens, value));
  }
  if (result.decode) {
    const DecodeLaw<Real>& decode = *result.decode;
    collect.single("output", "tv_to_target", value(decode.tv_to_target));
    collect.single("output", "undefined_mass", value(decode.undefined_mass));
    if (law) add_law(collect, decode.law, value);
    collect.single("rejections", "expected", value(decode.rejections));
    collect.single("target_calls", "expected", value(decode.target_calls));
    collect.single("tokens", "expected", value(decode.tokens));
    collect.single("", "block_efficiency", value(Real(decode.tokens / decode.target_calls)));
  }
  if (setting.latency) {
    add_modelled_time(record, setting);
    if (result.decode) add_decode_time(record, decode_time(*result.decode, setting));
  }
  add_comparisons(record, setting);
  return record;
}

template Record exact_record(const std::string&, const Setting&, const ExactResult<double>&, bool);
template Record exact_record(const std::string&, const Setting&, const ExactResult<Rational>&,
                             bool);

Record simulated_record(const std::string& verifier, const Setting& setting,
                        const SimulationRun& run, const Estimates& estimates, bool law) {
  Record record = new_record(verifier, setting);
  record.run = run;
  Collector collect(record);
  collect.single("iteration", "expected_accepted", estimated_value(estimates.expected_accepted));
  collect.list("iteration", "accepted_law", 0,
               transformed(estimates.accepted_law, estimated_value));
  collect.single("iteration", "undefined_mass", estimated_value(estimates.undefined_mass));
  if (setting.iterations > 0) {
    collect.list("iterations", "expected_tokens", 1,
                 transformed(estimates.expected_tokens, estimated_value));
  }
  if (estimates.decode) {
    const DecodeEstimates& decode = *estimates.decode;
    if (decode.tv_to_target) {
      collect.single("output", "tv_to_target", estimated_value(*decode.tv_to_target));
      if (law) add_law(collect, decode.law, estimated_value);
    } else {
      const std::string reason = "there are more than " +
                                 std::to_string(static_cast<int>(kMaxOutputCells)) +
                                 " possible outputs; lower --horizon";
      collect.missing("output", "tv_to_target", reason);
      if (law) collect.missing("output", "law", reason);
    }
    collect.single("rejections", "expected", estimated_value(decode.rejections));
    collect.single("target_calls", "expected", estimated_value(decode.target_calls));
    collect.single("tokens", "expected", estimated_value(decode.tokens));
    collect.single("", "block_efficiency", estimated_value(decode.block_efficiency));
  } else {
    collect.missing("", "block_efficiency", "it is told of whole decodes; add --horizon");
  }
  if (setting.latency) {
    add_modelled_time(record, setting);
    if (estimates.decode) add_decode_time(record, decode_time(*estimates.decode, setting));
  }
  add_comparisons(record, setting);
  return record;
}

}  // namespace speclab
