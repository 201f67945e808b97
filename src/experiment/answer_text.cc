#include "experiment/answer_text.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"

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

/// What a node is, for messages; lists are not shown: they may be as deep as the text is long.
std::string shown(const json& node) {
  return node.is_primitive() ? abbreviate(node.dump()) : std::string(node.type_name());
}

/// JSON's own conversion takes 1.5 for 1, and what no int holds for any.
int read_whole(const json& node) {
  const bool whole = node.is_number_integer();
  const bool held = node.is_number_unsigned()
                        ? node.get<std::uint64_t>() <= std::numeric_limits<int>::max()
                        : whole && node.get<std::int64_t>() >= std::numeric_limits<int>::min();
  if (!held) throw InputError(shown(node) + " is no whole number of an answer");
  return node.get<int>();
}

QuantityIndex read_index(const json& node) {
  QuantityIndex index;
  if (!node.is_array()) throw InputError(shown(node) + " is no index of a quantity");
  for (const json& part : node) index.push_back(read_whole(part));
  return index;
}

QuantityId read_path(const json& node) {
  const auto id = find_quantity(node.get_ref<const std::string&>());
  if (!id) throw InputError("there is no quantity " + abbreviate(node.get<std::string>()));
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
  if (!node.at(2).is_null()) form.index = read_whole(node.at(2));
  form.value = node.at(3).get<double>();
  form.exact = read_fraction(node.at(4));
  const int relation = read_whole(node.at(5));
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
                         read_index(value.at(0)));
      }
    }
    for (const json& form : node.at("predictions")) {
      answer.predictions.push_back(read_prediction(form));
    }
    answer.notes = node.at("notes").get<std::vector<std::string>>();
  } catch (const std::exception& error) {
    throw InputError("it cannot be read: " + abbreviate(error.what(), 200));
  }
  return answer;
}

}  // namespace speclab
