// What other programs rely on: the JSON and CSV of `exact` and `simulate`.
#include <cmath>
#include <cstdlib>
#include <set>

#include "apps/process.h"
#include "catch.h"

namespace speclab::contract_test {
namespace {

using Json = nlohmann::json;

TEST_CASE("exact answers the toy pair in fractions") {
  const Finished done =
      succeeds("exact --pair", kToyPair,
               "--verifier token --verifier block --verifier greedy-block --gamma 2 "
               "--iterations 4 --horizon 4 --arithmetic rational --format json");
  CHECK(done.err.empty());
  const Json results = done.json()["results"];
  REQUIRE(results.size() == 3);
  const std::vector<std::string> names{"token", "block", "greedy-block"};
  const std::vector<std::string> accepted{"10/9", "11/9", "4/3"};
  const std::vector<std::vector<std::string>> tokens{{"19/9", "38/9", "19/3", "76/9"},
                                                     {"20/9", "40/9", "20/3", "80/9"},
                                                     {"7/3", "40/9", "59/9", "26/3"}};
  for (std::size_t i = 0; i < 3; ++i) {
    const Json& result = results[i];
    CHECK(result["pair"] == kToyPair);
    CHECK(result["verifier"] == names[i]);
    CHECK(result["gamma"] == 2);
    CHECK(result["arithmetic"] == "rational");
    CHECK(result["iteration"]["expected_accepted"]["exact"] == accepted[i]);
    CHECK(result["iteration"]["accepted_law"].size() == 3);
    CHECK(result["iteration"]["undefined_mass"]["exact"] == "0");
    REQUIRE(result["iterations"]["expected_tokens"].size() == 4);
    for (std::size_t n = 0; n < 4; ++n) {
      CHECK(result["iterations"]["expected_tokens"][n]["exact"] == tokens[i][n]);
    }
    CHECK(result["output"]["horizon"] == 4);
    CHECK(result["output"]["tv_to_target"]["exact"] == "0");
    CHECK(result["output"]["tv_to_target"]["value"] == 0);
    CHECK(result["rejections"]["horizon"] == 4);
    CHECK(result["target_calls"]["expected"]["value"].is_number());
    REQUIRE(!result["predictions"].empty());
    for (const Json& prediction : result["predictions"]) {
      CHECK(prediction["claim"].is_string());
      CHECK(prediction["value"]["value"].is_number());
      CHECK((prediction["verdict"] == "agrees" || prediction["verdict"] == "bound holds"));
    }
  }
}

TEST_CASE("the law of the output sums to 1, and unbounded drafts are inf") {
  const Json result = succeeds("exact --pair", kToyPair,
                               "--verifier token --gamma inf --horizon 3 --law --format json")
                          .json()["results"][0];
  CHECK(result["gamma"] == "inf");
  const Json law = result["output"]["law"];
  REQUIRE(law.size() == 8);
  CHECK(law[0]["tokens"] == Json::array({0, 0, 0}));
  CHECK(law[0]["probability"]["exact"] == "8/27");
  double sum = 0;
  for (const Json& entry : law) sum += entry["probability"]["value"].get<double>();
  CHECK(sum == Approx(1).epsilon(1e-15));
  CHECK(result["rejections"]["expected"]["exact"] == "1");
}

TEST_CASE("combinations come in order of pair, verifier, gamma") {
  const Json results = succeeds("exact --pair", kToyPair,
                                "--pair uniform(draft=3,target=2) --verifier token "
                                "--verifier block --gamma 1:2 --gamma 4 --format json")
                           .json()["results"];
  REQUIRE(results.size() == 12);
  CHECK(results[2]["gamma"] == 4);
  CHECK(results[3]["verifier"] == "block");
  CHECK(results[6]["pair"] == "uniform(draft=3,target=2)");
}

Json simulated(const auto&... more) {
  const Finished done = succeeds(
      "simulate --pair markov(vocabulary=3,horizon=6,seed=10) --verifier token "
      "--verifier block --gamma 2 --horizon 6 --iterations 2 --law --trials 2e3 --format json",
      more...);
  CHECK(done.err.empty());  // no progress bar in a pipe
  return done.json();
}

TEST_CASE("simulate gives every quantity with its interval, and predictions with z") {
  const Json result = simulated("--threads 2 --seed 7")["results"][0];
  CHECK(result["trials"] == 2000);
  CHECK(result["seed"] == 7);
  CHECK(result["threads"] == 2);
  CHECK(result["seconds"].get<double>() >= 0);
  CHECK(result["undefined_trials"] == 0);
  for (const Json& value :
       {result["iteration"]["expected_accepted"], result["block_efficiency"],
        result["rejections"]["expected"], result["iterations"]["expected_tokens"][1],
        result["output"]["law"][0]["probability"]}) {
    const double mean = value["mean"];
    CHECK(value["ci95"][0] <= mean);
    CHECK(value["ci95"][1] >= mean);
    CHECK(value["stderr"] > 0);
  }
  std::multiset<std::string> equal;
  for (const Json& prediction : result["predictions"]) {
    if (prediction["relation"] != "equals" || !prediction["index"].is_null()) continue;
    const std::string path = prediction["quantity"];
    CAPTURE(path);
    equal.insert(path);
    if (path == "output.tv_to_target") continue;  // biased upward: it has no z
    const auto dot = path.find('.');
    const Json& estimate = result[path.substr(0, dot)][path.substr(dot + 1)];
    const double z = (estimate["mean"].get<double>() - prediction["value"]["value"].get<double>()) /
                     estimate["stderr"].get<double>();
    CHECK(prediction["z"].get<double>() == Approx(z));
  }
  for (const char* path : {"iteration.expected_accepted", "decode.rejections"}) {
    CHECK(equal.count(path) == 1);
  }
}

TEST_CASE("the same bits for 1, 2 and 8 threads, and other seeds differ") {
  const auto stripped = [](Json json) {
    for (Json& result : json["results"]) {
      result.erase("threads");
      result.erase("seconds");
      result["estimator"].erase("seconds_to_0.1_percent");
    }
    return json.dump();
  };
  const std::string one = stripped(simulated("--threads 1"));
  CHECK(stripped(simulated("--threads 2")) == one);
  CHECK(stripped(simulated("--threads 8")) == one);
  CHECK(stripped(simulated("--threads 1 --seed 2")) != one);
}

TEST_CASE("numbers read back to the same double") {
  const Finished done = succeeds(
      "exact --pair iid(draft=[1/7,6/7],target=[3/11,8/11]) --verifier block --gamma 3 "
      "--format json");
  const Json accepted = done.json()["results"][0]["iteration"]["expected_accepted"];
  const std::string fraction = accepted["exact"];
  const double top = std::strtod(fraction.c_str(), nullptr);
  const double bottom = std::strtod(fraction.c_str() + fraction.find('/') + 1, nullptr);
  CHECK(accepted["value"].get<double>() == top / bottom);
}

TEST_CASE("an undefined 0/0 is counted and shown, never NaN") {
  Words words =
      argv("exact --pair bernoulli(draft=1/2,target=1/2) --verifier spectr-gbv(K=2) --gamma 1");
  const Finished table = succeeds(words);
  CHECK_THAT(table.out, Containing("P(undefined), 1 iteration"));
  words = argv(words, "--format json");
  const Json exact = speclab_run(words).json()["results"][0];
  CHECK(exact["iteration"]["undefined_mass"]["exact"] == "2/9");
  CHECK(exact["iteration"]["expected_accepted"]["exact"] == "7/9");
  words.front() = "simulate";
  const Json estimated = speclab_run(words, "--trials 4000").json()["results"][0];
  CHECK(estimated["undefined_trials"] > 0);
  const Json mass = estimated["iteration"]["undefined_mass"];
  CHECK(std::abs(mass["mean"].get<double>() - 2.0 / 9) < 6 * mass["stderr"].get<double>());
}

TEST_CASE("the columns of CSV are fixed, and every row has them") {
  const std::string header =
      "pair,verifier,gamma,horizon,iterations,arithmetic,method,quantity,index,value,exact,stderr,"
      "ci95_low,ci95_high,trials,seed,predicted,predicted_exact,claim,z,verdict,relation,bound,"
      "bound_exact";
  const Finished exact = succeeds(
      "exact --pair bernoulli(draft=2/3,target=1/3) --verifier autoregressive --gamma 2 "
      "--horizon 1 --law --format csv");
  const std::string start = "\"" + kToyPair + "\",autoregressive,2,1,,rational,exact,";
  CHECK_THAT(exact.out, Containing(header + "\n" + start +
                                   "iteration.expected_accepted,,0.0,0,,,,,,,,,,,,,\n"));
  CHECK_THAT(exact.out, Containing(start + "output.law,0,0.6666666666666666,2/3,,,,,,,,,,,,,\n"));
  const Finished simulated =
      succeeds("simulate --pair", kToyPair,
               "--verifier block --gamma 2 --iterations 2 --trials 100 --format csv");
  std::istringstream lines(simulated.out);
  std::string line;
  std::getline(lines, line);
  CHECK(line == header);
  const auto commas = std::count(header.begin(), header.end(), ',');
  std::size_t rows = 0;
  while (std::getline(lines, line)) {
    // The quoted pair has one comma of its own.
    CHECK(std::count(line.begin(), line.end(), ',') == commas + 1);
    ++rows;
  }
  CHECK(rows > 8);
  const Finished again = speclab_run(
      "simulate --pair", kToyPair,
      "--verifier block --gamma 2 --iterations 2 --trials 100 --format csv --threads 3");
  CHECK(again.out == simulated.out);
}

TEST_CASE("modelled time follows from the latencies, and one iteration has no speedup") {
  const Finished done = succeeds("exact --pair", kToyPair,
                                 "--verifier token --verifier autoregressive --gamma 2 "
                                 "--latency draft=1/4,target=1 --format json");
  const Json results = done.json()["results"];
  CHECK(results[0]["modelled_time"]["per_iteration"]["value"] == 1.5);
  // (1 + 10/9) / 1.5, as Leviathan's formula has it.
  CHECK(results[0]["modelled_time"]["first_iteration_tokens"]["value"].get<double>() ==
        Approx(38.0 / 27).epsilon(1e-14));
  bool predicted = false;
  for (const Json& prediction : results[0]["predictions"]) {
    if (prediction["quantity"] != "modelled_time.first_iteration_tokens") continue;
    predicted = true;
    CHECK(prediction["verdict"] == "agrees");
  }
  CHECK(predicted);
  CHECK(results[1]["modelled_time"]["first_iteration_tokens"]["value"] == 1);
  // Only a decode has a speedup, and only one that is asked for.
  CHECK(done.out.find("speedup") == std::string::npos);
}

TEST_CASE("a trained verifier is simulated beside its predictions") {
  const Scratch scratch;
  const std::string pair = "iid(draft=[1/2,1/4,1/8,1/8],target=[1/4,1/4,1/4,1/4])";
  const std::string rates = scratch.file("rates.json");
  succeeds("train --pair", pair, "--lambda 1 --rates", rates);
  const Json result =
      succeeds("simulate --pair", pair, "--verifier", "sprinter(rates=" + rates + ")",
               "--gamma inf --horizon 2 --trials 2000 --latency draft=1/4,verifier=1/8,target=1 "
               "--format json")
          .json()["results"][0];
  CHECK(result["modelled_work"].contains("decode"));
  std::set<std::string> claims;
  for (const Json& prediction : result["predictions"]) {
    CAPTURE(prediction["claim"]);
    CHECK(prediction["verdict"] != "not compared");
    CHECK(prediction["verdict"] != "differs");
    claims.insert(prediction["claim"].get<std::string>());
  }
  for (const char* claim :
       {"zhong2025.theorem3.1-by-token", "zhong2025.theorem3.3", "zhong2025.theorem3.4",
        "zhong2025.theoremA.4", "zhong2025.equation6"}) {
    CHECK(claims.count(claim) == 1);
  }
}

}  // namespace
}  // namespace speclab::contract_test
