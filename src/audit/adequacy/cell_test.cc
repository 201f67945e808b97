#include "audit/adequacy/cell_test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "audit/binomial.h"
#include "audit/multinomial.h"
#include "base/random.h"
#include "base/special.h"
#include "system/interrupt.h"

namespace speclab {
namespace {

/// The largest sample of which every count of one cell is looked at.
constexpr std::uint64_t kMostScanned = 2'000'000;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// sum of p log(p n / k).
double divergence(std::span<const double> law, std::span<const std::uint64_t> counts, double n) {
  double sum = 0;
  for (std::size_t c = 0; c < law.size(); ++c) {
    if (!(law[c] > 0)) continue;
    if (counts[c] == 0) return kInfinite;
    sum += law[c] * std::log(law[c] * n / static_cast<double>(counts[c]));
  }
  return sum;
}

/// Cells of outcomes begin with the accepted length.
std::size_t length_of(const CountedCell& cell) { return static_cast<std::size_t>(cell.front()); }

/// The 95% interval of a share (Clopper and Pearson).
TestPower share_of(std::uint64_t rejected, std::uint64_t all) {
  const auto k = static_cast<double>(rejected);
  const auto n = static_cast<double>(all);
  constexpr double kTail = 0.025;
  return {k / n, rejected == 0 ? 0 : beta_limit(k, n - k + 1, 1 - kTail),
          rejected == all ? 1 : beta_limit(k + 1, n - k, kTail), false};
}

}  // namespace

CellLaw counted_law(const AuditLaw& law, const CountedPart& part) {
  CellLaw cells;
  for (const auto& [outcome, probability] : law) {
    if (!(probability > 0)) continue;
    const auto& tokens = outcome.tokens;
    const auto position = static_cast<std::size_t>(part.position);
    switch (part.kind) {
      case CountedPart::Kind::position:
        if (tokens.size() >= position) cells[{tokens[position - 1]}] += probability;
        break;
      case CountedPart::Kind::last:
        if (!tokens.empty()) cells[{tokens.back()}] += probability;
        break;
      case CountedPart::Kind::accepted:
        cells[{outcome.accepted}] += probability;
        break;
      case CountedPart::Kind::tokens:
        cells[whole_outcome(outcome.accepted, tokens)] += probability;
        break;
    }
  }
  return cells;
}

/// The cells that are possible under the rule or another law, side by side.
struct CellTest::Cells {
  std::vector<CountedCell> keys;
  std::vector<double> rule;   ///< joint with being counted
  std::vector<double> given;  ///< the rule's, given that a sample is counted
  std::vector<double> law;    ///< joint, of the implementation
  double level = 0;           ///< of one binomial test
  std::vector<CountBand> bands;
  std::vector<CountBand> lengths;  ///< by accepted length, of binomial tests of outcomes
};

CellTest::CellTest(CellLaw rule, HistogramTest test, std::uint64_t samples)
    : rule_(std::move(rule)), test_(std::move(test)), samples_(samples) {}

CellTest::Cells CellTest::cells_of(const CellLaw& law) const {
  Cells cells;
  CellLaw all = rule_;
  for (const auto& [key, probability] : law) all.try_emplace(key, 0.0);
  double counted = 0;
  for (const auto& [key, probability] : all) {
    cells.keys.push_back(key);
    cells.rule.push_back(std::min(1.0, probability));
    cells.law.push_back(probability_of(law, key));
    counted += probability;
  }
  for (const double probability : cells.rule) cells.given.push_back(probability / counted);
  if (test_.kind != HistogramTest::Kind::binomial) return cells;
  std::map<std::size_t, double> lengths;
  bool by_length = false;
  for (std::size_t c = 0; c < cells.keys.size(); ++c) {
    lengths[length_of(cells.keys[c])] += cells.rule[c];
    by_length = by_length || cells.keys[c].size() > 1;
  }
  // What the rule never has takes no share of the level: the test does not know of it beforehand.
  const auto possible =
      std::ranges::count_if(lengths, [](const auto& each) { return each.second > 0; });
  const auto tests =
      static_cast<double>(rule_.size() + (by_length ? static_cast<std::size_t>(possible) : 0));
  cells.level = test_.level.value_or(0) / tests;
  for (const double p : cells.rule) cells.bands.push_back(binomial_band(samples_, p, cells.level));
  if (!by_length) return cells;
  cells.lengths.assign(lengths.rbegin()->first + 1, {0, samples_});
  for (const auto& [length, p] : lengths) {
    cells.lengths[length] = binomial_band(samples_, std::min(1.0, p), cells.level);
  }
  return cells;
}

/// The statistic less its bound. Cells are merged and left out as least_expected says.
double CellTest::chi_square_excess(const Cells& cells,
                                   std::span<const std::uint64_t> counts) const {
  const auto n =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  double sum = 0, few_expected = 0, few_seen = 0;
  int used = 0;
  const auto add = [&](double seen, double expected) {
    sum += (seen - expected) * (seen - expected) / expected;
    ++used;
  };
  for (std::size_t c = 0; c < cells.given.size(); ++c) {
    const double expected = cells.given[c] * n;
    const auto seen = static_cast<double>(counts[c]);
    if (expected >= test_.least_expected && expected > 0) {
      add(seen, expected);
    } else {
      few_expected += expected;
      few_seen += seen;
    }
  }
  if (few_expected >= test_.least_expected && few_expected > 0) add(few_seen, few_expected);
  const double df = used - 1;
  if (df < 1) return -1;
  if (test_.level) return *test_.level - chi_squared_above(sum, df);
  return sum - (test_.sigmas ? df + *test_.sigmas * std::sqrt(2 * df) : test_.threshold.value());
}

bool CellTest::rejects(const Cells& cells, std::span<const std::uint64_t> counts,
                       std::span<const std::uint64_t> others) const {
  using Kind = HistogramTest::Kind;
  const auto n =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  if (test_.kind == Kind::binomial) {
    std::vector<std::uint64_t> lengths(cells.lengths.size(), 0);
    const auto outside = [](std::uint64_t count, const CountBand& band) {
      return count < band.least || count > band.most;
    };
    for (std::size_t c = 0; c < counts.size(); ++c) {
      if (outside(counts[c], cells.bands[c])) return true;
      if (!lengths.empty()) lengths[length_of(cells.keys[c])] += counts[c];
    }
    for (std::size_t length = 0; length < lengths.size(); ++length) {
      if (outside(lengths[length], cells.lengths[length])) return true;
    }
    return false;
  }
  if (n == 0) return false;
  if (test_.kind == Kind::chi_square) return chi_square_excess(cells, counts) > 0;
  if (test_.kind == Kind::kl) return divergence(cells.given, counts, n) > test_.threshold.value();
  if (test_.kind == Kind::kl_difference) {
    const double difference =
        std::abs(divergence(cells.given, counts, n) -
                 divergence(cells.given, others, static_cast<double>(samples_)));
    return !(difference <= test_.threshold.value());  // of two infinite ones it is no number
  }
  if (test_.kind == Kind::order) {
    const auto count_of = [&](int token) -> std::uint64_t {
      const auto at = std::find(cells.keys.begin(), cells.keys.end(), CountedCell{token});
      return at == cells.keys.end() ? 0 : counts[static_cast<std::size_t>(at - cells.keys.begin())];
    };
    return std::any_of(test_.order.begin(), test_.order.end(), [&](const auto& pair) {
      return count_of(pair.first) <= count_of(pair.second);
    });
  }
  double sum = 0, most = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const double p = cells.given[c];
    const double off = std::abs(static_cast<double>(counts[c]) / n - p);
    sum += off;
    const double scale = test_.sigmas ? std::sqrt(p * (1 - p) / n) : 1;
    most = std::max(most, scale > 0 ? off / scale : (off > 0 ? kInfinite : 0));
  }
  if (test_.kind == Kind::tv) return sum / 2 > test_.threshold.value();
  return most > (test_.sigmas ? *test_.sigmas : test_.threshold.value());
}

