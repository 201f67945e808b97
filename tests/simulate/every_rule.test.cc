// Every rule of the registry, simulated: at a vocabulary of 1024 with the tree 4-2-2-1, and on
// small pairs, where the intervals must hold the exact value.
//
// False alarms: the tests of a level are at 1e-12 and fewer than 1000; the count of intervals that
// miss fails with a probability below 1e-9 where each of them holds with 0.94.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "catch.h"
#include "simulate/estimate.h"
#include "simulate/statistics.h"
#include "toy.h"

namespace speclab::every_rule_test {
namespace {

constexpr double kLevel = 1e-12;
constexpr std::string_view kLarge = "zipf(vocabulary=1024,draft=1,target=6/5)";

/// What a rule of the registry is run as: a rule of trees on the tree of the given shape, in each
/// way of drawing it, any other as its example. SPRINTER's target runs at a "no" alone, it has no
/// window; faulty verifiers have tests of their own.
std::vector<std::string> specs_of(const VerifierInfo& row, const std::string& shape) {
  if (row.kind == VerifierKind::wrong || row.drafting == Drafting::run) return {};
  if (row.parameters.find("tree=") == std::string_view::npos) return {std::string(row.example)};
  const std::string name(row.name);
  // SpecHub has two children at most.
  const std::string tree = name + "(tree=" + (name == "spechub" ? "2" + shape.substr(1) : shape);
  const bool drawn = row.parameters.find("draw=") != std::string_view::npos;
  const std::string rest = name == "sglang"              ? ",single=1/2,acc=4/5"
                           : name == "top-within"        ? ",n=2,delta=1/5"
                           : name.starts_with("typical") ? ",eps=2/5,alpha=4/5"
                                                         : "";
  if (!drawn) return {tree + rest + ")"};
  return {tree + ",draw=with" + rest + ")", tree + ",draw=without" + rest + ")",
          tree + ",draw=top" + rest + ")"};
}

std::vector<std::string> every_spec(const std::string& shape) {
  std::vector<std::string> specs;
  for (const VerifierInfo& row : verifier_rows()) {
    for (std::string& spec : specs_of(row, shape)) specs.push_back(std::move(spec));
  }
  return specs;
}

std::string row_name(const std::string& spec) { return parse_spec(spec).name; }

SimulateRequest request_of(int gamma, std::uint64_t trials, std::uint64_t seed) {
  return {.lengths = {.gamma = gamma}, .trials = trials, .seed = seed, .threads = 1};
}

TEST_CASE("every rule runs at a vocabulary of 1024, those of trees on the tree 4-2-2-1") {
  constexpr int kGamma = 4;
  constexpr std::uint64_t kTrials = 100;
  const Rows<double> rows(make_pair(kLarge));
  int trees = 0;
  for (const std::string& spec : every_spec("4-2-2-1")) {
    CAPTURE(spec);
    const Verifier verifier = make_verifier(spec);
    trees += spec.find("tree=4-2-2-1") != std::string::npos;
    const Tally tally = run_trials(verifier, rows, request_of(kGamma, kTrials, 5)).tally;
    CHECK(tally.trials == kTrials);
    CHECK(tally.undefined_iterations == 0);
    std::uint64_t counted = 0;
    std::uint64_t accepted = 0;
    for (std::size_t i = 0; i < tally.accepted.size(); ++i) {
      counted += tally.accepted[i];
      accepted += i * tally.accepted[i];
    }
    CHECK(tally.accepted.size() <= kGamma + 1);
    CHECK(counted == kTrials);
    // No probability of the draft reaches the 1/2 that the example of stopping asks for.
    const bool drafts = verifier.info->drafting != Drafting::none && row_name(spec) != "stopping";
    CHECK((accepted > 0) == drafts);
  }
  CHECK(trees >= 11);
}

TEST_CASE(
    "on a fixed tree at a vocabulary of 1024 the rules of the target's draws accept the sum "
    "of T over the tree") {
  constexpr int kGamma = 4;
  constexpr std::uint64_t kTrials = 20000;
  const Rows<double> rows(make_pair(kLarge));
  std::vector<std::size_t> order(rows.draft(0).size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return rows.draft(0)[a] > rows.draft(0)[b]; });
  // The draft's n likeliest tokens have this much of the target.
  const auto first = [&](std::size_t n) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += rows.target(0)[order[i]];
    return sum;
  };
  const std::vector<double> tail{1, first(4), first(4) * first(2), first(4) * first(2) * first(2),
                                 first(4) * first(2) * first(2) * first(1)};
  std::vector<double> law;
  for (std::size_t i = 0; i + 1 < tail.size(); ++i) law.push_back(tail[i] - tail[i + 1]);
  law.push_back(tail.back());
  for (const char* spec : {"target-only(tree=4-2-2-1,draw=top)", "one-hot(tree=4-2-2-1,draw=top)",
                           "sglang(tree=4-2-2-1,draw=top,single=1,acc=1)"}) {
    CAPTURE(spec);
    const Tally tally = run_trials(make_verifier(spec), rows, request_of(kGamma, kTrials, 6)).tally;
    CHECK_FALSE(fit_test(law, tally.accepted).rejects(kLevel));
  }
  // The test distinguishes the tree from one with two children less at its root.
  const Tally other = run_trials(make_verifier("target-only(tree=2-2-2-1,draw=top)"), rows,
                                 request_of(kGamma, kTrials, 6))
                          .tally;
  CHECK(fit_test(law, other.accepted).rejects(kLevel));
}

