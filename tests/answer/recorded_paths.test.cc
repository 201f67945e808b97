// Answers from recordings of several paths a prompt: against the exact law over all drafts, by
// hand, and what is refused.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <set>
#include <utility>

#include "base/error.h"
#include "catch.h"
#include "model/registry.h"
#include "recorded_numbers.h"
#include "temporary_file.h"

namespace speclab::recorded_paths_test {
namespace {

std::vector<RecordedText> recorded_paths(const Rows<double>& rows, const Chains& chains) {
  std::vector<RecordedText> paths;
  for (const auto& chain : chains) {
    paths.push_back(recorded_path(rows, rows.pair().start().front().state, chain));
  }
  return paths;
}

using Change = std::function<void(std::vector<RecordedText>&)>;

/// Over all drafts by their probability, each set a prompt of one recording.
IterationNumbers averaged(const Rows<double>& rows, const std::string& verifier, int gamma,
                          const Change& change = {}) {
  const int count = make_verifier(verifier).drafts;
  const auto sets = all_drafts(rows, rows.pair().start().front().state, gamma, count);
  std::string text = recording_head(rows.vocabulary(), "probabilities", count);
  for (const Drafted& set : sets) {
    auto paths = recorded_paths(rows, set.chains);
    if (change) change(paths);
    text += paths_line(paths);
  }
  const TemporaryFile file(text);
  const auto results = run_recorded(recorded(file.path()), asked({verifier}, {gamma}));
  IterationNumbers sums(static_cast<std::size_t>(gamma) + 3, 0.0);
  for (std::size_t p = 0; p < sets.size(); ++p) {
    const IterationNumbers found = recorded_numbers(results.results.front(), p);
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += sets[p].probability * found[i];
  }
  return sums;
}

constexpr const char* kPairs[] = {"tree(vocabulary=3,depth=3,seed=123)",
                                  "tree(vocabulary=2,depth=3,seed=2)",
                                  "iid(draft=[1/2,1/3,1/6],target=[1/6,1/3,1/2])"};

TEST_CASE(
    "recorded paths averaged over all drafts are the exact law of every verifier of several") {
  std::set<std::string> held;
  for (const char* pair : kPairs) {
    const Rows<double> rows(make_pair(pair));
    for (const VerifierInfo& row : all_verifier_rows()) {
      const std::string name(row.example);
      const Verifier verifier = make_verifier(name);
      if (verifier.drafts < 2 || !verifier.drafts_iid || row.small_pairs) continue;
      if (row.name == "recursive-greedy") continue;  // refused: see recorded_paths_scope.test.cc
      if (row.name == "target-argmax") continue;     // its bonus token is the row's argmax, no draw
      for (const int gamma : {1, 2}) {
        CAPTURE(pair, name, gamma);
        try {
          // The row after a whole draft is not needed: a bonus token there is, whatever its law.
          const IterationNumbers found = averaged(rows, name, gamma, [gamma](auto& paths) {
            for (RecordedText& path : paths) {
              if (gamma == 2) path.target.pop_back();
            }
          });
          CHECK(distance(found, rows, name, gamma) < 1e-13);
          held.insert(name);
        } catch (const InputError& error) {
          // Some faulty verifiers take other drafts.
          INFO(error.what());
          CHECK(row.kind == VerifierKind::wrong);
        }
      }
    }
  }
  for (const char* name :
       {"rrs(K=2)", "kseq(K=2)", "batch(M=2)", "batch-printed(M=2)", "spectr-gbv(K=2)",
        "slot-block(K=2)", "spectr-coupled(K=2)", "target-only(K=2)", "one-hot(K=2)",
        "naive-tree(K=2)", "traversal-merged(K=2)", "traversal(K=2)", "canonical(K=2)",
        "path-block(K=2)", "recursive-block(K=2)", "recycle(rule=path-block,K=2)",
        "gumbel-list(K=2)", "poisson-list(K=2)"}) {
    CAPTURE(name);
    CHECK(held.count(name) == 1);
  }
}

TEST_CASE("three recorded paths averaged over all drafts are the exact law") {
  const Rows<double> rows(make_pair(kPairs[1]));
  for (const char* name :
       {"rrs(K=3)", "kseq(K=3)", "canonical(K=3)", "slot-block(K=3)", "spectr-coupled(K=3)",
        "traversal(K=3)", "path-block(K=3)", "target-only(K=3)", "recycle(rule=path-block,K=3)",
        "recycle(rule=batch,K=3)", "gumbel-list(K=3)", "poisson-list(K=3)"}) {
    CAPTURE(name);
    CHECK(distance(averaged(rows, name, 2), rows, name, 2) < 1e-13);
  }
}

TEST_CASE("rows and drafts of the wrong path are seen in the answers") {
  const Rows<double> rows(make_pair(kPairs[0]));
  // The rows after the first tokens, where these are not the same.
  const auto swapped = [](std::vector<RecordedText>& paths) {
    if (paths[0].tokens[0] == paths[1].tokens[0]) return;
    std::swap(paths[0].target[1], paths[1].target[1]);
  };
  // A second draft that is the first again is left out, as a set of drafts would.
  const auto once = [&rows](std::vector<RecordedText>& paths) {
    if (paths[0].tokens != paths[1].tokens) return;
    auto other = paths[1].tokens;
    other[0] = (other[0] + 1) % rows.vocabulary();
    paths[1] = recorded_path(rows, rows.pair().start().front().state, other);
  };
  const auto twice = [](std::vector<RecordedText>& paths) { paths[1] = paths[0]; };
  for (const char* name : {"rrs(K=2)", "kseq(K=2)", "slot-block(K=2)", "spectr-coupled(K=2)"}) {
    CAPTURE(name);
    CHECK(distance(averaged(rows, name, 2), rows, name, 2) < 1e-13);
    for (const Change& change : {Change(swapped), Change(once), Change(twice)}) {
      CHECK(distance(averaged(rows, name, 2, change), rows, name, 2) > 1e-3);
    }
  }
}

TEST_CASE("answers from several paths are the same bits for any number of threads") {
  const Rows<double> rows(make_pair(kPairs[0]));
  std::string text = recording_head(3, "probabilities", 2);
  for (const Drafted& set : all_drafts(rows, rows.pair().start().front().state, 2, 2)) {
    text += paths_line(recorded_paths(rows, set.chains));
  }
  const TemporaryFile file(text);
  RecordedRequest request = asked({"rrs(K=2)", "slot-block(K=2)"}, {1, 2});
  request.threads = 1;
  const auto alone = run_recorded(recorded(file.path()), request);
  request.threads = 5;
  const auto found = run_recorded(recorded(file.path()), request);
  for (std::size_t q = 0; q < alone.results.size(); ++q) {
    CHECK(found.results[q].law == alone.results[q].law);
    CHECK(found.results[q].tokens == alone.results[q].tokens);
  }
}

}  // namespace
}  // namespace speclab::recorded_paths_test
