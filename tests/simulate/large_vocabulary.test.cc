// Simulated laws at vocabularies above 64 tokens, where draws come from prefix sums: the output
// is the target's law, token by token.
//
// False alarms: every check has a level of 1e-12 and fewer than 100 are made, so a right program
// fails this file with a probability of at most 1e-10 over the choice of seeds.
#include <cmath>

#include "catch.h"
#include "model/registry.h"
#include "simulate/statistics.h"
#include "simulated_law.h"

namespace speclab::large_vocabulary_test {
namespace {

constexpr double kLevel = 1e-12;
constexpr std::string_view kHundred = "zipf(vocabulary=100,draft=1,target=6/5,seed=3)";
constexpr std::string_view kThousand = "zipf(vocabulary=1000,draft=1,target=1,seed=4)";

Tally simulate(const char* verifier, const Rows<double>& rows, int gamma, int horizon,
               std::uint64_t trials) {
  return simulated_law(verifier, rows, {.gamma = gamma, .horizon = horizon}, trials, 9);
}

std::vector<double> target_row(const Rows<double>& rows) {
  const auto row = rows.target(0);
  return {row.begin(), row.end()};
}

TEST_CASE("large vocabularies: the law of one token is the target's") {
  for (const std::string_view pair : {kHundred, kThousand}) {
    const Rows<double> rows(make_pair(pair));
    for (const char* verifier :
         {"autoregressive", "token", "block", "greedy-block", "rrs(K=2)", "kseq(K=2)"}) {
      CAPTURE(pair, verifier);
      const Tally tally = simulate(verifier, rows, 1, 1, 20000);
      CHECK_FALSE(fit_test(target_row(rows), tally.outputs).rejects(kLevel));
    }
  }
}

TEST_CASE("large vocabularies: a token accepted, and the one after it") {
  const Rows<double> rows(make_pair(kHundred));
  const std::vector<double> target = target_row(rows);
  std::vector<double> law;  // of two tokens
  for (const double first : target) {
    for (const double second : target) law.push_back(first * second);
  }
  for (const char* verifier : {"token", "block", "greedy-block"}) {
    CAPTURE(verifier);
    const Tally tally = simulate(verifier, rows, 2, 2, 20000);
    CHECK_FALSE(fit_test(law, tally.outputs).rejects(kLevel));
  }
}

TEST_CASE("large vocabularies: token verification accepts with 1 - TV") {
  const Rows<double> rows(make_pair(kThousand));
  const auto draft = rows.draft(0), target = rows.target(0);
  double both = 0;
  for (std::size_t x = 0; x < draft.size(); ++x) both += std::min(draft[x], target[x]);
  const Tally tally = simulate("token", rows, 1, 1, 20000);
  CHECK(binomial_p_value(tally.trials - tally.accepted[0], tally.trials, both) > kLevel);
  CHECK(binomial_p_value(static_cast<std::uint64_t>(tally.rejections.sum), tally.trials, 1 - both) >
        kLevel);
}

TEST_CASE("large vocabularies: these samples would find a residual that is one token late") {
  // The law that comes out when each correction is the next token in the order of t / d.
  for (const std::string_view pair : {kHundred, kThousand}) {
    const Rows<double> rows(make_pair(pair));
    const auto draft = rows.draft(0), target = rows.target(0);
    std::vector<std::size_t> order(draft.size());
    for (std::size_t x = 0; x < order.size(); ++x) order[x] = x;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return target[a] / draft[a] > target[b] / draft[b];
    });
    std::vector<double> wrong;
    for (std::size_t x = 0; x < draft.size(); ++x) wrong.push_back(std::min(draft[x], target[x]));
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      wrong[order[i + 1]] += std::max(0.0, target[order[i]] - draft[order[i]]);
    }
    CHECK(fit_power(target_row(rows), wrong, 20000, kLevel) > 0.999);
  }
}

}  // namespace
}  // namespace speclab::large_vocabulary_test
