#include "claims/papers/yin2024/readings.h"

#include <cmath>
#include <random>
#include <vector>

namespace speclab {
namespace {

constexpr int kStates = 7;
constexpr int kRows = kFigureHorizon * kStates;

using Table = std::vector<std::array<double, kStates>>;  // [position * kStates + state]

/// The chains of a seed, draft and target.
std::array<Table, 2> draw_chains(std::uint32_t seed, Drawing order) {
  std::mt19937 engine(seed);
  const auto uniform = [&] {
    const double high = static_cast<double>(engine() >> 5);
    const double low = static_cast<double>(engine() >> 6);
    return (high * 0x1p26 + low) * 0x1p-53;
  };
  std::array<Table, 2> tables{Table(kRows), Table(kRows)};
  for (int i = 0; order == Drawing::after_prompt && i < kStates; ++i) uniform();
  const std::size_t first = order == Drawing::target_first ? 1 : 0;
  const int run = order == Drawing::by_row || order == Drawing::by_entry ? 1
                  : order == Drawing::by_position                        ? kStates
                                                                         : kRows;
  for (int begin = 0; begin < kRows; begin += run) {
    // The entries of `run` rows of one model, then of the other; by entry they take turns.
    for (int i = 0; i < 2 * run * kStates; ++i) {
      const int entry = order == Drawing::by_entry ? i / 2 : i % (run * kStates);
      const int other = order == Drawing::by_entry ? i % 2 : i / (run * kStates);
      const int row = begin + entry / kStates;
      tables[other == 0 ? first : 1 - first][static_cast<std::size_t>(row)]
            [static_cast<std::size_t>(entry % kStates)] = uniform();
    }
  }
  for (Table& table : tables) {
    for (auto& row : table) {
      double sum = 0;
      for (const double entry : row) sum += entry;
      for (double& entry : row) entry /= sum;
    }
  }
  return tables;
}

}  // namespace

double reading_rejections(std::uint32_t seed, Drawing order) {
  const auto [draft, target] = draw_chains(seed, order);
  std::array<double, kStates> after{};
  for (int n = kFigureHorizon; n-- > 0;) {
    std::array<double, kStates> now{};
    for (std::size_t s = 0; s < kStates; ++s) {
      const std::size_t at = static_cast<std::size_t>(n) * kStates + s;
      for (std::size_t x = 0; x < kStates; ++x) {
        now[s] += std::abs(target[at][x] - draft[at][x]) / 2 + target[at][x] * after[x];
      }
    }
    after = now;
  }
  double sum = 0;
  for (const double value : after) sum += value / kStates;
  return sum;
}

SeedSpread reading_spread(std::uint32_t seeds) {
  double sum = 0, squares = 0;
  std::vector<double> values;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    values.push_back(reading_rejections(seed, Drawing::draft_first));
    sum += values.back();
  }
  const double mean = sum / seeds;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (seeds - 1))};
}

}  // namespace speclab
