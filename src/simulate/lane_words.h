#pragma once

#include <cstdint>

#include "base/random.h"
#include "simulate/philox.h"

namespace speclab {

/// Words of the same stream of eight consecutive trials, eight words each at a time.
class LaneWords {
 public:
  static constexpr std::uint32_t kWords = 8;

  /// @param first_trial  a multiple of eight
  LaneWords(std::uint64_t key, std::uint64_t first_trial, std::uint32_t run)
      : key_(key), run_(run) {
    for (std::size_t i = 0; i < kPhiloxBlocks; ++i) {
      const std::uint64_t trial = first_trial + i % kPhiloxLanes;
      counters_[2][i] = static_cast<std::uint32_t>(trial);
      counters_[3][i] = static_cast<std::uint32_t>(trial >> 32);
    }
  }

  /// Makes words kWords * group .. kWords * group + 7 of each trial's stream.
  void fill(Purpose purpose, std::uint32_t group) {
    constexpr std::uint32_t kBlocks = kWords / 2;
    static_assert(kBlocks == kPhiloxGroups);
    const std::uint32_t tag = Stream::first_counter(0, run_, purpose)[1];
    for (std::uint32_t i = 0; i < kPhiloxBlocks; ++i) {
      counters_[0][i] = kBlocks * group + i / static_cast<std::uint32_t>(kPhiloxLanes);
      counters_[1][i] = tag;
    }
    philox_fill(key_, counters_, kPhiloxGroups, words_);
  }

  /// Word `i` of the group for each of the eight trials.
  [[nodiscard]] const std::uint64_t* word(std::uint32_t i) const {
    return words_[i % 2].data() + i / 2 * kPhiloxLanes;
  }

 private:
  std::uint64_t key_;
  std::uint32_t run_;
  alignas(64) PhiloxCounters counters_{};
  alignas(64) PhiloxWords words_{};
};

}  // namespace speclab
