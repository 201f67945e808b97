// The command train, the file it writes, and experiments that train.
#include <cmath>
#include <set>

#include "refused.h"

namespace speclab::train_test {
namespace {

using Json = nlohmann::json;

const std::string kZipf = "zipf(vocabulary=16,draft=1,target=3/2,seed=1)";

TEST_CASE("train writes a rates file that sprinter reads, the same for the same seed") {
  const Scratch scratch;
  const std::string one = scratch.file("one.json"), two = scratch.file("two.json");
  const Words words =
      argv("train --pair", kZipf, "--lambda 6/5 --tau 0.4 --samples 500 --format json");
  const auto trained = [&](const auto&... more) { return succeeds(words, more...); };
  const Finished first = trained("--rates", one);
  const Finished second = trained("--rates", two);
  CHECK(first.err.empty());
  CHECK(first.out == second.out);
  CHECK(slurp(one) == slurp(two));
  CHECK(trained("--seed 2 --rates", two).out != first.out);
  CHECK(slurp(one) != slurp(two));
  CHECK(scratch.files() == 2);

  const Json reported = first.json();
  const Json file = Json::parse(slurp(one));
  CHECK(reported["pair"] == file["training"]["pair"]);
  CHECK(reported["lambda"] == "6/5");
  CHECK(reported["tau"] == "2/5");
  CHECK(file["threshold"] == 0.4);
  CHECK(reported["area"] == file["training"]["area"]);
  CHECK(reported["rates"]["excess_weighted"] == file["training"]["excess_weighted"]);
  CHECK(reported["roc"].size() == file["training"]["roc"].size());
  // What is measured on held-out tokens is what theorem 3.1 needs: the exact distance, up to the
  // noise of 500 tokens (a standard error of about 0.02).
  const Json result = succeeds("exact --pair", kZipf, "--verifier", "sprinter(rates=" + one + ")",
                               "--gamma inf --horizon 1 --format json")
                          .json()["results"][0];
  const double distance = result["output"]["tv_to_target"]["value"];
  CHECK(reported["theorem3.1"]["tv_by_token"].get<double>() == Approx(distance).margin(0.1));
  std::set<std::string> claims;
  for (const Json& prediction : result["predictions"]) {
    CHECK(prediction["verdict"] != "differs");
    claims.insert(prediction["claim"].get<std::string>());
  }
  CHECK(claims.count("zhong2025.theorem3.1-by-token") == 1);
  CHECK(claims.count("zhong2025.theorem3.1") == 0);
}

TEST_CASE("train says the same numbers in every format") {
  const Words words = argv("train --pair", kZipf, "--lambda 1 --samples 500 --format");
  const auto in = [&](const char* format) { return succeeds(words, format); };
  const Json reported = in("json").json();
  const std::string csv = in("csv").out;
  CHECK(csv.starts_with("pair,lambda,tau,samples,length,seed,quantity,index,value\n"));
  CHECK_THAT(csv, Containing("\",1,1/2,500,64,1,roc.area,," + reported["area"].dump() + "\n"));
  const Json point = reported["roc"][3];
  CHECK_THAT(csv, Containing("roc.true_positive," + point["index"].dump() + "," +
                             point["true_positive"].dump() + "\n"));
  for (const char* format : {"table", "markdown"}) {
    const std::string text = in(format).out;
    CHECK_THAT(text, Containing("area under the ROC curve"));
    CHECK_THAT(text, Containing(reported["area"].dump().substr(0, 5)));
  }
}

TEST_CASE("train refuses what it cannot do in one line") {
  const Scratch scratch;
  const std::string file = scratch.file("same.json");
  refuses_in_line(argv("train --pair", kZipf), 2, "--lambda is missing");
  refuses_in_line(argv("train --pair", kZipf, "--lambda -1"), 2,
                  "--lambda takes a number or a fraction of 0 or more");
  refuses_in_line(argv("train --pair", kZipf, "--lambda x"), 2, "not 'x'");
  refuses_in_line(argv("train --pair", kZipf, "--lambda 1 --tau 2"), 2, "from 0 to 1, not '2'");
  refuses_in_line(argv("train --pair", kZipf, "--lambda 1 --samples 1"), 2,
                  "--samples takes a whole number from 2");
  refuses_in_line(argv("train --pair", kZipf, "--lambda 1 --length 0"), 2, "--length takes");
  refuses_in_line(argv("train --pair", kZipf, "--lambda 1 --rates", file, "--output", file), 2,
                  "the same file");
  refuses_in_line(argv("train --pair", kZipf, "--lambda 1 --rates /no/such/folder/rates.json"), 3,
                  "/no/such/folder");
  CHECK(speclab_run("train --lambda 1").code == 2);
  CHECK(scratch.files() == 0);
  const std::string bad = scratch.write("bad.json", "{\"schema\": 2}");
  refuses(argv("exact --pair", kZipf, "--verifier", "sprinter(rates=" + bad + ")", "--gamma 2"), 3,
          "bad.json': kind is missing");
}

/// An experiment that trains for two pairs and two lambdas and uses what was trained.
std::string experiment(const std::string& rates) {
  return R"toml(
title = "trained"
source = "none"
[[task]]
name = "roc"
kind = "train"
pair = ["zipf(vocabulary=16,draft=1,target=3/2,seed=1)", "bernoulli(draft=2/3,target=1/3)"]
lambda = "{lambda}"
samples = 500
[task.vary]
lambda = ["1", "3/2"]
[[task]]
name = "distance"
kind = "exact"
arithmetic = "double"
pair = ["zipf(vocabulary=16,draft=1,target=3/2,seed=1)", "bernoulli(draft=2/3,target=1/3)"]
verifier = "sprinter(rates={rates:)toml" +
         rates + R"toml(})"
gamma = "inf"
horizon = 1
[task.vary]
lambda = ["1", "3/2"]
[[task]]
name = "simulated"
kind = "simulate"
pair = "bernoulli(draft=2/3,target=1/3)"
verifier = "sprinter(rates={rates:)toml" +
         rates + R"toml(})"
gamma = "inf"
horizon = 3
trials = 500
[task.vary]
lambda = ["1"]
[[derived]]
name = "gap"
quantity = "output.tv_to_target"
operation = "difference"
of = {task = "distance"}
over = {task = "roc", quantity = "theorem3.1-by-token.tv"}
[[expected]]
source = "theorem 3.1, up to the noise of 500 tokens"
task = "gap"
quantity = "output.tv_to_target"
value = 0
tolerance = 0.1
)toml";
}

TEST_CASE("an experiment trains, and its later tasks read the rates file, wherever it is") {
  const Scratch scratch;
  const std::string file = scratch.write("trained.toml", experiment("roc"));
  const Finished first = succeeds("run", file, "--results", scratch.file("a"));
  CHECK_THAT(first.out, Containing("9 tasks (0 found)"));
  CHECK_THAT(first.out, Containing("1 reproduced"));
  const std::string results = slurp(scratch.file("a/trained.csv"));
  CHECK_THAT(results, Containing("trained,roc,lambda=3/2,"));
  CHECK_THAT(results, Containing("sprinter(rates=trained.roc."));
  CHECK(results.find(scratch.file("")) == std::string::npos);
  // Four trainings, of four contents.
  std::set<std::string> contents;
  for (const auto& entry : std::filesystem::directory_iterator(scratch.file("a"))) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("trained.roc.")) contents.insert(slurp(entry.path().string()));
  }
  CHECK(contents.size() == 4);
  const Finished again = speclab_run("run", file, "--results", scratch.file("a"));
  // The four trainings are run again, as their files may be gone; what they say is the same.
  CHECK_THAT(again.out, Containing("9 tasks (5 found)"));
  CHECK(slurp(scratch.file("a/trained.csv")) == results);
  // No result depends on the folder.
  succeeds("run", file, "--results", scratch.file("b c"));
  CHECK(slurp(scratch.file("b c/trained.csv")) == results);
}

