#include "experiment/answer_text.h"

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

namespace speclab {
namespace {

Json fraction_json(const std::optional<Rational>& fraction) {
  return fraction ? Json(to_text(*fraction)) : Json();
}

std::optional<Rational> read_fraction(const Json& node) {
  if (node.is_null()) return std::nullopt;
  return parse_rational(node.string());
}

QuantityId read_path(const Json& node) {
  const auto id = find_quantity(node.string());
  if (!id) throw InputError("there is no quantity " + abbreviate(node.get<std::string>()));
  return *id;
}

Json found_json(const Answer& answer) {
  Json list = Json::array();
  for (const FoundQuantity<Value>& found : answer.found.all()) {
    Json values = Json::array();
    for (const Finding<Value>& finding : found.values) {
      values.push_back(Json::array(
          {finding.index, finding.value.number, fraction_json(finding.value.fraction)}));
    }
    list.push_back(Json::array({quantity(found.id).path(), found.missing, std::move(values)}));
  }
  return list;
}

Json predictions_json(const Answer& answer) {
  Json list = Json::array();
  for (const Prediction& form : answer.predictions) {
    list.push_back(Json::array({form.claim, quantity(form.quantity).path(),
                                form.index ? Json(*form.index) : Json(), form.value,
                                fraction_json(form.exact), static_cast<int>(form.relation)}));
  }
  return list;
}

Prediction read_prediction(const Json& node) {
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
  return Json{{"found", found_json(answer)},
              {"predictions", predictions_json(answer)},
              {"notes", answer.notes}}
      .dump();
}

Answer read_answer(const Question& question, AnswerKind kind, const std::string& text) {
  Answer answer;
  answer.question = question;
  answer.kind = kind;
  try {
    const Json node = read_json(text);
    for (const Json& found : node.at("found")) {
      const QuantityId id = read_path(found.at(0));
      if (const auto missing = found.at(1).get<std::string>(); !missing.empty()) {
        answer.found.add_missing(id, missing);
      }
      for (const Json& value : found.at(2)) {
        answer.found.add(id,
                         Value{value.at(1).get<double>(), read_fraction(value.at(2)), std::nullopt},
                         value.at(0).get<QuantityIndex>());
      }
    }
    for (const Json& form : node.at("predictions")) {
      answer.predictions.push_back(read_prediction(form));
    }
    answer.notes = node.at("notes").get<std::vector<std::string>>();
  } catch (const std::exception& error) {
    throw InputError("it cannot be read: " + abbreviate(error.what(), 200));
  }
  return answer;
}

}  // namespace speclab
