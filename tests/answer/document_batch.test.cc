// What simulate --batch prints, from made-up batches.
#include <nlohmann/json.hpp>

#include "answer/documents/batch.h"
#include "catch.h"
#include "made_answer.h"
#include "model/registry.h"
#include "report/report.h"

namespace speclab::batch_document_test {
namespace {

using Json = nlohmann::ordered_json;

/// Two requests; the second one's law is off by 1/4.
BatchResult made(BatchSplit split) {
  BatchResult of;
  of.pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  of.verifier = "token";
  of.setting = {.gamma = 2, .horizon = 8, .budget = 3, .split = split};
  of.found = {estimated(3, 0.25),
              estimated(1.5, 0.125),
              estimated(5, 0.0625),
              estimated(4.5, 0.03125),
              estimated(2, 0.125),
              {},
              {},
              {},
              3,
              {},
              {}};
  of.found.tv = {value_of(Estimate{0.125, 0.0625, 0, 0.25, 0, 0.5}), estimated(0.25, 0.03125)};
  of.run.emplace();
  of.run->trials = 100;
  of.run->seed = 9;
  return of;
}

TEST_CASE("a table has a line a split, with the request whose law is farthest off") {
  std::vector<BatchResult> all{made(BatchSplit::even), made(BatchSplit::own)};
  all[1].pair = all[0].pair;
  for (Value* number : {&all[1].found.tokens_per_request_step, &all[1].found.steps,
                        &all[1].found.mean_steps, &all[1].found.verified_per_step}) {
    *number = estimated(8, 0.25);
  }
  all[0].found.tv.pop_back();
  all[1].run->undefined_trials = 7;
  const std::string text = render(batches_document(all), Format::table);
  CHECK_THAT(text,
             Containing("token, gamma 2, horizon 8, requests 2, budget 3: 100 trials, seed 9\n"));
  CHECK_THAT(text, Containing("even   1.5000 +-0.2500  5.0000 +-0.1250  4.5000 +-0.0625"));
  CHECK_THAT(text, Containing("0.1250 [0.0000, 0.2500]  no bias found"));
  CHECK_THAT(text, Containing("0.2500 [0.1875, 0.3125]  biased"));
  CHECK_THAT(text, Containing("TV of the first 3 tokens of the request where it is largest"));
  CHECK_THAT(text, Containing("own: undefined (0/0) in 7 trials"));
  // Another draft length has a table of its own.
  all[1].setting.gamma = 3;
  CHECK_THAT(render(batches_document(all), Format::table), Containing("\n\nbernoulli("));
}

TEST_CASE("a batch of too many sequences has no law, in any format") {
  std::vector<BatchResult> all{made(BatchSplit::known)};
  all[0].found.law_tokens = 0;
  all[0].found.tv.clear();
  const std::string text = render(batches_document(all), Format::table);
  CHECK(text.find("TV") == std::string::npos);
  const Json law = Json::parse(render(batches_document(all), Format::json))["results"][0]["law"];
  CHECK(law["tv"].is_null());
  CHECK(law["biased"].is_null());
  CHECK(render(batches_document(all), Format::csv).find("law.") == std::string::npos);
}

TEST_CASE("the bias of all requests jointly is a bias where no request has one") {
  BatchResult of = made(BatchSplit::known);
  of.found.tv.pop_back();
  CHECK_FALSE(of.biased());
  of.found.joint_tv = estimated(0.5, 0.0625);
  CHECK(of.biased());
  const Json result = Json::parse(render(batches_document({of}), Format::json))["results"][0];
  CHECK(result["law"]["joint_tv"]["mean"] == 0.5);
  CHECK(result["law"]["biased"] == true);
  CHECK(result["steps"]["ci95"][0] == 4.875);
  const std::string csv = render(batches_document({of}), Format::csv);
  CHECK_THAT(csv, Containing(",token,2,8,2,3,known,law.joint_tv,,0.5,,0.0625,0.375,0.625,100,9"));
}

/// Two exact batches; the output of the second is biased by the least that there is.
std::vector<BatchResult> two_exact() {
  std::vector<BatchResult> all{made(BatchSplit::known), made(BatchSplit::own)};
  all[1].pair = all[0].pair;
  for (BatchResult& of : all) {
    of.run = {};
    of.found = {value_of(Rational(8, 3)),
                value_of(Rational(4, 3)),
                value_of(Rational(6)),
                value_of(Rational(11, 2)),
                value_of(Rational(1)),
                value_of(Rational(0)),
                value_of(Rational(3, 2)),
                value_of(Rational(7, 4)),
                3,
                {value_of(Rational(0)), value_of(Rational(0))},
                value_of(Rational(0))};
  }
  all[1].found.tv[1] = value_of(Rational(1, 1000000000000LL));
  all[1].found.undefined_mass = value_of(Rational(1, 8));
  return all;
}

TEST_CASE("exact batches have fractions in place of intervals, and a verdict that is sure") {
  std::vector<BatchResult> all = two_exact();
  CHECK_FALSE(all[0].biased());
  CHECK(all[1].biased());
  const std::string text = render(batches_document(all), Format::table);
  CHECK_THAT(text, Containing("requests 2, budget 3: exact, in fractions\n"));
  CHECK_THAT(text, Containing("1.3333 = 4/3"));
  CHECK_THAT(text, Containing("lossless"));
  CHECK_THAT(text, Containing("own: undefined (0/0) with probability 0.1250 = 1/8"));
  CHECK(text.find("intervals") == std::string::npos);
  const Json result = Json::parse(render(batches_document(all), Format::json))["results"][0];
  CHECK(result["arithmetic"] == "rational");
  CHECK(result["steps"] == Json({{"value", 6.0}, {"exact", "6"}}));
  CHECK(result["undefined_mass"]["exact"] == "0");
  CHECK(result["first_step"]["accepted"]["exact"] == "3/2");
  CHECK(result["first_step"]["most"]["exact"] == "7/4");
  CHECK(result["law"]["biased"] == false);
  CHECK(result.contains("trials") == false);
  const std::string csv = render(batches_document(all), Format::csv);
  CHECK_THAT(csv, Containing(",token,2,8,2,3,known,mean_steps,,5.5,11/2,,,,,\n"));
  CHECK_THAT(csv, Containing(",known,first_step.most,,1.75,7/4,,,,,\n"));
  CHECK_THAT(text, Containing("the best scheduler that does not look ahead accepts 1.7500 = 7/4"));
  // In doubles what rounding leaves is no bias.
  all[0].found.joint_tv = value_of(1e-15);
  CHECK_FALSE(all[0].biased());
  all[0].found.joint_tv = value_of(1e-8);
  CHECK(all[0].biased());
}

TEST_CASE("exact batches of fewer tokens than are asked are not called lossless") {
  std::vector<BatchResult> fewer = two_exact();
  for (BatchResult& of : fewer) of.found.law_tokens = 1;
  const std::string short_text = render(batches_document(fewer), Format::table);
  CHECK_THAT(short_text, Containing("no bias in one token"));
  CHECK_THAT(short_text, Containing("biased"));
  CHECK(short_text.find("lossless") == std::string::npos);
  const Json judged = Json::parse(render(batches_document(fewer), Format::json))["results"];
  CHECK(judged[0]["law"]["biased"].is_null());
  CHECK(judged[1]["law"]["biased"] == true);
  for (BatchResult& of : fewer) {
    of.found.law_tokens = 2;
    of.setting.horizon = 2;
  }
  CHECK_THAT(render(batches_document(fewer), Format::table), Containing("lossless"));
}

}  // namespace
}  // namespace speclab::batch_document_test
