#include "report/json.h"

#include <nlohmann/json.hpp>

#include "report/number.h"

namespace speclab {
namespace {

using Json = nlohmann::ordered_json;

Json exact_json(double value, const std::optional<Rational>& fraction) {
  const auto text = fraction_text(fraction);
  return {{"value", value}, {"exact", text ? Json(*text) : Json(nullptr)}};
}

Json value_json(const Value& value) {
  if (!value.estimate) return exact_json(value.number, value.fraction);
  const Estimate& e = *value.estimate;
  return {{"mean", e.mean}, {"stderr", e.standard_error}, {"ci95", Json::array({e.low, e.high})}};
}

Json quantity_json(const Quantity& quantity) {
  switch (quantity.shape) {
    case Quantity::Shape::single:
      return quantity.values.empty() ? Json(nullptr) : value_json(quantity.values.front());
    case Quantity::Shape::list: {
      Json list = Json::array();
      for (const Value& value : quantity.values) list.push_back(value_json(value));
      return list;
    }
    case Quantity::Shape::law: {
      Json list = Json::array();
      for (std::size_t i = 0; i < quantity.values.size(); ++i) {
        list.push_back(
            {{"tokens", quantity.tokens[i]}, {"probability", value_json(quantity.values[i])}});
      }
      return list;
    }
  }
  return nullptr;
}

/// Groups that speak of a whole decode, and so name its horizon.
bool has_horizon(const std::string& group) {
  return group == "output" || group == "rejections" || group == "target_calls" || group == "tokens";
}

Json comparison_json(const Comparison& comparison, bool simulated) {
  const Prediction& prediction = comparison.prediction;
  Json json = {{"claim", prediction.claim},
               {"quantity", prediction.quantity},
               {"value", exact_json(prediction.value, prediction.exact)},
               {"relation", relation_name(prediction.relation)},
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

Json record_json(const Record& record) {
  Json json = {{"pair", record.pair}, {"verifier", record.verifier}};
  if (record.gamma == kUnbounded) {
    json["gamma"] = "inf";
  } else {
    json["gamma"] = record.gamma;
  }
  if (record.run) {
    json["trials"] = record.run->trials;
    json["seed"] = record.run->seed;
    json["threads"] = record.run->threads;
    json["seconds"] = record.run->seconds;
    json["undefined_trials"] = record.run->undefined_trials;
    json["estimator"] = {
        {"name", record.run->estimator},
        {"variance_ratio", optional_number(record.run->variance_ratio)},
        {"seconds_to_0.1_percent", optional_number(record.run->seconds_to_permille)}};
    json["table_bytes"] = record.run->table_bytes;
    if (record.run->interrupted) json["interrupted"] = true;
  } else {
    json["arithmetic"] = record.arithmetic == Arithmetic::rational ? "rational" : "double";
  }
  for (const Quantity& quantity : record.quantities) {
    if (quantity.group.empty()) {
      json[quantity.name] = quantity_json(quantity);
      continue;
    }
    Json& group = json[quantity.group];
    if (group.is_null() && record.horizon && has_horizon(quantity.group)) {
      group["horizon"] = *record.horizon;
    }
    group[quantity.name] = quantity_json(quantity);
  }
  json["predictions"] = Json::array();
  for (const Comparison& comparison : record.comparisons) {
    json["predictions"].push_back(comparison_json(comparison, record.run.has_value()));
  }
  if (!record.notes.empty()) json["notes"] = record.notes;
  return json;
}

}  // namespace

std::string report_json(const Report& report) {
  Json results = Json::array();
  for (const Record& record : report) results.push_back(record_json(record));
  // A path may hold bytes that are not UTF-8; they are replaced, never a failure.
  return Json{{"results", std::move(results)}}.dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace speclab
