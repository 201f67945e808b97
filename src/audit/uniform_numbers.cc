#include "audit/uniform_numbers.h"

#include <algorithm>

#include "audit/modes.h"

namespace speclab {
namespace {

/// The largest number that is sent: the largest below 1 with 24 bits.
constexpr double kLargest = 1 - 0x1p-24;
/// The value where no number is needed.
constexpr double kIdle = 0.5;
/// Numbers inside a range, kUniformMargin from its ends; empty where it is too narrow.
struct Inside {
  double low;
  double high;
};
std::optional<Inside> inside(const UniformRange& range) {
  const double low = range.least > 0 ? range.least + kUniformMargin : 0;
  const double high = range.below < 1 ? range.below - kUniformMargin : kLargest;
  if (low > high || high >= range.below) return std::nullopt;
  return Inside{low, high};
}

Numbers numbers_of(const std::vector<UniformRange>& ranges, const std::vector<double>& values) {
  Numbers numbers;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    auto& into = ranges[i].use == UniformRange::Use::coin ? numbers.coins : numbers.draws;
    into.push_back(values[i]);
  }
  return numbers;
}

/// @param least  numbers of either kind
void pad(std::vector<Numbers>& grid, std::size_t least) {
  std::size_t coins = least;
  std::size_t draws = least;
  for (const Numbers& numbers : grid) {
    coins = std::max(coins, numbers.coins.size());
    draws = std::max(draws, numbers.draws.size());
  }
  for (Numbers& numbers : grid) {
    numbers.coins.resize(coins, kIdle);
    numbers.draws.resize(draws, kIdle);
  }
}

}  // namespace

std::vector<Numbers> bracket(const DecisionPath& path) {
  std::vector<Inside> ends;
  for (const UniformRange& range : path.ranges) {
    const auto both = inside(range);
    if (!both) return {};
    ends.push_back(*both);
  }
  std::vector<Numbers> grid;
  const auto add = [&](const auto& value) {
    std::vector<double> values;
    for (std::size_t i = 0; i < ends.size(); ++i) values.push_back(value(i));
    grid.push_back(numbers_of(path.ranges, values));
  };
  const auto middle = [&ends](std::size_t i) { return (ends[i].low + ends[i].high) / 2; };
  add([&](std::size_t i) { return ends[i].low; });
  add([&](std::size_t i) { return ends[i].high; });
  for (std::size_t at = 0; at < ends.size(); ++at) {
    add([&](std::size_t i) { return i == at ? ends[i].low : middle(i); });
    add([&](std::size_t i) { return i == at ? ends[i].high : middle(i); });
  }
  return grid;
}

std::optional<AuditOutcome> decided(const std::vector<DecisionPath>& paths,
                                    const Numbers& numbers) {
  for (const DecisionPath& path : paths) {
    std::size_t coin = 0;
    std::size_t draw = 0;
    bool here = true;
    for (const UniformRange& range : path.ranges) {
      const bool is_coin = range.use == UniformRange::Use::coin;
      const auto& from = is_coin ? numbers.coins : numbers.draws;
      const std::size_t at = is_coin ? coin++ : draw++;
      here = here && at < from.size() && range.least <= from[at] && from[at] < range.below;
    }
    if (here) return path.outcome;
  }
  return std::nullopt;
}

std::vector<Numbers> bracket_all(const std::vector<DecisionPath>& paths, const AuditPlace& place) {
  std::vector<Numbers> grid;
  for (const DecisionPath& path : paths) {
    for (Numbers& numbers : bracket(path)) grid.push_back(std::move(numbers));
  }
  pad(grid, static_cast<std::size_t>(place.gamma) * place.chains.size() + 1);
  return grid;
}

}  // namespace speclab
