#include "report/json.h"

#include "answer/comparison.h"
#include "answer/iteration_law.h"
#include "answer/plan.h"
#include "base/json.h"
#include "report/number.h"

namespace speclab {
namespace {

Json exact_json(double value, const std::optional<Rational>& fraction) {
  const auto text = fraction_text(fraction);
  return {{"value", value}, {"exact", text ? Json(*text) : Json(nullptr)}};
}

Json value_json(const Value& value) {
  if (!value.estimate) return exact_json(value.number, value.fraction);
  const Estimate& e = *value.estimate;
  return {{"mean", e.mean}, {"stderr", e.standard_error}, {"ci95", Json::array({e.low, e.high})}};
}

Json quantity_json(const FoundQuantity<Value>& found) {
  const QuantityInfo& info = quantity(found.id);
  if (info.shape == QuantityShape::single) {
    return found.values.empty() ? Json(nullptr) : value_json(found.values.front().value);
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

/// Puts a number at its path: "decode.target_calls", or at the top level. A group that speaks of a
/// decode names its horizon.
void put(Json& json, std::string_view path, bool of_horizon, const Answer& answer, Json value) {
  const auto dot = path.find('.');
  if (dot == std::string_view::npos) {
    json[std::string(path)] = std::move(value);
    return;
  }
  Json& group = json[std::string(path.substr(0, dot))];
  if (group.is_null() && of_horizon && answer.question.lengths.horizon) {
    group["horizon"] = *answer.question.lengths.horizon;
  }
  group[std::string(path.substr(dot + 1))] = std::move(value);
}

void put_quantities(Json& json, const Answer& answer) {
  const auto of_horizon = [](const QuantityInfo& info) {
    return info.scope == QuantityScope::decode || info.scope == QuantityScope::output;
  };
  for (const FoundQuantity<Value>& found : answer.found.all()) {
    const QuantityInfo& info = quantity(found.id);
    put(json, info.path(), of_horizon(info), answer, quantity_json(found));
  }
  for (const FoundQuantity<Value>& found : answer.found.all()) {
    const QuantityInfo& info = quantity(found.id);
    if (info.kept_as.empty()) continue;
    put(json, info.kept_as, of_horizon(info), answer, quantity_json(found));
  }
}

/// The law of the first iteration, an object an outcome.
Json iteration_law_json(const std::vector<OutcomeShare>& law) {
  Json list = Json::array();
  for (const OutcomeShare& outcome : law) {
    list.push_back({{"draft", outcome.draft},
                    {"tokens", outcome.tokens},
                    {"accepted", outcome.accepted},
                    {"end", ending_name(outcome.ending)},
                    {"probability", value_json(outcome.probability)}});
  }
  return list;
}

Json comparison_json(const Comparison& comparison, bool simulated) {
  const Prediction& prediction = comparison.prediction;
  Json json = {{"claim", prediction.claim},
               {"quantity", quantity(prediction.quantity).path()},
               {"index", prediction.index ? Json(*prediction.index) : Json(nullptr)},
               {"relation", relation_name(prediction.relation)},
               {"value", exact_json(prediction.value, prediction.exact)},
               {"verdict", verdict_name(comparison.verdict)}};
  if (simulated) {
    json["z"] = comparison.z ? Json(*comparison.z) : Json(nullptr);
    if (!comparison.z) json["z_missing"] = comparison.z_missing;
  }
  return json;
}

Json optional_number(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

void put_run(Json& json, const Answer& answer) {
  const Provenance& run = *answer.run;
  json["trials"] = run.trials;
  if (const Recording* recording = recording_of(*answer.question.pair)) {
    json["recorded"] = {{"prompts", recording->shape().prompts},
                        {"paths", recording->shape().paths},
                        {"iterations", run.trials}};
  } else {
    json["seed"] = run.seed;
  }
  json["threads"] = run.threads;
  json["seconds"] = run.seconds;
  json["undefined_trials"] = run.undefined_trials;
  json["estimator"] = {{"name", estimator_name(run.estimator)},
                       {"variance_ratio", optional_number(run.variance_ratio)},
                       {"seconds_to_0.1_percent", optional_number(run.seconds_to_permille)}};
  json["table_bytes"] = run.table_bytes;
  if (run.interrupted) json["interrupted"] = true;
}

Json answer_json(const Answer& answer) {
  const Question& question = answer.question;
  Json json = {{"pair", question.pair->name()}, {"verifier", question.verifier.name}};
  if (question.lengths.gamma == kUnbounded) {
    json["gamma"] = "inf";
  } else {
    json["gamma"] = question.lengths.gamma;
  }
  if (answer.run) {
    put_run(json, answer);
  } else {
    json["arithmetic"] = arithmetic_name(question.arithmetic);
  }
  put_quantities(json, answer);
  if (!answer.iteration_law.empty()) {
    json["iteration"]["law"] = iteration_law_json(answer.iteration_law);
  }
  json["predictions"] = Json::array();
  for (const Comparison& comparison : comparisons(answer)) {
    json["predictions"].push_back(comparison_json(comparison, answer.run.has_value()));
  }
  if (!answer.notes.empty()) json["notes"] = answer.notes;
  return json;
}

}  // namespace

std::string answers_json(std::span<const Answer> answers) {
  Json results = Json::array();
  for (const Answer& answer : answers) results.push_back(answer_json(answer));
  return json_text(Json{{"schema", kSchema}, {"results", std::move(results)}});
}

}  // namespace speclab
