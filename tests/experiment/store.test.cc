#include "experiment/store.h"

#include <random>

#include "base/error.h"
#include "catch.h"
#include "experiment/document.h"
#include "experiment/forge.h"
#include "experiment/sweep.h"
#include "report/report.h"
#include "scratch.h"
#include "slurp.h"

namespace speclab::store_test {
namespace {

/// Answers of both arithmetics, closed forms and two chunks of trials.
const std::string kSmall = R"toml(
title = "small"
source = "none"
chunk = 64
[[task]]
name = "runs"
kind = "simulate"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = "token"
gamma = 2
horizon = 4
trials = 128
[[task]]
name = "law"
kind = "exact"
pair = "bernoulli(draft=1/3,target=2/3)"
verifier = ["token", "block"]
gamma = 2
)toml";

/// The small experiment on a folder's store, as the command runs it.
class Small {
 public:
  Small()
      : experiment_(read_experiment(scratch_.write("small.toml", kSmall))),
        tasks_(expand(experiment_, options(), bench_)) {}

  std::string csv() {
    Store store(path());
    Sweep sweep(store, options(), [](double, const std::string&) {});
    return render(results_document(experiment_, sweep.run(experiment_, tasks_, bench_)),
                  Format::csv);
  }
  [[nodiscard]] std::string path() const { return scratch_.file("results.sqlite"); }
  [[nodiscard]] std::string bytes() const { return slurp(path()); }
  void replace(const std::string& bytes) const { std::ofstream(path(), std::ios::binary) << bytes; }

  /// The key of the task of this number and kind.
  [[nodiscard]] std::string key(std::size_t task, AnswerKind kind) const {
    return task_key(*tasks_.at(task).question, kind);
  }

  void forge(const std::string& sql) const { speclab::forge(path(), sql); }

 private:
  static const SweepOptions& options() {
    static const SweepOptions some = [] {
      SweepOptions made;
      made.threads = 1;
      return made;
    }();
    return some;
  }

  Scratch scratch_;
  Bench bench_;
  Experiment experiment_;
  std::vector<SweepTask> tasks_;
};

/// Flips a bit in the bytes begin .. end - 1 of a store, many times; each time the right results
/// come, or none and an input error. @returns how many were refused
int flip(Small& small, const std::string& whole, const std::string& csv, std::size_t begin,
         std::size_t end, int times) {
  std::mt19937_64 random(20240229);
  int refused = 0;
  for (int i = 0; i < times; ++i) {
    std::string bytes = whole;
    const std::size_t at = begin + random() % (end - begin);
    const unsigned bit = static_cast<unsigned>(random() % 8);
    bytes[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << bit));
    small.replace(bytes);
    INFO("byte " << at << ", bit " << bit);
    try {
      const std::string now = small.csv();
      CHECK(now == csv);
    } catch (const Error& error) {
      CHECK(error.code() == ExitCode::bad_input);
      CHECK_THAT(error.what(), Containing(small.path()));
      ++refused;
    }
  }
  return refused;
}

}  // namespace

TEST_CASE("no flipped bit of a results file gives a wrong result") {
  Small small;
  const std::string csv = small.csv();
  const std::string whole = small.bytes();
  flip(small, whole, csv, 0, whole.size(), 300);
  // Of what is kept nearly all bits matter.
  const std::size_t body = whole.find("{\"found\"");
  REQUIRE(body != std::string::npos);
  CHECK(flip(small, whole, csv, body, whole.find("\"predictions\"", body), 200) == 200);
  const std::size_t tally = whole.find("{\"accepted\"");
  REQUIRE(tally != std::string::npos);
  CHECK(flip(small, whole, csv, tally, tally + 200, 200) == 200);
  small.replace(whole);
  CHECK(small.csv() == csv);
}

TEST_CASE("forged rows are refused with the row and the fix") {
  Small small;
  const std::string csv = small.csv();
  const std::string whole = small.bytes();
  const auto refuses = [&](const std::string& sql, const std::string& why) {
    small.replace(whole);
    small.forge(sql);
    INFO(sql);
    CHECK_THROWS_WITH(small.csv(), Containing(why) && Containing(small.path()) &&
                                       Containing("remove the row by DELETE FROM"));
  };
  refuses("UPDATE answer SET body = replace(body, '11/9', '9')", "its checksum is another");
  refuses("UPDATE answer SET body = x'ff00'", "its checksum is another");
  refuses("UPDATE answer SET body = '{}', checksum = 0", "its checksum is another");
  refuses("UPDATE chunk SET tally = replace(tally, '\"trials\":64', '\"trials\":-64')",
          "its checksum is another");
  refuses("UPDATE chunk SET count = 0 WHERE first = 0", "no trials are numbered so");
  refuses("UPDATE chunk SET count = -64 WHERE first = 0", "no trials are numbered so");
  refuses("UPDATE chunk SET first = 9223372036854775807 WHERE first = 64",
          "no trials are numbered so");
  refuses("UPDATE chunk SET count = 32 WHERE first = 0", "its checksum is another");
  // Another seed's trials under this one.
  refuses(
      "UPDATE chunk SET tally = (SELECT tally FROM chunk WHERE first = 64), checksum = (SELECT "
      "checksum FROM chunk WHERE first = 64) WHERE first = 0",
      "its checksum is another");
  // The row that the message names is the one to remove.
  small.replace(whole);
  small.forge(
      "UPDATE answer SET body = replace(body, '11/9', '9'), checksum = 77 WHERE body LIKE "
      "'%11/9%'");
  CHECK_THROWS_WITH(small.csv(), Containing("DELETE FROM answer WHERE checksum = 77"));
  small.forge("DELETE FROM answer WHERE checksum = 77");
  CHECK(small.csv() == csv);
}

