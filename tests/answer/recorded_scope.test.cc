// What recordings can be asked: filters, the likeliest tokens alone, refusals, and what an answer
// says.
#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <utility>

#include "answer/answer.h"
#include "answer/bench.h"
#include "base/error.h"
#include "catch.h"
#include "recorded_questions.h"
#include "temporary_file.h"

namespace speclab::recorded_scope_test {
namespace {

TEST_CASE("a target that is filtered is filtered in the recording") {
  // top-k=1 leaves token 1: a drafted 0 is refused, a drafted 1 kept.
  const TemporaryFile file(recording_head(2) + toy({0}).line() + toy({1}).line());
  const std::string path = file.path();
  const auto results =
      run_recorded(make_pair("recorded(" + path + ",target-top-k=1)"), asked({"token"}, {1}));
  CHECK(results.of("token", 1).accepted == std::vector<double>{0, 1});
  for (const char* filter : {"top-k=1", "draft-top-p=1/2", "temperature=0"}) {
    CHECK_THROWS_WITH(make_pair("recorded(" + path + "," + filter + ")"),
                      Containing("drawn from the draft's recorded rows"));
  }
  CHECK_THROWS_WITH(make_pair("recorded(" + path + ",eos=1)"), Containing("leave out eos="));
}

TEST_CASE("the runs of a recording may be asked for from several threads") {
  const TemporaryFile file(recording_head(2) + toy({0}).line() + toy({1}).line());
  const PairPointer pair = recorded(file.path());
  std::atomic<int> read = 0;
  std::future<std::size_t> second;
  RecordedRuns* asked_runs = nullptr;
  // While the first thread reads, a second one asks: it waits for what is read.
  RecordedRuns runs(asked({"token"}, {1}), [&](std::int64_t) {
    if (read++ > 0) return;
    second = std::async(std::launch::async, [&] { return asked_runs->of(pair).results.size(); });
    second.wait_for(std::chrono::milliseconds(200));
  });
  asked_runs = &runs;
  CHECK(runs.of(pair).results.size() == 1);
  CHECK(second.get() == 1);
  CHECK(read == 2);  // once a prompt
}

TEST_CASE("a recording that is refused is refused again") {
  const TemporaryFile file(recording_head(2) + toy({0}).line());
  const PairPointer pair = recorded(file.path());
  RecordedRuns runs(asked({"token"}, {kUnbounded}));
  for (int time = 0; time < 2; ++time) CHECK_THROWS_AS(runs.of(pair), InputError);
}

/// One path 0, 1 of V = 4 with the likeliest two tokens of each row and the mass of the others.
class LikeliestRecording final : public Recording {
 public:
  using Likeliest = std::vector<std::pair<Token, double>>;
  LikeliestRecording(Likeliest draft, Likeliest target)
      : Recording("likeliest", {"likeliest", 0}), rows_{std::move(draft), std::move(target)} {
    shape_ = {.vocabulary = 4, .prompts = 1, .paths = 1, .whole_rows = false};
  }
  [[nodiscard]] bool has_row(RecordedModel, PathNumber, int position) const override {
    return position < 2;
  }

