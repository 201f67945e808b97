// What is known of the rows of tasks before any is run, compared with the rows that they give.
#include "catch.h"
#include "experiment/small_file.h"
#include "experiment/small_sweep.h"
#include "message_of.h"

namespace speclab::choosable_test {
namespace {

std::string task(const std::string& name, const std::string& kind, const std::string& more,
                 const std::string& verifier = "token", const std::string& gamma = "2") {
  return "[[task]]\nname = \"" + name + "\"\nkind = \"" + kind +
         "\"\npair = \"bernoulli(draft=1/3,target=2/3)\"\nverifier = \"" + verifier +
         "\"\ngamma = " + gamma + "\n" + more + "\n";
}

const std::string kLatency = "latency = \"draft=0.1,target=1\"";

/// A task of every kind but a training; `keeps` names what it keeps.
const std::string kTasks =
    small_file::kTop +
    task("law", "exact", "horizon = 3\niterations = 2\n" + kLatency, "token", "\"1:2\"") +
    task("short", "exact", "") +
    task("keeps", "exact",
         "horizon = 3\nkeep = [\"iteration.tail\", \"iteration.share_of_optimum\"]") +
    task("runs", "simulate", "horizon = 3\ntrials = 32") +
    task("forms", "predict",
         "iterations = 2\nkeep = [\"iteration.expected_accepted\", "
         "\"iterations.expected_tokens\", \"iteration.share_of_optimum\"]") +
    task("stops", "exact", kLatency, "sprinter(fp=1/10,tp=9/10)") +
    "[[task]]\nname = \"sum\"\nkind = \"formula\"\nformula = \"tv\"\npair = "
    "\"bernoulli(draft=1/3,target=2/3)\"\n" +
    "[[derived]]\nname = \"half\"\nquantity = \"iteration.tail\"\noperation = \"ratio\"\n"
    "of = {task = \"short\"}\nover = {task = \"law\"}\n";

/// The tasks, their results, and what is said of an entry before they are run.
class Bound {
 public:
  Bound()
      : results_(small_sweep::run(scratch_, kTasks).results),
        experiment_(read_experiment(scratch_.file("small.toml"))),
        tasks_(expand(experiment_, {}, bench_)) {}

  /// Whether an entry that chooses so is taken before anything is run.
  bool taken(const Selector& selector) {
    Expected entry;
    entry.line = 99;
    entry.rows = selector;
    experiment_.expected = {entry};
    const std::string refusal = message_of([&] { check_selectors(experiment_, tasks_, false); });
    if (!refusal.empty()) CHECK_THAT(refusal, Containing(":99: "));
    return refusal.empty();
  }
  [[nodiscard]] std::size_t chosen(const Selector& selector) const {
    return choose(selector, results_).size();
  }

