#include "audit/dependence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answer/law_test.h"
#include "audit/asking.h"
#include "audit/binomial.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// Decisions of a sequence that are kept; further ones are counted by the tests of laws alone.
constexpr std::size_t kKeptDecisions = std::size_t{1} << 22;
/// Where the pairs of a lag begin, in lags: each pair is of one of them, also where the law is
/// unknown and every second stretch serves for comparison.
constexpr std::size_t kShifts = 4;
constexpr std::size_t kShortLags = 64;
/// Beyond them powers of two, up to the next request's decision of the same place.
constexpr std::size_t kLongestLag = kDecisionsOfARequest;

std::vector<std::size_t> tested_lags() {
  std::vector<std::size_t> lags;
  for (std::size_t lag = 1; lag <= kShortLags; ++lag) lags.push_back(lag);
  for (std::size_t lag = 2 * kShortLags; lag <= kLongestLag; lag *= 2) lags.push_back(lag);
  return lags;
}

/// Pairs of decisions, those that agree, and how many do where decisions are independent.
struct Agreement {
  double compared = 0;
  double pairs = 0;  ///< of which the binomial law is: those compared, or those that agree
  double agreeing = 0;
  double least = 0;  ///< by the smaller of law and frequencies
  double most = 0;   ///< by the larger one

  Agreement& operator+=(const Agreement& other) {
    compared += other.compared;
    pairs += other.pairs;
    agreeing += other.agreeing;
    least += other.least;
    most += other.most;
    return *this;
  }
  [[nodiscard]] double expected() const { return agreeing > least ? most : least; }
  [[nodiscard]] double p_value() const {
    if (!(pairs > 0) || (agreeing >= least && agreeing <= most)) return 1;
    return binomial_p_value(static_cast<std::uint64_t>(agreeing), static_cast<std::uint64_t>(pairs),
                            std::clamp(expected() / pairs, 0.0, 1.0));
  }
};

/// The observed share of agreeing pairs among all pairs of a sequence.
double agreeing_share(const DecisionOrder::Sequence& sequence) {
  const auto n = static_cast<double>(sequence.outcomes.size());
  double pairs = 0;
  for (const std::uint64_t count : sequence.counts) {
    pairs += static_cast<double>(count) * (static_cast<double>(count) - 1);
  }
  return n > 1 ? pairs / (n * (n - 1)) : 1;
}

/// @param chance  that two independent decisions agree
Agreement against_law(const DecisionOrder::Sequence& sequence, std::size_t lag, std::size_t begin,
                      double chance) {
  const auto& all = sequence.outcomes;
  std::size_t pairs = 0, agreeing = 0;
  for (std::size_t block = begin; block + lag < all.size(); block += 2 * lag) {
    const std::size_t count = std::min(lag, all.size() - lag - block);
    for (std::size_t i = block; i < block + count; ++i) agreeing += all[i] == all[i + lag] ? 1 : 0;
    pairs += count;
  }
  const double seen = agreeing_share(sequence);
  const auto each = static_cast<double>(pairs);
  return {each, each, static_cast<double>(agreeing), each * std::min(chance, seen),
          each * std::max(chance, seen)};
}

/// Every second stretch of 2 lag decisions is pairs of the lag; each of the others is paired with
/// one half the sequence away.
Agreement against_others(const DecisionOrder::Sequence& sequence, std::size_t lag,
                         std::size_t begin) {
  const auto& all = sequence.outcomes;
  if (all.size() < begin) return {};
  const std::size_t width = 2 * lag;
  const std::size_t quarter = (all.size() - begin) / width / 4;
  std::size_t agreeing = 0, others = 0;
  for (std::size_t i = 0; i < 2 * quarter; ++i) {
    const std::size_t pairs = begin + 2 * i * width;
    for (std::size_t j = pairs; j < pairs + lag; ++j) agreeing += all[j] == all[j + lag] ? 1 : 0;
    if (i >= quarter) continue;
    for (std::size_t j = pairs + width; j < pairs + 2 * width; ++j) {
      others += all[j] == all[j + 2 * quarter * width] ? 1 : 0;
    }
  }
  const auto sum = static_cast<double>(agreeing + others);
  return {static_cast<double>(2 * quarter * lag), sum, static_cast<double>(agreeing), sum / 2,
          sum / 2};
}

struct LagTest {
  std::size_t lag = 0;
  Agreement all{};
  std::size_t clearest = 0;  ///< the case in which the pairs deviate most
};

