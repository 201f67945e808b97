#include "answer/cost_model.h"

#include <algorithm>
#include <string>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/costs.h"
#include "base/error.h"
#include "catch.h"
#include "temporary_file.h"

namespace speclab::cost_model_test {
namespace {

constexpr const char* kLevel = "iid(draft=[1/2,1/2],target=[1/2,1/2])";
constexpr const char* kToy = "bernoulli(draft=2/3,target=1/3)";

Answer exactly(const std::string& verifier, const char* pair, const std::string& costs, int gamma,
               int horizon, bool long_run = false) {
  Bench bench;
  Question question = bench.question(pair, verifier, {gamma, horizon, 0}, Arithmetic::floating);
  question.long_run = long_run;
  Answer answer = bench.answer(question, ByEnumeration{});
  add_costs(answer, read_costs(costs));
  return answer;
}

double number(const Answer& answer, QuantityId id) {
  const Value* value = answer.find(id);
  REQUIRE(value != nullptr);
  return value->number;
}

TEST_CASE("a time may be one number, a line or a table") {
  CHECK(TimeCurve::read("20").at(7) == 20);
  CHECK(TimeCurve::read("20").constant());
  CHECK(TimeCurve::read("20+1/4n").at(8) == 22);
  CHECK(TimeCurve::read("0.5n").at(8) == 4);
  CHECK(TimeCurve::read("2+n").at(8) == 10);
  CHECK_FALSE(TimeCurve::read("0.5n").constant());
  // Memory is the limit up to n = 40.
  const TimeCurve roofline = TimeCurve::read("max(20,1/2n)");
  CHECK(roofline.at(1) == 20);
  CHECK(roofline.at(40) == 20);
  CHECK(roofline.at(60) == 30);
  CHECK_FALSE(roofline.constant());
  CHECK(TimeCurve::read("max(20,30)").constant());
  CHECK(TimeCurve::read("max(3n)").at(4) == 12);
  for (const char* wrong : {"max(", "max()", "max(20,)", "max(20,0.1n", "max(20,max(1,n))"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(TimeCurve::read(wrong), InputError);
  }
  CHECK(TimeCurve::read("1e+1+2n").at(3) == 16);
  for (const char* wrong : {"1+2", "n+n", "2+", "+2", "c+c", "1c2"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(TimeCurve::read(wrong), InputError);
  }
  const CostModel costs = read_costs("draft=max(1,0.1n),target=max(20,5+n),rule=0.5");
  CHECK(costs.draft.at(30) == 3);
  CHECK(costs.target.at(16) == 21);
  CHECK(costs.rule == 0.5);
  CHECK_THROWS_AS(read_costs("target=max(0,0)"), InputError);
  CHECK_THROWS_AS(read_costs("target=max(20,n"), InputError);
  const TemporaryFile table("n,time\n1,10\n3,14\n8,15\n");
  const TimeCurve measured = TimeCurve::read("@" + table.path());
  CHECK(measured.at(1) == 10);
  CHECK(measured.at(2) == 12);
  CHECK(measured.at(8) == 15);
  CHECK_THROWS_WITH(measured.at(9), Containing("only for 1 to 8"));
  CHECK_THROWS_AS(measured.at(0.5), InputError);
}

TEST_CASE("a table of times that is none is refused by its line") {
  for (const auto& [text, said] :
       {std::pair<const char*, const char*>{"n,time\n1,10\n1,11\n", "line 3: n must ascend"},
        {"n,time\n1\n", "line 2: expected"},
        {"n,time\n0,1\n", "line 2: n is at least 1"},
        {"n,time\n1,-1\n", "line 2"},
        {"n,time\n1,nan\n", "line 2"},
        {"n,time\n1,1000000000000000001\n", "a time is 0 or a number from 1e-18 to 1e18"},
        {"n,time\n1,1e-19\n", "a time is 0 or a number from 1e-18 to 1e18"},
        {"1,10\n2,11\n", "names the columns"},
        {"n,time\n1,0\n", "target above 0"},
        {"n,time\n", "no line"},
        {"", "no line"}}) {
    CAPTURE(text);
    const TemporaryFile table(text);
    CHECK_THROWS_WITH(read_costs("target=@" + table.path()), Containing(said));
  }
  CHECK_THROWS_AS(read_costs("target=@/nonexistent.csv"), InputError);
}

TEST_CASE("costs are read in any order and nothing else is") {
  const CostModel costs = read_costs("target=2,draft=1/4");
  CHECK(costs.draft.at(1) == 0.25);
  CHECK(costs.verifier == 0);
  CHECK(costs.target.at(1) == 2);
  for (const char* text :
       {"", "draft", "draft=", "draft=1,draft=2", "drafts=1", "target=0", "draft=-1", "draft=x",
        "draft=1,", "draft=1n+2n", "rule=1n", "verifier=1+2n", "draft=2e18"}) {
    CAPTURE(text);
    CHECK_THROWS_AS(read_costs(text), InputError);
  }
}

TEST_CASE("calls read each sequence's context, and are padded to the next size") {
  const CostModel costs =
      read_costs("draft=1+0.5n,target=20+n+1/64c,context=4096,sizes=1|2|4|8|16");
  CHECK(costs.target.at(1) == 20 + 1 + 64);
  CHECK(costs.target.at(3) == 20 + 4 + 64);        // padded to 4
  CHECK(costs.target.at(16, 2) == 20 + 16 + 128);  // two sequences
  CHECK(costs.target.at(17) == 20 + 17 + 64);      // above the last size
  CHECK(costs.draft.at(5) == 1 + 4);
  CHECK_THROWS_WITH(read_costs("target=20+0.1c"), Containing("context=4096"));
  for (const char* wrong :
       {"sizes=", "sizes=2|1", "sizes=1|1", "sizes=0|1", "sizes=1|", "context=x"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(read_costs(wrong), InputError);
  }
  // Of two sequences side by side a call at gamma = 2 is on 6 positions, padded to 8.
  Bench bench;
  const Question question = bench.question(kToy, "token", {2, 8, 0}, Arithmetic::floating);
  const Latency latency = Latencies(costs, {.batch = 2, .draft = 1, .growth = 1}).of(question);
  CHECK(latency.single == 20 + 2 + 128);
  CHECK(latency.target == 20 + 8 + 128);
  CHECK(latency.draft == 2);
}

TEST_CASE("a call evaluates all positions of its drafts") {
  const auto shape = [](const char* verifier, int drafts) {
    return draft_shape(make_verifier(verifier), drafts);
  };
  CHECK(shape("token", 4).positions() == 5);
  CHECK(shape("rrs(K=3)", 2).positions() == 9);
  CHECK(shape("rrs(K=3)", 2).nodes == 6);
  const DraftShape tree = shape("target-only(tree=3-2-1,draw=top)", 3);
  CHECK(tree.levels == std::vector<double>{3, 6, 6});
  CHECK(tree.positions() == 16);
  CHECK(shape("autoregressive", 3).positions() == 1);
}

TEST_CASE("the time of a decode worked out by hand") {
  // Two iterations of 2 drafts and a bonus: 4 steps and 2 calls on 3 positions.
  const Answer line = exactly("token", kLevel, "draft=0.5,target=10+2n,rule=0.25", 2, 6);
  CHECK(number(line, QuantityId::time_of_decode) == Approx(4 * 0.5 + 2 * (16 + 0.5)));
  CHECK(number(line, QuantityId::decode_speedup) == Approx(6 * 12 / 35.0));
  // Three drafts: each step is of three, each call on 9 positions, the rule looks at 6 tokens.
  const Answer three = exactly("rrs(K=3)", kLevel, "draft=0.5,target=10+2n,rule=0.25", 2, 6);
  CHECK(number(three, QuantityId::time_of_decode) == Approx(4 * 1.5 + 2 * (28 + 1.5)));
  // A line of the drafts side by side, in place of three times one.
  const Answer wide = exactly("rrs(K=3)", kLevel, "draft=0.5+0.1n,target=10+2n", 2, 6);
  CHECK(number(wide, QuantityId::time_of_decode) == Approx(4 * 0.8 + 2 * 28));
  // A tree of 2 and 4 nodes: its steps go from 1 and from 2 nodes, its call is on 7 positions.
  const Answer tree = exactly("target-only(tree=2-2,draw=with)", kLevel, "draft=3,target=n", 2, 6);
  const double calls = number(tree, QuantityId::target_calls);
  const double steps = number(tree, QuantityId::draft_steps);
  CHECK(number(tree, QuantityId::time_of_decode) == Approx(4.5 * steps + 7 * calls));
  // Nothing is drafted: calls on one position.
  const Answer none = exactly("autoregressive", kLevel, "draft=3,target=10+2n,rule=1", 2, 6);
  CHECK(number(none, QuantityId::time_of_decode) == Approx(6 * 12));
  CHECK(number(none, QuantityId::decode_speedup) == Approx(1));
}

TEST_CASE("a load moves each cost by its own factor") {
  Bench bench;
  const Question question = bench.question(kToy, "rrs(K=2)", {3, 8, 0}, Arithmetic::floating);
  const CostModel costs = read_costs("draft=1+0.5n,target=10+2n,rule=0.25");
  const Latency plain = Latencies(costs).of(question);
  CHECK(plain.single == 12);
  CHECK(plain.target == 10 + 2 * 8);
  CHECK(plain.draft == Approx(2));
  CHECK(plain.rule == 0.25 * 6);
  const Latency batch = Latencies(costs, {.batch = 4}).of(question);
  CHECK(batch.single == 10 + 2 * 4);
  CHECK(batch.target == 10 + 2 * 32);
  CHECK(batch.draft == Approx(1 + 0.5 * 8));
  CHECK(batch.rule == 0.25 * 24);
  const Latency growth = Latencies(costs, {.growth = 0.5}).of(question);
  CHECK(growth.single == 12);
  CHECK(growth.target == 12 + 0.5 * 14);
  CHECK(Latencies(costs, {.draft = 3}).of(question).draft == Approx(6));
  CHECK_THROWS_AS(Latencies(read_costs("draft=0.1,target=10+2n"), {.batch = 4}).of(question),
                  InputError);
  CHECK_THROWS_AS(Latencies(read_costs("target=10"), {.batch = 4}).of(question), InputError);
}

TEST_CASE("no draft is free") {
  double before = 0;
  for (const char* verifier : {"rrs(K=1)", "rrs(K=2)", "rrs(K=3)"}) {
    const Answer answer = exactly(verifier, kLevel, "draft=0.5,target=10", 2, 6);
    const double time = number(answer, QuantityId::time_of_decode);
    CHECK(time > before);
    before = time;
  }
}

TEST_CASE("the long run's speedup") {
  // Token verification of the toy pair at gamma = 1: 5/3 tokens a call at every iteration.
  const Answer answer = exactly("token", kToy, "draft=1/4,target=2+n", 1, 2, true);
  CHECK(number(answer, QuantityId::long_run_speedup) == Approx(5.0 / 3 * 3 / 4.25));
  CHECK(exactly("token", kToy, "draft=1", 1, 2).find(QuantityId::long_run_speedup) == nullptr);
}

TEST_CASE("closed forms of costs keep to the papers' hypothesis") {
  const auto speaks = [](const std::string& costs) {
    const Answer answer = exactly("token", kToy, costs, 2, 4);
    return std::any_of(answer.predictions.begin(), answer.predictions.end(),
                       [](const Prediction& prediction) {
                         return prediction.quantity == QuantityId::first_tokens_per_call ||
                                prediction.quantity == QuantityId::work_of_decode;
                       });
  };
  CHECK(speaks("draft=0.1,target=1"));
  CHECK_FALSE(speaks("draft=0.1,target=1+0.1n"));
  CHECK_FALSE(speaks("draft=0.1,target=1,rule=0.1"));
}

TEST_CASE("runs have no calls by positions") {
  const Answer answer =
      exactly("sprinter(fp=1/4,tp=1)", kToy, "draft=0.1,target=1+0.1n", kUnbounded, 3);
  CHECK(answer.find(QuantityId::time_of_decode) == nullptr);
  CHECK(std::any_of(answer.notes.begin(), answer.notes.end(), [](const std::string& note) {
    return note.find("give the target one time") != std::string::npos;
  }));
}

}  // namespace
}  // namespace speclab::cost_model_test
