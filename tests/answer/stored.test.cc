// Answers and tallies as text.
#include "answer/stored.h"

#include <limits>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/rows.h"
#include "base/error.h"
#include "catch.h"
#include "message_of.h"

namespace speclab::stored_test {
namespace {

/// Numbers that are all different, some of them wider than 64 bits.
struct Distinct {
  std::uint64_t last = std::numeric_limits<std::uint32_t>::max();

  std::uint64_t next() { return last += 7; }
  WideCount wide() { return static_cast<WideCount>(next()) << 70U; }
  Moments moments() { return {wide(), wide()}; }
};

/// A tally with another number in each field, and in each element of the lists.
Tally full_tally() {
  Distinct some;
  Tally tally;
  tally.trials = some.next();
  tally.undefined_trials = some.next();
  tally.undefined_iterations = some.next();
  tally.accepted = {some.next(), some.next()};
  tally.emitted = {some.moments(), some.moments()};
  tally.tokens = some.moments();
  tally.iterations = some.moments();
  tally.target_calls = some.moments();
  tally.rejections = some.moments();
  tally.draft_steps = some.moments();
  tally.tokens_times_calls = some.wide();
  tally.tokens_times_steps = some.wide();
  tally.calls_times_steps = some.wide();
  tally.positions = {some.moments(), some.moments(), some.moments()};
  tally.positions_times_iterations = {some.wide(), some.wide()};
  tally.emitted_counts = {{some.next()}, {0, some.next(), some.next()}, {}};
  tally.outputs = {0, some.next(), 0, some.next(), 0};
  tally.conditional_law = {some.moments(), some.moments()};
  tally.conditional_accepted = some.moments();
  tally.conditional_undefined = some.moments();
  return tally;
}

}  // namespace

TEST_CASE("a tally is written and read back whole") {
  const Tally tally = full_tally();
  CHECK(read_tally(tally_text(tally)) == tally);
  CHECK(read_tally(tally_text(Tally())) == Tally());
  // A field that this test does not know of changes the size. by_calls, by_steps, by_tokens,
  // controls and companions are counted in no trials that are stored.
  CHECK(sizeof(Tally) == 672);
}

TEST_CASE("every cell of a tally's outputs that occurs is in its text") {
  Tally tally;
  tally.trials = 21;
  tally.outputs = {0, 3, 0, 5, 7, 0, 6, 0};
  const std::string text = tally_text(tally);
  CHECK_THAT(text, Containing(R"("outputs":{"cells":8,"counts":[[1,3],[3,5],[4,7],[6,6]]})"));
  CHECK(read_tally(text) == tally);
}

TEST_CASE("a text that is no tally is refused") {
  for (const std::string text : {"", "{}", "[]", "{\"trials\": -1}"}) {
    CHECK_THROWS_WITH(read_tally(text), Containing("the text is no tally"));
  }
  std::string broken = tally_text(full_tally());
  const auto digits = broken.find("\"tokens\":[\"") + 11;
  broken[digits] = 'x';
  CHECK_THROWS_WITH(read_tally(broken), Containing("no tally"));
}

TEST_CASE("of what a parser read last a part is quoted") {
  const std::string text = "[" + std::string(10'000, '\n') + "l";
  const std::string tally = message_of([&] { read_tally(text); });
  const std::string answer = message_of([&] { read_answer({}, AnswerKind::exact, text); });
  for (const std::string& reported : {tally, answer}) {
    CHECK(!reported.empty());
    CHECK(reported.size() < 300);
  }
}

TEST_CASE("an exact answer is kept with its fractions whole, closed forms and notes") {
  Bench bench;
  // Fractions that are longer than any report writes out.
  Question question = bench.question("bernoulli(draft=100003/300007,target=200003/300007)", "block",
                                     {.gamma = 6, .horizon = 8, .iterations = 2});
  const Answer answer = bench.answer(question, ByEnumeration{});
  REQUIRE(answer.fraction(QuantityId::tv_to_target) == 0);
  REQUIRE(to_text(answer.fraction(QuantityId::expected_tokens, {2})).size() > 60);
  REQUIRE_FALSE(answer.predictions.empty());
  const Answer read = read_answer(question, AnswerKind::exact, answer_text(answer));
  CHECK(rows_of(read) == rows_of(answer));
  CHECK(read.notes == answer.notes);
  CHECK(read.fraction(QuantityId::expected_tokens, {2}) ==
        answer.fraction(QuantityId::expected_tokens, {2}));
  CHECK_THROWS_WITH(read_answer(question, AnswerKind::exact, "{\"found\": [[\"nothing\"]]}"),
                    Containing("cannot be read"));
}

TEST_CASE("an index or a relation of a kept answer is a whole number that an int holds") {
  const auto kept = [](const std::string& index, const std::string& at,
                       const std::string& relation) {
    return read_answer(
        {}, AnswerKind::closed_form,
        R"({"found":[["iteration.accepted_law","",[[)" + index +
            R"(,0.5,"1/2"]]]],"notes":[],"predictions":[["x","output.tv_to_target",)" + at +
            R"(,0.5,"1/2",)" + relation + "]]}");
  };
  CHECK(kept("[2147483647]", "-1", "1").predictions.front().relation == Relation::at_most);
  for (const std::string wrong : {"1.5", "1e30", "2147483648", "-2147483649", "true", "\"1\"",
                                  "4294967297", "18446744073709551615"}) {
    INFO(wrong);
    CHECK_THROWS_WITH(kept("[" + wrong + "]", "0", "0"), Containing("is not a whole number"));
    CHECK_THROWS_WITH(kept("[0]", wrong, "0"), Containing("is not a whole number"));
    CHECK_THROWS_WITH(kept("[0]", "0", wrong), Containing("is not a whole number"));
  }
  CHECK_THROWS_WITH(kept("1", "0", "0"), Containing("1 is not a list"));
  // Lists within lists, as deep as the text is long.
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  CHECK_THROWS_WITH(kept("[" + deep + "]", "0", "0"), Containing("cannot be read"));
}

}  // namespace speclab::stored_test
