#pragma once

#include <array>
#include <cstdint>

#include "base/philox.h"
#include "base/random.h"

namespace speclab {

/// A Stream that is filled eight blocks at a time: the same numbers, for less.
class BufferedStream {
 public:
  BufferedStream(std::uint64_t key, std::uint64_t trial, std::uint32_t run, Purpose purpose)
      : key_(key), counter_(Stream::first_counter(trial, run, purpose)) {}

  double uniform() {
    if (at_ == end_) refill();
    return Stream::to_uniform(words_[at_++]);
  }

  /// The counter of block `i` of what is still to be made.
  [[nodiscard]] PhiloxCounter upcoming(std::uint32_t i) const {
    PhiloxCounter counter = counter_;
    counter[0] += i;
    return counter;
  }

  /// Hands over the next `blocks` blocks, made elsewhere from upcoming(0), upcoming(1), ...
  void receive(const std::uint64_t* words, std::uint32_t blocks) {
    for (std::uint32_t i = 0; i < 2 * blocks; ++i) words_[i] = words[i];
    at_ = 0;
    end_ = 2 * blocks;
    counter_[0] += blocks;
  }

 private:
  void refill() {
    std::array<PhiloxCounter, kPhiloxLanes> counters;
    for (std::uint32_t i = 0; i < kPhiloxLanes; ++i) counters[i] = upcoming(i);
    philox_fill(key_, counters, words_);
    at_ = 0;
    end_ = 2 * kPhiloxLanes;
    counter_[0] += kPhiloxLanes;
  }

  std::uint64_t key_;
  PhiloxCounter counter_;
  std::uint32_t at_ = 0;
  std::uint32_t end_ = 0;
  PhiloxWords words_;  // filled before it is read
};

}  // namespace speclab
