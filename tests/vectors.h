#pragma once

// Exact vectors for the rules of verification: tests/data/rules.json and, of rules that engines
// run, tests/data/engine_rules.json, computed by independent programs in fractions.
//
//   {"pairs": {NAME: the object of a file(PATH) pair}, "public": [vector, ..]}
//   a vector: {"rule", "options", "pair": NAME, "gamma",
//     "expected_accepted", "accepted_law", "undefined_mass"    of one iteration
//     "first_token_law", "first_token_tv"                      of its first token
//     "once_length": n, "once_tv"    n = gamma + 1 tokens: one iteration, then the target
//     "decode_tv": {"T": tv}}        whole decodes of T tokens; absent: 0 at T = gamma + 1

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/spec.h"
#include "catch.h"
#include "model/families/json_law.h"
#include "system/read_file.h"
#include "toy.h"

namespace speclab {

using Vector = nlohmann::json;

/// A file of vectors, by its name in tests/data.
inline nlohmann::json read_vectors(const std::string& name) {
  return nlohmann::json::parse(read_file(SPECLAB_SOURCE_DIR "/tests/data/" + name));
}

inline const nlohmann::json& vector_document() {
  static const nlohmann::json document = [] {
    nlohmann::json both = read_vectors("rules.json");
    const nlohmann::json more = read_vectors("engine_rules.json");
    for (const auto& vector : more.at("public")) both.at("public").push_back(vector);
    return both;
  }();
  return document;
}

/// The vectors of a rule, in the file's order.
inline std::vector<Vector> vectors_of(std::string_view rule) {
  std::vector<Vector> found;
  for (const Vector& vector : vector_document().at("public")) {
    if (vector.at("rule") == rule) found.push_back(vector);
  }
  return found;
}

/// The spec text: the rule's name with its options as parameters. A source and a branching read
/// iid K -> K=2, fixed [2,1] -> tree=2-1,draw=top, without [2,1] -> tree=2-1,draw=without; the
/// constants of the `-released` rules (last, draws, spare) are left out.
inline std::string spec_of(const Vector& vector) {
  std::vector<std::pair<std::string, std::string>> parameters;
  for (const auto& [key, value] : vector.at("options").items()) {
    if (key == "last" || key == "draws" || key == "spare") continue;
    if (key == "source") {
      if (value == "iid") continue;
      parameters.emplace_back("draw", value == "fixed" ? "top" : value.get<std::string>());
    } else if (key == "branching") {
      std::string shape;
      for (const auto& children : value) shape += (shape.empty() ? "" : "-") + children.dump();
      parameters.emplace_back("tree", shape);
    } else {
      parameters.emplace_back(key, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  std::string text;
  for (const auto& [key, value] : parameters) {
    text += (text.empty() ? "(" : ",") + key + "=" + value;
  }
  return vector.at("rule").get<std::string>() + (text.empty() ? "" : text + ")");
}

inline PairPointer pair_of(const Vector& vector) {
  const auto name = vector.at("pair").get<std::string>();
  return read_json_pair(read_json(vector_document().at("pairs").at(name).dump()), name);
}

inline Rational value_of(const nlohmann::json& value) {
  return parse_rational(value.get<std::string>());
}

inline std::vector<Rational> law_of(const nlohmann::json& values) {
  std::vector<Rational> law;
  for (const auto& value : values) law.push_back(value_of(value));
  return law;
}

/// The law of n tokens: one iteration, cut at n tokens or continued by the target (with its carry).
template <class Program>
class OnceLaw {
 public:
  using View = ViewOf<Program, Rational>;
  using Node = typename View::Node;
  using Law = std::map<std::vector<Token>, Rational>;

  OnceLaw(const Program& program, const Rows<Rational>& rows, int gamma, std::size_t length)
      : view_(rows), length_(length) {
    const Window window = full_window(rows.pair(), {gamma, std::nullopt, 0});
    const auto runner = any_runner<View>(program);
    for (const Start& start : rows.pair().start()) {
      const Node root = view_.root(start.state);
      Law law;
      Rational lost(0);
      runner.visit_part(view_, root, window, true, {},
                        [&](const Emitted<Node>& out, const Rational& weight) {
                          if (out.ending == Ending::undefined)
                            lost += weight;
                          else
                            go_on(out.node, out.tokens, weight, law);
                        });
      Law target;
      go_on(root, {}, Rational(1), target);
      tv_ += start.probability * (distance(law, target) + lost / 2);
      tv_of_first_ += start.probability * (distance(firsts(law), firsts(target)) + lost / 2);
      for (const auto& [tokens, weight] : firsts(law)) first_[tokens] += start.probability * weight;
    }
  }

  [[nodiscard]] const Rational& tv() const { return tv_; }
  [[nodiscard]] const Rational& tv_of_first() const { return tv_of_first_; }
  [[nodiscard]] std::vector<Rational> first() const {
    std::vector<Rational> law(static_cast<std::size_t>(view_.vocabulary()));
    for (const auto& [tokens, weight] : first_) law[static_cast<std::size_t>(tokens[0])] = weight;
    return law;
  }

 private:
  void go_on(const Node& node, std::vector<Token> tokens, const Rational& weight, Law& law) const {
    if (tokens.size() >= length_) {
      law[std::move(tokens)] += weight;
      return;
    }
    const auto laws = view_.at(node);
    for (Token x = 0; x < view_.vocabulary(); ++x) {
      if (!(laws.target(x) > 0)) continue;
      std::vector<Token> longer = tokens;
      longer.push_back(x);
      go_on(view_.next(node, x), std::move(longer), Rational(weight * laws.target(x)), law);
    }
  }

  static Law firsts(const Law& law) {
    Law first;
    for (const auto& [tokens, weight] : law) first[{tokens[0]}] += weight;
    return first;
  }

  static Rational distance(Law law, const Law& target) {
    for (const auto& [tokens, weight] : target) law[tokens] -= weight;
    Rational sum(0);
    for (const auto& [tokens, difference] : law) sum += abs(difference);
    return sum / 2;
  }

  View view_;
  std::size_t length_;
  Rational tv_{0};
  Rational tv_of_first_{0};
  Law first_;
};

/// Holds one program to one vector, in fractions.
template <class Program>
void check_vector(const Vector& vector, const Program& program) {
  const Rows<Rational> rows(pair_of(vector));
  const int gamma = vector.at("gamma").get<int>();
  ExactRequest request{.lengths = {.gamma = gamma, .horizon = gamma + 1}};
  Rational decode_tv(0);
  if (vector.contains("decode_tv")) {
    REQUIRE(vector["decode_tv"].size() == 1);
    request.lengths.horizon = std::stoi(vector["decode_tv"].begin().key());
    decode_tv = value_of(vector["decode_tv"].begin().value());
  }
  const ExactNumbers<Rational> result = exact_results(program, rows, request);
  CHECK(result.expected_accepted == value_of(vector.at("expected_accepted")));
  CHECK(result.accepted_law == law_of(vector.at("accepted_law")));
  CHECK(result.undefined_mass == value_of(vector.at("undefined_mass")));
  CHECK(result.decode->tv_to_target == decode_tv);
  const OnceLaw<Program> once(program, rows, gamma, vector.at("once_length").get<std::size_t>());
  CHECK(once.first() == law_of(vector.at("first_token_law")));
  CHECK(once.tv_of_first() == value_of(vector.at("first_token_tv")));
  CHECK(once.tv() == value_of(vector.at("once_tv")));
}

/// The program that a spec text makes, read to its end.
template <class Program>
Program program_of(std::string_view text) {
  const Spec parsed = parse_spec(text);
  SpecReader spec(parsed);
  Program program = Program::read(spec);
  spec.finish();
  return program;
}

/// Holds every vector of a rule to the program that its spec text makes; returns how many there
/// are. A rule that is another one term by term has vectors of its own and the other's name in
/// `spec`.
template <class Program>
std::size_t check_vectors(std::string_view rule, std::string_view spec = "") {
  const std::vector<Vector> vectors = vectors_of(rule);
  for (const Vector& vector : vectors) {
    const std::string text = spec.empty() ? spec_of(vector) : std::string(spec);
    CAPTURE(text, vector.at("pair").get<std::string>(), vector.at("gamma").get<int>());
    check_vector(vector, program_of<Program>(text));
  }
  return vectors.size();
}

}  // namespace speclab
