#include "claims/papers/yin2024/readings.h"

#include <cmath>
#include <random>
#include <vector>

namespace speclab {
namespace {

constexpr int kStates = 7;
constexpr int kHorizon = kFigureHorizon;

using Table = std::vector<std::array<double, kStates>>;  // [position * kStates + state]

class Drawn {
 public:
  explicit Drawn(std::uint32_t seed) : engine_(seed) {}

  double uniform() {
    const double high = static_cast<double>(engine_() >> 5);
    const double low = static_cast<double>(engine_() >> 6);
    return (high * 0x1p26 + low) * 0x1p-53;
  }
  void rows(Table& table, int count) {
    for (int i = 0; i < count; ++i) {
      std::array<double, kStates> row{};
      for (double& entry : row) entry = uniform();
      table.push_back(row);
    }
  }

 private:
  std::mt19937 engine_;
};

void normalise_rows(Table& table) {
  for (auto& row : table) {
    double sum = 0;
    for (const double entry : row) sum += entry;
    for (double& entry : row) entry /= sum;
  }
}

/// The chains of a seed, draft and target.
std::array<Table, 2> draw_chains(std::uint32_t seed, Drawing order) {
  Drawn drawn(seed);
  std::array<Table, 2> tables;
  constexpr int kRows = kHorizon * kStates;
  if (order == Drawing::after_prompt) {
    for (int i = 0; i < kStates; ++i) drawn.uniform();
  }
  if (order == Drawing::by_entry) {
    for (int i = 0; i < kRows; ++i) {
      for (Table& table : tables) table.emplace_back();
      for (std::size_t x = 0; x < kStates; ++x) {
        for (Table& table : tables) table.back()[x] = drawn.uniform();
      }
    }
  } else {
    const int run = order == Drawing::by_row ? 1 : order == Drawing::by_position ? kStates : kRows;
    const std::size_t first = order == Drawing::target_first ? 1 : 0;
    for (int i = 0; i < kRows; i += run) {
      drawn.rows(tables[first], run);
      drawn.rows(tables[1 - first], run);
    }
  }
  for (Table& table : tables) normalise_rows(table);
  return tables;
}

/// E[N_rej] from a uniform prompt, backwards from the horizon.
double rejections_backwards(const std::array<Table, 2>& tables) {
  std::array<double, kStates> after{};
  for (int n = kHorizon; n-- > 0;) {
    std::array<double, kStates> now{};
    for (int s = 0; s < kStates; ++s) {
      const auto at = static_cast<std::size_t>(n * kStates + s);
      double value = 0;
      for (std::size_t x = 0; x < kStates; ++x) {
        const double target = tables[1][at][x];
        value += std::abs(target - tables[0][at][x]) / 2 + target * after[x];
      }
      now[static_cast<std::size_t>(s)] = value;
    }
    after = now;
  }
  double sum = 0;
  for (const double value : after) sum += value / kStates;
  return sum;
}

}  // namespace

double reading_rejections(std::uint32_t seed, Drawing order) {
  return rejections_backwards(draw_chains(seed, order));
}

SeedSpread reading_spread(std::uint32_t seeds) {
  double sum = 0;
  std::vector<double> values;
  for (std::uint32_t seed = 1; seed <= seeds; ++seed) {
    values.push_back(reading_rejections(seed, Drawing::draft_first));
    sum += values.back();
  }
  const double mean = sum / seeds;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (seeds - 1))};
}

}  // namespace speclab
