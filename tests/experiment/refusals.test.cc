// What is wrong with a task, an entry or a value: one line that names the place and the fix.
#include "experiment/small_file.h"

namespace speclab::refusals_test {
namespace {

using namespace small_file;

const std::string kPair = "pair = \"bernoulli(draft=1/3,target=2/3)\"\n";

/// A task of this kind in lines 3 to 5, its own lines from line 6 on.
std::string task(const std::string& kind, const std::string& lines) {
  return kTop + "[[task]]\nname = \"law\"\nkind = \"" + kind + "\"\n" + lines;
}

/// A simulated task in lines 3 to 9; its further lines begin at line 10.
std::string runs(const std::string& lines) {
  return task("simulate", kPair + "verifier = \"token\"\ngamma = 2\nhorizon = 4\n" + lines);
}

/// An exact task in lines 3 to 8; what comes then begins at line 9.
std::string law(const std::string& lines) {
  return task("exact", kPair + "verifier = [\"token\", \"block\"]\ngamma = \"1:2\"\n" + lines);
}

/// Lines 3 to 8 as law(), an [[expected]] in line 9 to 12, its further lines from 13 on.
std::string expected(const std::string& lines) {
  return law("[[expected]]\nsource = \"x\"\ntask = \"law\"\n" +
             ("quantity = \"iteration.tail\"\n" + lines));
}

}  // namespace

TEST_CASE("a task that lacks a part is refused with the part") {
  const std::string token = "verifier = \"token\"\n", gamma = "gamma = 1\n";
  refuses({{task("exact", kPair + gamma), ":3: [[task]] has no verifier"},
           {task("formula", kPair + gamma), ":3: [[task]] has no formula"},
           {task("exact", token + gamma), ":3: [[task]] has no pair"},
           {task("exact", kPair + token), ":3: [[task]] has no gamma"},
           {task("train", kPair), ":3: [[task]] has no lambda; for example lambda = \"1.2\""},
           {runs(""), ":3: [[task]] has no trials; for example trials = 100000"},
           {kTop + "[[task]]\nkind = \"exact\"\n", ":3: [[task]] has no name; for example"},
           {kTop, ":1: an experiment has at least one [[task]] or [[table]]"},
           // No source is needed.
           {"title = \"t\"\n", ":1: an experiment has at least one [[task]] or [[table]]"},
           {"source = \"s\"\n", ":1: an experiment file has no title; for example"}});
}

TEST_CASE("names are of letters and digits, are unique, and mean nothing else") {
  const std::string taken = "' is taken and no variable's name; give another";
  refuses({{kTop + "[[task]]\nname = \"a b\"\n", ":3: name 'a b' is not of letters, digits"},
           {kTop + "[[task]]\nname = \"\"\n", ":3: name '' is not of letters, digits"},
           {law("[task.vary]\n\"a.b\" = 1\n"), ":9: name 'a.b' is not of letters, digits"},
           {law("[task.vary]\ntext = 1\n"), ":9: 'text" + taken},
           {law("[task.vary]\nhere = 1\n"), ":9: 'here" + taken},
           {law("[task.vary]\nseed = 1\n"), ":9: 'seed" + taken},
           {law(law("").substr(kTop.size())), ":9: the name 'law' is taken; give another"},
           {law("[[derived]]\nname = \"law\"\nquantity = \"tv\"\noperation = \"sum\"\n"
                "of = {task = \"law\"}\nover = {task = \"law\"}\n"),
            ":9: the name 'law' is taken; give another"}});
  const Experiment made = read(law("[task.vary]\na-1 = 1\nA_1 = 2\n"));
  REQUIRE(made.tasks.at(0).vary.size() == 2);
  CHECK(made.tasks[0].vary[0].first == "A_1");
  CHECK(made.tasks[0].vary[1].first == "a-1");
}

TEST_CASE("a precision that cannot end a simulation is refused") {
  const std::string trials = "trials = 100\nprecision = ", keep = "keep = \"decode.tokens\"\n";
  refuses(
      {{runs(keep + trials + "0"), ":3: precision is above 0"},
       {runs(keep + trials + "-0.5"), ":3: precision is above 0"},
       {runs(trials + "0.1"), ":3: precision needs keep: it applies to the first quantity kept"},
       {runs("keep = [\"decode.position_rates\", \"decode.tokens\"]\n" + trials + "0.1"),
        ":3: precision applies to 'decode.position_rates', which is no single number; keep one"},
       {runs("keep = \"undefined_trials\"\n" + trials + "0.1"),
        ":3: precision applies to 'undefined_trials', which is no single estimate; keep one"},
       {runs(keep + trials + "nan"), ":12: precision is a finite number"},
       {runs(keep + trials + "inf"), ":12: precision is a finite number"},
       {runs(keep + trials + "true"), ":12: precision is a finite number"},
       {runs(keep + trials + "\"0.1\""), ":12: precision is a finite number"}});
  CHECK(read(runs(keep + trials + "1")).tasks.at(0).precision == 1.0);
}

TEST_CASE("a whole number out of range is refused with the range") {
  const std::string most = " is a whole number from 2 to 1000000000000";
  refuses({{runs("trials = 1"), ":10: trials" + most},
           {runs("trials = 2000000000000"), ":10: trials" + most},
           {runs("trials = 1e18"), ":10: trials" + most},
           {runs("trials = 100.5"), ":10: trials" + most},
           {runs("trials = \"100\""), ":10: trials" + most},
           {runs("trials = [100, 1]"), ":10: trials" + most},
           {law("max-paths = 0"), ":9: max-paths is a whole number from 1 to 1000000000000"},
           {law("horizon = 0"), ":9: horizon is a whole number from 1 to 1000000"},
           {law("iterations = \"2\""), ":9: iterations is a whole number from 1 to 1000000"},
           {"chunk = 15\n" + law(""), ":1: chunk is a whole number from 16 to 100000000"}});
  CHECK(read(runs("trials = [1e5, 100, 100]")).tasks.at(0).trials ==
        std::vector<std::uint64_t>{100, 100000});
  CHECK(read(law("max-paths = 1e3")).tasks.at(0).max_paths == 1000);
  CHECK(read(law("")).tasks.at(0).max_paths == 1e8);
}

TEST_CASE("a range is two or three numbers that do not fall") {
  const std::string wanted =
      ":9: horizon is a number, a range such as \"1:12\" or \"4:24:4\", or a list, not '";
  std::vector<Case> cases;
  for (const char* bad : {"", "4", "4:", ":4", "4:1", "1:4:0", "1:2:3:4", "1::4", "1:x", "-1:4",
                          "1:1234567890", "inf", "1 : 4"}) {
    cases.push_back({law("horizon = \"" + std::string(bad) + "\""), wanted + bad + "'"});
  }
  refuses(cases);
  refuses({{law("horizon = \"0:2\""), ":9: horizon is at least 1"},
           {law("horizon = \"1000000:1000001\""), ":9: horizon is at most 1000000"},
           {law("[task.vary]\nd = [\n1,\n[2]]"), ":12: d takes whole numbers, a range such as"},
           {law("[task.vary]\nd = \"4:1\""), ":10: d is a number, a range such as"},
           {law("[task.vary]\nd = 0.25"), ":10: d takes whole numbers, a range such as \"1:12\","},
           {law("[task.vary]\nd = [true]"), ":10: d takes whole numbers, a range such as"}});
  const Experiment made = read(law("horizon = [\"4:12:4\", 7]"));
  CHECK(made.tasks.at(0).horizons == std::vector<std::optional<int>>{4, 8, 12, 7});
  CHECK(read(law("[task.vary]\nd = [3, \"1:2\", \"1/4\"]")).tasks.at(0).vary.at(0).second ==
        std::vector<std::string>{"3", "1", "2", "1/4"});
}

TEST_CASE("a key of another type is refused with the type") {
  refuses({{law("full-only = 1"), ":9: full-only is true or false"},
           {law("latency = 1"), ":9: latency is a string in quotes"},
           {law("keep = [1]"), ":9: keep is a string in quotes"},
           {law("keep = []"), ":9: keep is an empty list; give a value"},
           {law("arithmetic = \"dubble\""), ":9: arithmetic is one of rational, double, not"},
           {law("vary = 3"), ":9: [task.vary] is a table"},
           {"task = 3\n" + kTop, ":1: task is written [[task]]"},
           {"expected = {}\n" + law(""), ":1: expected is written [[expected]]"},
           {"task = [1]\n" + kTop, ":1: [[task]] is a table"},
           {"title = 1\nsource = \"s\"\n", ":1: title is a string in quotes"}});
}

TEST_CASE("an expected entry takes no key without a meaning there") {
  const std::string value = "value = 1\n";
  refuses({{expected(value + "tolerance = -0.1"), ":9: tolerance is 0 or more"},
           {expected(value + "tolerance = \"x\""), ":14: tolerance is a number such as 16.41"},
           {expected(value + "relation = \"at_most\"\nprints = true"),
            ":9: prints applies to a value that the results equal"},
           {expected("trend = \"increases\"\nalong = \"gamma\"\nprints = true"),
            ":9: prints applies to a value that the results equal"},
           {expected("trend = \"rises\"\nalong = \"gamma\""), ":13: trend is one of increases, "},
           {expected("trend = \"increases\""), ":9: [[expected]] has no along; for example along"},
           {expected(value + "relation = \"less\""), ":14: relation is one of equals, at_most"},
           {expected(value + "gamma = 1.5"),
            ":14: gamma chooses by a whole number or a text in quotes"},
           {law("[[expected]]\nsource = \"x\"\ntask = \"law\"\nvalue = 1"),
            ":9: [[expected]] has no quantity"},
           {law("[[expected]]\nsource = \"x\"\ntask = \"laws\"\nquantity = \"tv\"\nvalue = 1"),
            ":9: there is no task 'laws'; did you mean 'law'?"}});
  const Experiment made = read(expected(value + "trials = \"all\"\nprints = true\ngamma = \"2\""));
  CHECK(made.expected.at(0).prints);
  CHECK(made.expected[0].rows.get("trials") == "all");
  CHECK(made.expected[0].rows.get("gamma") == "2");
}

}  // namespace speclab::refusals_test
