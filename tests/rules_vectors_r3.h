#pragma once

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "exact/runner.h"
#include "model/pairs.h"
#include "model/registry.h"

namespace speclab {

using TokenLaw = std::map<std::vector<Token>, Rational>;

inline nlohmann::json read_vectors(const std::string& name) {
  std::ifstream file(std::string(SPECLAB_SOURCE_DIR) + "/tests/data/" + name);
  return nlohmann::json::parse(file);
}

inline std::vector<Rational> read_law(const nlohmann::json& entries) {
  std::vector<Rational> law;
  for (const auto& entry : entries) law.push_back(parse_rational(entry.get<std::string>()));
  return law;
}

/// The law of `length` tokens of one iteration that the target continues: the node's own target,
/// so that a carry is in force.
template <class Program>
TokenLaw once_law(const Program& program, const Rows<Rational>& rows, int gamma, int length) {
  using View = ViewOf<Program, Rational>;
  const View view(rows);
  TokenLaw law;
  const auto extend = [&](const auto& self, std::vector<Token> tokens,
                          const typename View::Node& node, const Rational& mass) -> void {
    if (tokens.size() == static_cast<std::size_t>(length)) {
      law[std::move(tokens)] += mass;
      return;
    }
    const auto laws = view.at(node);
    for (Token x = 0; x < view.vocabulary(); ++x) {
      if (!(laws.target(x) > 0)) continue;
      std::vector<Token> longer = tokens;
      longer.push_back(x);
      self(self, std::move(longer), view.next(node, x), Rational(mass * laws.target(x)));
    }
  };
  for (const Start& start : rows.pair().start()) {
    ProgramRunner<Program, View>(program).enumerate(
        view, view.root(start.state), {.drafts = gamma, .bonus = true}, true,
        [&](const Iteration<View>& out, const Rational& weight) {
          if (out.ending == Ending::undefined) return;
          extend(extend, out.tokens, out.node, Rational(start.probability * weight));
        });
  }
  return law;
}

/// The target's own law of `length` tokens.
inline TokenLaw target_law(const Rows<Rational>& rows, int length) {
  std::map<std::pair<std::vector<Token>, State>, Rational> layer;
  for (const Start& start : rows.pair().start()) layer[{{}, start.state}] += start.probability;
  for (int i = 0; i < length; ++i) {
    std::map<std::pair<std::vector<Token>, State>, Rational> after;
    for (const auto& [key, mass] : layer) {
      for (Token x = 0; x < rows.vocabulary(); ++x) {
        const Rational& share = rows.target(key.second)[static_cast<std::size_t>(x)];
        if (!(share > 0)) continue;
        std::vector<Token> tokens = key.first;
        tokens.push_back(x);
        after[{std::move(tokens), rows.next(key.second, x)}] += mass * share;
      }
    }
    layer = std::move(after);
  }
  TokenLaw law;
  for (const auto& [key, mass] : layer) law[key.first] += mass;
  return law;
}

inline Rational distance(TokenLaw left, const TokenLaw& right) {
  for (const auto& [tokens, mass] : right) left[tokens] -= mass;
  Rational sum(0);
  for (const auto& [tokens, mass] : left) sum += mass < 0 ? Rational(-mass) : mass;
  return sum / 2;
}

/// Holds a program against every vector of one rule; the number of vectors.
/// @param make  options of a vector -> the program
template <class Make>
int check_vectors(const std::string& rule, const Make& make) {
  const nlohmann::json vectors = read_vectors("rules.json");
  int count = 0;
  for (const auto& vector : vectors["public"]) {
    if (vector["rule"] != rule) continue;
    ++count;
    const std::string name = vector["pair"].get<std::string>();
    const int gamma = vector["gamma"].get<int>();
    CAPTURE(rule, vector["options"].dump(), name, gamma);
    const TemporaryFile file(vectors["pairs"][name].dump());
    const Rows<Rational> rows(make_pair("file(" + file.path() + ")"));
    const auto program = make(vector["options"]);
    using Program = std::decay_t<decltype(program)>;
    using View = ViewOf<Program, Rational>;
    const ProgramRunner<Program, View> runner(program);
    ExactRequest request;
    request.gamma = gamma;
    const auto result = run_with<View>(runner, rows, request);
    CHECK(to_text(result.expected_accepted) == vector["expected_accepted"]);
    CHECK(result.accepted_law == read_law(vector["accepted_law"]));
    CHECK(to_text(result.undefined_mass) == vector["undefined_mass"]);
    const int length = vector["once_length"].get<int>();
    const TokenLaw once = once_law(program, rows, gamma, length);
    CHECK(to_text(distance(once, target_law(rows, length))) == vector["once_tv"]);
    std::vector<Rational> first(static_cast<std::size_t>(rows.vocabulary()));
    for (const auto& [tokens, mass] : once) first[static_cast<std::size_t>(tokens[0])] += mass;
    CHECK(first == read_law(vector["first_token_law"]));
    if (!vector.contains("decode_tv")) continue;
    for (const auto& [horizon, tv] : vector["decode_tv"].items()) {
      request.horizon = std::stoi(horizon);
      CHECK(to_text(run_with<View>(runner, rows, request).decode->tv_to_target) == tv);
    }
  }
  return count;
}

}  // namespace speclab