LagTest lag_test(const AuditPlan& plan, const DecisionOrder& order, std::size_t lag,
                 std::size_t begin) {
  LagTest test{lag};
  std::map<std::size_t, Agreement> by_case;
  for (const auto& [key, sequence] : order.sequences()) {
    const auto& chance = plan.cases[sequence.at_case].agreement;
    by_case[sequence.at_case] +=
        chance ? against_law(sequence, lag, begin, *chance) : against_others(sequence, lag, begin);
  }
  double worst = -1;
  for (const auto& [at, agreement] : by_case) {
    test.all += agreement;
    const double away = std::abs(agreement.agreeing - agreement.expected()) /
                        std::sqrt(std::max(1.0, agreement.expected()));
    if (away > worst) test.clearest = at;
    worst = std::max(worst, away);
  }
  return test;
}

std::vector<LagTest> lag_tests(const AuditPlan& plan, const DecisionOrder& order) {
  std::vector<LagTest> tests;
  for (const std::size_t lag : tested_lags()) {
    check_interrupted();
    for (std::size_t shift = 0; shift < kShifts; ++shift) {
      tests.push_back(lag_test(plan, order, lag, shift * lag));
    }
  }
  return tests;
}

/// The logarithm of repeat_bound.
double log_bound(const DecisionOrder::Sequence& sequence, std::size_t length) {
  const auto n = static_cast<double>(sequence.outcomes.size());
  const auto rest = n - 2 * static_cast<double>(length);
  if (rest < 2) return 0;
  const double c = agreeing_share(sequence) * n * (n - 1) / (rest * (rest - 1));
  return std::log((rest + 1) * (rest + 2) / 2) + static_cast<double>(length) * std::log(c);
}

/// The least length of which a repetition is a finding; 0 where none is.
std::size_t shortest_run(const DecisionOrder::Sequence& sequence, double level) {
  const std::size_t most = sequence.outcomes.size() / 2;
  for (std::size_t length = 1; length <= most; length += 1 + length / 64) {
    if (log_bound(sequence, length) <= std::log(level)) return length;
  }
  return 0;
}

AuditFinding lag_finding(const AuditPlan& plan, const LagTest& test, std::size_t lags,
                         double tests) {
  const Agreement& all = test.all;
  AuditFinding found;
  found.case_name = plan.cases[test.clearest].shape.name;
  found.decision = fmt::format("dependence of decisions {} apart", test.lag);
  found.detail = fmt::format(
      "of {:.0f} pairs of decisions {} apart, over all cases, {:.0f} agree; of independent ones "
      "{:.0f} would{}",
      all.compared, test.lag, all.agreeing, all.expected(),
      lags > 1 ? fmt::format("; {} distances deviate", lags) : "");
  found.tv = std::abs(all.agreeing - all.expected()) / all.compared;
  found.p_value = std::min(1.0, all.p_value() * tests);
  found.kind = DecisionKind::dependence;
  return found;
}

AuditFinding run_finding(const CasePlan& of, const DecisionOrder::Sequence& sequence,
                         const RepeatedRun& run, double p_value) {
  AuditFinding found;
  found.case_name = of.shape.name;
  found.decision = "random numbers of a request";
  found.detail = fmt::format(
      "decisions {} to {} of the case came again, the same in the same order, from decision {} "
      "on; draw from the request's seed with a generator of a long period, or continue one",
      run.first, run.first + run.length - 1, run.again);
  found.tv = static_cast<double>(run.length) / static_cast<double>(sequence.outcomes.size());
  found.p_value = p_value;
  found.kind = DecisionKind::dependence;
  return found;
}

}  // namespace

void DecisionOrder::add(std::size_t at_case, const OutcomeKey& key, const OutcomeKey& outcome) {
  Sequence& sequence = sequences_[{at_case, key}];
  sequence.at_case = at_case;
  if (sequence.outcomes.size() >= kKeptDecisions) return;
  const auto [place, fresh] =
      sequence.numbers.try_emplace(outcome, static_cast<std::uint32_t>(sequence.numbers.size()));
  if (fresh) sequence.counts.push_back(0);
  sequence.outcomes.push_back(place->second);
  ++sequence.counts[place->second];
}

