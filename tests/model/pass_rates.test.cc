// Rates of a low-complexity verifier: features, the file, its reader, the decisions.
#include "model/pass_rates.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <thread>

#include "message_of.h"
#include "pairs.h"

namespace speclab::pass_rates_test {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kChains = "markov(vocabulary=7,horizon=50,seed=10)";

DraftFeatures features_of(const std::vector<double>& law, Token x) {
  return draft_features(law, context_features(law), x);
}

TEST_CASE("draft features match their definitions and are finite") {
  const std::vector<double> law{0.5, 0.25, 0.25, 0};
  const auto features = features_of(law, 1);
  CHECK(features[0] == Approx(std::log(0.25)));
  CHECK(features[1] == Approx(std::log(2.0)));  // ties share the better rank
  CHECK(features_of(law, 2) == features);
  CHECK(features[2] == Approx(1.5 * std::log(2.0)));
  CHECK(features[3] == 0.5);
  CHECK(features[4] == 0.25);
  CHECK(features_of(law, 0)[1] == 0);
  CHECK(features_of(law, 3)[0] == Approx(-744.4401).margin(1e-3));
  CHECK(features_of({1.0}, 0) == DraftFeatures{0, 0, 0, 1, 1});
}

TEST_CASE("the features of all tokens are those of each") {
  for (const char* text : {kChains, "zipf(vocabulary=40,draft=1,target=3/2,seed=1)",
                           "iid(draft=[1/4,1/2,1/4,0],target=[1/4,1/4,1/4,1/4])"}) {
    const auto law = laws_at<double>(*make_pair(text), 0).draft;
    const auto all = all_draft_features(law);
    REQUIRE(all.size() == law.size());
    for (std::size_t x = 0; x < law.size(); ++x) {
      CHECK(all[x] == features_of(law, static_cast<Token>(x)));
    }
  }
}

LogisticRates some_rates() {
  return {{-1.5, 0.7, 1.2, 0.4, 0.1}, {2, 1, 0, 3, 0.5}, {-1, 0.5, 2, -0.25, 1}, 0.3, 0.6};
}

/// The file's object, to be corrupted.
Json some_file() { return Json::parse(pass_rates_text(some_rates(), nullptr)); }

TEST_CASE("rates are written so that they read back to the same doubles") {
  LogisticRates rates = some_rates();
  rates.mean = {0.1, 1.0 / 3, -744.44007192138126, std::numeric_limits<double>::denorm_min(), 0};
  rates.scale = {1e9, 2.0 / 3, 0, 1e-300, 4.35};
  rates.weights = {0x1p-20, -0x1.fffffp3, 1e-17, -1e-17, 123456789.123456789};
  rates.intercept = std::nextafter(1.0, 2.0);
  rates.threshold = std::nextafter(0.3, 0.0);
  const PassRates read("here", pass_rates_text(rates, nullptr));
  CHECK(std::get<LogisticRates>(read.content()) == rates);
}

TEST_CASE("a token passes where the logistic function reaches the threshold") {
  const auto pair = make_pair(kChains);
  const auto vocabulary = static_cast<std::size_t>(pair->vocabulary());
  int passed = 0;
  int all = 0;
  for (const double threshold : {0.25, 0.5, 0.75}) {
    LogisticRates rates = some_rates();
    rates.threshold = threshold;
    const PassRates file("here", pass_rates_text(rates, nullptr));
    const auto rule = file.of(pair);
    for (State state = 0; state < 200; ++state) {
      const auto draft = laws_at<double>(*pair, state).draft;
      for (std::size_t x = 0; x < vocabulary; ++x) {
        // By hand: nothing of draft_features.h is used. The entropy's scale is 0: it counts
        // nothing.
        int rank = 1;
        double largest = 0, second = 0;
        for (std::size_t y = 0; y < vocabulary; ++y) {
          if (draft[y] > draft[x]) ++rank;
          if (draft[y] > largest) {
            second = largest;
            largest = draft[y];
          } else if (draft[y] > second) {
            second = draft[y];
          }
        }
        const double z = 0.3 - (std::log(draft[x]) + 1.5) * 2 + (std::log(rank) - 0.7) * 0.5 -
                         (largest - 0.4) * 3 * 0.25 + (largest - second - 0.1) * 0.5;
        const double score = 1 / (1 + std::exp(-z));
        REQUIRE(std::abs(score - threshold) > 1e-12);  // no tie that rounding could decide
        const auto token = static_cast<Token>(x);
        CHECK(rule->rate<double>(state, token) == (score > threshold ? 1.0 : 0.0));
        CHECK(rule->rate<Rational>(state, token) == (score > threshold ? 1 : 0));
        passed += score > threshold ? 1 : 0;
        ++all;
      }
    }
  }
  CHECK(passed > all / 10);
  CHECK(passed < all - all / 10);
}

TEST_CASE("a score is at least the threshold: 0 and 1 decide all") {
  const auto pair = make_pair("iid(draft=[1/2,1/4,1/4],target=[1/4,1/4,1/2])");
  LogisticRates rates;
  for (const auto& [intercept, threshold, passes] : {std::tuple{0.0, 0.5, 1.0},
                                                     {0.0, 0.6, 0.0},
                                                     {1000.0, 1.0, 1.0},
                                                     {-1000.0, 0.0, 1.0},
                                                     {-1000.0, 1e-9, 0.0},
                                                     {-1e100, 0.5, 0.0},
                                                     {1e100, 1.0, 1.0}}) {
    CAPTURE(intercept, threshold);
    rates.intercept = intercept;
    rates.threshold = threshold;
    const PassRates file("here", pass_rates_text(rates, nullptr));
    CHECK(file.of(pair)->rate<double>(0, 1) == passes);
  }
}

TEST_CASE("a table has a rate for each state and token") {
  const PassRates file("here", R"({"schema": 2, "kind": "table",
                                   "rates": [["1/3", 0, 0.25], [1, "0.1", "1"]]})");
  const auto pair = make_pair(
      "file(" +
      TemporaryFile(R"({"vocabulary":3,"kind":"iid","draft":[1,0,0],"target":[1,0,0]})").path() +
      ")");
  CHECK_THROWS_WITH(file.of(pair), Containing("'here': rates has 2 states of 3 tokens") &&
                                       Containing("has 1 of 3"));
  const auto chain = make_pair("file(" +
                               TemporaryFile(R"({"vocabulary":2,"kind":"chain","draft":[[1,0],)"
                                             R"([0,1]],"target":[[1,0],[0,1]]})")
                                   .path() +
                               ")");
  CHECK_THROWS_WITH(file.of(chain), Containing("has 2 of 2"));
  const PassRates fits("here", R"({"schema":2,"kind":"table","rates":[["1/3",0],[1,"0.1"]]})");
  const auto rule = fits.of(chain);
  CHECK(rule->rate<Rational>(0, 0) == Rational(1, 3));
  CHECK(rule->rate<double>(0, 0) == 1.0 / 3);
  CHECK(rule->rate<Rational>(0, 1) == 0);
  CHECK(rule->rate<double>(1, 0) == 1);
  CHECK(rule->rate<Rational>(1, 1) == Rational(1, 10));
  CHECK(rule->rate<double>(1, 1) == 0.1);
}

