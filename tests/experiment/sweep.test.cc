#include "experiment/sweep.h"

#include "base/error.h"
#include "catch.h"
#include "experiment/small_sweep.h"
#include "occurrences.h"

namespace speclab::sweep_test {
namespace {

using namespace small_sweep;

/// The derived columns and the expected values of small().
std::string small_checks() {
  return R"toml(
[[derived]]
name = "gain"
quantity = "iteration.expected_accepted"
operation = "difference"
of = {task = "law", verifier = "block"}
over = {task = "law", verifier = "token"}
[[derived]]
name = "against-form"
quantity = "iteration.expected_accepted"
operation = "difference"
of = {task = "law", verifier = "token"}
over = {task = "law", verifier = "token", claim = "sun2024.theorem2"}
[[expected]]
source = "by hand, 11/9 - 10/9"
task = "gain"
gamma = 2
quantity = "iteration.expected_accepted"
value = "1/9"
[[expected]]
source = "wrong in the seventeenth digit"
task = "gain"
gamma = 2
quantity = "iteration.expected_accepted"
value = 0.1111111111111111
explanation = "no fraction"
[[expected]]
source = "the closed form"
task = "law"
claim = "sun2024.theorem2"
gamma = 2
quantity = "iteration.expected_accepted"
value = "10/9"
)toml";
}

/// A few tasks that need no file, with many small chunks.
std::string small(const std::string& latency = "draft=0.1,target=1") {
  return R"toml(
title = "small"
source = "none"
chunk = 64
[[task]]
name = "runs"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = [2, 3]
horizon = 6
iterations = 2
latency = ")toml" +
         latency + R"toml("
trials = [100, 500]
quick-trials = 100
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = "1:2"
[[task]]
name = "sum"
kind = "formula"
formula = "tv"
pair = "bernoulli(draft={d},target=2/3)"
[task.vary]
d = ["1/3", "1/2"])toml" +
         small_checks();
}

}  // namespace

TEST_CASE("what is on record is not run again, and gives the same bytes") {
  const Scratch scratch, other;
  const Ran first = run(scratch, small());
  CHECK(first.counts.trials == 2000);
  CHECK(first.counts.trials_found == 0);
  CHECK(first.counts.found == 0);
  const Ran again = run(scratch, small());
  CHECK(again.csv == first.csv);
  CHECK(again.counts.trials_found == 2000);
  CHECK(again.counts.found == 8);  // formulas are worked out, not kept
  // Fewer trials first, then more: none is counted twice.
  SweepOptions quick;
  quick.quick = true;
  CHECK(run(other, small(), quick).counts.trials == 400);
  const Ran grown = run(other, small());
  CHECK(grown.counts.trials_found == 400);
  CHECK(grown.csv == first.csv);
}

TEST_CASE("another latency is another view of the same trials") {
  const Scratch scratch;
  const Ran first = run(scratch, small());
  const Ran dearer = run(scratch, small("draft=0.5,target=1"));
  CHECK(dearer.counts.trials_found == 2000);
  CHECK(dearer.csv != first.csv);
  const Selector speedup{1, {{"task", "runs"}, {"quantity", "modelled_time.decode_speedup"}}};
  const auto before = choose(speedup, first.results), after = choose(speedup, dearer.results);
  REQUIRE(before.size() == 4);
  REQUIRE(after.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(after[i].row.value < before[i].row.value);
}

TEST_CASE("a file that has changed is another question") {
  const Scratch scratch;
  const std::string text =
      "title = \"t\"\nsource = \"s\"\n[[task]]\nname = \"law\"\nkind = \"exact\"\n"
      "pair = \"file({here}/pair.json)\"\nverifier = \"token\"\ngamma = 1\n";
  const auto accepted = [&](const std::string& draft) {
    (void)scratch.write("pair.json", "{\"vocabulary\": 2, \"kind\": \"iid\", \"draft\": [" + draft +
                                         "], \"target\": [\"1/2\", \"1/2\"]}");
    const Ran ran = run(scratch, text);
    return *choose({1, {{"quantity", "iteration.expected_accepted"}}}, ran.results).at(0).row.exact;
  };
  CHECK(accepted("\"1/2\", \"1/2\"") == 1);
  CHECK(accepted("\"1/4\", \"3/4\"") == Rational(3, 4));
  CHECK(accepted("\"1/2\", \"1/2\"") == 1);
}

TEST_CASE("exact results are derived and compared as fractions") {
  const Scratch scratch;
  const Ran ran = run(scratch, small());
  const auto gain = choose({1, {{"task", "gain"}, {"gamma", "2"}}}, ran.results);
  REQUIRE(gain.size() == 1);
  CHECK(gain[0].row.exact == Rational(1, 9));
  CHECK(gain[0].row.method == "derived");
  for (const ChosenRow& row : choose({1, {{"task", "against-form"}}}, ran.results)) {
    CHECK(row.row.exact == Rational(0));
  }
  CHECK(ran.expected.find(",reproduced,1/9 equals 1/9,") != std::string::npos);
  CHECK(ran.expected.find(",not reproduced (explained),1/9 equals 0.1111111111111111,") !=
        std::string::npos);
  CHECK(ran.expected.find(",reproduced,10/9 equals 10/9,") != std::string::npos);
}

TEST_CASE("the columns of the results are those of every table, behind experiment, task and vary") {
  const Scratch scratch;
  const Ran ran = run(scratch, small());
  CHECK(ran.csv.substr(0, ran.csv.find('\n')) ==
        "experiment,task,vary,pair,verifier,gamma,horizon,iterations,arithmetic,method,quantity,"
        "index,value,exact,stderr,ci95_low,ci95_high,trials,seed,predicted,predicted_exact,claim,z,"
        "verdict,relation,bound,bound_exact");
  CHECK(ran.csv.find("small,law,,\"bernoulli(draft=1/3,target=2/3)\",token,2,,,rational,exact,"
                     "iteration.tail,2,0.4444444444444444,4/9,") != std::string::npos);
  CHECK(ran.csv.find("small,sum,d=1/2,\"bernoulli(draft=1/2,target=2/3)\",tv,1,,,rational,formula,"
                     "tv,,0.16666666666666666,1/6,") != std::string::npos);
  CHECK(ran.csv.find("iteration.accepted_tail") == std::string::npos);
}

TEST_CASE("a combination that names no variable stands once") {
  const Scratch scratch;
  const std::string csv = run(scratch, R"toml(
title = "no source"
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "rrs(K={K})"]
gamma = 1
keep = "iteration.expected_accepted"
[task.vary]
K = [1, 2]
)toml")
                              .csv;
  CHECK(occurrences(csv, ",token,1,,,rational,exact,") == 1);
  CHECK(occurrences(csv, ",rrs(K=1),1,,,rational,exact,") == 1);
  CHECK(occurrences(csv, ",rrs(K=2),1,,,rational,exact,") == 1);
  CHECK(occurrences(csv, "small,law,,\"bernoulli") == occurrences(csv, ",token,1,"));
}

