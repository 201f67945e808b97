#include "audit/judge.h"

#include <algorithm>
#include <random>

#include "audit/binomial.h"
#include "audit/modes.h"
#include "base/rational.h"
#include "catch.h"
#include "simulate/statistics.h"

namespace speclab::judge_test {
namespace {

/// P(X = k) of n decisions with probability p, in fractions.
Rational exactly(int k, int n, const Rational& p) {
  Rational product(1);
  for (int i = 0; i < k; ++i) product *= p * Rational(n - i) / Rational(i + 1);
  for (int i = 0; i < n - k; ++i) product *= 1 - p;
  return product;
}

/// Computed by sums in fractions, independent of the incomplete beta function.
double p_value_by_sums(int k, int n, const Rational& p) {
  Rational low(0);
  Rational high(0);
  for (int i = 0; i <= n; ++i) {
    if (i <= k) low += exactly(i, n, p);
    if (i >= k) high += exactly(i, n, p);
  }
  return std::min(1.0, 2 * to_double(std::min(low, high)));
}

TEST_CASE("binomial tails and powers are those of sums in fractions") {
  const int n = 23;
  for (const Rational& p : {Rational(1, 7), Rational(1, 2), Rational(9, 10)}) {
    for (int k = 0; k <= n; ++k) {
      CHECK(binomial_p_value(static_cast<std::uint64_t>(k), n, to_double(p)) ==
            Approx(p_value_by_sums(k, n, p)).epsilon(1e-12));
    }
    for (const Rational& q : {Rational(1, 3), Rational(4, 5), Rational(0), Rational(1)}) {
      for (const double level : {0.3, 0.01, 1e-6}) {
        Rational power(0);
        for (int k = 0; k <= n; ++k) {
          if (p_value_by_sums(k, n, p) <= level) power += exactly(k, n, q);
        }
        CHECK(binomial_power(n, to_double(p), to_double(q), level) ==
              Approx(to_double(power)).margin(1e-12));
      }
    }
  }
}

TEST_CASE("outcomes of probability 0 or 1 need no statistics") {
  CHECK(binomial_p_value(0, 100, 0) == 1);
  CHECK(binomial_p_value(1, 100, 0) == 0);
  CHECK(binomial_p_value(100, 100, 1) == 1);
  CHECK(binomial_p_value(99, 100, 1) == 0);
  CHECK(binomial_power(10, 0, 0.5, 1e-9) == Approx(1 - 1.0 / 1024));
}

TEST_CASE("the number of decisions gives the power, and a quarter of it does not") {
  for (const auto& [p, q] : {std::pair(0.5, 0.51), std::pair(0.01, 0.0), std::pair(0.3, 0.9)}) {
    const auto n = decisions_needed(p, q, 1e-12, 1 - 1e-6, 100'000'000);
    REQUIRE(n > 0);
    CHECK(binomial_power(n, p, q, 1e-12) >= 1 - 1e-6);
    if (n > 2000) CHECK(binomial_power(n / 4, p, q, 1e-12) < 1 - 1e-6);
  }
  CHECK(decisions_needed(0.5, 0.5, 1e-12, 0.99, 1'000'000) == 0);
  CHECK(decisions_needed(0.5, 0.5001, 1e-12, 0.99, 1000) == 0);
}

/// Counts of a case's trials drawn from the laws that `law_of` names.
template <class LawOf>
SeenKeys drawn(const CasePlan& plan, std::mt19937_64& engine, const LawOf& law_of) {
  SeenKeys seen(plan.aspects.size());
  // The aspects after the first part the outcomes; the first is their accepted length.
  std::uint64_t left = plan.shape.trials;
  double mass = 1;
  for (std::size_t at = 1; at < plan.aspects.size(); ++at) {
    for (const auto& [key, p] : law_of(plan.aspects[at])) {
      const double share = std::clamp(p / mass, 0.0, 1.0);
      const std::uint64_t count =
          mass - p < 1e-12 ? left : std::binomial_distribution<std::uint64_t>(left, share)(engine);
      if (count > 0) {
        seen[at][key] += count;
        seen[0][{static_cast<int>(at) - 1}] += count;
      }
      left -= count;
      mass -= p;
    }
  }
  return seen;
}

AuditPlan plan_of(const std::string& rule) {
  const AuditOptions options{.rule = rule};
  auto faults = known_faults(options);
  auto candidates = make_known_rule(options)->candidates(faults);
  return choose_cases(std::move(faults), std::move(candidates), options);
}

TEST_CASE(
    "a thousand right implementations are not accused, and at a level of a fifth a fifth at most") {
  for (const char* rule : {"token", "block", "rrs(K=2)"}) {
    CAPTURE(rule);
    const AuditPlan plan = plan_of(rule);
    std::mt19937_64 engine(20260101);
    int accused = 0;
    int at_a_fifth = 0;
    for (int run = 0; run < 1000; ++run) {
      std::vector<SeenKeys> seen;
      for (const CasePlan& each : plan.cases) {
        seen.push_back(
            drawn(each, engine, [](const Aspect& aspect) -> const KeyLaw& { return aspect.law; }));
      }
      accused += !judge(plan, seen, 1e-9).empty();
      at_a_fifth += !judge(plan, seen, 0.2).empty();
    }
    CHECK(accused == 0);
    // Above 300 with probability below 1e-13 at 0.2; below 10 the tests would have no power.
    CHECK(at_a_fifth < 300);
    CHECK(at_a_fifth > 10);
  }
}

TEST_CASE("every fault that the plan declares detectable is rejected and named") {
  for (const char* rule : {"token", "block", "rrs(K=2)"}) {
    const AuditPlan plan = plan_of(rule);
    CHECK(plan.unseen.size() < plan.faults.size());
    std::mt19937_64 engine(20260102);
    for (std::size_t fault = 0; fault < plan.faults.size(); ++fault) {
      const std::string& name = plan.faults[fault].name;
      const auto is_it = [&](const UnseenFault& each) { return each.verifier == name; };
      if (std::any_of(plan.unseen.begin(), plan.unseen.end(), is_it)) continue;
      CAPTURE(rule, name);
      for (int run = 0; run < 5; ++run) {
        std::vector<SeenKeys> seen;
        for (const CasePlan& each : plan.cases) {
          seen.push_back(drawn(each, engine, [&](const Aspect& aspect) -> const KeyLaw& {
            return each.unseen[fault].empty() ? aspect.faults[fault] : aspect.law;
          }));
        }
        const auto findings = judge(plan, seen, 1e-9);
        REQUIRE_FALSE(findings.empty());
        CHECK(findings.front().resembles == name);
      }
    }
  }
}

TEST_CASE("an impossible outcome is a finding at once") {
  AuditPlan plan;
  plan.cases.emplace_back();
  plan.cases[0].shape.trials = 1'000'000;
  plan.cases[0].aspects.push_back({"accepted length", {{{0}, 0.5}, {{1}, 0.5}}, {}, {}});
  std::vector<SeenKeys> seen{{{{{0}, 500'000}, {{1}, 499'999}, {{2}, 1}}}};
  const auto findings = judge(plan, seen, 1e-9);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].p_value == 0);
  CHECK(findings[0].detail.find("the law never gives it") != std::string::npos);
  seen = {{{{{0}, 500'000}, {{1}, 500'000}}}};
  CHECK(judge(plan, seen, 1e-9).empty());
}

}  // namespace
}  // namespace speclab::judge_test
