#include "answer/scores.h"

#include <cmath>

#include "answer/answer.h"
#include "answer/bench.h"
#include "catch.h"
#include "theory/text_identity.h"

namespace speclab::scores_test {
namespace {

/// E[target calls] over all texts of the target from the start, by the program that scores texts.
double calls_by_texts(const Rows<double>& rows, int tokens, const TextVerifier& verifier,
                      int gamma) {
  TextDecoder decoder;
  double calls = 0;
  const Measure<double> law = start_law(rows);
  for (const auto& [state, share] : law.entries()) {
    each_text(rows, state, tokens, [&, share = share](double probability, auto draft, auto target) {
      ScoredText text;
      for (std::size_t j = 0; j < draft.size(); ++j) {
        text.draft.push_back(std::log(draft[j]));
        text.target.push_back(std::log(target[j]));
      }
      decoder.load(text);
      calls += share * probability * decoder.calls(verifier)[static_cast<std::size_t>(gamma - 1)];
    });
  }
  return calls;
}

TEST_CASE("texts weighed by the target give the exact target calls, on 500 random pairs") {
  Bench bench;
  int pairs = 0;
  for (int seed = 1; seed <= 250; ++seed) {
    for (const int vocabulary : {2, 3}) {
      const int gamma = 1 + seed % 3;
      const int tokens = vocabulary == 2 ? gamma + 2 : std::min(gamma + 2, 4);
      const std::string pair = "tree(vocabulary=" + std::to_string(vocabulary) +
                               ",depth=" + std::to_string(tokens) +
                               ",seed=" + std::to_string(seed) + ")";
      ++pairs;
      for (const char* name : {"token", "block", "sample-match", "target-only(K=2)"}) {
        CAPTURE(pair, name, gamma, tokens);
        const Question question =
            bench.question(pair, name, {gamma, tokens, 0}, Arithmetic::floating);
        const Answer answer =
            bench.answer(question, ByEnumeration{.threads = 1, .predictions = false});
        const double exact = answer.find(QuantityId::target_calls)->number;
        const double scored = calls_by_texts(*bench.doubles(question.pair), tokens,
                                             *text_verifier(question.verifier), gamma);
        CHECK(scored == Approx(exact).epsilon(1e-12));
      }
      bench.clear();
    }
  }
  CHECK(pairs == 500);
}

TEST_CASE("the biased metrics are off by 2/9, and say 3/4 for 1 and for 1/2") {
  Bench bench;
  const auto tau = [&](const std::string& pair) {
    return bench.answer(bench.question(pair, "token", {2, std::nullopt, 0}), ByEnumeration{})
        .fraction(QuantityId::expected_accepted);
  };
  // The second position is equal or disjoint, whatever the first accepts: rates 1/2 and 1/2.
  const std::string together =
      "automaton(draft=[[1,0],[1,0],[0,1]],target=[[1/2,1/2],[1,0],[1,0]],"
      "next=[[1,2],[1,1],[2,2]],start=0)";
  const std::string apart =
      "automaton(draft=[[1,0],[0,1],[1,0]],target=[[1/2,1/2],[1,0],[1,0]],"
      "next=[[1,2],[1,1],[2,2]],start=0)";
  CHECK(tau(together) == Rational(1));
  CHECK(tau(apart) == Rational(1, 2));
}

ScoreResult result_of(const std::vector<ScoredText>& texts, std::vector<TextVerifier> verifiers) {
  ScoreResult result;
  TextDecoder decoder;
  TextGroup& group = result.groups.emplace_back();
  for (const ScoredText& text : texts) {
    decoder.load(text);
    TextCluster cluster{1, static_cast<double>(text.size()), decoder.optimum(), {}};
    for (const TextVerifier& verifier : verifiers) {
      cluster.decodes.push_back(decoder.decode(verifier));
    }
    group.add(std::move(cluster), kMostTextClusters);
  }
  return result;
}

TEST_CASE("scores are ratios of sums over texts, with intervals over them") {
  const double log2 = std::log(2);
  // Calls of token at gamma 1: 2 - 1/2 and 1 of two tokens each.
  const std::vector<ScoredText> texts{{.target = {-log2, -1}, .draft = {-2 * log2, -1}},
                                      {.target = {-log2, -1}, .draft = {-log2, -1}}};
  const ScoredQuestion asked{{make_verifier("token"), make_verifier("block")}, {1, 2}};
  const ScoreResult result = result_of(texts, {{TextRule::token}, {TextRule::block}});
  const std::vector<Score> scores = scores_of(result, asked);
  REQUIRE(scores.size() == 4);
  CHECK(scores[0].target_calls.number == Approx(2.5));
  CHECK(scores[0].acceptance_length.number == Approx(4 / 2.5));
  REQUIRE(scores[0].acceptance_length.estimate);
  CHECK(scores[0].acceptance_length.estimate->low >= 1);
  // Iterations: 1 and 1/2 of the first text, of which 1/2 and 1/2 accept; 1 of the second.
  CHECK(scores[0].position_rates.at(0).number == Approx(2 / 2.5));
  CHECK(gains_of(result, asked).size() == 2);
  CHECK(gains_of(result, asked)[0].difference.number == Approx(0).margin(1e-15));
  const std::vector<Cluster> clusters = clusters_of(result.groups.front(), 0, 2);
  CHECK(clusters[0].tokens == 2);
  // Two drafts of the whole text, and one behind a correction.
  CHECK(clusters[0].steps == Approx(2 + 0.5));
  const std::vector<Score> one =
      scores_of(result_of({texts[0]}, {{TextRule::token}}), {{asked.verifiers[0]}, {1}});
  CHECK_FALSE(one[0].acceptance_length.estimate);
}

TEST_CASE("clusters of very many texts are joined, and the sums stay") {
  TextGroup group;
  for (int k = 0; k < 100; ++k) group.add({1, 2, {}, {TextDecode{}}}, 16);
  CHECK(group.texts == 100);
  CHECK(group.tokens == 200);
  CHECK(group.clusters.size() <= 16);
  double tokens = 0;
  for (const double each : group.each([](const TextCluster& of) { return of.tokens; })) {
    tokens += each;
  }
  CHECK(tokens == 200);
}

TEST_CASE("what an engine counted is compared with what the texts predict") {
  std::vector<ScoredText> texts;
  for (int k = 0; k < 50; ++k) {
    const double off = 0.1 * (k % 5);
    texts.push_back({.target = {-1, -1, -1, -1}, .draft = {-1 - off, -1.2, -1.5, -1}});
  }
  const ScoreResult result = result_of(texts, {{TextRule::token}});
  const Verifier token = make_verifier("token");
  const double rate = scores_of(result, {{token}, {1}})[0].position_rates[0].number;
  ObservedRequests observed;
  observed.gamma = 1;
  for (int k = 0; k < 50; ++k) observed.steps.push_back(100);
  for (const double shift : {0.0, 0.2}) {
    observed.reached.assign(1, {});
    for (int k = 0; k < 50; ++k) observed.reached[0].push_back(100 * (rate - shift) + k % 3 - 1);
    const ObservedComparison made = compare_observed(result, observed, token, 0);
    REQUIRE(made.rates.size() == 1);
    CHECK((made.check.verdict == TextVerdict::fail) == (shift > 0));
    CHECK(*made.rates[0].detected < 0.2);
  }
}

}  // namespace
}  // namespace speclab::scores_test
