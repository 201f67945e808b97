// Intervals of means over whole decodes, against a recursion of the tests' own: their coverage on
// 60 pairs, and their width.
//
// False alarms: a check of coverage fails where, at a chance of a miss of 5% in all (6% of one
// pair), so many misses have a probability below kLevel. There are fewer than 200 checks.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "catch.h"
#include "model/registry.h"
#include "simulate/lossless_decodes.h"
#include "simulate/simulate.h"
#include "simulate/statistics.h"

namespace speclab::decode_intervals_test {
namespace {

constexpr double kLevel = 1e-12;
constexpr std::uint64_t kTrials = 1000;

/// An automaton in units of 1e-5.
struct Laws {
  using Row = std::vector<int>;
  std::vector<Row> draft, target, next;

  [[nodiscard]] std::string text() const {
    const auto rows_of = [](const std::vector<Row>& rows, const char* unit) {
      std::vector<std::string> texts;
      for (const Row& row : rows) {
        std::vector<std::string> entries;
        for (const int each : row) entries.push_back(fmt::format("{}{}", each, unit));
        texts.push_back(fmt::format("[{}]", fmt::join(entries, ",")));
      }
      return fmt::format("[{}]", fmt::join(texts, ","));
    };
    return fmt::format("automaton(draft={},target={},next={})", rows_of(draft, "/100000"),
                       rows_of(target, "/100000"), rows_of(next, ""));
  }
};

/// Expected target calls and rejections of token verification until so many tokens are there.
class Expected {
 public:
  Expected(const Laws& laws, int gamma, int horizon) : laws_(laws), gamma_(gamma) {
    const std::size_t states = laws.draft.size();
    const std::size_t drafts = index(gamma) + 1;
    calls_ = rejections_ = {states * drafts, std::vector<double>(index(horizon) + 1, 0)};
    for (int left = 1; left <= horizon; ++left) {
      for (std::size_t state = 0; state < states; ++state) {
        for (int drafted = gamma; drafted >= 0; --drafted) step(state, drafted, index(left));
      }
    }
    calls = 1 + calls_[0][index(horizon)];
    rejections = rejections_[0][index(horizon)];
  }
  double calls = 0;
  double rejections = 0;

 private:
  static std::size_t index(int n) { return static_cast<std::size_t>(n); }

  /// After `drafted` accepted tokens of an iteration, with `left` tokens to go.
  void step(std::size_t state, int drafted, std::size_t left) {
    const std::size_t drafts = index(gamma_) + 1;
    double& here = calls_[state * drafts + index(drafted)][left];
    double& rejected = rejections_[state * drafts + index(drafted)][left];
    const bool bonus = drafted == gamma_;
    for (std::size_t x = 0; x < laws_.draft[state].size(); ++x) {
      const double t = laws_.target[state][x] / 1e5, d = laws_.draft[state][x] / 1e5;
      const double kept = bonus ? 0 : std::min(t, d), anew = t - kept;
      const std::size_t after = index(laws_.next[state][x]) * drafts;
      const double call = left > 1 ? 1 : 0;
      here += anew * (call + calls_[after][left - 1]);
      rejected += anew * ((bonus ? 0 : 1) + rejections_[after][left - 1]);
      if (bonus) continue;
      here += kept * calls_[after + index(drafted) + 1][left - 1];
      rejected += kept * rejections_[after + index(drafted) + 1][left - 1];
    }
  }

  const Laws& laws_;
  int gamma_;
  std::vector<std::vector<double>> calls_, rejections_;  ///< [state, drafted][left]
};

Laws::Row drawn_row(std::size_t tokens, double power, std::mt19937_64& engine) {
  std::vector<double> weights(tokens);
  double all = 0;
  for (double& each : weights) {
    each = std::pow(std::uniform_real_distribution<double>()(engine), power);
    all += each;
  }
  Laws::Row row;
  int left = 100'000;
  for (std::size_t x = 0; x + 1 < tokens; ++x) {
    row.push_back(static_cast<int>(weights[x] / all * 1e5));
    left -= row.back();
  }
  row.push_back(left);
  return row;
}

/// Pairs of one to four states, the uneven ones with acceptance rates near 0 or 1.
std::vector<Laws> common_pairs() {
  std::mt19937_64 engine(33);
  std::vector<Laws> pairs;
  for (int i = 0; i < 48; ++i) {
    Laws laws;
    const auto states = static_cast<std::size_t>(i % 4) + 1;
    for (std::size_t state = 0; state < states; ++state) {
      laws.draft.push_back(drawn_row(3, 1 + i % 3 * 2, engine));
      laws.target.push_back(drawn_row(3, 1 + i % 5, engine));
      laws.next.emplace_back();
      for (int x = 0; x < 3; ++x) laws.next.back().push_back(static_cast<int>(engine() % states));
    }
    pairs.push_back(laws);
  }
  return pairs;
}

/// Pairs with rare events: a rare token that the draft overrates, and a rare token after which no
/// draft is accepted, or each one.
std::vector<Laws> rare_pairs() {
  std::vector<Laws> pairs;
  for (const int units : {1, 2, 5, 20}) {
    pairs.push_back({{{100'000 - 2 * units, 2 * units}}, {{100'000 - units, units}}, {{0, 0}}});
    const Laws::Row rare{50'000, 50'000 - units, units};
    pairs.push_back({{rare, {100'000, 0, 0}}, {rare, {0, 100'000, 0}}, {{0, 0, 1}, {1, 1, 1}}});
    pairs.push_back({{{100'000, 0, 0}, {0, 100'000, 0}},
                     {{0, 100'000 - units, units}, {0, 100'000, 0}},
                     {{0, 0, 1}, {1, 1, 1}}});
  }
  return pairs;
}

struct Counted {
  std::uint64_t seeds = 0;
  std::uint64_t missed = 0;
  std::uint64_t alarmed = 0;
  double width = 0;  ///< the largest, over 2 x 1.96 standard errors

