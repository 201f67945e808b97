#include <cstdlib>

#include "catch.h"
#include "model/registry.h"
#include "report/csv.h"
#include "report/listing.h"
#include "report/modelled_time.h"
#include "report/number.h"
#include "report/output.h"
#include "report/records.h"
#include "report/table.h"
#include "report/text_table.h"
#include "trained.h"

namespace speclab {
namespace {

Record with(Value value) {
  Record record;
  record.quantities.push_back({.group = "iteration", .name = "expected_accepted"});
  record.quantities.back().values.push_back(std::move(value));
  return record;
}

Value fraction(int top, int bottom) {
  const Rational exact(top, bottom);
  return {to_double(exact), exact, std::nullopt};
}

Value estimated(double mean, double standard_error) {
  return {mean, std::nullopt,
          Estimate{mean, standard_error, mean - 2 * standard_error, mean + 2 * standard_error}};
}

Verdict verdict(const Value& value, double predicted, Relation relation,
                std::optional<Rational> exact = std::nullopt) {
  return compare(with(value),
                 {"claim", "iteration.expected_accepted", predicted, std::move(exact), relation})
      .verdict;
}

TEST_CASE("fractions must be equal, doubles may differ by rounding, estimates by four errors") {
  CHECK(verdict(fraction(1, 3), 1.0 / 3, Relation::equals, Rational(1, 3)) == Verdict::agrees);
  const Rational near = Rational(1, 3) + Rational(1, 1'000'000'000'000);
  CHECK(verdict(fraction(1, 3), to_double(near), Relation::equals, near) == Verdict::differs);
  CHECK(verdict(fraction(1, 3), to_double(near), Relation::equals) == Verdict::agrees);
  CHECK(verdict(fraction(1, 3), to_double(near), Relation::at_most, near) == Verdict::bound_holds);
  CHECK(verdict(fraction(1, 3), to_double(near), Relation::at_least, near) ==
        Verdict::bound_missed);
  CHECK(verdict({0.5, {}, {}}, 0.5 + 1e-8, Relation::equals) == Verdict::differs);
  CHECK(verdict(estimated(1, 0.1), 1.39, Relation::equals) == Verdict::agrees);
  CHECK(verdict(estimated(1, 0.1), 1.41, Relation::equals) == Verdict::differs);
  CHECK(verdict(estimated(1, 0.1), 0.59, Relation::at_most) == Verdict::bound_missed);
  CHECK(verdict(estimated(1, 0.1), 2, Relation::at_least) == Verdict::bound_missed);
}

TEST_CASE("z is told where there is a standard error, and otherwise why not") {
  const auto compared = [](double error, const std::string& quantity) {
    return compare(with(estimated(1, error)), {"claim", quantity, 1.2, {}, Relation::equals});
  };
  const Comparison good = compared(0.1, "iteration.expected_accepted");
  CHECK(good.z.value() == Approx(-2));
  CHECK(!compared(0, "iteration.expected_accepted").z);
  CHECK(compared(0, "iteration.expected_accepted").z_missing == "the standard error is 0");
  const Comparison none = compared(0.1, "rejections.expected");
  CHECK(none.verdict == Verdict::not_compared);
  CHECK(!none.z_missing.empty());
}

TEST_CASE("a number that is not finite never leaves") {
  ExactResult<double> result;
  result.accepted_law = {1.0};
  result.expected_accepted = std::numeric_limits<double>::quiet_NaN();
  Setting setting;
  setting.pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  setting.verifier = parse_spec("autoregressive");
  const Report report{exact_record("autoregressive", setting, result, false)};
  REQUIRE(report[0].notes.size() == 1);
  CHECK_THAT(report[0].notes[0], Containing("expected_accepted: it is not a finite number"));
  for (const Format format : {Format::table, Format::json, Format::csv}) {
    const std::string text = render(report, format);
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("NaN") == std::string::npos);
  }
  CHECK_THAT(render(report, Format::json), Containing("\"expected_accepted\": null"));
}

TEST_CASE("shortest decimals read back, and long fractions are left out") {
  for (const double value : {0.1, 1.0 / 3, 1e-300, 4.0, 5e-324, 1.7976931348623157e308, 0.0}) {
    CHECK(std::strtod(shortest(value).c_str(), nullptr) == value);
  }
  CHECK(shortest(0.1) == "0.1");
  CHECK(readable(16.40489012) == "16.404890");
  CHECK(readable(1.25e-7) == "1.250e-07");
  CHECK(readable(0) == "0");
  CHECK(fraction_text(Rational(11, 9)) == "11/9");
  CHECK(!fraction_text(parse_rational("1e1500")));
  CHECK(!fraction_text(std::nullopt));
}

TEST_CASE("CSV fields are quoted where they must be") {
  CHECK(csv_field("plain") == "plain");
  CHECK(csv_field("a,b") == "\"a,b\"");
  CHECK(csv_field("say \"x\"") == "\"say \"\"x\"\"\"");
  CHECK(csv_field("two\nlines") == "\"two\nlines\"");
  CHECK(csv_line(std::vector<std::string>{"a", "", "b,c"}) == "a,,\"b,c\"\n");
}

TEST_CASE("tables align their columns and listings escape bars") {
  TextTable table("lr");
  table.add({"name", "7"});
  table.add({"n", "12.5"});
  CHECK(table.text("  ") == "  name     7\n  n     12.5\n");
  const Listing listing{"things", {"thing", "meaning"}, {{"a|b", "x"}}};
  CHECK(render(listing, Format::markdown) == "| thing | meaning |\n|---|---|\n| `a\\|b` | x |\n");
  CHECK(render(listing, Format::table) == "a|b\n    meaning: x\n");
  CHECK(render(Listing{"things", {"thing"}, {}}, Format::table) == "no things yet\n");
}

/// The comparison of `claim` with `quantity`; it must be there.
const Comparison& compared(const Record& record, const std::string& claim,
                           const std::string& quantity) {
  for (const Comparison& comparison : record.comparisons) {
    if (comparison.prediction.claim == claim && comparison.prediction.quantity == quantity) {
      return comparison;
    }
  }
  FAIL(claim << " says nothing of " << quantity);
  return record.comparisons.front();
}

/// The exact record of a verifier in rational arithmetic, costs given.
Record exactly(const std::string& verifier, const char* pair, int gamma, int horizon) {
  Setting setting;
  setting.pair = make_pair(pair);
  setting.verifier = parse_spec(verifier);
  setting.gamma = gamma;
  setting.horizon = horizon;
  setting.arithmetic = Arithmetic::rational;
  setting.latency = Latency{.draft = 2, .verifier = 0.5, .target = 16};
  const Verifier made = make_verifier(verifier);
  const Rows<Rational> rows(setting.pair);
  const ExactRequest request{.lengths = {gamma, horizon}};
  return exact_record(verifier, setting, run_exact<Rational>(made, rows, request), false);
}

TEST_CASE("SPRINTER's stopping time and work agree with theorem 3.4 and equation 6") {
  const char* const toy = "bernoulli(draft=2/3,target=1/3)";
  const Record record = exactly("sprinter(fp=1/4,tp=1)", toy, kUnbounded, 3);
  CHECK(record.find("modelled_time.stop")->number == Approx(3.5));
  CHECK(record.find("modelled_work.decode")->number == Approx(39.5));
  CHECK(compared(record, "zhong2025.theorem3.4", "modelled_time.stop").verdict == Verdict::agrees);
  CHECK(compared(record, "zhong2025.iid_labels", "modelled_time.stop").verdict ==
        Verdict::bound_holds);
  CHECK(compared(record, "zhong2025.equation6", "modelled_work.decode").verdict == Verdict::agrees);
  // Cut at gamma = 1, the verifier looks at one token a run.
  CHECK(exactly("sprinter(fp=1/4,tp=1)", toy, 1, 3).find("modelled_time.stop")->number ==
        Approx(2));
}

TEST_CASE("work counts every draft and every token the target scores") {
  const char* const level = "iid(draft=[1/2,1/2],target=[1/2,1/2])";
  // Two runs of gamma = 2 and 3 tokens each: 4 tokens drafted and scored.
  const Record token = exactly("token", level, 2, 6);
  CHECK(token.find("modelled_work.decode")->number == Approx(4 * 18));
  const Comparison& bound = compared(token, "zhong2025.equation5", "modelled_work.decode");
  CHECK(bound.verdict == Verdict::bound_holds);
  CHECK(bound.prediction.value == Approx(4 * 18));
  CHECK(exactly("rrs(K=3)", level, 2, 6).find("modelled_work.decode")->number ==
        Approx(3 * 4 * 18));
  CHECK(exactly("autoregressive", level, 2, 6).find("modelled_work.decode")->number ==
        Approx(6 * 16));
}

TEST_CASE("a trained verifier's exact result agrees with its predictions") {
  for (const char* pair : {"iid(draft=[1/2,1/4,1/8,1/8],target=[1/4,1/4,1/4,1/4])",
                           "tree(vocabulary=3,depth=3,seed=5)"}) {
    for (const int horizon : {1, 2, 3}) {
      CAPTURE(pair, horizon);
      const TrainedFile file(pair, Training{});
      const Record record = exactly(file.verifier(), pair, kUnbounded, horizon);
      for (const auto& [claim, quantity] :
           {std::pair{"zhong2025.theorem3.1-by-token", "output.tv_to_target"},
            {"zhong2025.theoremA.4", "rejections.expected"},
            {"zhong2025.theorem3.3", "iteration.expected_accepted"},
            {"zhong2025.theorem3.4", "modelled_time.stop"},
            {"zhong2025.iid_labels", "target_calls.expected"},
            {"zhong2025.equation6", "modelled_work.decode"}}) {
        CAPTURE(claim);
        CHECK(compared(record, claim, quantity).verdict == Verdict::agrees);
      }
    }
  }
}

TEST_CASE("k-sequential selection in rational arithmetic agrees with doubles up to rounding") {
  const Record record = exactly("kseq(K=2)", "bernoulli(draft=2/3,target=1/3)", 1, 2);
  const Comparison& acceptance =
      compared(record, "sun2023.acceptance", "iteration.expected_accepted");
  CHECK_FALSE(acceptance.prediction.exact.has_value());
  CHECK(acceptance.verdict == Verdict::agrees);
  CHECK(*acceptance.difference != 0);  // rho is rational and just above rho*
  CHECK(compared(record, "sun2023.lossless", "output.tv_to_target").difference == 0.0);
}

TEST_CASE("an estimated stopping time has the error of a truncated count") {
  Record record;
  record.run.emplace();
  record.run->trials = 101;
  Quantity law{.group = "iteration", .name = "accepted_law", .shape = Quantity::Shape::list};
  for (const double p : {0.5, 0.25, 0.25}) law.values.push_back({p, {}, Estimate{p, 0, p, p}});
  record.quantities.push_back(std::move(law));
  Quantity mean{.group = "iteration", .name = "expected_accepted"};
  mean.values.push_back({0.75, {}, Estimate{0.75, 0.1, 0.5, 1}});
  record.quantities.push_back(std::move(mean));
  Setting setting;
  setting.pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  setting.verifier = parse_spec("sprinter(fp=1/4,tp=1)");
  setting.gamma = 2;
  setting.latency = Latency{.draft = 4, .verifier = 1, .target = 1};
  add_modelled_time(record, setting);
  const Value* stop = record.find("modelled_time.stop");
  REQUIRE(stop != nullptr);
  // One token drafted with probability 1/2, else two: mean 3/2, variance 1/4, 100 - 1 freedom.
  CHECK(stop->number == Approx(6));
  CHECK(stop->estimate->standard_error == Approx(4 * 0.05));
  CHECK(stop->estimate->low < 5.7);
  CHECK(stop->estimate->high < 6.5);
}

TEST_CASE("an estimate's modelled speedup keeps its interval") {
  Record record = with(estimated(1, 0.1));
  Setting setting;
  setting.pair = make_pair("bernoulli(draft=2/3,target=1/3)");
  setting.verifier = parse_spec("block");
  setting.gamma = 2;
  setting.latency = Latency{.draft = 0.5, .verifier = 0, .target = 1};
  add_modelled_time(record, setting);
  const Value* speedup = record.find("speedup");
  REQUIRE(speedup != nullptr);
  CHECK(speedup->number == Approx(1));  // 2 tokens in a time of 2
  CHECK(speedup->estimate->standard_error == Approx(0.05));
  CHECK(speedup->estimate->low == Approx(0.9));
  const Value* per_token = record.find("modelled_time.per_token");
  REQUIRE(per_token != nullptr);
  CHECK(per_token->estimate->low < per_token->number);
  CHECK(per_token->estimate->high > per_token->number);
  setting.gamma = kUnbounded;
  Record unbounded = with(estimated(1, 0.1));
  add_modelled_time(unbounded, setting);
  CHECK(unbounded.find("speedup") == nullptr);
  CHECK(unbounded.notes.size() == 1);
}

}  // namespace
}  // namespace speclab
