#include "audit/vectors.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/rational.h"
#include "catch.h"
#include "verifiers/engine_rows.h"
#include "verifiers/registry.h"

namespace speclab {
namespace {

using Row = std::vector<Rational>;

/// A decimal in quotes as the fraction of its double.
Row row_of(const Json& texts) {
  Row row;
  for (const Json& text : texts) row.push_back(Rational(std::stod(text.string())));
  return row;
}

/// leviathan2023: P(tau = i and Y = y) of token verification given its drafts, worked by hand.
Rational token_law(const Json& made, std::size_t accepted, std::size_t y) {
  Rational kept(1);
  const Json& drafts = made["drafts"][0];
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    const Row draft = row_of(made["draft_rows"][0][i]), target = row_of(made["target_rows"][0][i]);
    const auto x = drafts[i].get<std::size_t>();
    const Rational rate = draft[x] < target[x] ? Rational(1) : target[x] / draft[x];
    if (i == accepted) {
      Rational left(0);
      for (std::size_t v = 0; v < draft.size(); ++v) {
        if (target[v] > draft[v]) left += target[v] - draft[v];
      }
      const Rational of_y = target[y] > draft[y] ? (target[y] - draft[y]) / left : Rational(0);
      return kept * (1 - rate) * of_y;
    }
    kept *= rate;
  }
  return kept * row_of(made["target_rows"][0][drafts.size()])[y];
}

TEST_CASE("the vectors of token verification have the law worked by hand, and sum to 1") {
  const Json vectors = read_json(rule_vectors("token", Battery::small).vectors);
  std::set<std::string> flags;
  for (const Json& made : vectors["cases"]) {
    INFO("case " << made["id"].dump());
    flags.insert(made["flag"].string());
    for (const char* key : {"draft_rows", "target_rows"}) {
      for (const Json& row : made[key][0]) {
        Rational sum(0);
        for (const Rational& probability : row_of(row)) sum += probability;
        CHECK(sum == 1);
      }
    }
    Rational sum(0);
    for (const Json& outcome : made["outcomes"]) {
      const Rational probability = parse_rational(outcome["probability"].string());
      const auto accepted = outcome["accepted"].get<std::size_t>();
      const auto last = outcome["tokens"].back().get<std::size_t>();
      REQUIRE(outcome["tokens"].size() == accepted + 1);
      Rational law = token_law(made, accepted, last);
      // The end that is drafted at the second position may be accepted too: all that follows is it.
      if (made.contains("eos") && accepted == 1 && last == made["eos"].get<std::size_t>()) {
        for (std::size_t tau = 2; tau <= made["drafts"][0].size(); ++tau) {
          law += token_law(made, tau, last);
        }
      }
      CHECK(probability == law);
      sum += probability;
      const double expected = to_double(probability) * vectors["samples"].get<double>();
      CHECK(outcome["count"][0].get<double>() <= expected);
      CHECK(outcome["count"][1].get<double>() >= expected);
    }
    CHECK(sum == 1);
  }
  for (const VectorFlag& flag : vector_flags()) {
    CHECK(flags.contains(std::string(flag.name)) == (flag.name != "equal-drafts"));
    CHECK(!vectors["flags"][std::string(flag.name)]["reference"].string().empty());
  }
}

TEST_CASE("the vectors reject the faults of a rule, and say which they cannot") {
  for (const char* rule : {"token", "block", "rrs(K=2)"}) {
    const RuleVectors made = rule_vectors(rule, Battery::small);
    INFO(rule << ": " << made.rejected << " rejected");
    CHECK(made.rejected >= 20);
    CHECK(made.least_power >= kVectorPower);
    CHECK(made.vectors.size() <= 100'000);
    const Json controls = read_json(made.controls);
    CHECK(controls["controls"].size() == made.rejected);
    for (const Json& control : controls["controls"]) {
      CHECK(control["power"].get<double>() >= kVectorPower);
      CHECK(control.contains("law") != control.contains("decisions"));
    }
    // What one iteration with given drafts cannot show, and nothing else.
    for (const Json& fault : controls["unseen"]) {
      const std::string name = fault["fault"].string();
      CHECK(
          (name.starts_with("wrong-drawn-draft") || name.starts_with("wrong-correction-accepted")));
    }
  }
}

TEST_CASE("drafts of a rule that takes the likeliest are those of the rows") {
  for (const char* rule : {"target-only(tree=2-1,draw=top)", "sample-match(draft=argmax)"}) {
    const Json vectors = read_json(rule_vectors(rule, Battery::small).vectors);
    for (const Json& made : vectors["cases"]) {
      INFO(rule << ", case " << made["id"].dump());
      for (std::size_t k = 0; k < made["drafts"].size(); ++k) {
        for (std::size_t i = 0; i < made["drafts"][k].size(); ++i) {
          const Row row = row_of(made["draft_rows"][k][i]);
          const auto x = made["drafts"][k][i].get<std::size_t>();
          // The k-th draft has the k-th likeliest token first, and the likeliest one after it.
          const auto above = std::count_if(row.begin(), row.end(),
                                           [&](const Rational& other) { return other > row[x]; });
          CHECK(above <= static_cast<std::ptrdiff_t>(i == 0 ? k : 0));
        }
      }
      std::set<std::string> first;
      for (const Json& chain : made["drafts"]) first.insert(chain[0].dump());
      CHECK(first.size() == made["drafts"].size());
    }
  }
}

TEST_CASE("every option of an engine that has a rule has vectors") {
  const std::vector<std::string> rules = battery_rules();
  for (const EngineRow& row : engine_rows()) {
    if (row.rule.empty()) continue;
    INFO(row.engine << ", " << row.option);
    const std::string rule = make_verifier(row.rule).name;
    // A rule that an engine gains later is in no released battery, and has vectors of its own.
    const auto count = std::count(rules.begin(), rules.end(), rule);
    CHECK(count <= 1);
    if (count == 0) CHECK_NOTHROW(rule_vectors(rule, Battery::small));
  }
  CHECK(rules.size() == 58);
}

TEST_CASE("a rule without a law given its drafts has no vectors") {
  CHECK_THROWS_AS(rule_vectors("autoregressive", Battery::small), InputError);
  CHECK_THROWS_AS(rule_vectors("nonesuch", Battery::small), InputError);
}

}  // namespace
}  // namespace speclab