 private:
  Scratch scratch_;
  Bench bench_;
  std::vector<TaskRows> results_;
  Experiment experiment_;
  std::vector<SweepTask> tasks_;
};

using Columns = std::vector<std::pair<std::string, std::string>>;

/// Quantities of every task with these further columns, each checked; @returns how many are chosen
std::size_t check_all(Bound& bound, const Columns& more) {
  std::size_t rows = 0;
  for (const char* task : {"law", "short", "keeps", "runs", "forms", "stops", "sum", "half"}) {
    for (const QuantityInfo& info : quantities()) {
      Selector selector{99, {{"task", task}, {"quantity", info.path()}}};
      selector.columns.insert(selector.columns.end(), more.begin(), more.end());
      const std::size_t chosen = bound.chosen(selector);
      const bool taken = bound.taken(selector);
      if (chosen > 0 && !taken) {
        FAIL_CHECK(task << " has " << chosen << " rows of " << info.path());
      }
      rows += chosen;
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("no entry is refused that chooses a row") {
  Bound bound;
  CHECK(check_all(bound, {}) > 50);
  CHECK(check_all(bound, {{"index", "0"}}) > 2);
  CHECK(check_all(bound, {{"index", "1"}}) > 10);
  CHECK(check_all(bound, {{"index", "2"}}) > 10);
  CHECK(check_all(bound, {{"index", "3"}}) == 0);
  CHECK(check_all(bound, {{"method", "exact"}}) > 40);
  CHECK(check_all(bound, {{"method", "closed-form"}}) > 1);
  CHECK(check_all(bound, {{"method", "derived"}}) == 2);
  CHECK(check_all(bound, {{"claim", "sun2024.theorem2"}}) > 2);
  CHECK(check_all(bound, {{"gamma", "1"}}) > 10);
}

namespace {

struct Case {
  std::string task, quantity;
  Columns more;
  bool taken;
};

const std::vector<Case> kCases{
    {"law", "long_run.acceptance_length", {}, false},
    {"law", "undefined_trials", {}, false},
    {"runs", "undefined_trials", {}, true},
    {"law", "tv", {}, false},
    {"sum", "tv", {}, true},
    {"law", "iteration.share_of_optimum", {}, false},
    {"keeps", "iteration.share_of_optimum", {}, true},
    {"forms", "iteration.share_of_optimum", {{"method", "closed-form"}}, false},
    {"keeps", "decode.tokens", {}, false},
    {"short", "decode.tokens", {}, false},
    {"short", "output.tv_to_target", {}, false},
    {"short", "modelled_time.decode", {}, false},
    {"short", "iterations.expected_tokens", {}, false},
    {"law", "iterations.expected_tokens", {{"index", "2"}}, true},
    {"law", "iterations.expected_tokens", {{"index", "3"}}, false},
    {"law", "iteration.tail", {{"index", "0"}}, false},
    {"law", "iteration.tail", {{"index", ""}}, false},
    {"law", "iteration.tail", {{"index", "1x"}}, false},
    {"law", "iteration.tail", {{"index", "01"}}, false},
    {"law", "iteration.tail", {{"method", "simulate"}}, false},
    {"law", "iteration.tail", {{"method", "exact"}}, true},
    {"law",
     "iteration.expected_accepted",
     {{"claim", "sun2024.theorem2"}, {"method", "exact"}},
     true},
    {"law",
     "iteration.expected_accepted",
     {{"claim", "sun2024.theorem2"}, {"method", "simulate"}},
     false},
    {"runs", "iteration.tail", {{"method", "exact"}}, false},
    {"runs", "iteration.tail", {{"method", "simulate"}}, true},
    {"law", "iteration.law_given_draft", {}, false},
    {"law", "iterations.law", {}, false},
    {"law", "output.law", {}, false},
    {"law", "output.corrected_law", {}, false},
    {"law", "modelled_time.stop", {}, false},
    {"law", "modelled_time.per_iteration", {}, true},
    {"law", "modelled_time.speedup", {}, false},
    {"law", "modelled_time.decode", {}, true},
    {"stops", "modelled_time.stop", {}, true},
    {"stops", "modelled_time.per_iteration", {}, false},
    {"stops", "modelled_time.decode", {}, false},
    {"law", "iteration.tail", {{"index", "12345678"}}, false},
    {"law", "iteration.tail", {{"index", "2"}, {"gamma", "1"}}, false},
    {"law", "iteration.expected_accepted", {{"index", "1"}}, false},
    {"forms", "iteration.expected_accepted", {}, false},
    {"forms", "iteration.expected_accepted", {{"method", "closed-form"}}, true},
    {"forms", "iteration.expected_accepted", {{"claim", "sun2024.theorem2"}}, true},
    {"half", "iteration.tail", {}, true},
    {"half", "iteration.tail", {{"index", "2"}}, true},
    {"half", "iteration.tail", {{"index", "3"}}, false},
    {"half", "iteration.tail", {{"method", "derived"}}, true},
    {"half", "iteration.tail", {{"method", "exact"}}, false},
    {"half", "iteration.expected_accepted", {}, false},
    {"half", "iteration.tail", {{"claim", "sun2024.theorem2"}}, false}};

}  // namespace

TEST_CASE("an entry that asks for more than a task has is refused before it is run") {
  Bound bound;
  for (const Case& each : kCases) {
    Selector selector{99, {{"task", each.task}, {"quantity", each.quantity}}};
    selector.columns.insert(selector.columns.end(), each.more.begin(), each.more.end());
    INFO(each.task << " " << each.quantity << " "
                   << (each.more.empty() ? "" : each.more[0].second));
    CHECK(bound.taken(selector) == each.taken);
    CHECK((bound.chosen(selector) > 0) == each.taken);
  }
}

TEST_CASE("a precision of what no result has is refused before it is run") {
  const auto check = [](const std::string& lines) {
    small_file::read_checked(small_file::kTop +
                             task("runs", "simulate", "trials = 64\nprecision = 0.1\n" + lines));
  };
  const std::string keep = "keep = [\"decode.tokens\", \"iteration.expected_accepted\"]\n";
  CHECK_NOTHROW(check(keep + "horizon = 3"));
  CHECK_THROWS_WITH(check(keep), Containing("small.toml:3: runs: precision applies to "
                                            "'decode.tokens', which the results of bernoulli("
                                            "draft=1/3,target=2/3), token do not have"));
  CHECK_NOTHROW(check(kLatency + "\nkeep = \"modelled_time.per_iteration\""));
  CHECK_THROWS_WITH(check("keep = \"modelled_time.per_iteration\""), Containing(":3: runs: "));
}

TEST_CASE("an entry without a row and one without a counterpart are reported with their line") {
  const auto check = [](const std::string& lines, bool quick = false) {
    small_file::read_checked(kTasks + lines, quick);
  };
  const auto printed = [](const std::string& task, const std::string& gamma) {
    return "[[printed]]\nsource = \"x\"\nof = \"models\"\ntask = \"" + task +
           "\"\ngamma = " + gamma + "\nquantity = \"decode.tokens\"\nvalue = 1\n";
  };
  CHECK_NOTHROW(check(printed("law", "2")));
  CHECK_THROWS_WITH(check(printed("law", "3")),
                    Containing("small.toml:61: [[printed]] chooses no row: task = law, gamma = 3, "
                               "quantity = decode.tokens; without gamma it would choose some"));
  const std::string longer =
      "[[task]]\nname = \"longer\"\nkind = \"exact\"\npair = \"uniform(draft=2,target=1)\"\n"
      "verifier = \"token\"\ngamma = 4\nhorizon = 2\nfull-only = true\n";
  CHECK_THROWS_WITH(check(longer + printed("longer", "3")), Containing(":69: [[printed]] chooses"));
  CHECK_NOTHROW(check(longer + printed("longer", "3"), true));
  const auto derived = [](const std::string& of, const std::string& over) {
    return "[[derived]]\nname = \"gain\"\noperation = \"sum\"\nquantity = \"decode.tokens\"\nof = "
           "{task = \"" +
           of + "\"}\nover = {task = \"" + over + "\"}\n";
  };
  CHECK_NOTHROW(check(derived("law", "law")));
  CHECK_THROWS_WITH(check(derived("law", "runs")),
                    Containing("small.toml:61: `over` chooses no row that agrees with `of`"));
  CHECK_THROWS_WITH(check(longer + derived("law", "longer")), Containing("no row that agrees"));
  CHECK_NOTHROW(check(longer + derived("law", "longer"), true));
}

}  // namespace speclab::choosable_test