 private:
  void read_path(PathNumber, RawPath& path) const override { path.tokens = {0, 1}; }
  void read_row(RecordedModel model, PathNumber, int, RawRow& row) const override {
    row.rest = 1;
    for (const auto& [token, share] : rows_[model == RecordedModel::draft ? 0 : 1]) {
      row.tokens.push_back(token);
      row.values.push_back(share);
      row.rest -= share;
    }
  }
  std::vector<Likeliest> rows_;
};

TEST_CASE("the likeliest tokens are enough for token verification where the drafted one is there") {
  using Likeliest = LikeliestRecording::Likeliest;
  const auto run = [](Likeliest draft, Likeliest target, const std::string& verifier) {
    const auto pair = std::make_shared<RecordedPair>(
        std::make_shared<LikeliestRecording>(std::move(draft), std::move(target)));
    return run_recorded(pair, asked({verifier}, {2})).results.front();
  };
  const Likeliest draft{{1, .25}, {0, .5}};
  const Likeliest target{{0, .25}, {1, .25}};
  using Law = std::vector<std::vector<double>>;
  // min(1, t/d) is 1/2, then 1.
  CHECK(run(draft, target, "token").law == Law{{0.5}, {0}, {0.5}});
  CHECK_THROWS_WITH(run(draft, target, "block"),
                    Containing("block: likeliest: prompt 0, position 1: this verifier needs the "
                               "probabilities of all tokens"));
  CHECK_THROWS_WITH(run(draft, {{0, .25}, {3, .5}}, "token"),
                    Containing("position 1: the target's probability of token 1 is not recorded"));
  CHECK_THROWS_WITH(run({{0, .5}, {2, .25}}, target, "token"),
                    Containing("drafts from another law") || Containing("is not recorded"));
  // The draft's last token alone shows that something is left to correct with.
  CHECK(run({{0, .25}, {1, .5}}, target, "token").law == Law{{0}, {0.5}, {0.5}});
  // Nothing is left of the others: w = 1/2, then 1.
  const Likeliest half{{0, .5}, {1, .5}};
  CHECK(run(half, {{0, .25}, {1, .75}}, "block").law == Law{{0.25}, {0}, {0.75}});
}

TEST_CASE("what a recording does not determine is refused with its reason") {
  const TemporaryFile file(recording_head(2) + toy({0, 1}).line() + toy({0, 0}).line());
  const PairPointer pair = recorded(file.path());
  const auto refused = [&](const std::string& verifier, int gamma, const std::string& reason) {
    CHECK_THROWS_WITH(run_recorded(pair, asked({verifier}, {gamma})), Containing(reason));
  };
  refused("rrs(K=2)", 1,
          "takes 2 drafts an iteration, and one path of each prompt is recorded; record 2 paths");
  refused("sprinter(fp=1/2,tp=1)", 2, "drafts until its low-complexity verifier says no");
  refused("sample-match(draft=argmax)", 1, "does not draw its drafts from the draft's law");
  refused("token", kUnbounded, "gamma inf has no end here");
  Bench bench;
  for (const bool decode : {true, false}) {
    Question further = question(pair, "token", 1);
    if (decode) further.lengths.horizon = 2;
    if (!decode) further.lengths.iterations = 2;
    CHECK_THROWS_WITH(bench.answer(further, by_recording({"token"}, {1})),
                      Containing("has single iterations alone"));
  }
  CHECK_THROWS_WITH(bench.answer(question(pair, "token", 1), ByEnumeration{}),
                    Containing("has only the rows along drafted paths"));
  CHECK_THROWS_AS(bench.answer(question(pair, "token", 1), BySimulation{}), InputError);
  RecordedRequest small = asked({"token"}, {1});
  small.max_memory = 10;
  CHECK_THROWS_AS(run_recorded(pair, small), LimitError);
}

TEST_CASE("an answer from a recording names its iterations and its intervals") {
  const TemporaryFile file(recording_head(2) + toy({0, 0}).line() + toy({0, 1}).line());
  Bench bench;
  const Answer answer =
      bench.answer(question(recorded(file.path()), "block", 2), by_recording({"block"}, {2}));
  CHECK(answer.run->trials == 2);
  const Value* accepted = answer.find(QuantityId::expected_accepted);
  REQUIRE(accepted != nullptr);
  CHECK(accepted->number == Approx(1.25));
  CHECK(accepted->estimate->standard_error == Approx(0.75));
  CHECK(answer.find(QuantityId::expected_tokens, {1})->number == Approx(2.25));
  CHECK(answer.find(QuantityId::accepted_tail, {1})->number == Approx(0.625));
  CHECK(answer.find(QuantityId::accepted_law, {0})->number == Approx(0.375));
  REQUIRE(answer.notes.size() == 1);
  CHECK_THAT(answer.notes.front(),
             Containing("2 of 2 prompts") && Containing("jackknife, Student's t"));
}

}  // namespace
}  // namespace speclab::recorded_scope_test
