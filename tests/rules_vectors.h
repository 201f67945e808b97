#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/read_file.h"
#include "base/spec.h"
#include "toy.h"

namespace speclab {

/// One vector of tests/data/rules.json: a rule, a pair, gamma, and what is exactly true of them.
struct RuleVector {
  std::string rule;
  std::string spec;  ///< the rule's name with its options as parameters
  std::string pair;  ///< its name in the file
  int gamma = 1;
  Rational expected_accepted, undefined_mass, first_token_tv, once_tv;
  std::vector<Rational> accepted_law, first_token_law;
  std::map<int, Rational> decode_tv;  ///< by horizon
};

/// The vectors and their pairs, as Rows that live as long as this does.
class RuleVectors {
 public:
  RuleVectors() {
    const auto root = nlohmann::json::parse(
        read_file(std::string(SPECLAB_SOURCE_DIR) + "/tests/data/rules.json"));
    for (const auto& [name, pair] : root.at("pairs").items()) {
      rows_.emplace(name, std::make_unique<Rows<Rational>>(read_pair(name, pair)));
    }
    for (const auto& entry : root.at("public")) vectors_.push_back(read(entry));
  }

  [[nodiscard]] std::vector<RuleVector> of(std::string_view rule) const {
    std::vector<RuleVector> found;
    for (const auto& vector : vectors_) {
      if (vector.rule == rule) found.push_back(vector);
    }
    return found;
  }
  [[nodiscard]] const Rows<Rational>& rows(const std::string& pair) const {
    return *rows_.at(pair);
  }

 private:
  static PairPointer read_pair(const std::string& name, const nlohmann::json& pair) {
    const auto path = std::filesystem::temp_directory_path() /
                      fmt::format("speclab-rules-{}-{}.json", name, ::getpid());
    std::ofstream(path) << pair;
    auto result = make_pair(fmt::format("file({})", path.string()));
    std::filesystem::remove(path);
    return result;
  }

  static std::vector<Rational> law(const nlohmann::json& entries) {
    std::vector<Rational> result;
    for (const auto& entry : entries) result.push_back(parse_rational(entry.get<std::string>()));
    return result;
  }

  /// Constants of a rule are not parameters of it.
  static std::string spec_text(const nlohmann::json& entry) {
    std::string text;
    for (const auto& [key, value] : entry.at("options").items()) {
      if (key == "last" || key == "draws" || key == "spare") continue;
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", key,
                          value.is_string() ? value.get<std::string>() : value.dump());
    }
    const auto rule = entry.at("rule").get<std::string>();
    return text.empty() ? rule : fmt::format("{}({})", rule, text);
  }

  static RuleVector read(const nlohmann::json& entry) {
    const auto number = [&](const char* key) {
      return parse_rational(entry.at(key).get<std::string>());
    };
    RuleVector result;
    result.rule = entry.at("rule").get<std::string>();
    result.spec = spec_text(entry);
    result.pair = entry.at("pair").get<std::string>();
    result.gamma = entry.at("gamma").get<int>();
    result.expected_accepted = number("expected_accepted");
    result.undefined_mass = number("undefined_mass");
    result.first_token_tv = number("first_token_tv");
    result.once_tv = number("once_tv");
    result.accepted_law = law(entry.at("accepted_law"));
    result.first_token_law = law(entry.at("first_token_law"));
    if (!entry.contains("decode_tv")) return result;
    for (const auto& [horizon, tv] : entry.at("decode_tv").items()) {
      result.decode_tv[std::stoi(horizon)] = parse_rational(tv.get<std::string>());
    }
    return result;
  }

  std::map<std::string, std::unique_ptr<Rows<Rational>>> rows_;
  std::vector<RuleVector> vectors_;
};

/// The program that a spec text makes, read to its end.
template <class Program>
Program program_of(std::string_view text) {
  SpecReader reader(parse_spec(text));
  Program program = Program::read(reader);
  reader.finish();
  return program;
}

/// The law of the first `length` tokens of one iteration continued by the target, from one root.
/// An undefined iteration's mass is at the empty sequence.
template <class Program>
std::map<std::vector<Token>, Rational> once_law(
    const Program& program, const ViewOf<Program, Rational>& view,
    const typename ViewOf<Program, Rational>::Node& root, int gamma, std::size_t length) {
  using View = ViewOf<Program, Rational>;
  std::map<std::vector<Token>, Rational> law;
  const std::function<void(std::vector<Token>, typename View::Node, Rational)> extend =
      [&](std::vector<Token> tokens, typename View::Node node, Rational mass) {
        if (tokens.size() >= length) {
          tokens.resize(length);
          law[tokens] += mass;
          return;
        }
        const auto laws = view.at(node);
        for (Token x = 0; x < laws.vocabulary(); ++x) {
          if (!(laws.target(x) > 0)) continue;
          auto longer = tokens;
          longer.push_back(x);
          extend(std::move(longer), view.next(node, x), Rational(mass * laws.target(x)));
        }
      };
  ProgramRunner<Program, View>(program).enumerate(view, root, {.drafts = gamma, .bonus = true},
                                                  true, [&](const auto& out, const Rational& mass) {
                                                    if (out.ending == Ending::undefined) {
                                                      law[{}] += mass;
                                                    } else {
                                                      extend(out.tokens, out.node, mass);
                                                    }
                                                  });
  return law;
}

/// The total variation distance of two laws on sequences.
inline Rational distance(const std::map<std::vector<Token>, Rational>& a,
                         const std::map<std::vector<Token>, Rational>& b) {
  Rational sum(0);
  for (const auto& [tokens, mass] : a) {
    const auto found = b.find(tokens);
    sum += positive_part<Rational>(found == b.end() ? mass : Rational(mass - found->second));
  }
  return sum;
}

/// What a program's vector says, worked out anew, for a pair with one start.
struct OnceResult {
  std::vector<Rational> first_token_law;
  Rational once_tv;
};

template <class Program>
OnceResult run_once(const Program& program, const Rows<Rational>& rows, int gamma) {
  const auto length = static_cast<std::size_t>(gamma) + 1;
  OnceResult result;
  result.first_token_law.assign(static_cast<std::size_t>(rows.vocabulary()), Rational(0));
  result.once_tv = 0;
  for (const Start& start : rows.pair().start()) {
    const ViewOf<Program, Rational> view(rows);
    const PairView<Rational> plain(rows);
    const auto law = once_law(program, view, view.root(start.state), gamma, length);
    const auto target = once_law(Autoregressive{}, plain, plain.root(start.state), gamma, length);
    for (const auto& [tokens, mass] : law) {
      if (tokens.empty()) continue;
      result.first_token_law[static_cast<std::size_t>(tokens[0])] += start.probability * mass;
    }
    result.once_tv += start.probability * distance(law, target);
  }
  return result;
}

}  // namespace speclab
