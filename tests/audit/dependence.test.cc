#include "audit/dependence.h"

#include <algorithm>
#include <random>

#include "audit/binomial.h"
#include "audit/smallest.h"
#include "catch.h"
#include "right_and_wrong.h"

namespace speclab::dependence_test {
namespace {

constexpr double kPower = 1 - 1e-6;

/// The decision of the first finding of dependence; "" where there is none.
std::string dependence_in(const AuditReport& report) {
  for (const AuditFinding& finding : report.findings) {
    if (finding.kind == DecisionKind::dependence && finding.p_value < 1e-9) return finding.decision;
  }
  return "";
}

TEST_CASE("a generator of period 2^16 and copied decisions are found") {
  constexpr std::size_t kPeriod = 1 << 16;
  for (const AuditMode mode : {AuditMode::verify, AuditMode::generate}) {
    const AuditOptions options{.rule = "token", .mode = mode};
    CAPTURE(mode_name(options.mode));
    CHECK(dependence_in(audited(options, {}, {.period = kPeriod})) ==
          "random numbers of a request");
    CHECK(dependence_in(audited(options, {}, {.copied = 64})) == "dependence of decisions 1 apart");
    // A chain of copies: those 64, 128, .. apart are alike.
    CHECK(dependence_in(audited(options, {}, {.copied = 64, .copied_from = 64}))
              .starts_with("dependence of decisions "));
  }
  // Where the law of a decision is unknown, more copies are needed.
  const AuditOptions lossless{.rule = "lossless"};
  CHECK(dependence_in(audited(lossless, {}, {.copied = 4})) == "dependence of decisions 1 apart");
  CHECK(dependence_in(audited(lossless, {}, {.one_seed = true})) == "random numbers of a request");
}

TEST_CASE("copies of which the tests of laws see nothing are found, and much rarer ones are not") {
  const AuditReport copies = audited({.rule = "token"}, {}, {.copied = 64});
  for (const AuditFinding& each : copies.findings) CHECK(each.kind == DecisionKind::dependence);
  CHECK(audited({.rule = "token"}, {}, {.copied = 8192}).passed());
}

TEST_CASE("the longest repeat is that of a search of all pairs of places") {
  std::mt19937 engine(3);
  for (int run = 0; run < 200; ++run) {
    std::vector<std::uint32_t> outcomes(20);
    for (auto& each : outcomes) each = static_cast<std::uint32_t>(engine() % 3);
    std::size_t longest = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      for (std::size_t j = i + 1; j < outcomes.size(); ++j) {
        std::size_t length = 0;
        while (i + length < j && j + length < outcomes.size() &&
               outcomes[i + length] == outcomes[j + length]) {
          ++length;
        }
        longest = std::max(longest, length);
      }
    }
    const RepeatedRun found = longest_repeat(outcomes, 1);
    CHECK(found.length == longest);
    REQUIRE(found.first + found.length <= found.again);
    for (std::size_t k = 0; k < found.length; ++k) {
      CHECK(outcomes[found.first + k] == outcomes[found.again + k]);
    }
    CHECK(longest_repeat(outcomes, longest + 1).length == 0);
  }
}

TEST_CASE("the bound on repeated runs is above the share of all orders that have one") {
  DecisionOrder order;
  std::vector<int> outcomes{0, 0, 1, 1, 2, 3, 4, 5, 6, 7};
  for (const int each : outcomes) order.add(0, {}, {each});
  const double bound = repeat_bound(order.sequences().begin()->second, 2);
  std::uint64_t all = 0, with = 0;
  do {
    ++all;
    // Two outcomes come twice each: a run of two that comes again is both of them side by side.
    std::size_t runs = 0;
    for (std::size_t i = 0; i + 1 < outcomes.size(); ++i) {
      for (std::size_t j = i + 2; j + 1 < outcomes.size(); ++j) {
        runs += outcomes[i] == outcomes[j] && outcomes[i + 1] == outcomes[j + 1] ? 1 : 0;
      }
    }
    with += runs > 0 ? 1 : 0;
  } while (std::next_permutation(outcomes.begin(), outcomes.end()));
  const double share = static_cast<double>(with) / static_cast<double>(all);
  CHECK(share > 0);
  CHECK(share <= bound);
  CHECK(bound < 1);
}

/// Some cases, and decisions of them drawn one after the other.
AuditPlan plan_of_cases(bool known) {
  AuditPlan plan;
  for (int at = 0; at < 3; ++at) {
    plan.cases.emplace_back();
    if (known) plan.cases.back().agreement = 0.5 * 0.5 + 0.3 * 0.3 + 0.2 * 0.2;
  }
  plan.tests = dependence_tests(plan.cases.size());
  return plan;
}

/// @param copied  the share of decisions that are the previous one
DecisionOrder decisions(std::mt19937_64& engine, std::size_t count, double copied) {
  DecisionOrder order;
  std::discrete_distribution<int> law({0.5, 0.3, 0.2});
  std::uniform_real_distribution<double> coin;
  for (std::size_t at = 0; at < 3; ++at) {
    int last = law(engine);
    for (std::size_t i = 0; i < count; ++i) {
      if (!(coin(engine) < copied)) last = law(engine);
      order.add(at, {}, {last});
    }
  }
  return order;
}

TEST_CASE("independent decisions are accused as seldom as the level says") {
  for (const bool known : {true, false}) {
    CAPTURE(known);
    AuditPlan plan = plan_of_cases(known);
    plan.level = 0.2 / static_cast<double>(plan.tests);
    std::mt19937_64 engine(17);
    int accused = 0;
    for (int run = 0; run < 300; ++run) {
      accused += !dependence_findings(plan, decisions(engine, 1000, 0)).empty();
    }
    // Above 110 with probability below 1e-9 at 0.2. Given their sum the agreeing pairs spread less
    // than the binomial law that bounds them.
    CHECK(accused <= 110);
    CHECK(accused > (known ? 5 : 0));
  }
}

TEST_CASE("dependence at the distance that is said to be seen is seen") {
  for (const bool known : {true, false}) {
    CAPTURE(known);
    AuditPlan plan = plan_of_cases(known);
    plan.level = 1e-9 / static_cast<double>(plan.tests);
    std::mt19937_64 engine(18);
    const auto seen = smallest_dependence(plan, decisions(engine, 20'000, 0), kPower);
    REQUIRE(seen.has_value());
    CHECK(*seen < (known ? 0.05 : 0.2));
    // Copies of the previous decision agree with it; others as independent ones.
    const double copied = *seen / (1 - 0.38);
    CHECK_FALSE(dependence_findings(plan, decisions(engine, 20'000, copied)).empty());
    CHECK(dependence_findings(plan, decisions(engine, 20'000, copied / 8)).empty());
  }
}

TEST_CASE("a deviation is seen from where its power says, and a law at the distance given too") {
  int seen_within = 0;
  for (const double p : {0.002, 0.3, 0.5, 0.97}) {
    const SeenDeviation seen = deviation_seen(20'000, p, 1e-13, kPower);
    CAPTURE(p);
    if (seen.more < 1 - p) {
      CHECK(binomial_power(20'000, p, p + seen.more, 1e-13) >= kPower);
      CHECK(binomial_power(20'000, p, p + 0.98 * seen.more, 1e-13) < kPower);
      ++seen_within;
    }
    if (seen.less < p) {
      CHECK(binomial_power(20'000, p, p - seen.less, 1e-13) >= kPower);
      CHECK(binomial_power(20'000, p, p - 0.98 * seen.less, 1e-13) < kPower);
      ++seen_within;
    }
  }
  // All but, at most, fewer of the rare: 0 of 20,000 are 40 fewer than are due.
  CHECK(seen_within >= 7);
  CHECK(deviation_seen(500, 0.001, 1e-13, kPower).less == Approx(0.001));
  AuditPlan plan;
  plan.level = 1e-13;
  plan.cases.emplace_back();
  plan.cases[0].shape.trials = 20'000;
  plan.cases[0].aspects.push_back({.decision = "bonus",
                                   .law = {{{0}, 0.4}, {{1}, 0.6}},
                                   .faults = {},
                                   .readings = {},
                                   .kind = DecisionKind::bonus});
  const auto distances = seen_distances(plan, {}, kPower);
  REQUIRE(distances.size() == 1);
  CHECK(distances[0].best == distances[0].every);
  // What one of two outcomes gains the other one loses: the larger deviation of the two tests.
  const double q = 0.4 + distances[0].best;
  CHECK(std::max(binomial_power(20'000, 0.4, q, 1e-13),
                 binomial_power(20'000, 0.6, 1 - q, 1e-13)) >= kPower);
}

}  // namespace
}  // namespace speclab::dependence_test
