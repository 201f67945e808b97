// Answers and tallies that no run can have left.
#include "answer/stored.h"
#include "base/error.h"
#include "catch.h"
#include "message_of.h"

namespace speclab::check_stored_test {
namespace {

/// A law of none or one accepted token, and its mean.
Answer answer_of(Value none, Value one, Value mean) {
  Answer answer;
  answer.found.add(QuantityId::accepted_law, std::move(none), {0});
  answer.found.add(QuantityId::accepted_law, std::move(one), {1});
  answer.found.add(QuantityId::expected_accepted, std::move(mean), {});
  return answer;
}

Answer answer_of(const Rational& none, const Rational& one) {
  return answer_of(value_of(none), value_of(one), value_of(one));
}

}  // namespace

TEST_CASE("a quantity that could not be found is kept with its reason") {
  Answer answer = answer_of(Rational(1, 3), Rational(2, 3));
  answer.found.add_missing(QuantityId::output_law, "more than 1e8 sequences");
  const Answer read = read_answer({}, AnswerKind::exact, answer_text(answer));
  CHECK(answer_text(read) == answer_text(answer));
  CHECK_THAT(answer_text(read), Containing("more than 1e8 sequences"));
  CHECK_NOTHROW(check_answer(read));
  const std::string reason = "output.law: more than 1e8 sequences";
  CHECK(message_of<LimitError>([&] { return read.fractions(QuantityId::output_law); }) == reason);
  CHECK(message_of<LimitError>([&] { return read.fraction(QuantityId::output_law, {0}); }) ==
        reason);
}

TEST_CASE("a refusal quotes a part of a kept claim's name") {
  Answer answer = answer_of(Rational(1, 3), Rational(2, 3));
  Prediction form;
  form.claim = std::string(5000, 'x');
  form.quantity = QuantityId::expected_accepted;
  form.value = 1;
  form.exact = Rational(2);
  answer.predictions = {form};
  CHECK_THROWS_WITH(check_answer(answer), std::string(57, 'x') + "... is not what its fraction is");
}

TEST_CASE("a kept answer's numbers have the indices of their quantity") {
  const auto refused = [](QuantityId id, const QuantityIndex& index) {
    Answer answer = answer_of(Rational(1, 3), Rational(2, 3));
    answer.found.add(id, Value{0.5, std::nullopt, {}}, index);
    return message_of([&] { check_answer(answer); });
  };
  CHECK(refused(QuantityId::tokens_law, {1, 2}).empty());
  CHECK(refused(QuantityId::tokens_law, {1}) == "iterations.law[1] has no such index");
  CHECK(refused(QuantityId::output_law, {}).empty());
  CHECK(refused(QuantityId::output_law, {1, 0, 1}).empty());
  CHECK(refused(QuantityId::law_given_draft, {1, 0}).empty());
  CHECK_THAT(refused(QuantityId::output_law, {1, -1}), Containing(" has an index below 0"));
  CHECK_THAT(refused(QuantityId::decode_tokens, {1}), Containing(" has no such index"));
  CHECK(refused(QuantityId::decode_tokens, {}).empty());
}

TEST_CASE("a kept law in doubles sums to 1 up to rounding, and has its mean") {
  const auto check = [](double none, double one, double mean) {
    check_answer(answer_of(value_of(none), value_of(one), value_of(mean)));
  };
  CHECK_NOTHROW(check(0.3, 0.7, 0.7));
  CHECK_NOTHROW(check(0.3, 0.7 + 1e-12, 0.7));
  CHECK_THROWS_WITH(check(0.3, 0.6, 0.6), Containing("does not sum to 1"));
  CHECK_THROWS_WITH(check(0.3, 0.7, 0.6), Containing("are not those of their law"));
  CHECK_THROWS_WITH(check(-0.3, 1.3, 1.3), Containing("is below 0"));
  // One number of the law without its fraction: it is held as doubles are.
  const Rational two(2, 3);
  CHECK_NOTHROW(check_answer(answer_of(Rational(1, 3), two)));
  CHECK_NOTHROW(check_answer(answer_of(value_of(1.0 / 3), value_of(two), value_of(two))));
  Answer lawless;
  lawless.found.add(QuantityId::accepted_law, Value{1, Rational(1), {}}, {0});
  CHECK_THROWS_WITH(check_answer(lawless), "it has no law of the accepted tokens");
}

TEST_CASE("a tally's undefined draws, squares and positions are such as its trials can leave") {
  const Lengths lengths{.gamma = 100, .horizon = 4};
  Tally right;
  right.trials = 4;
  right.accepted = {4};
  right.tokens = {8, 16};
  right.iterations = {4, 4};
  CHECK_NOTHROW(check_tally(right, 4, lengths));
  const auto refuses = [&](const std::string& why, const auto& forge) {
    Tally tally = right;
    forge(tally);
    CHECK_THROWS_WITH(check_tally(tally, 4, lengths), Containing(why));
  };
  refuses("undefined trials are more", [](Tally& tally) {
    tally.undefined_trials = 1;
    tally.undefined_iterations = 2;
  });
  // Squares above the sum whose mean is below the mean's square: 4 trials of 2 have 16 at least.
  refuses("the squares of its tokens do not fit", [](Tally& tally) { tally.tokens.squares = 15; });
  refuses("the squares of its tokens do not fit", [](Tally& tally) { tally.tokens.squares = 7; });
  refuses("its positions are another number", [](Tally& tally) {
    tally.positions.resize(65);
    tally.positions_times_iterations.resize(65);
  });
  refuses("counts of accepted tokens do not sum", [](Tally& tally) {
    tally.conditional_law = {{1, 1}};  // whose counts are none
  });
  Tally conditional = right;
  conditional.accepted = {};
  conditional.conditional_law = {{1, 1}};
  CHECK_NOTHROW(check_tally(conditional, 4, lengths));
}

}  // namespace speclab::check_stored_test