TEST_CASE("a rates file has its path and the hash of its bytes") {
  const std::string bytes = pass_rates_text(some_rates(), nullptr);
  const TemporaryFile file(bytes);
  const auto read = read_pass_rates(file.path());
  CHECK(read->path() == file.path());
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a, from its definition
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  CHECK(read->digest() == hash);
  CHECK(PassRates("here", bytes + " ").digest() != hash);
}

TEST_CASE("a file is read once while an instance is alive") {
  const TemporaryFile file(pass_rates_text(some_rates(), nullptr));
  auto first = read_pass_rates(file.path());
  const std::uint64_t digest = first->digest();
  LogisticRates other = some_rates();
  other.threshold = 0.1;
  std::ofstream(file.path()) << pass_rates_text(other, nullptr);
  CHECK(read_pass_rates(file.path()) == first);
  first.reset();
  CHECK(read_pass_rates(file.path())->digest() != digest);
}

TEST_CASE("several threads read the same decisions") {
  const auto pair = make_pair(kChains);
  const PassRates file("here", pass_rates_text(some_rates(), nullptr));
  const auto alone = PassRates("there", pass_rates_text(some_rates(), nullptr)).of(pair);
  const auto rule = file.of(pair);
  std::vector<int> differing(4);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < differing.size(); ++t) {
    threads.emplace_back([&, t] {
      for (State state = 0; state < pair->states(); ++state) {
        for (Token x = 0; x < pair->vocabulary(); ++x) {
          differing[t] += file.of(pair)->rate<double>(state, x) > rule->rate<double>(state, x);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (State state = 0; state < pair->states(); ++state) {
    for (Token x = 0; x < pair->vocabulary(); ++x) {
      differing[0] += rule->rate<double>(state, x) == alone->rate<double>(state, x) ? 0 : 1;
    }
  }
  CHECK(differing == std::vector<int>(4));
}

/// The message with which a text is refused; "" where it is not.
std::string refusal(const std::string& bytes) {
  return message_of([&] { PassRates("rates.json", bytes); });
}

TEST_CASE(
    "rates files of a wrong value are refused in one line that names the file, the place and what "
    "to give") {
  REQUIRE(refusal(some_file().dump()).empty());
  using Spoil = void (*)(Json&);
  const std::vector<std::pair<Spoil, std::string>> cases{
      {[](Json& f) { f["weight"] = 1; }, "unknown key 'weight'"},
      {[](Json& f) { f.erase("weights"); }, "lacks the key \"weights\""},
      {[](Json& f) { f.erase("intercept"); }, "lacks the key \"intercept\""},
      {[](Json& f) { f.erase("schema"); }, "schema is missing"},
      {[](Json& f) { f["schema"] = 1; }, "schema is 1"},
      {[](Json& f) { f["schema"] = "2"; }, "schema is \"2\""},
      {[](Json& f) { f.erase("kind"); }, "kind is missing"},
      {[](Json& f) { f["kind"] = "logistics"; }, "did you mean 'logistic'?"},
      {[](Json& f) { f["kind"] = 7; }, "kind is 7"},
      {[](Json& f) { f["kind"] = "table"; }, "lacks the key \"rates\""},
      {[](Json& f) { f["features"][1] = "rank"; }, "features is"},
      {[](Json& f) { f["features"].erase(4); }, "features is"},
      {[](Json& f) { f["weights"].push_back(1); }, "weights is not a list of 5"},
      {[](Json& f) { f["weights"] = 1; }, "weights is not a list of 5"},
      {[](Json& f) { f["weights"][2] = "1"; }, "weights, entropy is \"1\""},
      {[](Json& f) { f["weights"][0] = nullptr; }, "weights, log-probability is null"},
      {[](Json& f) { f["weights"][0] = true; }, "weights, log-probability is true"},
      {[](Json& f) { f["weights"][0] = 1e200; }, "weights, log-probability is 1e+200"},
      {[](Json& f) { f["standardisation"] = 1; }, "standardisation is not a JSON object"},
      {[](Json& f) { f["standardisation"].erase("mean"); }, "lacks the key \"mean\""},
      {[](Json& f) { f["standardisation"]["sd"] = 1; }, "unknown key 'sd'"},
      {[](Json& f) { f["standardisation"]["scale"][4] = -1; }, "scale, margin is -1"},
      {[](Json& f) { f["threshold"] = 1.5; }, "threshold is 1.5; give a number from 0"},
      {[](Json& f) { f["threshold"] = -0.1; }, "threshold is -0.1"},
      {[](Json& f) { f["intercept"] = "0"; }, "intercept is \"0\""},
      {[](Json& f) { f["training"] = 1; }, "training is not a JSON object"},
      {[](Json& f) {
         f["training"] = {{"pair", "p"}};
       },
       "training lacks the key"}};
  for (const auto& [spoil, part] : cases) {
    Json file = some_file();
    spoil(file);
    CAPTURE(file.dump());
    const std::string message = refusal(file.dump());
    CHECK_THAT(message, Containing(part));
    CHECK_THAT(message, Containing("rates.json"));
    CHECK_THAT(message, Containing("; "));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("rates files of wrong text or rows are refused in one line that names file and place") {
  const std::string good = some_file().dump();
  REQUIRE(refusal(good).empty());
  const std::string table = R"({"schema":2,"kind":"table","rates":)";
  for (const auto& [bytes, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "not valid JSON"},
           {"[]", "not a JSON object"},
           {good.substr(0, good.size() / 2), "not valid JSON"},
           {good + "x", "not valid JSON"},
           {"{\"schema\":2,\"schema\":2}", "given twice"},
           {R"({"schema":2,"kind":"logistic","intercept":NaN})", "not valid JSON"},
           {R"({"schema":2,"kind":"logistic","intercept":1e999})", "not valid JSON"},
           {"{\"schema\":2,\"\xff\":1}", "UTF-8"},
           {std::string("{\0}", 3), "NUL"},
           {table + "[]}", "rates is not a list of rows"},
           {table + "[[]]}", "state 0 is not a list"},
           {table + "[[1,0],[1]]}", "state 1 is not a list as long"},
           {table + "[[1,2]]}", "state 0, token 1 is 2; give a rate from 0 to 1"},
           {table + "[[1,\"-1/2\"]]}", "token 1 is \"-1/2\""},
           {table + "[[1,null]]}", "null is not a number"},
           {table + "[[1,\"1/0\"]]}", "token 1"},
           {table + "[[1]],\"threshold\":1}", "unknown key 'threshold'"}}) {
    CAPTURE(bytes);
    const std::string message = refusal(bytes);
    CHECK_THAT(message, Containing(part));
    CHECK_THAT(message, Containing("rates.json"));
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("a missing rates file is named") {
  CHECK_THROWS_WITH(read_pass_rates("/no/such/rates.json"), Containing("/no/such/rates.json"));
}

}  // namespace
}  // namespace speclab::pass_rates_test
