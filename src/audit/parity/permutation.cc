#include "audit/parity/permutation.h"

#include <algorithm>
#include <cmath>

#include "system/interrupt.h"
#include "system/openmp.h"
#include "system/parallel.h"

namespace speclab {
namespace {

constexpr double kFarFromLevel = 20;
constexpr double kUnremarkable = 0.02;
constexpr std::uint64_t kMostPermutations = 100'000;

/// Sums in another order differ by rounding: values that are equal but for it are.
constexpr double kEqualStatistics = 1e-9;

PermutationTest permuted(const OutputStatistics& statistics, std::uint64_t count, std::uint64_t key,
                         int threads) {
  PermutationTest test;
  const std::size_t size = statistics.names().size();
  test.observed.resize(size);
  statistics.evaluate(statistics.first(), statistics.second(), test.observed);
  auto rows = draw_rows(count, size, key, threads, [&](Stream& stream, std::span<double> row) {
    std::vector<double> first, second;
    statistics.permute(stream, first, second);
    statistics.evaluate(first, second, row);
  });
  rows.push_back(test.observed);
  const NullTable table(std::move(rows));
  for (std::size_t s = 0; s < size; ++s) {
    test.p_values.push_back(table.p_value(s, test.observed[s]));
    if (test.p_values[s] < test.p_values[test.strongest]) test.strongest = s;
  }
  test.adjusted = table.adjusted(test.p_values[test.strongest]);
  test.permutations = count;
  return test;
}

}  // namespace

NullTable::NullTable(std::vector<std::vector<double>> rows) {
  const std::size_t size = rows.empty() ? 0 : rows.front().size();
  sorted_.resize(size);
  for (std::size_t s = 0; s < size; ++s) {
    for (const auto& row : rows) sorted_[s].push_back(row[s]);
    std::sort(sorted_[s].begin(), sorted_[s].end());
  }
  for (const auto& row : rows) {
    double least = 1;
    for (std::size_t s = 0; s < size; ++s) least = std::min(least, p_value(s, row[s]));
    least_.push_back(least);
  }
  std::sort(least_.begin(), least_.end());
}

double NullTable::p_value(std::size_t statistic, double value) const {
  const auto& all = sorted_[statistic];
  const double scale = std::max(std::abs(all.front()), std::abs(all.back()));
  const auto from = std::lower_bound(all.begin(), all.end(), value - kEqualStatistics * scale);
  const auto above = static_cast<double>(all.end() - from);
  return std::max(above, 1.0) / static_cast<double>(all.size());
}

double NullTable::adjusted(double least) const {
  const auto to = std::upper_bound(least_.begin(), least_.end(), least);
  const auto below = static_cast<double>(to - least_.begin());
  return std::max(below, 1.0) / static_cast<double>(least_.size());
}

double NullTable::adjusted(std::span<const double> row) const {
  double least = 1;
  for (std::size_t s = 0; s < row.size(); ++s) least = std::min(least, p_value(s, row[s]));
  return adjusted(least);
}

std::vector<std::vector<double>> draw_rows(
    std::uint64_t count, std::size_t statistics, std::uint64_t key, int threads,
    const std::function<void(Stream& stream, std::span<double> row)>& draw) {
  std::vector<std::vector<double>> rows(count, std::vector<double>(statistics));
  const int most = thread_count(threads);
  parallel_for(static_cast<std::int64_t>(count), most, [&](std::int64_t i) {
    check_interrupted();
    Stream stream(key, static_cast<std::uint64_t>(i), 0, Purpose::draft);
    draw(stream, rows[static_cast<std::size_t>(i)]);
  });
  return rows;
}

PermutationTest test_outputs(const OutputStatistics& statistics, double level, std::uint64_t seed,
                             int threads) {
  const std::uint64_t key = stream_key(seed, task_hash("parity"));
  PermutationTest test = permuted(statistics, kFirstPermutations, key, threads);
  if (test.adjusted > std::max(kUnremarkable, kFarFromLevel * level)) return test;
  const auto wanted = static_cast<std::uint64_t>(
      std::min(static_cast<double>(kMostPermutations), std::ceil(10 / level)));
  if (wanted <= kFirstPermutations) return test;
  return permuted(statistics, wanted, key, threads);
}

}  // namespace speclab
