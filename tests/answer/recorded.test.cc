// Answers from recordings: against the exact law over all drafted paths, by hand, and under faults.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <utility>

#include "answer/answer.h"
#include "answer/bench.h"
#include "answer/clusters.h"
#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "recorded/run_recorded.h"
#include "recorded_numbers.h"
#include "temporary_file.h"

namespace speclab::recorded_test {
namespace {

using Change = std::function<void(RecordedText&)>;

/// The numbers of an iteration over all paths, each a recording of its own.
IterationNumbers averaged(const Rows<double>& rows, const std::string& verifier, int gamma,
                          const Change& change = {}) {
  const State start = rows.pair().start().front().state;
  IterationNumbers sums(static_cast<std::size_t>(gamma) + 3, 0.0);
  for (const Drafted& path : all_drafts(rows, start, gamma, 1)) {
    RecordedText text = recorded_path(rows, start, path.chains.front());
    if (change) change(text);
    const TemporaryFile file(recording_head(rows.vocabulary()) + text.line());
    const auto results = run_recorded(recorded(file.path()), asked({verifier}, {gamma}));
    const IterationNumbers found = recorded_numbers(results.results.front());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += path.probability * found.at(i);
  }
  return sums;
}

constexpr const char* kPairs[] = {"tree(vocabulary=3,depth=3,seed=5)",
                                  "tree(vocabulary=2,depth=3,seed=2)",
                                  "iid(draft=[1/2,1/3,1/6],target=[1/6,1/3,1/2])"};

TEST_CASE("recorded answers averaged over all drafts are the exact law of every verifier") {
  int held = 0;
  for (const char* pair : kPairs) {
    const Rows<double> rows(make_pair(pair));
    for (const VerifierInfo& row : all_verifier_rows()) {
      const Verifier verifier = make_verifier(row.example);
      if (row.drafting == Drafting::run || verifier.drafts > 1 || !verifier.drafts_iid) continue;
      for (const int gamma : {1, 2}) {
        CAPTURE(pair, row.example, gamma);
        try {
          const std::string name(row.example);
          const IterationNumbers found = averaged(rows, name, gamma);
          CHECK(distance(found, rows, name, gamma) < 1e-13);
          ++held;
        } catch (const InputError& error) {
          // Some faulty verifiers take other drafts, or rows beside their window.
          INFO(error.what());
          CHECK(row.kind == VerifierKind::wrong);
        }
      }
    }
  }
  CHECK(held >= 120);
}

TEST_CASE("a recorded answer is that of its rows at these positions and no others") {
  const TemporaryFile chain(R"({"vocabulary": 3, "kind": "chain", "prompt": ["1", "0", "0"],
    "draft": [["1/2", "1/4", "1/4"], ["1/8", "1/8", "3/4"], ["1/6", "2/3", "1/6"]],
    "target": [["1/8", "3/8", "1/2"], ["1/3", "1/3", "1/3"], ["3/4", "1/8", "1/8"]]})");
  const Rows<double> rows(make_pair("file(" + chain.path() + ")"));
  const auto shifted = [](RecordedText& text) {
    text.target.erase(text.target.begin());
    text.target.push_back(text.target.back());
  };
  const auto swapped = [](RecordedText& text) { std::swap(text.draft[0], text.draft[1]); };
  for (const char* verifier : {"token", "block"}) {
    const auto off = [&](const Change& change) {
      return distance(averaged(rows, verifier, 3, change), rows, verifier, 3);
    };
    CHECK(off({}) < 1e-13);
    CHECK(off(shifted) > 1e-2);
    CHECK(off(swapped) > 1e-2);
  }
}

TEST_CASE("recorded answers by hand") {
  const TemporaryFile file(recording_head(2) + toy({0, 0}).line() + toy({0, 1}).line());
  const auto results = run_recorded(recorded(file.path()), asked({"token", "block"}, {1, 2}));
  using Law = std::vector<std::vector<double>>;
  const auto near = [](const Law& found, const Law& wanted) {
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (std::size_t p = 0; p < 2; ++p) CHECK(found[i][p] == Approx(wanted[i][p]).margin(1e-15));
    }
  };
  near(results.of("token", 1).law, {{0.5, 0.5}, {0.5, 0.5}});
  near(results.of("token", 2).law, {{0.5, 0.5}, {0.25, 0}, {0.25, 0.5}});
  // Of (0, 0): w = 1/2, 1/4 and S_1 = 0. Of (0, 1): w_2 = 1.
  near(results.of("block", 2).law, {{0.75, 0}, {0, 0}, {0.25, 1}});
  CHECK(results.of("block", 2).tokens[1] == Approx(3));
  CHECK(results.of("block", 2).accepted[0] == Approx(0.5));
  CHECK(results.of("block", 2).iterations == std::vector<double>{1, 1});
}

