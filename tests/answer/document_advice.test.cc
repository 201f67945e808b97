// What `advise` prints, from made-up advice and comparisons.
#include <nlohmann/json.hpp>

#include "answer/documents/advice.h"
#include "catch.h"
#include "made_answer.h"
#include "report/report.h"

namespace speclab::advice_test {
namespace {

using Json = nlohmann::ordered_json;

/// Block verification of four tokens at speedup 2, of any number at 1.5, and no draft at all.
PairAdvice made() {
  PairAdvice of{make_pair("bernoulli(draft=2/3,target=1/3)"), 64, "draft=0.1", {}};
  Advice& advice = of.advice;
  for (const auto& [gamma, speedup] : {std::pair{4, 2.0}, {kUnbounded, 1.5}}) {
    Candidate candidate;
    candidate.question = empty_answer("block", gamma).question;
    candidate.clusters.resize(2);
    for (Cluster& cluster : candidate.clusters) cluster.trials = 64;
    candidate.speedup = around(speedup, 0.25);
    candidate.length = around(3, 0.5);
    advice.candidates.push_back(candidate);
  }
  Candidate baseline;
  baseline.speedup = {1, 0, 1, 1, 1, 1};
  baseline.dropped = true;
  advice.candidates.push_back(baseline);
  advice.choice = {0, 1, {around(0.5, 0.25), 0.01, 4.0}, around(2, 0.25)};
  advice.ties = {1};
  advice.trials = 128;
  advice.seed = 9;
  return of;
}

std::string text_of(const PairAdvice& of, Format format = Format::table) {
  return render(advice_document({of}), format);
}

Json json_of(const PairAdvice& of) {
  return Json::parse(text_of(of, Format::json)).at("results").at(0);
}

/// The same of a recording: it has no horizon and no seed.
PairAdvice recorded() {
  PairAdvice of = made();
  of.horizon.reset();
  of.advice.candidates[1].length.reset();
  return of;
}

/// With a choice at a batch of 8 and none with a draft twice as slow.
PairAdvice with_loads() {
  PairAdvice of = made();
  Choice other = of.advice.choice;
  other.best = 2;
  other.speedup = of.advice.candidates[2].speedup;
  of.advice.loads = {{{8, 1, 1}, other, ""},
                     {{1, 2, 0.5}, {}, "no time of 80 positions"},
                     {{.batch = 8, .waits = true}, other, ""}};
  return of;
}

PairComparison compared() {
  PairComparison of;
  of.pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  of.first = "block";
  of.second = "token";
  of.gamma = 4;
  of.quantity = "speedup";
  of.first_value = around(2, 0.25);
  of.second_value = around(1.5, 0.25);
  of.paired = {around(0.5, 0.125), 0.01, 4.0};
  of.trials = 128;
  of.seed = 9;
  return of;
}

/// Of a recording at any draft length, with a difference that has no variance.
PairComparison compared_recording() {
  PairComparison of = compared();
  of.gamma = kUnbounded;
  of.seed.reset();
  of.paired.saved.reset();
  return of;
}

}  // namespace

TEST_CASE("advice is settled or a tie that names those that are not distinguished") {
  CHECK_THAT(text_of(made()),
             Containing("decodes of 64 tokens, seed 9, costs draft=0.1\n"
                        "  best      block, gamma 4: speedup 2.000000 [1.750000, 2.250000]\n"
                        "  lead      0.500000 [0.250000, 0.750000] over block, gamma inf\n"
                        "  tie       not distinguished from it: block, gamma inf\n"));
  PairAdvice settled = made();
  settled.advice.settled = true;
  settled.advice.notes = {"a note"};
  CHECK_THAT(text_of(settled),
             Containing("  settled   every other candidate is slower beyond doubt\n"
                        "  note: a note\n") &&
                 !Containing("not distinguished"));
}

TEST_CASE("the table of candidates marks the best and the tie, and no trials of no draft") {
  const std::string text = text_of(made());
  // One table: half the width of an interval leaves room for all columns.
  CHECK_THAT(
      text,
      Containing("  verifier          gamma   speedup  +- (95%)        tokens a call  trials\n"
                 "  block                 4  2.000000  0.250000  best       3.000000     128\n"
                 "  block               inf  1.500000  0.250000  tie        3.000000     128\n"
                 "  do not speculate         1.000000         0\n"));
  CHECK_THAT(
      text_of(recorded()),
      Containing("\nrecorded iterations, costs draft=0.1\n") &&
          Containing(
              "  block               inf  1.500000  0.250000  tie                     128\n"));
}

TEST_CASE("JSON has inf for a draft length without end and null for what a recording has not") {
  const Json whole = json_of(made());
  CHECK(whole.at("horizon") == 64);
  CHECK(whole.at("seed") == 9);
  CHECK(whole.at("ties") ==
        Json::array({{{"verifier", "block"}, {"gamma", "inf"}, {"drafts", 1}}}));
  CHECK(whole.at("table").at(0).at("choice") == "best");
  CHECK(whole.at("table").at(1).at("choice") == "tie");
  CHECK(whole.at("table").at(2).at("verifier").is_null());
  CHECK(whole.at("table").at(2).at("choice") == "");
  const Json other = json_of(recorded());
  CHECK(other.at("horizon").is_null());
  CHECK(other.at("seed").is_null());
  CHECK(other.at("table").at(1).at("acceptance_length").is_null());
  CHECK(other.at("table").at(0).at("acceptance_length").at("mean") == 3);
}

TEST_CASE("CSV has a row a candidate with the seed of a simulation alone") {
  const std::string pair = "\"bernoulli(draft=2/3,target=1/3)\",";
  const std::string names =
      "pair,verifier,gamma,drafts,speedup,low,high,acceptance_length,trials,seed,choice\n";
  CHECK(text_of(made(), Format::csv) == names + pair + "block,4,1,2.0,1.75,2.25,3.0,128,9,best\n" +
                                            pair + "block,inf,1,1.5,1.25,1.75,3.0,128,9,tie\n" +
                                            pair + "do not speculate,,,1.0,1.0,1.0,,0,9,\n");
  CHECK_THAT(text_of(recorded(), Format::csv), Containing("block,inf,1,1.5,1.25,1.75,,128,,tie\n"));
}

TEST_CASE("how the choice moves with a load is reported, or why nothing is known of it") {
  CHECK_THAT(text_of(made()), !Containing("how the choice moves"));
  const std::string text = text_of(with_loads());
  CHECK_THAT(text, Containing("how the choice moves with the costs, and in a batch:\n"));
  CHECK_THAT(text,
             Containing("  batch 8                     do not speculate            1.000000\n"
                        "  draft's time x 2, target's  no time of 80 positions\n"
                        "  growth x 0.5\n"
                        "  batch 8 that waits          do not speculate            1.000000\n"));
  CHECK_THAT(text, Containing("  batch 8                     [0.250000, 0.750000]\n"));
  const Json loads = json_of(with_loads()).at("loads");
  // The baseline has no name.
  CHECK(loads.at(0).at("best").is_null());
  CHECK(loads.at(0).at("lead").at("mean") == 0.5);
  CHECK(loads.at(0).at("missing") == "");
  CHECK(loads.at(1).at("best").is_null());
  CHECK(loads.at(1).at("lead").is_null());
  CHECK(loads.at(1).at("missing") == "no time of 80 positions");
  CHECK(loads.at(0).at("waits") == false);
  CHECK(loads.at(2).at("waits") == true);
}

TEST_CASE("advice on several pairs is blocks with an empty line between them") {
  const std::string two = render(advice_document({made(), recorded()}), Format::table);
  CHECK_THAT(two, Containing("\n\nbernoulli(draft=2/3,target=1/3)\nrecorded iterations"));
  CHECK(two.starts_with("bernoulli"));
}

TEST_CASE("a comparison says what pairing saved where it saved anything") {
  CHECK(render(comparisons_document({compared()}), Format::table) ==
        "bernoulli(draft=2/3,target=1/3)\n"
        "speedup, gamma 4, 128 trials, seed 9\n"
        "  block                         2.000000  [1.750000, 2.250000]\n"
        "  token                         1.500000  [1.250000, 1.750000]\n"
        "  difference                    0.500000  [0.375000, 0.625000]\n"
        "  unpaired and without controls, 4 times as many trials would be as precise\n");
  const std::string two =
      render(comparisons_document({compared(), compared_recording()}), Format::table);
  CHECK_THAT(two, Containing("as precise\n\nbernoulli(draft=2/3,target=1/3)\n"
                             "speedup, gamma inf, 128 recorded iterations\n"));
  CHECK_THAT(render(comparisons_document({compared_recording()}), Format::table),
             !Containing("unpaired"));
}

TEST_CASE("a comparison of a recording has no seed in JSON and CSV") {
  const Json results =
      Json::parse(render(comparisons_document({compared(), compared_recording()}), Format::json))
          .at("results");
  CHECK(results.at(0).at("gamma") == 4);
  CHECK(results.at(0).at("seed") == 9);
  CHECK(results.at(0).at("trials_saved_by_pairing") == 4);
  CHECK(results.at(1).at("gamma") == "inf");
  CHECK(results.at(1).at("seed").is_null());
  CHECK(results.at(1).at("trials_saved_by_pairing").is_null());
  const std::string csv =
      render(comparisons_document({compared(), compared_recording()}), Format::csv);
  CHECK_THAT(csv, Containing(",block,token,4,speedup,0.5,0.375,0.625,4.0,128,9\n"));
  CHECK_THAT(csv, Containing(",block,token,inf,speedup,0.5,0.375,0.625,,128,\n"));
}

}  // namespace speclab::advice_test