TEST_CASE("results are known by the content of a rates file, not by its name") {
  const Scratch scratch;
  const std::string table = R"({"schema":2,"kind":"table","rates":[["1/10","9/10"]]})";
  const std::string rates = scratch.write("rates.json", table);
  const std::string file = scratch.write("given.toml", R"toml(
title = "given"
source = "none"
[[task]]
name = "distance"
kind = "exact"
pair = "bernoulli(draft=2/3,target=1/3)"
verifier = "sprinter(rates=\"{here}/rates.json\")"
gamma = "inf"
horizon = 1
)toml");
  const auto ran = [&] { return speclab_run("run", file, "--results", scratch.file("a")).out; };
  CHECK_THAT(ran(), Containing("1 tasks (0 found)"));
  CHECK_THAT(slurp(scratch.file("a/given.csv")), Containing("output.tv_to_target,,0.3,3/10"));
  CHECK_THAT(ran(), Containing("1 tasks (1 found)"));
  std::string other = table;
  other.replace(other.find("9/10"), 4, "8/10");
  std::ofstream(rates) << other;
  CHECK_THAT(ran(), Containing("1 tasks (0 found)"));
  CHECK_THAT(slurp(scratch.file("a/given.csv")),
             Containing("output.tv_to_target,,0.26666666666666666,4/15"));
}

TEST_CASE("rates that no training or two trainings give are refused before any work") {
  const Scratch scratch;
  const auto refused = [&](const std::string& text, const std::string& part) {
    const std::string file = scratch.write("bad.toml", text);
    const Finished done = speclab_run("run", file, "--results", scratch.file("results"));
    CHECK(done.code == 3);
    CHECK_THAT(done.err, Containing(part));
    CHECK_THAT(done.err, Containing("bad.toml:"));
    CHECK(std::count(done.err.begin(), done.err.end(), '\n') == 1);
  };
  refused(experiment("rock"), "did you mean 'rates:roc'?");
  std::string two = experiment("roc");
  two.replace(two.find("samples = 500"), 13, "samples = 500\ntau = [\"1/2\", \"1/3\"]");
  refused(two, "{rates:roc} fits two trainings");
  std::string wrong = experiment("roc");
  wrong.replace(wrong.find("samples = 500"), 13, "sample = 500");
  refused(wrong, "unknown key 'sample'");
  std::string none = experiment("roc");
  none.replace(none.find("lambda = \"{lambda}\""), 19, "");
  refused(none, "has no lambda");
  std::string high = experiment("roc");
  high.replace(high.find("samples = 500"), 13, "samples = 1");
  refused(high, "samples=");
}

}  // namespace
}  // namespace speclab::train_test
