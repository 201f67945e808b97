// Outputs with and without speculation: p-values, power and checks against what was planted.
#include "audit/parity/parity.h"

#include <fmt/format.h>

#include "audit/parity/document.h"
#include "catch.h"
#include "message_of.h"
#include "report/report.h"
#include "scratch.h"

namespace speclab::parity_test {
namespace {

/// Outputs of a few tokens, drawn one by one; the first token is 0 with probability `first`.
std::string outputs(int prompts, int each, double first, std::uint64_t seed, int length = 4,
                    const std::string& more = "") {
  std::string text;
  for (int k = 0; k < each; ++k) {
    for (int p = 0; p < prompts; ++p) {
      Stream stream(seed, static_cast<std::uint64_t>(k), static_cast<std::uint32_t>(p),
                    Purpose::draft);
      std::vector<int> tokens;
      for (int i = 0; i < length; ++i) {
        const double share = i == 0 ? first : 0.6;
        tokens.push_back(stream.uniform() < share ? 0 : 1 + static_cast<int>(stream() % 2));
      }
      text +=
          fmt::format("{{\"prompt\": {}, \"tokens\": [{}]{}}}\n", p, fmt::join(tokens, ", "), more);
    }
  }
  return text;
}

ServedSamples read(const std::string& on, const std::string& off) {
  const Scratch scratch;
  return read_served(scratch.write("on.jsonl", on), scratch.write("off.jsonl", off));
}

std::string refused(const std::string& on, const std::string& off) {
  return message_of([&] { compare_served(read(on, off), {}); });
}

OutputStatistics statistics_of(const ServedSamples& samples) {
  return OutputStatistics(both_sides(samples), 2);
}

const ParityCheck* check_of(const ParityReport& report, const std::string& name) {
  for (const ParityCheck& each : report.checks) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

bool suspects(const ParityReport& report, const std::string& name) {
  const ParityCheck* check = check_of(report, name);
  return check != nullptr && check->suspect;
}

/// The checks alone, without the test and its power.
ParityReport checked(const std::string& on, const std::string& off) {
  ParityReport report;
  report.checks = check_served(read(on, off), {});
  return report;
}

TEST_CASE("the statistics of a small sample are those worked out by hand") {
  // With: (0,0), (0,1). Without: (0,1), (1).
  const ServedSamples samples = read("{\"tokens\": [0, 0]}\n{\"tokens\": [0, 1]}\n",
                                     "{\"tokens\": [0, 1]}\n{\"tokens\": [1]}\n");
  const OutputStatistics statistics = statistics_of(samples);
  CHECK(statistics.names() == std::vector<std::string>{"first token", "first 2 tokens",
                                                       "whole output", "first difference", "tokens",
                                                       "lengths"});
  std::vector<double> found(statistics.names().size());
  statistics.evaluate(statistics.first(), statistics.second(), found);
  // Weight 2 * 2 / 4 = 1. First tokens: 1 (both with), 0 (none without), less 2 * 2/4.
  CHECK(found[0] == Approx(1 + 0 - 1.0));
  // First two tokens: no equal pair within a side, one of four across.
  CHECK(found[1] == Approx(-0.5));
  CHECK(found[2] == Approx(-0.5));
  CHECK(found[3] == Approx(found[0] + found[1]));
  // Mean counts of token 0: 1.5 and 0.5, of token 1: 0.5 and 1; totals 4 and 3.
  CHECK(found[4] == Approx(1.0 / 4 + 0.25 / 3));
  // Length 1: shares 0 and 1/2.
  CHECK(found[5] == Approx(0.25));
}

TEST_CASE("p-values of equal sides are spread evenly, a fault's are small") {
  int below = 0;
  constexpr int kRuns = 60;
  for (int run = 0; run < kRuns; ++run) {
    const auto seed = static_cast<std::uint64_t>(2 * run);
    const ServedSamples samples =
        read(outputs(2, 12, 0.5, seed + 1), outputs(2, 12, 0.5, seed + 2));
    if (test_outputs(statistics_of(samples), 0.05, 1, 1).adjusted <= 0.2) ++below;
  }
  // Binomial(60, 0.2): at most 24 but for 0.0002.
  CHECK(below >= 2);
  CHECK(below <= 24);
  const ServedSamples faulty = read(outputs(3, 200, 0.8, 1), outputs(3, 200, 0.5, 2));
  const PermutationTest test = test_outputs(statistics_of(faulty), 0.01, 1, 1);
  CHECK(test.adjusted <= 0.001);
  CHECK(test.permutations == 1000);
  // The same whatever the threads.
  CHECK(test_outputs(statistics_of(faulty), 0.01, 1, 3).p_values == test.p_values);
}

TEST_CASE("a comparison of samples passes, fails, and says what it would take") {
  const ParityReport equal =
      compare_served(read(outputs(2, 100, 0.5, 1), outputs(2, 100, 0.5, 2)), {});
  CHECK_FALSE(equal.greedy);
  CHECK(equal.passed);
  CHECK(equal.prompts == 2);
  REQUIRE(equal.powers.size() == 3);
  CHECK(equal.powers[0].power < 0.2);
  REQUIRE(equal.powers[0].more);
  CHECK(*equal.powers[0].more > 10'000);
  CHECK_FALSE(equal.powers[2].possible);  // all outputs have four tokens
  CHECK(power_text(equal.powers[0], {})
            .starts_with("not enough samples to see a fault of TV 0.01 of the first token"));
  const ParityReport faulty =
      compare_served(read(outputs(2, 200, 0.8, 1), outputs(2, 200, 0.5, 2)), {});
  CHECK_FALSE(faulty.passed);
}

TEST_CASE("the outputs that a fault takes are those of a test of two shares") {
  // One token of two, even: (2.576 + 1.645)^2 / (2 TV^2) outputs a side at 1% and a power of 95%.
  const ParityReport report =
      compare_served(read(outputs(1, 60, 0.5, 1, 1), outputs(1, 60, 0.5, 2, 1)),
                     {.decoding = ParityOptions::Decoding::sampled, .tv = 0.1});
  const double wanted = 2 * 17.8 / (2 * 0.1 * 0.1);
  REQUIRE(report.powers[0].more);
  const double found = static_cast<double>(*report.powers[0].more) + 120;
  CHECK(found > wanted / 1.7);
  CHECK(found < wanted * 1.7);
}

TEST_CASE("seeds used twice, bad batches, lonely prompts and shared numbers are reported") {
  const std::string good = outputs(1, 120, 0.5, 1, 10);
  const std::string other = outputs(1, 120, 0.5, 2, 10);
  const ParityReport fine = checked(good, other);
  CHECK(check_of(fine, "seeds of ON") == nullptr);
  CHECK_FALSE(suspects(fine, "batches of ON"));
  CHECK_FALSE(suspects(fine, "batches of OFF"));
  CHECK(check_of(fine, "pairs") == nullptr);
  // The second half of one side is of another law.
  const ParityReport changed =
      checked(outputs(1, 120, 0.2, 3, 10) + outputs(1, 120, 0.8, 4, 10), other);
  CHECK(suspects(changed, "batches of ON"));
  CHECK_FALSE(suspects(changed, "batches of OFF"));
  const ParityReport named = checked(outputs(1, 60, 0.5, 3, 10, ", \"batch\": \"a\"") +
                                         outputs(1, 60, 0.95, 4, 10, ", \"batch\": \"b\""),
                                     other);
  REQUIRE(suspects(named, "batches of ON"));
  CHECK(check_of(named, "batches of ON")->detail.find("batch ") != std::string::npos);
  // Batch a with those of no name would be half zeros and half ones, as batch b is.
  std::string some;
  for (int k = 0; k < 20; ++k) {
    some +=
        "{\"tokens\": [0], \"batch\": \"a\"}\n{\"tokens\": [1]}\n"
        "{\"tokens\": [0], \"batch\": \"b\"}\n{\"tokens\": [1], \"batch\": \"b\"}\n";
  }
  const ParityReport unnamed = checked(some, outputs(1, 80, 0.5, 2, 1));
  REQUIRE(suspects(unnamed, "batches of ON"));
  CHECK(check_of(unnamed, "batches of ON")->detail.starts_with("batch a differ"));
  const ParityReport seeds =
      checked(outputs(1, 20, 0.5, 1, 4, ", \"seed\": 7"), outputs(1, 20, 0.5, 2));
  REQUIRE(suspects(seeds, "seeds of ON"));
  CHECK(check_of(seeds, "seeds of ON")->detail.starts_with("19 outputs have the seed"));
  CHECK(suspects(checked(good, good), "pairs"));
  const ParityReport twice = checked(good + good, other);
  CHECK(suspects(twice, "repeats of ON"));
  const ParityReport lonely = checked(good + "{\"prompt\": \"x\", \"tokens\": [1]}\n", other);
  CHECK(suspects(lonely, "prompts"));
}

TEST_CASE("greedy outputs are compared token by token, with margins") {
  const std::string off =
      "{\"prompt\": \"a\", \"text\": \"same\"}\n{\"prompt\": \"b\", \"text\": \"héllo\"}\n"
      "{\"prompt\": \"c\", \"text\": \"cut\"}\n";
  const ServedSamples samples = read(
      "{\"prompt\": \"a\", \"text\": \"same\"}\n{\"prompt\": \"b\", \"text\": \"hallo\", "
      "\"margins\": [1, 0.125, 1, 1, 1]}\n{\"prompt\": \"c\", \"text\": \"cu\"}\n",
      off);
  const ParityReport report = compare_served(samples, {});
  CHECK(report.greedy);
  CHECK_FALSE(report.passed);
  CHECK(report.equal == 1);
  REQUIRE(report.differences.size() == 2);
  CHECK(report.differences[0].position == 1);
  CHECK(report.differences[0].token_on == "a");
  CHECK(report.differences[0].token_off == "é");
  CHECK(report.differences[0].margin == 0.125);
  CHECK(report.differences[1].position == 2);
  CHECK_FALSE(report.differences[1].token_on.has_value());
  const ParityReport ties = compare_served(samples, {.margin = 0.2});
  CHECK(ties.differences[0].tie);
  CHECK_FALSE(ties.passed);
  CHECK(compare_served(read(off, off), {}).passed);
  const ParityReport unlike =
      compare_served(read(off + "{\"prompt\": \"a\", \"text\": \"some\"}\n", off),
                     {.decoding = ParityOptions::Decoding::greedy});
  CHECK(suspects(unlike, "repeated prompts of ON"));
  CHECK_FALSE(unlike.passed);
}

TEST_CASE("an empty token is no end of an output") {
  const ParityReport report = compare_served(
      read("{\"prompt\": 1, \"tokens\": [\"a\", \"\"]}\n{\"prompt\": 2, \"tokens\": [\"a\"]}\n",
           "{\"prompt\": 1, \"tokens\": [\"a\", \"b\"]}\n"
           "{\"prompt\": 2, \"tokens\": [\"a\", \"b\"]}\n"),
      {});
  REQUIRE(report.differences.size() == 2);
  const Json differences = parity_document(report, {}).data()["differences"];
  CHECK(differences[0]["token_on"] == "");
  CHECK(differences[1]["token_on"].is_null());
  CHECK_THAT(render(parity_document(report, {}), Format::csv),
             Containing("position 1: '' with speculation") && Containing("position 1: the end"));
}

TEST_CASE("an output that the server has without speculation too is no fault of speculation") {
  const std::string once =
      "{\"prompt\": \"a\", \"tokens\": [1, 2]}\n{\"prompt\": \"a\", \"tokens\": [1, 3]}\n"
      "{\"prompt\": \"b\", \"tokens\": [4]}\n";
  const ParityOptions greedy{.decoding = ParityOptions::Decoding::greedy};
  const ParityReport itself = compare_served(read(once + once, once + once), greedy);
  CHECK(itself.passed);
  CHECK(itself.equal == 6);
  CHECK(suspects(itself, "repeated prompts of ON"));
  CHECK(suspects(itself, "repeated prompts of OFF"));
  const std::string other = "{\"prompt\": \"a\", \"tokens\": [1, 4]}\n";
  const ParityReport changed = compare_served(read(once + other, once), greedy);
  CHECK_FALSE(changed.passed);
  CHECK(changed.equal == 3);
  REQUIRE(changed.differences.size() == 1);
  CHECK(changed.differences[0].position == 1);
}

TEST_CASE("a number and its digits are two prompts, and null is none") {
  const std::string lines =
      "{\"prompt\": 1, \"text\": \"a\"}\n{\"prompt\": \"1\", \"text\": \"b\"}\n"
      "{\"prompt\": null, \"text\": \"c\"}\n{\"prompt\": \"null\", \"text\": \"d\"}\n"
      "{\"text\": \"e\"}\n";
  const ServedSamples samples = read(lines, lines);
  REQUIRE(samples.prompts.size() == 4);
  CHECK(samples.prompts[0].name == samples.prompts[1].name);
  CHECK(samples.prompts[2].on.size() == 2);
  CHECK(samples.prompts[2].name.empty());
  CHECK(samples.prompts[3].name == "null");
}

TEST_CASE("responses with choices are as many outputs") {
  const ServedSamples samples =
      read("{\"prompt\": [1, 2], \"choices\": [{\"text\": \"ab\"}, {\"text\": \"\"}]}\n",
           "{\"prompt\": [1, 2], \"text\": \"b\", \"finish_reason\": \"stop\"}\n");
  REQUIRE(samples.prompts.size() == 1);
  CHECK(samples.prompts[0].on.size() == 2);
  CHECK(samples.prompts[0].on[1].tokens.empty());
  CHECK(samples.words == std::vector<std::string>{"a", "b"});
}

TEST_CASE("files that are no outputs are refused with file and line") {
  const std::string good = "{\"tokens\": [1]}\n";
  for (const auto& [on, wanted] : std::vector<std::pair<std::string, std::string>>{
           {"", "is empty; give one output a line"},
           {"\n \n", "is empty; give one output a line"},
           {"x", "line 1: it is not one JSON object"},
           {"[1]", "line 1: it is not one JSON object"},
           {good + "{\"tokens\": [1", "line 2: it is not one JSON object"},
           {"{}", "it has neither \"tokens\""},
           {"{\"tokens\": 3}", "tokens is no list"},
           {"{\"tokens\": [1.5]}", "tokens[0] is 1.5"},
           {"{\"tokens\": [-1]}", "tokens[0] is -1"},
           {"{\"tokens\": [1, \"a\"]}", "of strings and those before it are of ids"},
           {"{\"text\": \"a\"}", "of ids and those before it are of text"},
           {"{\"text\": 1}", "it has neither \"tokens\""},
           {"{\"choices\": []}", "choices is no list of outputs"},
           {"{\"choices\": [1]}", "choices is no list of outputs"},
           {"{\"tokens\": [1], \"margins\": [1, 2]}", "margins has 2 entries"},
           {"{\"tokens\": [1], \"margins\": [-1]}", "margins has -1"},
           {"{\"tokens\": [1], \"margins\": [null]}", "margins has null"},
           {"{\"text\": \"\xff\"}", "UTF-8"},
           {"{\"prompt\": 1, \"tokens\": [1]}", "no prompt has outputs in both files"}}) {
    CAPTURE(on);
    CHECK_THAT(refused(on, good), Containing(wanted));
  }
}

}  // namespace
}  // namespace speclab::parity_test