RepeatedRun longest_repeat(const std::vector<std::uint32_t>& outcomes, std::size_t least) {
  // Places sorted by a hash of the next `length` outcomes; equal ones are compared in full.
  const auto repeat_of = [&](std::size_t length) -> RepeatedRun {
    if (2 * length > outcomes.size()) return {};
    constexpr std::uint64_t kBase = 0x9E3779B97F4A7C15;
    std::uint64_t hash = 0, leading = 1;
    for (std::size_t i = 0; i < length; ++i) hash = hash * kBase + outcomes[i] + 1;
    for (std::size_t i = 1; i < length; ++i) leading *= kBase;
    std::vector<std::pair<std::uint64_t, std::size_t>> places;
    for (std::size_t at = 0;; ++at) {
      places.emplace_back(hash, at);
      if (at + length >= outcomes.size()) break;
      hash = (hash - (outcomes[at] + 1) * leading) * kBase + outcomes[at + length] + 1;
    }
    std::sort(places.begin(), places.end());
    std::size_t head = 0;  // the first place of this hash
    for (std::size_t i = 1; i < places.size(); ++i) {
      if (places[i].first != places[head].first) head = i;
      const auto first = places[head].second, again = places[i].second;
      if (first + length > again) continue;
      const auto begin = outcomes.begin() + static_cast<std::ptrdiff_t>(first);
      if (std::equal(begin, begin + static_cast<std::ptrdiff_t>(length),
                     outcomes.begin() + static_cast<std::ptrdiff_t>(again))) {
        return {length, first, again};
      }
    }
    return {};
  };
  RepeatedRun found = repeat_of(least);
  if (found.length == 0) return found;
  std::size_t beyond = outcomes.size() / 2 + 1;  // no run of so many comes twice
  while (beyond - found.length > 1) {
    const std::size_t middle = found.length + (beyond - found.length) / 2;
    const RepeatedRun longer = repeat_of(middle);
    if (longer.length > 0) {
      found = longer;
    } else {
      beyond = middle;
    }
  }
  return found;
}

double repeat_bound(const DecisionOrder::Sequence& sequence, std::size_t length) {
  return std::min(1.0, std::exp(log_bound(sequence, length)));
}

std::size_t dependence_tests(std::size_t cases) { return cases + kShifts * tested_lags().size(); }

std::vector<AuditFinding> dependence_findings(const AuditPlan& plan, const DecisionOrder& order) {
  const auto tests = static_cast<double>(plan.tests);
  std::vector<AuditFinding> findings;
  std::optional<LagTest> worst;
  std::size_t lags = 0;
  for (const LagTest& test : lag_tests(plan, order)) {
    if (!(test.all.p_value() <= plan.level)) continue;
    ++lags;
    if (!worst || test.all.p_value() < worst->all.p_value()) worst = test;
  }
  if (worst) findings.push_back(lag_finding(plan, *worst, lags, tests));
  std::map<std::size_t, double> sequences;  // of each case
  for (const auto& [key, sequence] : order.sequences()) ++sequences[sequence.at_case];
  std::map<std::size_t, AuditFinding> of_case;  // its worst run
  for (const auto& [key, sequence] : order.sequences()) {
    check_interrupted();
    const double shares = sequences[sequence.at_case];
    const std::size_t least = shortest_run(sequence, plan.level / shares);
    if (least == 0) continue;
    const RepeatedRun run = longest_repeat(sequence.outcomes, least);
    if (run.length == 0) continue;
    const double p_value = std::min(1.0, repeat_bound(sequence, run.length) * shares * tests);
    const AuditFinding found = run_finding(plan.cases[sequence.at_case], sequence, run, p_value);
    const auto [place, fresh] = of_case.try_emplace(sequence.at_case, found);
    if (!fresh && found.p_value < place->second.p_value) place->second = found;
  }
  for (auto& [at, found] : of_case) findings.push_back(std::move(found));
  return findings;
}

std::optional<double> smallest_dependence(const AuditPlan& plan, const DecisionOrder& order,
                                          double power) {
  double largest = 0;
  for (const LagTest& test : lag_tests(plan, order)) {
    if (test.lag > kShortLags) continue;
    const Agreement& all = test.all;
    if (!(all.pairs > 0)) return std::nullopt;
    const double share = std::min(1.0, all.most / all.pairs);
    const double more =
        deviation_seen(static_cast<std::uint64_t>(all.pairs), share, plan.level, power).more;
    if (!(more < 1 - share)) return std::nullopt;
    // Of a sum of two equal shares a the larger is 1/2 + more where it is a + 4 a more / (1 - 2
    // more).
    const bool halves = all.pairs < all.compared;
    largest =
        std::max(largest, halves ? 4 * (all.most / all.compared) * more / (1 - 2 * more) : more);
  }
  return largest;
}

}  // namespace speclab
