#include "experiment/selector.h"

#include "catch.h"

namespace speclab::selector_test {
namespace {

AnswerRow row(const std::string& method, const std::string& index, double value) {
  AnswerRow made;
  made.method = method;
  made.quantity = "iteration.tail";
  made.index = index;
  made.value = value;
  return made;
}

TaskRows task(const std::string& verifier, const std::string& gamma,
              std::optional<std::uint64_t> trials) {
  TaskRows made;
  made.place.task = "curve";
  made.place.vary = {{"K", "2"}};
  made.place.pair = "bernoulli(draft=1/3,target=2/3)";
  made.place.verifier = verifier;
  made.place.gamma = gamma;
  made.place.trials = trials;
  made.rows = {row("simulate", "1", 0.5), row("simulate", "2", 0.25)};
  made.rows[0].predicted = 0.75;
  made.rows[0].predicted_exact = Rational(3, 4);
  made.rows[0].standard_error = 0.1;
  made.rows[0].claim = "a.form";
  made.rows.push_back(row("bound", "1", 0.875));
  made.rows.back().claim = "a.bound";
  return made;
}

std::vector<TaskRows> results() {
  return {task("kseq(K=2)", "4", 100), task("kseq(K=2)", "4", 1000), task("kseq(K=3)", "inf", 50)};
}

std::size_t count(std::vector<std::pair<std::string, std::string>> columns) {
  const auto all = results();
  return choose({1, std::move(columns)}, all).size();
}

}  // namespace

TEST_CASE("a selector is a set of column = value") {
  CHECK(count({{"task", "curve"}}) == 4);
  CHECK(count({{"task", "other"}}) == 0);
  CHECK(count({{"verifier", "kseq"}}) == 4);
  CHECK(count({{"verifier", "kseq(K=3)"}}) == 2);
  CHECK(count({{"verifier", "kse"}}) == 0);
  CHECK(count({{"pair", "bernoulli"}}) == 4);
  CHECK(count({{"gamma", "inf"}, {"index", "2"}}) == 1);
  CHECK(count({{"K", "2"}}) == 4);
  CHECK(count({{"K", "3"}}) == 0);
  CHECK(count({{"unknown", ""}}) == 0);
  CHECK(count({{"quantity", "decode.tokens"}}) == 0);
}

TEST_CASE("of results after several numbers of trials the last is chosen, or all") {
  CHECK(count({{"gamma", "4"}}) == 2);
  CHECK(count({{"gamma", "4"}, {"trials", "all"}}) == 4);
  const auto all = results();
  CHECK(choose({1, {{"gamma", "4"}}}, all).front().place->trials == 1000);
}

TEST_CASE("a claim chooses its closed form, wherever it stands") {
  const auto all = results();
  const auto formed = choose({1, {{"gamma", "inf"}, {"claim", "a.form"}}}, all);
  REQUIRE(formed.size() == 1);
  CHECK(formed[0].row.value == 0.75);
  CHECK(formed[0].row.exact == Rational(3, 4));
  CHECK_FALSE(formed[0].row.standard_error);
  const auto bound = choose({1, {{"gamma", "inf"}, {"claim", "a.bound"}}}, all);
  REQUIRE(bound.size() == 1);
  CHECK(bound[0].row.value == 0.875);
  CHECK(count({{"gamma", "inf"}, {"method", "bound"}}) == 1);
}

}  // namespace speclab::selector_test