TEST_CASE("an interval over prompts is the jackknife's") {
  const std::vector<double> above{1, 3};
  const std::vector<double> below{2, 2};
  // Without the first 3/2, without the second 1/2.
  const auto found = clustered_ratio(above, below, {-100, 100});
  REQUIRE(found);
  CHECK(found->mean == 1);
  CHECK(found->standard_error == Approx(0.5));
  CHECK(found->high == Approx(1 + 0.5 * 12.7062047).epsilon(1e-8));
  CHECK(clustered_ratio(above, below, {0, 1.5})->high == 1.5);
  // One iteration a prompt: the standard error of a mean.
  const std::vector<double> one{1, 2, 6, 3};
  CHECK(clustered_ratio(one, std::vector<double>(4, 1.0), {0, 9})->standard_error ==
        Approx(std::sqrt(14.0 / 3 / 4)));
  // What two ratios share cancels.
  std::vector<double> more = one;
  for (double& each : more) each += 0.25;
  const std::vector<double> each(4, 1.0);
  const auto lead = clustered_difference({more, each}, {one, each}, {-9, 9});
  CHECK(lead->mean == Approx(0.25));
  CHECK(lead->standard_error == Approx(0).margin(1e-14));
  CHECK_FALSE(clustered_ratio(std::vector{1.0, 0.0}, std::vector{2.0, 0.0}, {0, 1}));
}

TEST_CASE("iterations begin at the recorded starts and end before the next") {
  RecordedText text = toy({0, 1, 0, 0, 1, 0});
  text.starts = {1, 0, 0, 0, 1, 0};
  const TemporaryFile file(recording_head(2) + text.line() + text.line());
  const auto results = run_recorded(recorded(file.path()), asked({"token"}, {2, 3, 4, 5}));
  CHECK(results.of("token", 2).iterations == std::vector<double>{2, 2});
  // Of (0, 1) E[tau] = 1/2 + 1/2, of (1, 0) 1 + 1/2.
  CHECK(results.of("token", 2).accepted[0] == Approx(2.5));
  CHECK(results.of("token", 3).iterations == std::vector<double>{1, 1});
  CHECK(results.of("token", 3).skipped == 2);
  CHECK(results.of("token", 5).iterations == std::vector<double>{0, 0});
  RecordedRequest common = asked({"token"}, {2, 3});
  common.common_starts = true;
  CHECK(run_recorded(recorded(file.path()), common).of("token", 2).iterations ==
        std::vector<double>{1, 1});
  // A start that is not marked is an iteration less.
  text.starts[4] = 0;
  const TemporaryFile fewer(recording_head(2) + text.line() + text.line());
  CHECK(run_recorded(recorded(fewer.path()), asked({"token"}, {2})).of("token", 2).iterations ==
        std::vector<double>{1, 1});
  const Question long_one = question(recorded(file.path()), "token", 5);
  Bench bench;
  CHECK_THROWS_WITH(bench.answer(long_one, by_recording({"token"}, {5})),
                    Containing("prompt 0, position 0: gamma 5 is longer than every recorded draft; "
                               "4 tokens are the most"));
}

TEST_CASE("the row after a segment is of another context") {
  // It looks at the target's law after the whole window.
  const auto answers = [](RecordedText text) {
    const TemporaryFile file(recording_head(2) + text.line() + text.line());
    return run_recorded(recorded(file.path()), asked({"wrong-late-residual"}, {4}));
  };
  RecordedText text = toy({0, 1, 0, 0, 1, 0});
  text.starts = {1, 0, 0, 0, 1, 0};
  CHECK_THROWS_WITH(answers(text), Containing("the target has no row here"));
  text.starts = {1, 0, 0, 0, 0, 0};
  CHECK_NOTHROW(answers(text));
}

