#include "simulate/step_lanes.h"

#include <algorithm>

#include "simulate/philox.h"

namespace speclab {
namespace {

/// The rows that the batch's trials start from; as choose_start, for many trials in one go.
void choose_starts(const TrialPlan& plan, StepBatch& batch) {
  const StepTable& table = *plan.steps;
  if (plan.starts.size() == 1) {
    std::fill_n(batch.at.begin(), batch.count, std::uint64_t{table.row(plan.starts[0])});
    return;
  }
  PhiloxCounters counters{};
  PhiloxWords words;
  for (std::size_t from = 0; from < batch.count; from += kPhiloxBlocks) {
    const std::size_t blocks = std::min(kPhiloxBlocks, batch.count - from);
    for (std::size_t l = 0; l < blocks; ++l) {
      const auto counter =
          Stream::first_counter(batch.first_trial + from + l, kOnlyRun, Purpose::prompt);
      for (std::size_t j = 0; j < counter.size(); ++j) counters[j][l] = counter[j];
    }
    philox_fill(plan.key, counters, blocks / kPhiloxLanes, words);
    for (std::size_t l = 0; l < blocks; ++l) {
      const std::size_t start = start_at(plan, Stream::to_uniform(words[0][l]));
      batch.at[from + l] = table.row(plan.starts[start]);
    }
  }
}

}  // namespace

std::shared_ptr<StepLanes> StepLanes::make(const TrialPlan& plan) {
  const bool served =
      draws_side_by_side(plan) && plan.steps && *plan.lengths.horizon <= StepBatch::kMostHorizon;
  if (!served) return nullptr;
  return std::make_shared<StepLanes>(plan, fastest_of(step_kernels()));
}

StepLanes::StepLanes(const TrialPlan& plan, const StepKernel& kernel)
    : plan_(plan), kernel_(kernel) {
  const int horizon = *plan.lengths.horizon;
  batch_.key = plan.key;
  batch_.horizon = static_cast<std::uint32_t>(horizon);
  batch_.gamma = static_cast<std::uint32_t>(std::min(plan.lengths.gamma, horizon));
  if (tallies_positions(plan.lengths)) {
    batch_.counter_bits = horizon < 256 ? 8 : 16;
    batch_.counter_words = (batch_.gamma * batch_.counter_bits + 63) / 64;
  }
  // One word at least, as the kernels point into it where nothing is counted too.
  batch_.reached.resize(std::max<std::size_t>(batch_.counter_words, 1) * StepBatch::kTrials);
  batch_.first.resize(batch_.horizon + 1);
}

void StepLanes::run(std::uint64_t first, std::uint64_t last, Tally& tally) {
  if (tally.accepted.size() <= batch_.horizon) tally.accepted.resize(batch_.horizon + 1);
  std::fill(batch_.first.begin(), batch_.first.end(), 0);
  for (; first < last; first += batch_.count) {
    decode(first, std::min<std::uint64_t>(StepBatch::kTrials, last - first), tally);
  }
  for (std::size_t i = 0; i < batch_.first.size(); ++i) tally.accepted[i] += batch_.first[i];
  while (!tally.accepted.empty() && tally.accepted.back() == 0) tally.accepted.pop_back();
}

void StepLanes::decode(std::uint64_t first, std::size_t count, Tally& tally) {
  batch_.first_trial = first;
  batch_.count = count;
  choose_starts(plan_, batch_);
  std::fill(batch_.spent.begin(), batch_.spent.end(), 1 + (std::uint64_t{batch_.gamma} << 32));
  std::fill(batch_.reached.begin(), batch_.reached.end(), 0);
  kernel_.run(*plan_.steps, batch_);
  for (std::size_t i = 0; i < count; ++i) {
    if (batch_.at[i] >> 32 == batch_.horizon) ++batch_.first[batch_.horizon];
    const std::uint64_t spent = batch_.spent[i];
    const std::uint64_t iterations = spent & 0xffff;
    tally.add_decode(batch_.horizon, iterations, iterations, spent >> 16 & 0xffff, spent >> 32);
  }
  tally.trials += count;
  if (batch_.counter_bits > 0) add_positions(tally);
}

void StepLanes::add_positions(Tally& tally) {
  if (tally.positions.size() < batch_.gamma) {
    tally.positions.resize(batch_.gamma);
    tally.positions_times_iterations.resize(batch_.gamma);
  }
  const std::uint64_t mask = (std::uint64_t{1} << batch_.counter_bits) - 1;
  for (std::size_t j = 0; j < batch_.gamma; ++j) {
    const std::size_t bit = j * batch_.counter_bits;
    const std::uint64_t* words = &batch_.reached[bit / 64 * StepBatch::kTrials];
    std::uint64_t sum = 0;
    std::uint64_t squares = 0;
    std::uint64_t products = 0;
    for (std::size_t i = 0; i < batch_.count; ++i) {
      // Products of 32 bits, of which vectors have several at a time.
      const auto counted = static_cast<std::uint32_t>(words[i] >> bit % 64 & mask);
      const auto iterations = static_cast<std::uint32_t>(batch_.spent[i] & 0xffff);
      sum += counted;
      squares += std::uint64_t{counted} * counted;
      products += std::uint64_t{counted} * iterations;
    }
    tally.positions[j] += {sum, squares};
    tally.positions_times_iterations[j] += products;
  }
}

}  // namespace speclab
