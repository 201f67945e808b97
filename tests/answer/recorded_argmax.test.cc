// Recordings whose drafts are the draft's likeliest tokens: against the exact law of the pair that
// was recorded, by hand, and what is refused.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "recorded_numbers.h"
#include "temporary_file.h"

namespace speclab::recorded_argmax_test {
namespace {

/// The tokens of a row from the likeliest down, ties to the lower token.
std::vector<Token> ranked(std::span<const double> row) {
  std::vector<Token> tokens;
  for (Token x = 0; x < static_cast<Token>(row.size()); ++x) tokens.push_back(x);
  std::stable_sort(tokens.begin(), tokens.end(), [row](Token a, Token b) {
    return row[static_cast<std::size_t>(a)] > row[static_cast<std::size_t>(b)];
  });
  return tokens;
}

/// The paths of a tree of likeliest tokens with so many children at each depth.
void add_leaves(const Rows<double>& rows, State state, std::vector<int> children,
                std::vector<Token> before, std::vector<std::vector<Token>>& leaves) {
  if (children.empty()) return leaves.push_back(std::move(before));
  const auto tokens = ranked(rows.draft(state));
  const auto count = std::min(tokens.size(), static_cast<std::size_t>(children.front()));
  children.erase(children.begin());
  for (std::size_t j = 0; j < count; ++j) {
    std::vector<Token> longer = before;
    longer.push_back(tokens[j]);
    add_leaves(rows, rows.next(state, tokens[j]), children, std::move(longer), leaves);
  }
}

/// The tree as a recording. @param with_draft  whether the draft's rows are in it
std::string recording(const Rows<double>& rows, const std::vector<int>& children, bool with_draft,
                      const std::function<void(std::vector<RecordedText>&)>& change = {}) {
  const State start = rows.pair().start().front().state;
  std::vector<std::vector<Token>> leaves;
  add_leaves(rows, start, children, {}, leaves);
  std::vector<RecordedText> paths;
  for (const auto& leaf : leaves) paths.push_back(recorded_path(rows, start, leaf));
  if (change) change(paths);
  return argmax_head(rows.vocabulary(), static_cast<int>(paths.size())) +
         paths_line(paths, with_draft);
}

/// The largest difference between the recording's answer and the exact law.
double distance(const std::string& text, const Rows<double>& rows, const std::string& verifier,
                int gamma) {
  const TemporaryFile file(text);
  const auto results = run_recorded(recorded(file.path()), asked({verifier}, {gamma}));
  return speclab::distance(recorded_numbers(results.results.front()), rows, verifier, gamma);
}

constexpr const char* kPairs[] = {"tree(vocabulary=3,depth=3,seed=123)",
                                  "zipf(vocabulary=4,draft=1,target=2)",
                                  "iid(draft=[1/2,1/3,1/6],target=[1/6,1/3,1/2])"};

/// Rules of one chain, and of trees in the recorded one, that look at the draft for its likeliest
/// tokens alone.
constexpr const char* kRanked[] = {"sample-match(draft=argmax)",
                                   "fly(window=1,theta=1/2,draft=argmax)",
                                   "fly-released(window=0,theta=1/2,draft=argmax)",
                                   "typical(eps=2/5,alpha=4/5,draft=argmax)",
                                   "typical(eps=1/5,alpha=4/5,tree=2-2,draw=top)",
                                   "top-within(n=2,delta=1/5,draft=argmax)",
                                   "typical-match(eps=2/5,alpha=4/5,draft=argmax)",
                                   "typical-match(eps=2/5,alpha=4/5,tree=2-1,draw=top)",
                                   "one-hot(tree=1-1,draw=top)",
                                   "one-hot(tree=3-2,draw=top)",
                                   "target-only(tree=2-2,draw=top)",
                                   "sglang(tree=2-1,draw=top,single=1/2,acc=4/5)",
                                   "sglang(tree=3-2,draw=top)",
                                   "target-argmax(tree=3-1,draw=top)"};

TEST_CASE("recorded likeliest tokens have the exact law of the pair, with and without draft rows") {
  for (const char* pair : kPairs) {
    const Rows<double> rows(make_pair(pair));
    for (const char* verifier : kRanked) {
      for (const bool with_draft : {true, false}) {
        for (const int gamma : {1, 2}) {
          CAPTURE(pair, verifier, with_draft, gamma);
          CHECK(distance(recording(rows, {3, 2}, with_draft), rows, verifier, gamma) < 1e-13);
        }
      }
    }
  }
}

TEST_CASE("rules that look at the draft's probabilities need its rows, and grown trees are found") {
  for (const char* pair : kPairs) {
    const Rows<double> rows(make_pair(pair));
    for (const char* verifier :
         {"match-with-stop(draft=argmax,stop=own-drop,theta=9/20)",
          "match-with-stop(draft=argmax,stop=law,theta=9/20)", "dense-tree(K=2)",
          "dense-tree(tree=2-2)", "one-hot(grow=best,nodes=4,width=2)",
          "target-only(grow=beam,nodes=4,width=2)", "sglang(ranks=[[0],[1],[1,0]])"}) {
      CAPTURE(pair, verifier);
      CHECK(distance(recording(rows, {3, 2}, true), rows, verifier, 2) < 1e-13);
      CHECK_THROWS_WITH(distance(recording(rows, {3, 2}, false), rows, verifier, 2),
                        Containing("this verifier looks at the draft's probabilities, and the "
                                   "draft has no row here; record its rows"));
    }
  }
}

TEST_CASE("rows and likeliest tokens of the wrong place change the answer") {
  const Rows<double> rows(make_pair(kPairs[0]));
  const auto swapped = [](std::vector<RecordedText>& paths) {
    for (RecordedText& path : paths) std::swap(path.target[0], path.target[1]);
    for (std::size_t k = 1; k < paths.size(); ++k) paths[k].target[0] = paths[0].target[0];
  };
  for (const char* verifier :
       {"sample-match(draft=argmax)", "one-hot(tree=3-2,draw=top)", "sglang(tree=3-2,draw=top)"}) {
    CAPTURE(verifier);
    CHECK(distance(recording(rows, {3, 2}, false, swapped), rows, verifier, 2) > 1e-3);
  }
  const auto reversed = [](std::vector<RecordedText>& paths) {
    std::reverse(paths.begin(), paths.end());
  };
  // A verifier of fewer children than are recorded takes the first ones.
  CHECK(distance(recording(rows, {3, 2}, false, reversed), rows, "one-hot(tree=2-1,draw=top)", 2) >
        1e-3);
  CHECK_THROWS_WITH(
      distance(recording(rows, {3, 2}, true, reversed), rows, "one-hot(tree=2-1,draw=top)", 2),
      Containing("prompt 0, path 0, position 0: the drafted token") &&
          Containing("of drafts that are argmax it is number 1 by probability"));
}

RecordedText alike(std::vector<Token> tokens, const std::vector<double>& draft) {
  const std::size_t n = tokens.size();
  return {std::move(tokens), std::vector(n, draft), std::vector(n + 1, kTarget), {}};
}

TEST_CASE("argmax drafts by hand: every iteration of all starts, ties as the engine broke them") {
  // The target gives token 1 two thirds. Of two equal tokens the engine may take either.
  RecordedText tied = alike({1, 0, 1}, {0.5, 0.5});
  tied.starts = {1, 0, 1};
  const std::string one = argmax_head(2);
  const TemporaryFile file(one + tied.line());
  const auto results = run_recorded(
      recorded(file.path()),
      asked({"sample-match(draft=argmax)", "one-hot(tree=1-1,draw=top)", "autoregressive",
             "match-with-stop(draft=argmax,stop=own-drop,theta=2/5)"},
            {1, 2}));
  const auto law = [&](const std::string& verifier, int gamma) {
    std::vector<double> all;
    for (const auto& each : results.of(make_verifier(verifier).name, gamma).law)
      all.push_back(each[0]);
    return all;
  };
  const auto is = [](const std::vector<double>& found, const std::vector<double>& wanted) {
    REQUIRE(found.size() == wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == Approx(wanted[i]));
  };
  // Two starts have one draft, and the first alone two: token 1 and then 0, accepted with 1/3.
  for (const char* verifier : {"sample-match(draft=argmax)", "one-hot(tree=1-1,draw=top)",
                               "match-with-stop(draft=argmax,stop=own-drop,theta=2/5)"}) {
    CAPTURE(verifier);
    is(law(verifier, 1), {2.0 / 3, 4.0 / 3});
    is(law(verifier, 2), {1.0 / 3, 4.0 / 9, 2.0 / 9});
  }
  CHECK(results.of("autoregressive", 1).tokens[0] == Approx(2));
}

TEST_CASE("what a recording of likeliest tokens lacks is refused with its reason") {
  const std::string head = argmax_head(2);
  const std::string match = "sample-match(draft=argmax)";
  const auto refused = [](const std::string& text, const std::string& verifier,
                          const std::string& reason) {
    CHECK_THAT(refusal(text, verifier, 1), Containing(reason));
  };
  const std::string good = head + toy({0, 0}).line();
  CHECK(refusal(good, match, 2).empty());
  for (const char* drawn : {"token", "block", "sample-match", "rrs(K=2)", "one-hot(K=2)",
                            "rrs-without(K=2)", "target-only(tree=2-1,draw=with)"}) {
    refused(good, drawn,
            "draws its drafts, and the recorded ones are the draft's likeliest tokens");
  }
  // Token 1 is the less likely one; and one of probability 0 is never among the likeliest.
  refused(
      head + toy({1, 0}).line(), match,
      "prompt 0, position 0: the drafted token 1 has the draft's probability 0.333, and 1 tokens "
      "have a larger one");
  const std::string two = argmax_head(2, 2);
  refused(two + paths_line({alike({0}, {1, 0}), alike({1}, {1, 0})}), "one-hot(tree=2,draw=top)",
          "the drafted token 1 has the draft's probability 0");
  refused(head + toy({0}).line(), "one-hot(tree=2,draw=top)",
          "takes 2 drafts an iteration, and one path of each prompt is recorded; record 2 paths");
  refused(two + paths_line({alike({0}, kDraft), alike({0}, kDraft)}), "dense-tree(K=2)",
          "prompt 0, path 0, position 0: the tree has 2 tokens here and 1 is recorded; record its "
          "other paths too");
  const std::string sampled = recording_head(2) + toy({0}).line();
  refused(sampled, match, "does not draw its drafts from the draft's law");
  refused(sampled, "fly(window=0,theta=1/2,draft=argmax)",
          "does not draw its drafts from the draft's law");
  // Rows may be left out of such recordings alone.
  const std::string bare = RecordedText::line_of("[0]", {}, "", json_rows({kTarget, kTarget}));
  CHECK(refusal(head + bare, match, 1).empty());
  CHECK_THAT(refusal(recording_head(2) + bare, "token", 1), Containing("lacks the key \"draft\""));
  std::string word = head;
  word.replace(word.find("argmax"), 6, "greedy");
  CHECK_THAT(refusal(word + bare, match, 1),
             Containing("has drafts 'greedy'; the drafts are sampled, or argmax"));
}

}  // namespace
}  // namespace speclab::recorded_argmax_test
