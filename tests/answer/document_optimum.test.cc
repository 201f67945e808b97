// What `optimum` prints, from made-up optima.
#include <nlohmann/json.hpp>

#include "answer/documents/optimum.h"
#include "catch.h"
#include "model/registry.h"
#include "report/report.h"

namespace speclab::optimum_test {
namespace {

using Json = nlohmann::ordered_json;

const Rational kHalf(1, 2);

AcceptanceProof proof() {
  AcceptanceProof made;
  made.inherited = {{{0, 1}, Rational(1, 3)}};
  made.ceiling = {{{1}, Rational(2)}};
  made.blocks = {{Rational(2, 3), Rational(3, 4), {{{0}, kHalf}}}};
  return made;
}

AcceptancePlan plan() {
  AcceptancePlan made;
  made.choices = {{{{0, 0}, {1}}, {0}, Rational(5, 9)}};
  made.corrections = {{{0}, {Rational(1, 4), Rational(3, 4)}}};
  return made;
}

/// One with a proof and a plan, of one start.
PairOptimum certified(VerifierClass verifiers = VerifierClass::coupling) {
  PairOptimum made{make_pair("bernoulli(draft=2/3,target=1/3)"), {}, true, true};
  Optimum& optimum = made.optimum;
  optimum.request.problem = {verifiers, 2, 1};
  optimum.starts = {{{0, Rational(1)}, Rational(11, 9), Rational(11, 9), proof(), plan(), true}};
  optimum.worth = optimum.bound = Rational(11, 9);
  optimum.certified = true;
  optimum.size = {7, 8, 9, 2, 3};
  optimum.seconds = 0.25;
  return made;
}

/// One whose worth and bound do not meet.
PairOptimum open_one() {
  PairOptimum made = certified();
  made.optimum.certified = made.optimum.starts[0].certified = false;
  made.optimum.bound = Rational(4, 3);
  made.optimum.request.problem.drafts = 3;
  return made;
}

/// One that was found in doubles.
PairOptimum in_doubles() {
  PairOptimum made = certified();
  made.optimum.request.exact = made.optimum.certified = false;
  made.optimum.starts = {{{0, Rational(1)}, Rational(5, 4), Rational(5, 4), {}, {}, false}};
  made.optimum.worth = Rational(5, 4);
  return made;
}

std::string text_of(const PairOptimum& of, Format format) {
  return render(optima_document({of}), format);
}

Json json_of(const PairOptimum& of) {
  return Json::parse(text_of(of, Format::json)).at("results").at(0);
}

}  // namespace

TEST_CASE("a certified optimum is one number and an open one the two that it lies between") {
  const std::string sure = text_of(certified(), Format::table);
  CHECK_THAT(sure, Containing("coupling, gamma 2, 1 draft\n"
                              "  largest E[accepted]  1.222222 = 11/9\n"
                              "  certified            yes\n"
                              "  program              7 prefixes, 8 rows, 9 columns, 2 blocks"));
  const std::string open = text_of(open_one(), Format::table);
  CHECK_THAT(open, Containing("gamma 2, 3 drafts\n"
                              "  largest E[accepted]  between 1.222222 = 11/9 and 1.333333 = 4/3\n"
                              "  certified            no\n"));
  CHECK_THAT(text_of(in_doubles(), Format::table),
             Containing("largest E[accepted]  1.250000\n  certified            no\n"));
  CHECK_THAT(text_of(open_one(), Format::markdown),
             Containing("| coupling | 2 | 3 | between 1.222222 = 11/9 and 1.333333 = 4/3 | no |"));
  CHECK_THAT(text_of(certified(), Format::markdown),
             Containing("| coupling | 2 | 1 | 1.222222 = 11/9 | yes |"));
}

TEST_CASE("JSON has no optimum where the worth and the bound do not meet") {
  const Json open = json_of(open_one());
  CHECK(open.at("optimum").is_null());
  CHECK(open.at("at_least").at("exact") == "11/9");
  CHECK(open.at("at_most").at("exact") == "4/3");
  CHECK(open.at("certified") == false);
  const Json sure = json_of(certified());
  CHECK(sure.at("optimum").at("exact") == "11/9");
  CHECK(sure.at("program") ==
        Json::parse(R"({"prefixes": 7, "rows": 8, "columns": 9, "blocks": 2, "rounds": 3,
                        "seconds": 0.25})"));
}

TEST_CASE("an optimum in doubles has no fraction and no bound from above") {
  const Json found = json_of(in_doubles());
  CHECK(found.at("arithmetic") == "double");
  CHECK(found.at("optimum") == Json::parse(R"({"value": 1.25, "exact": null})"));
  CHECK(found.at("at_most").is_null());
  CHECK_FALSE(found.at("starts").at(0).contains("certificate"));
  CHECK_FALSE(found.at("starts").at(0).contains("plan"));
  CHECK_THAT(text_of(in_doubles(), Format::csv), Containing(",optimum,,1.25,\n"));
}

TEST_CASE("CSV has a row a number of an optimum with its certificate and its plan") {
  const std::string place = "\"bernoulli(draft=2/3,target=1/3)\",2,1,coupling,rational,";
  const std::vector<std::string> rows{
      "optimum,,1.2222222222222223,11/9",
      "certified,,1.0,1",
      "program.prefixes,,7.0,7",
      "program.rows,,8.0,8",
      "program.columns,,9.0,9",
      "program.blocks,,2.0,2",
      "certificate.inherited,\"0 (0,1)\",0.3333333333333333,1/3",
      "certificate.ceiling,0 (1),2.0,2",
      "certificate.share,0 1,0.6666666666666666,2/3",
      "certificate.weight,0 1,0.75,3/4",
      "certificate.claims,0 1 (0),0.5,1/2",
      "plan.choice,\"0 (0,0) (1) accept (0)\",0.5555555555555556,5/9",
      "plan.correction,0 (0) 0,0.25,1/4",
      "plan.correction,0 (0) 1,0.75,3/4"};
  std::string all = "pair,gamma,drafts,class,arithmetic,quantity,index,value,exact\n";
  for (const std::string& row : rows) all += place + row + "\n";
  CHECK(text_of(certified(), Format::csv) == all);
  const std::string open = text_of(open_one(), Format::csv);
  CHECK_THAT(open, Containing(",at_least,,1.2222222222222223,11/9\n"));
  CHECK_THAT(open, Containing(",at_most,,1.3333333333333333,4/3\n"));
  CHECK_THAT(open, Containing(",certified,,0.0,0\n"));
  CHECK_THAT(open, !Containing(",optimum,"));
}

TEST_CASE("a certificate and a plan are shown where they are asked for alone") {
  PairOptimum neither = certified();
  neither.certificate = neither.plan = false;
  const Json start = json_of(neither).at("starts").at(0);
  CHECK(start.size() == 3);
  CHECK_THAT(text_of(neither, Format::csv), !Containing("certificate") && !Containing("plan"));
  CHECK_THAT(text_of(neither, Format::table), !Containing("certificate"));
  const Json shown = json_of(certified()).at("starts").at(0);
  CHECK(shown.at("certificate").at("blocks").at(0).at("claims").at(0).at("prefix") ==
        Json::array({0}));
  CHECK(shown.at("plan").at("corrections").at(0).at("law").at(1).at("exact") == "3/4");
}

TEST_CASE("the table of a certificate names the bound that each class of verifiers inherits") {
  const auto inherited = [](VerifierClass verifiers) {
    const std::string text = text_of(certified(verifiers), Format::table);
    const std::size_t from = text.find("inherited");
    return text.substr(from, text.find('\n', from) - from);
  };
  CHECK_THAT(inherited(VerifierClass::coupling),
             Containing("sum over x of B(vx) <= B(v)") && Containing("0.333333 = 1/3"));
  CHECK_THAT(inherited(VerifierClass::plug_and_play), Containing("B(ux) <= t(x|u) B(u), v = ux"));
  CHECK_THAT(inherited(VerifierClass::conditionally_independent),
             Containing("B(ux) <= t(x|u) B(u), v = ux"));
  CHECK_THAT(inherited(VerifierClass::algorithm2),
             Containing("B(ux) <= min(d, t)(x|u) B(u), v = ux"));
}

TEST_CASE("the tables of a certificate and of a plan have a line a price and a line a choice") {
  const std::string text = text_of(certified(), Format::table);
  CHECK_THAT(text, Containing("  ceiling      B(v) <= T(v)"));
  CHECK_THAT(text, Containing("  block 1      sum of B over cuts, tight at 2/3"));
  CHECK_THAT(text, Containing("  drafts     accepted     probability\n"
                              "  (0,0) (1)  (0)       0.555556 = 5/9\n"
                              "  after  law of the correction\n"
                              "  (0)    (1/4, 3/4)\n"));
}

TEST_CASE("each of several starts with something to show has a line of its own") {
  PairOptimum two = certified();
  two.optimum.starts[0].start = {4, Rational(1, 3)};
  two.optimum.starts.push_back({{5, Rational(2, 3)}, kHalf, kHalf, {}, {}, true});
  CHECK_THAT(text_of(two, Format::table),
             Containing("  from state 4, probability 1/3: 1.222222 = 11/9\n") &&
                 !Containing("from state 5"));
  two.optimum.starts[0].proof.reset();
  CHECK_THAT(text_of(two, Format::table), Containing("from state 4") && Containing("accepted  "));
  CHECK_THAT(text_of(two, Format::csv), Containing("plan.choice,\"4 (0,0)"));
  two.optimum.starts[0].plan.reset();
  CHECK_THAT(text_of(two, Format::table), !Containing("from state"));
  CHECK_THAT(text_of(certified(), Format::table), !Containing("from state"));
}

TEST_CASE("a long fraction of an optimum is a decimal in tables and whole elsewhere") {
  PairOptimum wide = certified();
  wide.optimum.worth = parse_rational("12345678901234567/37037036703703702");
  CHECK_THAT(text_of(wide, Format::table), Containing("largest E[accepted]  0.333333\n"));
  CHECK(json_of(wide).at("optimum").at("exact") == "12345678901234567/37037036703703702");
  wide.optimum.worth = Rational(2);
  CHECK_THAT(text_of(wide, Format::table), Containing("largest E[accepted]  2\n"));
}

TEST_CASE("several optima are blocks with an empty line between them and their notes in them") {
  PairOptimum noted = in_doubles();
  noted.optimum.notes = {"doubles alone"};
  const std::string text = render(optima_document({noted, in_doubles()}), Format::table);
  CHECK_THAT(text, Containing("  time                 0.25 s\n  note: doubles alone\n\n"
                              "bernoulli(draft=2/3,target=1/3)\n"));
  CHECK(json_of(noted).at("notes") == Json::array({"doubles alone"}));
}

}  // namespace speclab::optimum_test