/// A law of three tokens.
std::vector<double> random_row(std::mt19937_64& engine) {
  std::vector<double> weights(3);
  for (double& weight : weights) weight = 1 + static_cast<double>(engine() % 1024);
  const double sum = weights[0] + weights[1] + weights[2];
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// A recording whose tokens are drawn from the rows, or taken by `token`.
std::string drawn(int prompts, int positions,
                  const std::function<Token(std::mt19937_64&, const std::vector<double>&)>& token) {
  std::mt19937_64 engine(7);
  std::string text = recording_head(3);
  for (int p = 0; p < prompts; ++p) {
    RecordedText prompt;
    for (int i = 0; i <= positions; ++i) {
      const std::vector<double> weights = random_row(engine);
      prompt.target.push_back({weights[1], weights[2], weights[0]});
      if (i == positions) break;
      prompt.draft.push_back(weights);
      prompt.tokens.push_back(token(engine, weights));
    }
    text += prompt.line();
  }
  return text;
}

Token draw(std::mt19937_64& engine, const std::vector<double>& law) {
  return std::discrete_distribution<Token>(law.begin(), law.end())(engine);
}

TEST_CASE("drafts that were not drawn from the rows beside them are refused") {
  const TemporaryFile sound(drawn(40, 8, draw));
  CHECK_NOTHROW(run_recorded(recorded(sound.path()), asked({"token"}, {8})));
  const TemporaryFile greedy(drawn(40, 8, [](std::mt19937_64&, const std::vector<double>& law) {
    return static_cast<Token>(std::max_element(law.begin(), law.end()) - law.begin());
  }));
  CHECK_THROWS_WITH(run_recorded(recorded(greedy.path()), asked({"token"}, {8})),
                    Containing("were not drawn from the draft's rows") && Containing("higher"));
  std::vector<double> last{1.0 / 3, 1.0 / 3, 1.0 / 3};
  const TemporaryFile late(
      drawn(400, 8, [&](std::mt19937_64& engine, const std::vector<double>& law) {
        return draw(engine, std::exchange(last, law));
      }));
  CHECK_THROWS_WITH(run_recorded(recorded(late.path()), asked({"token"}, {8})),
                    Containing("were not drawn from the draft's rows") && Containing("lower"));
  RecordedText never = toy({0, 1});
  never.draft[1] = {1, 0};
  const TemporaryFile impossible(recording_head(2) + toy({0}).line() + never.line());
  CHECK_THROWS_WITH(run_recorded(recorded(impossible.path()), asked({"token"}, {2})),
                    Containing("prompt 1, position 1: the draft gives the drafted token 1 "
                               "probability 0"));
}

/// A recording whose drafts are drawn from the draft's rows, and whose emitted tokens from the
/// target's: from its recorded ones, or from those of one position before.
std::string emitting(int prompts, int positions, int late) {
  std::mt19937_64 engine(11);
  std::string text = recording_head(3);
  for (int p = 0; p < prompts; ++p) {
    RecordedText prompt;
    for (int i = 0; i < positions; ++i) {
      prompt.draft.push_back(random_row(engine));
      prompt.target.push_back(random_row(engine));
      prompt.tokens.push_back(draw(engine, prompt.draft.back()));
    }
    prompt.emitted.assign(static_cast<std::size_t>(positions), -1);
    for (std::size_t i = 0; i < prompt.tokens.size(); ++i) {
      const std::size_t from = i - std::min(i, static_cast<std::size_t>(late));
      prompt.emitted[i] = draw(engine, prompt.target[from]);
      if (prompt.emitted[i] != prompt.tokens[i]) break;
    }
    text += prompt.line();
  }
  return text;
}

TEST_CASE("emitted tokens that were not drawn from the target's rows are refused") {
  const TemporaryFile sound(emitting(6000, 4, 0));
  CHECK_NOTHROW(run_recorded(recorded(sound.path()), asked({"token"}, {4})));
  const TemporaryFile late(emitting(6000, 4, 1));
  CHECK_THROWS_WITH(run_recorded(recorded(late.path()), asked({"token"}, {4})),
                    Containing("the emitted tokens were not drawn from the target's rows") &&
                        Containing("lower"));
  // Of the first position alone nothing is shifted, and the others are not looked at.
  CHECK_NOTHROW(run_recorded(recorded(late.path()), asked({"token"}, {1})));
  RecordedText never = toy({0, 1});
  never.target[1] = {1, 0};
  never.emitted = {0, 1};
  const TemporaryFile impossible(recording_head(2) + toy({0}).line() + never.line());
  CHECK_THROWS_WITH(run_recorded(recorded(impossible.path()), asked({"token"}, {2})),
                    Containing("prompt 1, position 1: the target gives the emitted token 1 "
                               "probability 0"));
}

TEST_CASE("recorded answers are the same bits for any number of threads") {
  const TemporaryFile file(drawn(37, 6, draw));
  RecordedRequest request = asked({"token", "block", "greedy-block"}, {1, 4, 6});
  request.threads = 1;
  const auto alone = run_recorded(recorded(file.path()), request);
  for (const int threads : {2, 7}) {
    request.threads = threads;
    const auto found = run_recorded(recorded(file.path()), request);
    REQUIRE(found.results.size() == alone.results.size());
    for (std::size_t q = 0; q < found.results.size(); ++q) {
      CHECK(found.results[q].law == alone.results[q].law);
      CHECK(found.results[q].tokens == alone.results[q].tokens);
    }
  }
}

}  // namespace
}  // namespace speclab::recorded_test