/// Whether the estimate's interval holds the exact E[tau] moved by so much.
bool holds(const std::string& spec, const Rows<double>& rows, int gamma, std::uint64_t seed,
           double moved) {
  const Verifier verifier = make_verifier(spec);
  const double value =
      ExactNumbers<double>(run_exact(verifier, rows, {.lengths = {.gamma = gamma}}))
          .expected_accepted;
  const SimulateRequest request = request_of(gamma, 5000, seed);
  const Estimates made = estimate(run_trials(verifier, rows, request).tally, rows, request);
  const Estimate* found = made.found.find(QuantityId::expected_accepted, {});
  REQUIRE(found != nullptr);
  const double width = found->high - found->low;
  CAPTURE(spec, value, found->low, found->high);
  if (moved == 0) CHECK(std::abs(found->mean - value) <= 2 * width + 1e-9);
  return found->low <= value + moved && value + moved <= found->high;
}

/// The least number of misses of `count` intervals that happens with probability below 1e-9 where
/// each misses with 0.06, independently: by Bernstein's inequality.
double too_many(double count) {
  const double log = std::log(1e9);
  const double variance = count * 0.06 * 0.94;
  return count * 0.06 + log / 3 + std::sqrt(log * log / 9 + 2 * variance * log);
}

TEST_CASE("the intervals of every rule hold its exact value on small pairs") {
  const std::vector<std::string_view> pairs{kToy, "iid(draft=[1/2,1/4,1/4],target=[1/5,1/2,3/10])",
                                            "tree(vocabulary=3,depth=3,seed=5)",
                                            "bernoulli(draft=2/3,target=1/3,eos=1)"};
  int intervals = 0;
  int missed = 0;
  int moved_missed = 0;
  std::uint64_t seed = 100;
  for (const std::string_view pair : pairs) {
    const Rows<double> rows(make_pair(pair));
    for (const std::string& spec : every_spec("2-1")) {
      ++intervals;
      missed += !holds(spec, rows, 2, ++seed, 0);
      moved_missed += !holds(spec, rows, 2, seed, 0.05);
    }
  }
  CHECK(intervals >= 160);
  CHECK(missed < too_many(intervals));
  // The same intervals do not hold a value that is 0.05 of a token off.
  CHECK(moved_missed > too_many(intervals));
}

}  // namespace
}  // namespace speclab::every_rule_test
