// Sweeps that end at a precision or by a signal, many pairs, and templates that are filled in.
#include <fstream>

#include "answer/bench.h"
#include "catch.h"
#include "experiment/small_sweep.h"
#include "stops.h"
#include "system/interrupt_scope.h"

namespace speclab::precision_test {
namespace {

using namespace small_sweep;

std::string task(const std::string& kind, const std::string& pair, const std::string& lines,
                 int chunk = 64) {
  return "title = \"t\"\nsource = \"s\"\nchunk = " + std::to_string(chunk) +
         "\n[[task]]\nname = \"law\"\nkind = \"" + kind + "\"\npair = '''" + pair +
         "'''\nverifier = \"token\"\n" + lines;
}

std::string runs(const std::string& lines, int chunk = 64) {
  return task("simulate", "bernoulli(draft=1/3,target=2/3)", "gamma = 2\n" + lines, chunk);
}

/// The trials after which a simulation has results.
std::vector<std::uint64_t> ends(const std::string& lines) {
  std::vector<std::uint64_t> trials;
  for (const TaskRows& rows : run(Scratch(), runs(lines)).results) {
    trials.push_back(rows.place.trials.value_or(0));
  }
  return trials;
}

}  // namespace

TEST_CASE("a simulation ends at the first chunk that is precise, or with its trials") {
  using Ends = std::vector<std::uint64_t>;
  const std::string tokens = "horizon = 4\nkeep = \"decode.tokens\"\n";
  CHECK(ends(tokens + "trials = 640\nprecision = 0.5\n") == Ends{64});
  CHECK(ends(tokens + "trials = 640\nprecision = 1e-9\n") == Ends{640});
  CHECK(ends(tokens + "trials = [64, 128, 640]\nprecision = 0.5\n") == Ends{64});
  // Results after numbers of trials that are not reached are those after the last.
  CHECK(ends(tokens + "trials = [128, 256, 640]\nprecision = 0.5\n") == Ends{64});
  // Trials that end within a chunk are run to their end.
  CHECK(ends(tokens + "trials = [32, 640]\nprecision = 0.5\n") == Ends{32, 64});
  // A number without an error is precise.
  CHECK(ends("latency = \"draft=0.1,target=1\"\nkeep = \"modelled_time.per_iteration\"\n"
             "trials = 640\nprecision = 1e-9\n") == Ends{64});
  CHECK_THROWS_WITH(
      ends("keep = \"decode.tokens\"\ntrials = 640\nprecision = 0.5\n"),
      Containing("small.toml:4: law, pair bernoulli(draft=1/3,target=2/3), verifier token, gamma "
                 "2: precision applies to 'decode.tokens', which is not in the result"));
}

TEST_CASE("a signal ends a sweep between its trials, and the next run goes on from what is kept") {
  const std::string lines = "horizon = 4\ntrials = 20000\n";
  const Ran whole = run(Scratch(), runs(lines));
  CHECK(whole.counts.trials == 20000);
  for (const int chunk : {64, 20000}) {  // between two chunks, and within one
    INFO(chunk);
    const Scratch scratch;
    const std::string text = runs(lines, chunk);
    const auto stopped_at = [&](double trials) {
      const InterruptScope scope;  // clears the flag at its end
      return stops([&] {
        run(scratch, text, {}, [&](double done, const std::string&) {
          if (done >= trials) raise_interrupt();
        });
      });
    };
    CHECK(stopped_at(0));    // before its closed forms are worked out
    CHECK(stopped_at(300));  // within its trials
    CHECK(stopped_at(0));    // its closed forms are kept, and some trials
    const Ran rest = run(scratch, text);
    CHECK(rest.counts.trials == 20000);
    CHECK(rest.counts.trials_found > 0);
    CHECK(rest.counts.trials_found < 20000);
    CHECK(rest.csv == whole.csv);
    CHECK(run(scratch, text).counts.trials_found == 20000);
  }
}

TEST_CASE("a sweep over more pairs than are kept at once finds each") {
  const Ran ran = run(Scratch(), task("exact", "bernoulli(draft=1/{d},target=1/2)",
                                      "gamma = 1\nkeep = \"iteration.expected_accepted\"\n"
                                      "[task.vary]\nd = \"2:261\"\n"));
  REQUIRE(ran.results.size() == 260);
  for (int d = 2; d <= 261; ++d) {
    const TaskRows& rows = ran.results[static_cast<std::size_t>(d - 2)];
    REQUIRE(rows.place.vary == Variables{{"d", std::to_string(d)}});
    CHECK(rows.rows.at(0).exact == Rational(1, d) + Rational(1, 2));
  }
}

TEST_CASE("a training that lacks a variable fits every value of it, and one of several none") {
  const auto trained = [](const std::string& lambdas) {
    const Scratch scratch;
    const std::string pair = "pair = \"bernoulli(draft=2/3,target=1/3)\"\n";
    const Experiment experiment = read_experiment(scratch.write(
        "small.toml",
        "title = \"t\"\nsource = \"s\"\n[[task]]\nname = \"roc\"\nkind = \"train\"\n" + pair +
            "lambda = \"{lambda}\"\nsamples = 100\n[task.vary]\nlambda = " + lambdas +
            "\n[[task]]\nname = \"law\"\nkind = \"exact\"\n" + pair +
            "verifier = \"sprinter(rates={rates:roc})\"\ngamma = \"inf\"\nhorizon = 1\n"
            "[task.vary]\nx = [1, 2]\n"));
    SweepOptions options;
    options.folder = scratch.file("");
    options.write_file = [&](const std::string& path, const std::string& content) {
      std::ofstream(path) << content;
    };
    Bench bench;
    const std::vector<SweepTask> tasks = expand(experiment, options, bench);
    REQUIRE(tasks.size() == 3);
    CHECK(tasks[1].question->verifier.inputs.at(0).path == tasks[0].rates_file);
    return tasks[2].place.verifier == tasks[1].place.verifier;
  };
  CHECK(trained("[\"1\"]"));
  CHECK_THROWS_WITH(
      trained("[\"1\", \"3/2\"]"),
      Containing("small.toml:11: {rates:roc} fits two trainings, the last one train(") &&
          Containing("; give both tasks the variable in which they differ"));
}

TEST_CASE("a file's name with quotes, blanks and signs stands for itself in a template") {
  const Scratch scratch;
  const std::string pair =
      R"({"vocabulary": 2, "kind": "iid", "draft": ["1/4", "3/4"], "target": ["1/2", "1/2"]})";
  for (const std::string name :
       {"plain.json", "a b=(1),[2].json", "say \"hi\".json", "a\\b.json"}) {
    INFO(name);
    const std::string path = scratch.write(name, pair);
    const Ran ran = run(scratch, task("exact", "file({f})",
                                      "gamma = 1\nkeep = \"iteration.expected_accepted\"\n"
                                      "[task.vary]\nf = '''" +
                                          path + "'''\n"));
    CHECK(ran.results.at(0).rows.at(0).exact == Rational(3, 4));
  }
  const auto refuses = [&](const std::string& text, const std::string& message) {
    CHECK_THROWS_WITH(run(scratch, task("exact", text, "gamma = 1\n[task.vary]\ndraft = 2\n")),
                      Containing("small.toml:4: '") && Containing(message));
  };
  refuses("uniform(draft={drat},target=1)",
          "no variable 'drat'; did you mean 'draft'?; there are draft, here, text");
  refuses("uniform(draft={draft,target=1)", "no variable 'draft,target=1)'");
  refuses("uniform(draft={}", "no variable ''");
}

}  // namespace speclab::precision_test
