#include "audit/vectors.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "audit/vector_laws.h"
#include "base/error.h"
#include "base/json.h"
#include "base/rational.h"
#include "catch.h"
#include "model/families/listed_tree.h"
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

using SparseRow = std::map<std::size_t, Rational>;

/// The probabilities of a row that is written by token, without zeros.
SparseRow sparse_row_of(const Json& row) {
  SparseRow read;
  for (const auto& [token, text] : row.items()) {
    read[std::stoul(token)] = Rational(std::stod(text.string()));
  }
  return read;
}

/// leviathan2023: P(emitted tokens) of token verification given its drafts.
std::map<std::vector<std::size_t>, Rational> sparse_law(const Json& made) {
  std::map<std::vector<std::size_t>, Rational> law;
  Rational kept(1);
  std::vector<std::size_t> tokens;
  const auto emit = [&](std::size_t y, const Rational& probability) {
    tokens.push_back(y);
    if (probability > 0) law[tokens] += probability;
    tokens.pop_back();
  };
  const Json& drafts = made["drafts"][0];
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    SparseRow draft = sparse_row_of(made["draft_rows"][0][i]);
    SparseRow target = sparse_row_of(made["target_rows"][0][i]);
    const auto x = drafts[i].get<std::size_t>();
    const Rational ratio = target[x] / draft.at(x);
    const Rational rate = ratio < 1 ? ratio : Rational(1);
    Rational left(0);
    for (const auto& [y, t] : target) left += t > draft[y] ? Rational(t - draft[y]) : Rational(0);
    for (const auto& [y, t] : target) {
      if (t > draft[y]) emit(y, kept * (1 - rate) * (t - draft[y]) / left);
    }
    kept *= rate;
    tokens.push_back(x);
  }
  for (const auto& [y, t] : sparse_row_of(made["target_rows"][0][drafts.size()])) emit(y, kept * t);
  return law;
}

TEST_CASE("the full battery has vectors of 131,072 tokens with mass at the ends of blocks") {
  const RuleVectors made = rule_vectors("token", Battery::full);
  CHECK(made.vectors.size() <= 1'000'000);
  const Json vectors = read_json(made.vectors);
  std::set<std::size_t> emitted;
  std::size_t cases = 0;
  for (const Json& each : vectors["cases"]) {
    if (each["vocabulary"].get<int>() != 131'072) continue;
    ++cases;
    INFO("case " << each["id"].dump());
    CHECK(each["flag"].string() == "wide");
    CHECK(each["samples"].get<int>() == 8 * each["early"].get<int>());
    CHECK(each["lengths"].size() == each["drafts"][0].size() + 1);
    CHECK(each["uniforms"].size() > 100);
    for (const char* key : {"draft_rows", "target_rows"}) {
      for (const Json& row : each[key][0]) {
        Rational sum(0);
        for (const auto& [x, probability] : sparse_row_of(row)) sum += probability;
        CHECK(sum == 1);
      }
    }
    std::map<std::vector<std::size_t>, Rational> law;
    for (const Json& outcome : each["outcomes"]) {
      law[outcome["tokens"].get<std::vector<std::size_t>>()] =
          parse_rational(outcome["probability"].string());
      emitted.insert(outcome["tokens"].back().get<std::size_t>());
    }
    CHECK(law == sparse_law(each));
  }
  CHECK(cases == 3);
  for (const Token x :
       {0, 1023, 1024, 4095, 4096, 8191, 8192, 32'767, 32'768, 65'535, 65'536, 131'072 - 65}) {
    CHECK(emitted.contains(static_cast<std::size_t>(x)));
  }
  CHECK(*emitted.rbegin() == 131'072 - 65);
  CHECK(vectors["power"]["kernel(tokens=65536)"].get<double>() >= kVectorPower);
  const Json small = read_json(rule_vectors("token", Battery::small).vectors);
  CHECK(!small["power"].contains("kernel(tokens=65536)"));
}

/// The law of a case with tokens of probability 0 between the others, by the others' numbers.
OutcomeLaw law_with_gaps(const Verifier& rule, VectorCase made) {
  const Rows<Rational> rows(made.pair);
  const Token size = 2 * made.pair->vocabulary() + 3;
  const auto spread = [&](std::span<const Rational> row) {
    std::vector<Rational> law(static_cast<std::size_t>(size), Rational(0));
    for (std::size_t i = 0; i < row.size(); ++i) law[2 * i + 1] = row[i];
    return law;
  };
  ListedLaws draft, target;
  for (std::vector<Token>& chain : made.chains) {
    State state = made.pair->start().front().state;
    std::vector<Token> prefix;
    for (std::size_t i = 0;; ++i) {
      draft[prefix] = spread(rows.draft(state));
      target[prefix] = spread(rows.target(state));
      if (i == chain.size()) break;
      state = rows.next(state, chain[i]);
      chain[i] = 2 * chain[i] + 1;
      prefix.push_back(chain[i]);
    }
  }
  made.pair = std::make_shared<const ListedTreePair>(size, draft, target);
  OutcomeLaw law;
  const auto each = judged(rule, std::move(made));
  REQUIRE(each.has_value());
  for (const auto& [outcome, weight] : each->law) {
    AuditOutcome before = outcome;
    for (Token& token : before.tokens) token = (token - 1) / 2;
    law[before] = weight;
  }
  return law;
}

TEST_CASE("the vectors of every rule do not depend on tokens without probability") {
  for (const std::string& name : battery_rules()) {
    INFO(name);
    const Verifier rule = make_verifier(name);
    std::size_t cases = 0;
    for (VectorCase& made : vector_cases(Battery::full, given_shape(rule))) {
      if (made.names.empty() || made.names.size() > 20) continue;
      const auto each = judged(rule, made);
      REQUIRE(each.has_value());
      ++cases;
      CHECK(law_with_gaps(rule, made) == each->law);
    }
    CHECK(cases == 2);
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