  void add(const Estimate& found, double truth) {
    const double rounding = 1e-9 * std::max(1.0, truth);
    ++seeds;
    missed += truth < found.low - rounding || truth > found.high + rounding ? 1 : 0;
    alarmed += truth < found.least - rounding || truth > found.most + rounding ? 1 : 0;
    if (found.standard_error > 0) {
      width = std::max(width, (found.high - found.low) / (2 * 1.959964 * found.standard_error));
    }
  }
  [[nodiscard]] bool covers(double chance) const {
    return static_cast<double>(missed) <= chance * static_cast<double>(seeds) ||
           binomial_p_value(missed, seeds, chance) >= kLevel;
  }
};

/// Adds the intervals of so many seeds.
void run_seeds(const Laws& laws, int gamma, int horizon, std::uint64_t seeds, Counted& calls,
               Counted& rejections) {
  const Rows<double> rows(make_pair(laws.text()));
  const Expected expected(laws, gamma, horizon);
  SimulateRequest request{.lengths = {gamma, horizon, 0}, .trials = kTrials, .threads = 1};
  for (request.seed = 1; request.seed <= seeds; ++request.seed) {
    const Tally tally = run_trials(make_verifier("token"), rows, request).tally;
    const auto found = estimate_lossless(tally, rows, request).found;
    calls.add(found.at(QuantityId::target_calls), expected.calls);
    rejections.add(found.at(QuantityId::rejections), expected.rejections);
  }
}

TEST_CASE("intervals of decodes cover on 48 pairs and are at most 1.15 of what is needed") {
  Counted all_calls, all_rejections;
  int narrow = 0;
  for (const Laws& laws : common_pairs()) {
    CAPTURE(laws.text());
    Counted calls, rejections;
    run_seeds(laws, 8, 64, 25, calls, rejections);
    CHECK(calls.covers(0.06));
    CHECK(rejections.covers(0.06));
    all_calls.seeds += calls.seeds;
    all_calls.missed += calls.missed;
    all_calls.alarmed += calls.alarmed;
    all_rejections.missed += rejections.missed;
    all_rejections.seeds += rejections.seeds;
    if (laws.draft.size() == 1 && calls.width > 0) {
      CHECK(calls.width < 1.15);
      ++narrow;
    }
  }
  CHECK(narrow > 6);
  CAPTURE(all_calls.missed, all_rejections.missed);
  CHECK(all_calls.covers(0.05));
  CHECK(all_rejections.covers(0.05));
  CHECK(all_calls.alarmed <= 4);
  // Intervals that never miss are wider than they say.
  CHECK(all_calls.missed > 5);
}

TEST_CASE("the interval of a long decode is as narrow as that of a short one") {
  for (const Laws& laws : {common_pairs()[0], common_pairs()[1]}) {
    Counted calls, rejections;
    run_seeds(laws, 8, 4000, 3, calls, rejections);
    CHECK(calls.width < 1.15);
    CHECK(rejections.width < 1.15);
  }
}

TEST_CASE("intervals of decodes cover where few events are expected in a run") {
  for (const Laws& laws : rare_pairs()) {
    CAPTURE(laws.text());
    Counted calls, rejections;
    run_seeds(laws, 8, 64, 250, calls, rejections);
    CAPTURE(calls.missed, rejections.missed);
    CHECK(calls.covers(0.06));
    CHECK(rejections.covers(0.06));
    CHECK(calls.alarmed <= 2);
  }
}

TEST_CASE("two decodes meet as soon as the laws of their next states allow") {
  const auto meet = [](const char* pair, int horizon) {
    const Rows<double> rows(make_pair(pair));
    return tokens_to_meet(rows, horizon);
  };
  CHECK(meet("bernoulli(draft=2/3,target=1/3)", 50) == 0);
  // From the second token on they are in the state of the token before: half of the time in the
  // same one, D = 1/2.
  const char* halves =
      "automaton(draft=[[1,0],[1,0]],target=[[3/4,1/4],[1/4,3/4]],next=[[0,1],[0,1]])";
  CHECK(meet(halves, 1) == 1);
  CHECK(meet(halves, 3) == 1.5);
  CHECK(meet(halves, 60) == Approx(2));
  // Never.
  CHECK(meet("automaton(draft=[[1,0],[1,0]],target=[[1/2,1/2],[1,0]],next=[[0,1],[1,1]])", 20) ==
        Approx(2));
  CHECK(meet("automaton(draft=[[1,0],[1,0],[1,0]],target=[[1/2,1/2],[1,0],[1,0]],"
             "next=[[1,2],[1,1],[2,2]])",
             20) == 19);
  CHECK(meet("tree(vocabulary=4,depth=6,seed=1)", 20) == HUGE_VAL);
}

}  // namespace
}  // namespace speclab::decode_intervals_test
