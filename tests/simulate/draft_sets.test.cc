// How often the sampler draws each draft set, against the enumerator's exact law.
#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "drawn.h"
#include "model/view.h"
#include "simulate/sampler.h"
#include "simulate/statistics.h"

namespace speclab::draft_sets_test {
namespace {

/// Probability with which the whole file fails where the sampler is right: exact binomial tests,
/// with the union bound over all of them.
constexpr double kFalseAlarm = 1e-9;
constexpr std::uint64_t kTrials = 20000;

TEST_CASE("the sampler draws every draft set as often as its exact law says") {
  const std::vector<std::pair<DraftSource, int>> sets{
      {{Draw::with, 1, {}}, 2},         {{Draw::with, 3, {}}, 2},
      {{Draw::with, 1, {2, 2}}, 2},     {{Draw::without, 1, {2, 1}}, 2},
      {{Draw::without, 1, {3, 2}}, 2},  {{Draw::top, 1, {2, 1}}, 2},
      {DraftSource::argmax_chain(), 2},
  };
  const PairPointer pair = make_pair("tree(vocabulary=3,depth=2,seed=58)");
  const Rows<Rational> exact_rows(pair);
  const Rows<double> rows(pair);
  const PairView<Rational> exact_view(exact_rows);
  const PairView<double> view(rows);
  std::vector<std::map<std::string, Rational>> laws;
  std::size_t tests = 0;
  for (const auto& [source, drafts] : sets) {
    laws.push_back(law_of_draws(source, exact_view, exact_view.root(0), drafts));
    tests += laws.back().size();
  }
  REQUIRE(tests >= 100);
  for (std::size_t set = 0; set < sets.size(); ++set) {
    const auto& [source, drafts] = sets[set];
    std::map<std::string, std::uint64_t> counts;
    for (std::uint64_t trial = 0; trial < kTrials; ++trial) {
      Sampler choices(stream_key(set, 12), trial, 0);
      ++counts[drawn(source, view, view.root(0), drafts, choices)];
    }
    for (const auto& [text, weight] : laws[set]) {
      const std::uint64_t count = counts[text];
      CAPTURE(set, text, count);
      CHECK(binomial_p_value(count, kTrials, to_double(weight)) >=
            kFalseAlarm / static_cast<double>(tests));
    }
    CHECK(counts.size() == laws[set].size());  // nothing that the law does not have
  }
}

}  // namespace
}  // namespace speclab::draft_sets_test
