// Recorded paths by hand, which of them a verifier takes, and what is refused.
#include <functional>

#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "recorded/run_recorded.h"
#include "recorded_numbers.h"
#include "temporary_file.h"

namespace speclab::recorded_paths_scope_test {
namespace {

const std::vector<double> kOfDraft{0.5, 0.25, 0.25};
const std::vector<double> kOfTarget{0.25, 0.25, 0.5};

/// Rows that are the same in every context.
RecordedText alike(std::vector<Token> tokens) {
  const std::size_t n = tokens.size();
  return {std::move(tokens), std::vector(n, kOfDraft), std::vector(n + 1, kOfTarget), {}};
}

std::string three(const std::vector<RecordedText>& paths) {
  return recording_head(3, "probabilities", static_cast<int>(paths.size())) + paths_line(paths);
}

TEST_CASE("recorded paths by hand in their order") {
  const auto accepts = [](const std::string& verifier, Token first, Token second) {
    const TemporaryFile file(three({alike({first}), alike({second})}));
    return run_recorded(recorded(file.path()), asked({verifier}, {1})).results.front().law[1][0];
  };
  // t/d = 1/2, 1, 2; after a rejection the target is [t - d]+ = (0, 0, 1/4), that is (0, 0, 1).
  CHECK(accepts("rrs(K=2)", 0, 1) == Approx(0.5));
  CHECK(accepts("rrs(K=2)", 1, 0) == Approx(1));
  CHECK(accepts("rrs(K=2)", 0, 0) == Approx(0.5));
  CHECK(accepts("rrs(K=2)", 0, 2) == Approx(1));
  CHECK(accepts("target-only(K=2)", 0, 1) == Approx(0.5));
  CHECK(accepts("target-only(K=2)", 0, 0) == Approx(0.25));
  CHECK(accepts("naive-tree(K=2)", 0, 2) == Approx(1));
  CHECK(accepts("naive-tree(K=2)", 0, 1) == Approx(0.5));
}

TEST_CASE("a verifier of fewer drafts takes the first paths") {
  const Rows<double> rows(make_pair("tree(vocabulary=3,depth=3,seed=123)"));
  const State start = rows.pair().start().front().state;
  const std::vector<RecordedText> paths{recorded_path(rows, start, {0, 2}),
                                        recorded_path(rows, start, {1, 1}),
                                        recorded_path(rows, start, {0, 1})};
  const TemporaryFile all(three(paths));
  const TemporaryFile two(three({paths[0], paths[1]}));
  const TemporaryFile one(recording_head(3) + paths[0].line());
  const TemporaryFile list(three({paths[0]}));
  const auto numbers_of = [](const TemporaryFile& file, const std::string& verifier) {
    return recorded_numbers(
        run_recorded(recorded(file.path()), asked({verifier}, {2})).results.front());
  };
  for (const char* verifier : {"token", "block", "autoregressive"}) {
    CHECK(numbers_of(all, verifier) == numbers_of(one, verifier));
    CHECK(numbers_of(list, verifier) == numbers_of(one, verifier));
  }
  CHECK(numbers_of(all, "rrs(K=2)") == numbers_of(two, "rrs(K=2)"));
  CHECK(numbers_of(all, "rrs(K=3)") != numbers_of(two, "rrs(K=2)"));
  // Asked together they are what they are alone.
  const auto together =
      run_recorded(recorded(all.path()), asked({"token", "rrs(K=2)", "rrs(K=3)"}, {1, 2}));
  CHECK(recorded_numbers(together.of("token", 2)) == numbers_of(one, "token"));
  CHECK(recorded_numbers(together.of("rrs(K=2)", 2)) == numbers_of(two, "rrs(K=2)"));
  CHECK(recorded_numbers(together.of("rrs(K=3)", 2)) == numbers_of(all, "rrs(K=3)"));
}

TEST_CASE("all paths of a prompt begin anew at its starts and one may end sooner") {
  std::vector<RecordedText> paths{alike({0, 1, 2, 2, 0}), alike({1, 0, 0, 1})};
  for (RecordedText& path : paths) path.starts = {1, 0, 1, 0, 0};
  const TemporaryFile file(three(paths));
  const auto results = run_recorded(recorded(file.path()), asked({"token", "rrs(K=2)"}, {1, 2, 3}));
  const TemporaryFile first(three({alike({0, 1}), alike({1, 0})}));
  const TemporaryFile second(three({alike({2, 2, 0}), alike({0, 1})}));
  const auto tokens = [](const TemporaryFile& part) {
    return run_recorded(recorded(part.path()), asked({"rrs(K=2)"}, {2})).results.front().tokens[0];
  };
  CHECK(results.of("rrs(K=2)", 2).iterations[0] == 2);
  CHECK(results.of("rrs(K=2)", 2).tokens[0] == Approx(tokens(first) + tokens(second)));
  // The first path alone has three drafts at its second start.
  CHECK(results.of("token", 3).iterations[0] == 1);
  CHECK(results.of("rrs(K=2)", 3).iterations[0] == 0);
  CHECK(results.of("rrs(K=2)", 3).skipped == 2);
  RecordedRequest common = asked({"token", "rrs(K=2)"}, {3});
  common.common_starts = true;
  CHECK(run_recorded(recorded(file.path()), common).of("token", 3).iterations[0] == 0);
}

TEST_CASE("rows of one context that differ are refused with their place") {
  const std::vector<RecordedText> good{alike({0, 1}), alike({1, 1}), alike({0, 2})};
  CHECK(refusal(three(good), "rrs(K=3)", 2).empty());
  const auto refused = [&](const std::function<void(std::vector<RecordedText>&)>& change,
                           const std::string& verifier, const std::string& reason) {
    auto paths = good;
    change(paths);
    CHECK_THAT(refusal(three(paths), verifier, 2), Containing(reason));
  };
  const std::vector<double> other{0.25, 0.5, 0.25};
  refused([&](auto& paths) { paths[1].target[0] = other; }, "rrs(K=2)",
          "prompt 0, path 1, position 0, target row: 0.25 of its mass lies elsewhere than in that "
          "of path 0");
  refused([&](auto& paths) { paths[2].draft[1] = other; }, "rrs(K=3)",
          "prompt 0, path 2, position 1, draft row: 0.25 of its mass lies elsewhere than in that "
          "of path 0");
  // Of other contexts, and within what is kept of a number.
  const auto same = [&](const std::function<void(std::vector<RecordedText>&)>& change) {
    auto paths = good;
    change(paths);
    CHECK(refusal(three(paths), "rrs(K=3)", 2).empty());
  };
  same([&](auto& paths) { paths[1].target[1] = other; });
  same([&](auto& paths) { paths[1].draft[0] = {0.5 + 1e-8, 0.25 - 1e-8, 0.25}; });
  // A path that nobody asks for is not read.
  auto unread = good;
  unread[2].target[0] = other;
  CHECK(refusal(three(unread), "rrs(K=2)", 2).empty());
}

TEST_CASE("what recorded paths do not determine is refused with its reason") {
  const std::string text = three({alike({0, 1}), alike({1, 1})});
  const auto refused = [&](const std::string& verifier, int gamma, const std::string& reason) {
    CHECK_THAT(refusal(text, verifier, gamma), Containing(reason));
  };
  CHECK(refusal(text, "rrs(K=2)", 2).empty());
  refused("rrs(K=3)", 2,
          "takes 3 drafts an iteration, and 2 paths of each prompt are recorded; "
          "record 3 paths");
  refused("target-only(tree=2-1,draw=with)", 2, "drafts a tree");
  refused("target-only(tree=2-1,draw=top)", 2,
          "drafts a tree, or without replacement, or the "
          "likeliest tokens");
  refused("rrs-without(K=2)", 2, "or without replacement");
  refused("recursive-greedy(K=2)", 2, "modifies the target within an iteration");
  refused("optimal(K=2)", 1, "has only the rows along drafted paths");
  const TemporaryFile file(text);
  RecordedRequest small = asked({"rrs(K=2)"}, {2});
  small.max_memory = 2000;
  CHECK_THROWS_AS(run_recorded(recorded(file.path()), small), LimitError);
  const TemporaryFile one(recording_head(3) + alike({0, 1}).line());
  small.verifiers = asked({"token"}, {2}).verifiers;
  CHECK_NOTHROW(run_recorded(recorded(one.path()), small));
}

TEST_CASE("every recorded path is checked against the rows it is drawn from") {
  // The first paths are drawn, the second are the likeliest tokens.
  std::string text = recording_head(3, "probabilities", 2);
  for (int p = 0; p < 400; ++p) {
    const Token drawn = p % 4 == 0 ? 1 : p % 4 == 1 ? 2 : 0;
    text += paths_line({alike({drawn}), alike({0})});
  }
  CHECK(refusal(text, "token", 1).empty());
  CHECK_THAT(refusal(text, "rrs(K=2)", 1), Containing("were not drawn from the draft's rows"));
  auto never = std::vector{alike({0, 1}), alike({0, 2})};
  never[1].draft[1] = never[0].draft[1] = {0.5, 0.5, 0};
  CHECK_THAT(refusal(three(never), "rrs(K=2)", 2),
             Containing("prompt 0, path 1, position 1: the draft gives the drafted token 2 "
                        "probability 0"));
}

}  // namespace
}  // namespace speclab::recorded_paths_scope_test
