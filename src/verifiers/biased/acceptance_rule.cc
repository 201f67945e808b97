#include "verifiers/biased/acceptance_rule.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/families/json_law.h"

namespace speclab {
namespace {

constexpr int kSchema = 2;

void check_keys(const Json& root, const std::string& where) {
  const std::vector<std::string> keys{"schema", "kind", "accept", "correct"};
  if (!root.is_object()) {
    throw InputError(where +
                     " is not a JSON object; write {\"schema\": 2, \"kind\": \"rule\", ..}");
  }
  for (const std::string& key : keys) {
    if (root.contains(key)) continue;
    throw InputError(fmt::format("{} lacks the key \"{}\"; add it", where, key));
  }
  refuse_unknown_keys(root, keys, where);
  if (root.at("schema") != kSchema) {
    throw InputError(fmt::format("{}: schema is {}; this program reads {}", where,
                                 abbreviate(root.at("schema").dump()), kSchema));
  }
  if (root.at("kind") != "rule") {
    throw InputError(
        fmt::format("{}: kind is {}; give \"rule\"", where, abbreviate(root.at("kind").dump())));
  }
}

/// The rows of a table; all of one length.
const Json& rows_of(const Json& root, const char* key, const std::string& where) {
  const Json& rows = root.at(key);
  if (!rows.is_array() || rows.empty() || !rows.front().is_array() || rows.front().empty()) {
    throw InputError(
        fmt::format("{}: {} is no list of rows, one a state of the pair; write "
                    "[[b(0), b(1), ..], ..]",
                    where, key));
  }
  return rows;
}

std::vector<Rational> chances(const Json& row, std::size_t vocabulary, const std::string& where) {
  if (!row.is_array() || row.size() != vocabulary) {
    throw InputError(fmt::format("{} is no row of {} numbers", where, vocabulary));
  }
  std::vector<Rational> chances;
  for (std::size_t x = 0; x < vocabulary; ++x) {
    const std::string place = fmt::format("{}, token {}", where, x);
    const Rational value = read_json_number(row[x], place);
    if (value < 0 || value > 1) {
      throw InputError(fmt::format("{} is {}; give a probability from 0 to 1", place,
                                   abbreviate(row[x].dump())));
    }
    chances.push_back(value);
  }
  return chances;
}

/// A law, or null where there is none.
std::vector<Rational> law(const Json& row, std::size_t vocabulary, const std::string& where) {
  if (row.is_null()) return std::vector<Rational>(vocabulary, Rational(0));
  return read_json_law(row, static_cast<Token>(vocabulary), where);
}

std::vector<std::vector<double>> near(const std::vector<std::vector<Rational>>& exact) {
  std::vector<std::vector<double>> doubles;
  for (const auto& row : exact) {
    doubles.emplace_back();
    for (const Rational& value : row) doubles.back().push_back(to_double(value));
  }
  return doubles;
}

}  // namespace

std::shared_ptr<const AcceptanceRule> make_acceptance_rule(
    std::vector<std::vector<Rational>> accept, std::vector<std::vector<Rational>> correct,
    InputFile file) {
  auto rule = std::make_shared<AcceptanceRule>();
  rule->file = std::move(file);
  rule->near_accept = near(accept);
  rule->near_correct = near(correct);
  rule->accept = std::move(accept);
  rule->correct = std::move(correct);
  return rule;
}

std::shared_ptr<const AcceptanceRule> read_acceptance_rule(const std::string& path) {
  const std::string bytes = read_file(path);
  const std::string where = "rule " + quoted_path(path);
  const Json root = parse_json(bytes, where);
  check_keys(root, where);
  const Json& accept = rows_of(root, "accept", where);
  const Json& correct = root.at("correct");
  if (!correct.is_array() || correct.size() != accept.size()) {
    throw InputError(
        fmt::format("{}: correct must have as many rows as accept, {}; give one per state "
                    "(null: no law)",
                    where, accept.size()));
  }
  const std::size_t vocabulary = accept.front().size();
  std::vector<std::vector<Rational>> accepted, corrected;
  for (std::size_t state = 0; state < accept.size(); ++state) {
    accepted.push_back(
        chances(accept[state], vocabulary, fmt::format("{}: accept, state {}", where, state)));
    corrected.push_back(
        law(correct[state], vocabulary, fmt::format("{}: correct, state {}", where, state)));
  }
  return make_acceptance_rule(std::move(accepted), std::move(corrected), input_file(path, bytes));
}

void AcceptanceRule::check_fits(const Pair& pair) const {
  if (accept.size() == pair.states() &&
      accept.front().size() == static_cast<std::size_t>(pair.vocabulary())) {
    return;
  }
  throw InputError(fmt::format(
      "rule {} has tables of {} states and {} tokens, the pair {} and {}; write one row a state of "
      "the pair, one number a token",
      quoted_path(file.path), accept.size(), accept.front().size(), pair.states(),
      pair.vocabulary()));
}

}  // namespace speclab