TEST_CASE("answers that no run can have found are refused though their checksum is right") {
  Small small;
  small.csv();
  const auto answers = [&](const std::string& body, const std::string& why) {
    const std::string key = small.key(2, AnswerKind::exact);
    small.forge("DELETE FROM answer WHERE task = '" + key + "'");
    Store(small.path()).put_answer(key, body);
    INFO(body);
    CHECK_THROWS_WITH(small.csv(), Containing(why));
  };
  const auto with_law = [](const std::string& law, const std::string& mean) {
    return R"({"found":[["iteration.expected_accepted","",[)" + mean +
           R"(]],["iteration.accepted_law","",[)" + law + R"(]]],"notes":[],"predictions":[]})";
  };
  const std::string half = R"([[0],0.5,"1/2"],[[1],0.5,"1/2"])";
  answers("", "it cannot be read");
  answers(R"({"found":[],"notes":[],"predictions":[]})", "no law of the accepted tokens");
  answers(with_law("", R"([[],0.5,"1/2"])"), "no law of the accepted tokens");
  answers(with_law(half, R"([[],9.5,"1/2"])"), "is not what its fraction is");
  answers(with_law(half, R"([[],0.5,"1/0"])"), "divides by zero");
  answers(with_law(half, R"([[],1,"1"])"), "are not those of their law");
  answers(with_law(R"([[0],0.5,"1/2"])", R"([[],0,"0"])"), "does not sum to 1");
  answers(with_law(R"([[0],1.5,"3/2"],[[1],-0.5,"-1/2"])", R"([[],-0.5,"-1/2"])"), "is below 0");
  answers(with_law(half, R"([[3],0.5,"1/2"])"), "has no such index");
  answers(R"({"found":[],"notes":[],"predictions":[["x","tv",null,1,"2",7]]})", "no relation 7");
}

TEST_CASE("tallies that no trials can have left are refused though their checksum is right") {
  const Scratch scratch;
  Store store(scratch.file("results.sqlite"));
  const Lengths lengths{.gamma = 2, .horizon = 4};
  Tally right;
  right.trials = 2;
  right.accepted = {1, 0, 1};
  right.tokens = {8, 32};
  right.iterations = right.target_calls = {5, 13};
  right.positions = {{2, 4}, {1, 1}};
  right.positions_times_iterations = {5, 3};
  right.outputs = {0, 1, 1};
  std::uint64_t first = 0;
  const auto stored = [&](const Tally& tally) {
    store.put_chunk("task", 1, {first, 2}, tally);
    return store.tally("task", 1, {std::exchange(first, first + 2), 2}, lengths);
  };
  CHECK(stored(right) == right);
  const auto refuses = [&](const std::string& why, const auto& forge) {
    Tally tally = right;
    forge(tally);
    CHECK_THROWS_WITH(stored(tally), Containing(why) && Containing("DELETE FROM chunk"));
  };
  refuses("another number of trials", [](Tally& tally) { tally.trials = 0; });
  refuses("do not sum to its trials", [](Tally& tally) { ++tally.accepted[1]; });
  refuses("more tokens than are drafted", [](Tally& tally) { tally.accepted = {0, 0, 0, 2}; });
  refuses("undefined trials", [](Tally& tally) { tally.undefined_trials = 3; });
  refuses("do not fit their sum", [](Tally& tally) { tally.tokens.squares = 31; });
  refuses("more than the horizon", [](Tally& tally) { tally.tokens = {9, 41}; });
  refuses("too few or too many", [](Tally& tally) { tally.iterations = {}; });
  refuses("another number", [](Tally& tally) { tally.positions.pop_back(); });
  refuses("more than its iterations", [](Tally& tally) { tally.positions[0] = {6, 18}; });
  refuses("outputs are more", [](Tally& tally) { tally.outputs[0] = 1; });
  refuses("another number of iterations", [](Tally& tally) { tally.emitted = {{2, 2}}; });
  refuses("counts of tokens", [](Tally& tally) { tally.emitted_counts = {{1}}; });
}

TEST_CASE("a file of other tables is named with the fix") {
  Small small;
  small.csv();
  small.forge("PRAGMA user_version = 0");
  CHECK_THROWS_WITH(small.csv(), Containing("tables of version 0") &&
                                     Containing("another folder for results, or move the file"));
  small.replace("not a database, but longer than the header of one: " + std::string(200, 'x'));
  CHECK_THROWS_WITH(small.csv(), Containing("or remove the file"));
}

}  // namespace speclab::store_test
