// The law of one iteration: of the draft, of what is emitted and of the context reached.
#include "answer/iteration_law.h"

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/own_verifier.h"
#include "base/error.h"
#include "catch.h"

namespace speclab::iteration_law_test {
namespace {

using Outcomes = IterationLaw<Rational>;

const std::string kToyPair = "bernoulli(draft=2/3,target=1/3)";

Outcomes law_of(const char* verifier, const std::string& pair, int gamma,
                const IterationRequest& request = {}) {
  Bench bench;
  return IterationLaws<Rational>(make_verifier(verifier), bench.rationals(bench.pair(pair)),
                                 request)
      .from(0, gamma);
}

Rational share(const Outcomes& law, const std::vector<Token>& draft,
               const std::vector<Token>& tokens) {
  Rational sum(0);
  for (const auto& outcome : law) {
    if (outcome.draft == draft && outcome.tokens == tokens) sum += outcome.weight;
  }
  return sum;
}

TEST_CASE("token's iteration on the toy pair, outcome by outcome") {
  const Outcomes law = law_of("token", kToyPair, 1);
  CHECK(law.size() == 5);
  CHECK(share(law, {1}, {1, 1}) == Rational(1, 9));
  CHECK(share(law, {1}, {1, 0}) == Rational(2, 9));
  CHECK(share(law, {1}, {0}) == Rational(1, 3));
  CHECK(share(law, {0}, {0, 0}) == Rational(2, 9));
  CHECK(share(law, {0}, {0, 1}) == Rational(1, 9));
}

TEST_CASE("whole drafts have the draft's law, looked at or not") {
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    CAPTURE(verifier);
    const Outcomes law = law_of(verifier, kToyPair, 2, {.whole_draft = true});
    std::map<std::vector<Token>, Rational> drafted;
    for (const auto& outcome : law) {
      REQUIRE(outcome.draft.size() == 2);
      drafted[outcome.draft] += outcome.weight;
    }
    CHECK(drafted[{0, 0}] == Rational(1, 9));
    CHECK(drafted[{0, 1}] == Rational(2, 9));
    CHECK(drafted[{1, 0}] == Rational(2, 9));
    CHECK(drafted[{1, 1}] == Rational(4, 9));
  }
  CHECK(law_of("token", kToyPair, 2).front().draft.size() == 2);
  CHECK(share(law_of("token", kToyPair, 2), {1}, {0}) == Rational(1, 3));
  CHECK_THROWS_AS(law_of("rrs(K=2)", kToyPair, 1, {.whole_draft = true}), UsageError);
}

TEST_CASE("the law agrees with the answer, in fractions and in doubles") {
  constexpr const char* kPair = "markov(vocabulary=3,horizon=6,seed=2)";
  for (const char* verifier : {"block", "greedy-block", "rrs(K=2)", "batch(M=2)", "spectr-gbv(K=2)",
                               "sprinter(fp=1/4,tp=3/4)", "wrong-weight-coins"}) {
    CAPTURE(verifier);
    Bench bench;
    Question question = bench.question(kPair, verifier, {2, std::nullopt, 1});
    question.law = true;
    const Answer answer = bench.answer(question, ByEnumeration{.iteration_law = true});
    question.arithmetic = Arithmetic::floating;
    const Answer near = bench.answer(question, ByEnumeration{.iteration_law = true});
    REQUIRE(answer.iteration_law.size() == near.iteration_law.size());
    std::vector<Rational> accepted(3, Rational(0));
    Rational undefined(0);
    for (std::size_t i = 0; i < answer.iteration_law.size(); ++i) {
      const OutcomeShare& outcome = answer.iteration_law[i];
      CHECK(near.iteration_law[i].tokens == outcome.tokens);
      CHECK(near.iteration_law[i].probability.number == Approx(outcome.probability.number));
      accepted[static_cast<std::size_t>(outcome.accepted)] += *outcome.probability.fraction;
      if (outcome.ending == Ending::undefined) undefined += *outcome.probability.fraction;
    }
    CHECK(accepted == answer.fractions(QuantityId::accepted_law));
    CHECK(undefined == answer.fraction(QuantityId::iteration_undefined));
  }
}

TEST_CASE("the context reached has the carry: the modified target restores the law") {
  Bench bench;
  const auto rows = bench.rationals(bench.pair(kToyPair));
  const CarriedView<Rational> view(*rows);
  IterationLaws<Rational> laws(make_verifier("greedy-block"), rows);
  std::map<std::vector<Token>, Rational> output;  // of two tokens
  for (const auto& outcome : laws.from(0, 2)) {
    std::vector<Token> tokens = outcome.tokens;
    if (tokens.size() >= 2) {
      tokens.resize(2);
      output[tokens] += outcome.weight;
      continue;
    }
    for (Token x = 0; x < 2; ++x) {
      tokens.push_back(x);
      output[tokens] += outcome.weight * view.at(outcome.context).target(x);
      tokens.pop_back();
    }
  }
  CHECK(output[{0, 0}] == Rational(4, 9));
  CHECK(output[{0, 1}] == Rational(2, 9));
  CHECK(output[{1, 0}] == Rational(2, 9));
  CHECK(output[{1, 1}] == Rational(1, 9));
}

TEST_CASE("too many sequences of decisions are refused, and noted in an answer") {
  CHECK_THROWS_AS(law_of("block", kToyPair, 3, {.most_sequences = 4}), LimitError);
  Bench bench;
  Question question = bench.question(kToyPair, "block", {3, std::nullopt, 1});
  question.law = true;
  const Answer answer =
      bench.answer(question, ByEnumeration{.max_paths = 4000, .iteration_law = true});
  CHECK(answer.iteration_law.empty());
  CHECK(answer.notes.back().find("iteration.law: one iteration has more than 4 sequences") == 0);
}

/// Emits the first draft, whatever it is.
struct FirstDraft {
  static constexpr bool kCarries = false;

  template <class View, class Choices>
  void operator()(const View& view, const typename View::Node& root, Window, Choices& choices,
                  Iteration<View>& out) const {
    const Token x = choices.draft(view.at(root).draft());
    out.accept(x, view.next(root, x));
  }
};

TEST_CASE("a verifier of one's own is asked like any other") {
  Bench bench;
  const Verifier own = own_verifier("first-draft", FirstDraft{});
  const auto rows = bench.rationals(bench.pair(kToyPair));
  IterationLaws<Rational> laws(own, rows);
  CHECK(share(laws.from(0, 3), {1}, {1}) == Rational(2, 3));
  Question question{.pair = rows->pair_pointer(), .verifier = own, .lengths = {1, 1, 0}};
  const Answer answer = bench.answer(question, ByEnumeration{.predictions = false});
  CHECK(answer.fraction(QuantityId::tv_to_target) == Rational(1, 3));
}

}  // namespace
}  // namespace speclab::iteration_law_test
