// Simulated laws of biased rules at 100 tokens, where what a rule derives from a row is kept with
// its tables: the first token against the law written here from the two rows.
//
// False alarms: every check has a level of 1e-12 and fewer than 20 are made.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "catch.h"
#include "model/registry.h"
#include "simulate/statistics.h"
#include "simulated_law.h"

namespace speclab::large_biased_test {
namespace {

constexpr double kLevel = 1e-12;
constexpr std::uint64_t kTrials = 40'000;
using Row = std::vector<double>;

struct Pair100 {
  explicit Pair100(const char* spec = "zipf(vocabulary=100,draft=1,target=6/5,seed=3)")
      : rows(make_pair(spec)) {}
  Rows<double> rows;
  Row draft{rows.draft(0).begin(), rows.draft(0).end()};
  Row target{rows.target(0).begin(), rows.target(0).end()};

  [[nodiscard]] Tally simulate(const std::string& verifier, int gamma, int horizon = 1) const {
    return simulated_law(verifier, rows, {.gamma = gamma, .horizon = horizon}, kTrials, 11);
  }
  /// Whether the first token has this law, and would not pass for the draft's or the target's.
  void check(const std::string& verifier, const Row& law, int gamma = 1) const {
    CAPTURE(verifier);
    CHECK_FALSE(fit_test(law, simulate(verifier, gamma).outputs).rejects(kLevel));
    CHECK(std::abs(std::accumulate(law.begin(), law.end(), 0.0) - 1) < 1e-12);
    for (const Row* other : {&draft, &target}) {
      if (law != *other) CHECK(fit_power(law, *other, kTrials, kLevel) > 0.999);
    }
  }
  template <class Of>
  [[nodiscard]] Row made(const Of& of) const {
    Row row;
    for (std::size_t x = 0; x < draft.size(); ++x) row.push_back(of(x));
    return row;
  }
  template <class Of>
  [[nodiscard]] double sum(const Of& of) const {
    const Row row = made(of);
    return std::accumulate(row.begin(), row.end(), 0.0);
  }
  [[nodiscard]] double entropy() const {
    return sum([&](std::size_t x) { return -target[x] * std::log(target[x]); });
  }
  /// d on a set, and d(outside) times t.
  template <class In>
  [[nodiscard]] Row accepted_set(const In& in) const {
    const double outside = sum([&](std::size_t x) { return in(x) ? 0.0 : draft[x]; });
    return made([&](std::size_t x) { return (in(x) ? draft[x] : 0.0) + outside * target[x]; });
  }
};

TEST_CASE("large vocabularies: a relaxed target is the law of the first token") {
  const Pair100 pair;
  const auto& d = pair.draft;
  const auto& t = pair.target;
  const double apart = pair.sum([&](std::size_t x) { return std::max(0.0, t[x] - d[x]); });
  REQUIRE(apart > 0.1);
  const Row half = pair.made([&](std::size_t x) { return pair.target[x] / 2 + pair.draft[x] / 2; });
  pair.check("relaxed(pi=ensemble,weight=1/2)", half);
  // Two laws of one rule with other numbers, kept apart.
  pair.check("relaxed(pi=ensemble,weight=1/4)",
             pair.made([&](std::size_t x) { return pair.target[x] / 4 + pair.draft[x] * 3 / 4; }));
  pair.check("relaxed(pi=fuzzy,divergence=tv,threshold=1/10)", pair.target);
  pair.check("relaxed(pi=fuzzy,divergence=tv,threshold=9/10)", pair.draft);
  const double most = *std::max_element(t.begin(), t.end());
  pair.check("relaxed(pi=cascade-top,alpha=1/2)",
             pair.accepted_set([&](std::size_t x) { return pair.target[x] >= most / 2; }));
}

TEST_CASE("large vocabularies: accepted sets are those of thresholds on the target") {
  const Pair100 pair;
  const double threshold = std::min(0.2, 0.5 * std::exp(-pair.entropy()));
  const auto typical = [&](std::size_t x) { return pair.target[x] > threshold; };
  pair.check("typical(eps=1/5,alpha=1/2)", pair.accepted_set(typical));
  const double mass = pair.sum([&](std::size_t x) { return typical(x) ? pair.target[x] : 0.0; });
  pair.check("typical-match(eps=1/5,alpha=1/2)",
             pair.made([&](std::size_t x) { return typical(x) ? pair.target[x] / mass : 0.0; }));
  Row falling = pair.target;
  std::sort(falling.rbegin(), falling.rend());
  pair.check("top-within(n=5,delta=1)",
             pair.accepted_set([&](std::size_t x) { return pair.target[x] >= falling[4]; }));
}

TEST_CASE("large vocabularies: entropy raises the acceptance of a token") {
  const Pair100 pair;
  const auto& d = pair.draft;
  const auto& t = pair.target;
  const double m = std::min(std::exp(-pair.entropy() / 8), 0.9);
  const auto kept = [&](std::size_t x) { return d[x] * std::min(1.0, t[x] / (m * d[x])); };
  const auto rest = [&](std::size_t x) { return std::max(0.0, t[x] - d[x]); };
  const double missing = (1 - pair.sum(kept)) / pair.sum(rest);
  pair.check("entropy-verify(alpha=1/8,theta=9/10)",
             pair.made([&](std::size_t x) { return kept(x) + missing * rest(x); }));
}

TEST_CASE("large vocabularies: fly forgives where the next token matches") {
  const Pair100 pair("zipf(vocabulary=100,draft=2,target=5/2,seed=3)");
  const auto& d = pair.draft;
  const auto& t = pair.target;
  const double match = pair.sum([&](std::size_t x) { return d[x] * t[x]; });
  Row forgiving;  // of two tokens
  Row strict;
  for (std::size_t x = 0; x < t.size(); ++x) {
    for (std::size_t y = 0; y < t.size(); ++y) {
      const double kept = d[x] * t[x] + (1 - match) * t[x] * (1 - d[x]);
      forgiving.push_back(kept * t[y] + d[x] * (1 - t[x]) * d[y] * t[y]);
      strict.push_back(t[x] * t[y]);
    }
  }
  REQUIRE(fit_power(forgiving, strict, kTrials, kLevel) > 0.999);
  const auto outputs = [&](const char* fly) { return pair.simulate(fly, 2, 2).outputs; };
  CHECK_FALSE(fit_test(forgiving, outputs("fly(window=1,theta=1/10)")).rejects(kLevel));
  // No three probabilities have an entropy of 2 nats, so nothing is forgiven.
  CHECK_FALSE(fit_test(strict, outputs("fly(window=1,theta=2)")).rejects(kLevel));
}

TEST_CASE("large vocabularies: stopping keeps the target's law but where it drops") {
  const Pair100 pair;
  const auto& d = pair.draft;
  const auto& t = pair.target;
  for (const char* stop :
       {"law,theta=1/2", "own-keep,theta=1/50", "own-drop-renormalised,theta=1/50"}) {
    pair.check(std::string("stopping(verify=block,stop=") + stop + ")", t, 3);
  }
  const auto kept = [&](std::size_t x) { return d[x] < 0.02 ? 0.0 : std::min(d[x], t[x]); };
  const double dropped = pair.sum([&](std::size_t x) { return d[x] < 0.02 ? d[x] : 0.0; });
  pair.check("stopping(verify=block,stop=own-drop,theta=1/50)", pair.made([&](std::size_t x) {
    return kept(x) + dropped * t[x] +
           (1 - dropped - pair.sum(kept)) * std::max(0.0, t[x] - d[x]) /
               pair.sum([&](std::size_t y) { return std::max(0.0, t[y] - d[y]); });
  }));
}

}  // namespace
}  // namespace speclab::large_biased_test