/// Of two cells: the sum over all counts of the first that are rejected.
TestPower CellTest::exact_power(const Cells& cells) const {
  const auto n = static_cast<double>(samples_);
  const auto below = [&](std::uint64_t k) {  // P(count < k)
    return k == 0 ? 0 : binomial_at_most(static_cast<double>(k) - 1, n, cells.law[0]);
  };
  double power = 0;
  std::uint64_t from = 0;
  bool before = false;
  for (std::uint64_t k = 0; k <= samples_ + 1; ++k) {
    const std::uint64_t counts[] = {k, samples_ - std::min(k, samples_)};
    const bool now = k <= samples_ && rejects(cells, counts, counts);
    if (now && !before) from = k;
    if (!now && before) power += (k > samples_ ? 1 : below(k)) - below(from);
    before = now;
  }
  power = std::clamp(power, 0.0, 1.0);
  return {power, power, power, true};
}

/// The exact power of the best binomial test of one cell: all of them together find no less.
double CellTest::best_cell_power(const Cells& cells) const {
  double best = 0;
  if (test_.kind != HistogramTest::Kind::binomial) return best;
  for (std::size_t c = 0; c < cells.keys.size(); ++c) {
    if (cells.rule[c] == cells.law[c]) continue;
    best = std::max(best, binomial_power(samples_, cells.rule[c], cells.law[c], cells.level));
  }
  return best;
}

TestPower CellTest::power(const CellLaw& law, std::uint64_t seed) const {
  const Cells cells = cells_of(law);
  const double counted = std::accumulate(cells.law.begin(), cells.law.end(), 0.0);
  const bool two = cells.keys.size() == 2 && counted > 1 - 1e-12;
  if (two && samples_ <= kMostScanned && test_.kind != HistogramTest::Kind::kl_difference) {
    return exact_power(cells);
  }
  std::vector<std::uint64_t> counts(cells.keys.size()), others(cells.keys.size());
  std::uint64_t rejected = 0;
  for (int i = 0; i < kReplicates; ++i) {
    check_interrupted();
    Stream stream(stream_key(seed, task_hash("adequacy")), static_cast<std::uint64_t>(i), 0,
                  Purpose::draft);
    draw_counts(stream, samples_, cells.law, counts);
    if (test_.kind == HistogramTest::Kind::kl_difference) {
      draw_counts(stream, samples_, cells.given, others);
    }
    if (rejects(cells, counts, others)) ++rejected;
  }
  TestPower found = share_of(rejected, kReplicates);
  found.low = std::max(found.low, best_cell_power(cells));
  found.value = std::max(found.value, found.low);
  found.high = std::max(found.high, found.value);
  return found;
}

}  // namespace speclab
