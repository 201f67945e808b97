#include "answer/answer.h"
#include "answer/comparison.h"
#include "answer/documents/answers.h"
#include "answer/iteration_law.h"
#include "answer/plan.h"

namespace speclab {
namespace {

Json quantity_json(const FoundQuantity<Value>& found) {
  const QuantityInfo& info = quantity(found.id);
  if (info.shape == QuantityShape::single) {
    return found.values.empty() ? Json() : value_json(found.values.front().value);
  }
  if (!found.missing.empty()) return nullptr;
  Json list = Json::array();
  for (const Finding<Value>& finding : found.values) {
    switch (info.shape) {
      case QuantityShape::sequences:
        list.push_back({{"tokens", finding.index}, {"probability", value_json(finding.value)}});
        break;
      case QuantityShape::laws: {
        const QuantityIndex tokens(finding.index.begin(), finding.index.end() - 1);
        if (finding.index.back() == 0) list.push_back({{"tokens", tokens}, {"law", Json::array()}});
        list.back()["law"].push_back(value_json(finding.value));
        break;
      }
      case QuantityShape::grid: {
        const auto row = static_cast<std::size_t>(finding.index.front() - info.first);
        while (list.size() <= row) list.push_back(Json::array());
        list[row].push_back(value_json(finding.value));
        break;
      }
      default:
        list.push_back(value_json(finding.value));
    }
  }
  return list;
}

/// Puts a quantity at its path: "decode.target_calls", or at the top level. A group that speaks of
/// a decode names its horizon.
void put(Json& datum, std::string_view path, const Answer& answer,
         const FoundQuantity<Value>& found) {
  const auto dot = path.find('.');
  if (dot == std::string_view::npos) {
    datum[path] = quantity_json(found);
    return;
  }
  const QuantityScope scope = quantity(found.id).scope;
  Json& group = datum[path.substr(0, dot)];
  if (group.is_null() && answer.question.lengths.horizon &&
      (scope == QuantityScope::decode || scope == QuantityScope::output)) {
    group["horizon"] = answer.question.lengths.horizon;
  }
  group[path.substr(dot + 1)] = quantity_json(found);
}

/// An outcome of the first iteration.
Json outcome_json(const OutcomeShare& outcome) {
  return {{"draft", outcome.draft},
          {"tokens", outcome.tokens},
          {"accepted", outcome.accepted},
          {"end", ending_name(outcome.ending)},
          {"probability", value_json(outcome.probability)}};
}

Json comparison_json(const Comparison& comparison, bool simulated) {
  const Prediction& prediction = comparison.prediction;
  Json datum{{"claim", prediction.claim},
             {"quantity", quantity(prediction.quantity).path()},
             {"index", prediction.index},
             {"relation", relation_name(prediction.relation)},
             {"value", exact_json(prediction.value, prediction.exact)},
             {"verdict", verdict_name(comparison.verdict)}};
  if (simulated) {
    datum["z"] = comparison.z;
    if (!comparison.z) datum["z_missing"] = comparison.z_missing;
  }
  return datum;
}

void put_run(Json& datum, const Answer& answer) {
  const Provenance& run = *answer.run;
  datum["trials"] = run.trials;
  if (const Recording* recording = recording_of(*answer.question.pair)) {
    datum["recorded"] = {{"prompts", recording->shape().prompts},
                         {"paths", recording->shape().paths},
                         {"iterations", run.trials}};
  } else {
    datum["seed"] = run.seed;
  }
  datum["threads"] = run.threads;
  datum["seconds"] = run.seconds;
  datum["undefined_trials"] = run.undefined_trials;
  datum["estimator"] = {{"name", estimator_name(run.estimator)},
                        {"variance_ratio", run.variance_ratio},
                        {"seconds_to_0.1_percent", run.seconds_to_permille}};
  datum["table_bytes"] = run.table_bytes;
  if (run.interrupted) datum["interrupted"] = true;
}

}  // namespace

Json value_json(const Value& value) {
  return value.estimate ? estimate_json(*value.estimate) : exact_json(value.number, value.fraction);
}

Json estimate_json(const Estimate& estimate) {
  return {{"mean", estimate.mean},
          {"stderr", estimate.standard_error},
          {"ci95", Json::array({estimate.low, estimate.high})}};
}

Json gamma_json(int gamma) { return gamma == kUnbounded ? Json("inf") : Json(gamma); }

Json answer_json(const Answer& answer) {
  const Question& question = answer.question;
  Json datum{{"pair", question.pair->name()},
             {"verifier", question.verifier.name},
             {"gamma", gamma_json(question.lengths.gamma)}};
  if (answer.run) {
    put_run(datum, answer);
  } else {
    datum["arithmetic"] = arithmetic_name(question.arithmetic);
  }
  for (const auto& found : answer.found.all()) {
    put(datum, quantity(found.id).path(), answer, found);
  }
  for (const auto& found : answer.found.all()) {
    const std::string_view kept = quantity(found.id).kept_as;
    if (!kept.empty()) put(datum, kept, answer, found);
  }
  if (!answer.iteration_law.empty()) {
    datum["iteration"]["law"] = json_of(answer.iteration_law, outcome_json);
  }
  datum["predictions"] = json_of(comparisons(answer), [&](const Comparison& comparison) {
    return comparison_json(comparison, answer.run.has_value());
  });
  if (!answer.notes.empty()) datum["notes"] = answer.notes;
  return datum;
}

}  // namespace speclab
