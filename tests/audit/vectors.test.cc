#include "audit/vectors.h"

#include <fmt/format.h>

#include <set>

#include "base/error.h"
#include "base/json.h"
#include "base/random.h"
#include "base/rational.h"
#include "catch.h"

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
      REQUIRE(outcome["tokens"].size() == accepted + 1);
      CHECK(probability == token_law(made, accepted, outcome["tokens"].back().get<std::size_t>()));
      sum += probability;
      const double expected = to_double(probability) * vectors["samples"].get<double>();
      CHECK(outcome["count"][0].get<double>() <= expected);
      CHECK(outcome["count"][1].get<double>() >= expected);
    }
    CHECK(sum == 1);
  }
  for (const VectorFlag& flag : vector_flags()) {
    CHECK(flags.contains(std::string(flag.name)) == (flag.name != "equal-drafts"));
  }
}

TEST_CASE("the vectors reject the faults of a rule, and say which they cannot") {
  for (const char* rule : {"token", "block", "rrs(K=2)"}) {
    const RuleVectors made = rule_vectors(rule, Battery::small);
    INFO(rule << ": " << made.rejected << " rejected");
    CHECK(made.rejected >= 5);
    CHECK(made.vectors.size() <= 100'000);
    const Json controls = read_json(made.controls);
    CHECK(controls["controls"].size() == made.rejected + made.missed.size());
    for (const Json& control : controls["controls"]) {
      CHECK(control.contains("reason") == (control["power"].get<double>() == 0));
    }
  }
}

TEST_CASE("a released battery never changes") {
  // A digest of all bytes; what is added to a battery gets another version.
  const auto digest = [](const char* rule) {
    const RuleVectors made = rule_vectors(rule, Battery::small);
    return fmt::format("{:016x} {:016x}", task_hash(made.vectors), task_hash(made.controls));
  };
  CHECK(digest("token") == "ea98208dc847070c 9cd19c2450b2bc6d");
  CHECK(digest("block") == "10167c45fe947aeb a952d139f1c82a72");
  CHECK(digest("rrs(K=2)") == "93cd859ea3ce4521 acd6078839dce339");
}

TEST_CASE("a rule without a law given its drafts has no vectors") {
  CHECK_THROWS_AS(rule_vectors("autoregressive", Battery::small), InputError);
  CHECK_THROWS_AS(rule_vectors("nonesuch", Battery::small), InputError);
  CHECK(rules_with_vectors().size() > 10);
}

}  // namespace
}  // namespace speclab