TEST_CASE("the store keeps seeds, versions of a question and ranges of trials apart") {
  const Scratch scratch;
  Store store(scratch.file("results.sqlite"));
  Tally tally;
  tally.trials = 5;
  tally.accepted = {3, 2};
  store.put_chunk("a", 1, {0, 5}, tally);
  store.put_chunk("a", 1, {5, 5}, tally);
  store.put_chunk("a", 18446744073709551615ULL, {0, 5}, tally);
  CHECK(store.chunks("a", 1).size() == 2);
  CHECK(store.chunks("a", 18446744073709551615ULL).size() == 1);
  CHECK(store.chunks("b", 1).empty());
  CHECK(store.tally("a", 1, {5, 5}, Lengths()) == tally);
  CHECK_FALSE(store.answer("a"));
  store.put_answer("a", "first");
  store.put_answer("a", "second");  // another process was quicker: its answer stays
  CHECK(store.answer("a") == "first");
  // A chunk whose tally has another number of trials is refused.
  store.put_chunk("a", 1, {20, 6}, tally);
  CHECK_THROWS_WITH(store.tally("a", 1, {20, 6}, Lengths()),
                    Containing("another number of trials than its row"));
}

TEST_CASE("what is put soon is read at once, and kept where the rest fails") {
  const Scratch scratch;
  const std::string path = scratch.file("results.sqlite");
  Store store(path);
  Tally tally;
  tally.trials = 5;
  tally.accepted = {3, 2};
  const auto fill = [&] {
    for (int i = 0; i < 100; ++i) store.put_answer(std::to_string(i), "body");
    CHECK(store.answer("99") == "body");
    store.put_chunk("a", 1, {0, 5}, tally);
    CHECK(store.chunks("a", 1).size() == 1);
    store.put_chunk("a", 1, {5, 5}, tally);
    CHECK(store.tally("a", 1, {5, 5}, Lengths()) == tally);
    store.put_answer("last", "body");
    throw InputError("the rest");
  };
  CHECK_THROWS_WITH(store.soon(fill), "the rest");
  Store other(path);
  for (int i = 0; i < 100; ++i) CHECK(other.answer(std::to_string(i)) == "body");
  CHECK(other.chunks("a", 1).size() == 2);
  CHECK(other.answer("last") == "body");
}

TEST_CASE("the key of a task contains all that its results depend on, and no view") {
  Bench bench;
  Question question =
      bench.question("bernoulli(draft=1/3,target=2/3)", "token", {.gamma = 2, .horizon = 4});
  const std::string key = task_key(question, AnswerKind::exact);
  CHECK(key == "exact " + question.key());
  CHECK(task_key(question, AnswerKind::simulate) != key);
  question.lengths.iterations = 3;
  CHECK(task_key(question, AnswerKind::exact) != key);
  question = bench.question("bernoulli(draft=1/3,target=2/3)", "token", {.gamma = 2, .horizon = 4});
  question.verifier.inputs = {{"anywhere", 0xABCULL}};
  CHECK(task_key(question, AnswerKind::exact) == key + " file=0000000000000abc");
}

}  // namespace speclab::sweep_test
