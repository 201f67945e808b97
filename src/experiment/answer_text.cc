#include "experiment/answer_text.h"

#include <nlohmann/json.hpp>

#include "base/error.h"

namespace speclab {
namespace {

using nlohmann::json;

json fraction_json(const std::optional<Rational>& fraction) {
  return fraction ? json(to_text(*fraction)) : json();
}

std::optional<Rational> read_fraction(const json& node) {
  if (node.is_null()) return std::nullopt;
  return parse_rational(node.get_ref<const std::string&>());
}

QuantityId read_path(const json& node) {
  const auto id = find_quantity(node.get_ref<const std::string&>());
  if (!id) throw InputError("there is no quantity " + node.get<std::string>());
  return *id;
}

json found_json(const Answer& answer) {
  json list = json::array();
  for (const FoundQuantity<Value>& found : answer.found.all()) {
    json values = json::array();
    for (const Finding<Value>& finding : found.values) {
      values.push_back(json::array(
          {finding.index, finding.value.number, fraction_json(finding.value.fraction)}));
    }
    list.push_back(json::array({quantity(found.id).path(), found.missing, std::move(values)}));
  }
  return list;
}

json predictions_json(const Answer& answer) {
  json list = json::array();
  for (const Prediction& form : answer.predictions) {
    list.push_back(json::array({form.claim, quantity(form.quantity).path(),
                                form.index ? json(*form.index) : json(), form.value,
                                fraction_json(form.exact), static_cast<int>(form.relation)}));
  }
  return list;
}

Prediction read_prediction(const json& node) {
  Prediction form;
  form.claim = node.at(0).get<std::string>();
  form.quantity = read_path(node.at(1));
  if (!node.at(2).is_null()) form.index = node.at(2).get<int>();
  form.value = node.at(3).get<double>();
  form.exact = read_fraction(node.at(4));
  const int relation = node.at(5).get<int>();
  if (relation < 0 || relation > static_cast<int>(Relation::at_least)) {
    throw InputError("there is no relation " + std::to_string(relation));
  }
  form.relation = static_cast<Relation>(relation);
  return form;
}

}  // namespace

std::string answer_text(const Answer& answer) {
  return json{{"found", found_json(answer)},
              {"predictions", predictions_json(answer)},
              {"notes", answer.notes}}
      .dump();
}

Answer read_answer(const Question& question, AnswerKind kind, const std::string& text) {
  Answer answer;
  answer.question = question;
  answer.kind = kind;
  try {
    const json node = json::parse(text);
    for (const json& found : node.at("found")) {
      const QuantityId id = read_path(found.at(0));
      if (const auto missing = found.at(1).get<std::string>(); !missing.empty()) {
        answer.found.add_missing(id, missing);
      }
      for (const json& value : found.at(2)) {
        answer.found.add(id,
                         Value{value.at(1).get<double>(), read_fraction(value.at(2)), std::nullopt},
                         value.at(0).get<QuantityIndex>());
      }
    }
    for (const json& form : node.at("predictions")) {
      answer.predictions.push_back(read_prediction(form));
    }
    answer.notes = node.at("notes").get<std::vector<std::string>>();
  } catch (const std::exception& error) {
    throw InputError(std::string("it cannot be read: ") + error.what());
  }
  return answer;
}

}  // namespace speclab
