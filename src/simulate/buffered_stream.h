#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "base/random.h"
#include "simulate/philox.h"

namespace speclab {

/// A Stream that is filled many blocks at a time: the same numbers, for less. The first refill
/// makes one group of blocks, a later one four, so that short trials make few words in vain.
class BufferedStream {
 public:
  BufferedStream(std::uint64_t key, std::uint64_t trial, std::uint32_t run, Purpose purpose)
      : key_(key), counter_(Stream::first_counter(trial, run, purpose)) {}

  /// A stream that is this number always, cut to a multiple of 2^-53. @pre 0 <= value < 1
  static BufferedStream constant(double value) {
    BufferedStream stream(0, 0, 0, Purpose::draft);
    stream.stuck_ = true;
    const auto word = static_cast<std::uint64_t>(value * 0x1p53) << 11;
    for (auto& column : stream.words_) column.fill(word);
    return stream;
  }

  [[gnu::always_inline]] std::uint64_t word() {
    if (at_ == end_) refill();
    const std::uint32_t word = at_++;
    return words_[word % 2][word / 2];
  }

  [[gnu::always_inline]] double uniform() { return Stream::to_uniform(word()); }

  /// What uniform() will return after `ahead` more calls, or 0 where that is not made yet: good for
  /// a hint only.
  [[nodiscard]] double hint(std::uint32_t ahead) const {
    const std::uint32_t word = at_ + ahead;
    return word < end_ ? Stream::to_uniform(words_[word % 2][word / 2]) : 0;
  }

  /// Writes the counters of the next `blocks` blocks into the columns from `at` on.
  void put_counters(PhiloxCounters& counters, std::size_t at, std::size_t blocks) const {
    for (std::size_t i = 0; i < blocks; ++i) {
      counters[0][at + i] = counter_[0] + static_cast<std::uint32_t>(i);
    }
    for (std::size_t j = 1; j < counters.size(); ++j) {
      std::fill_n(counters[j].begin() + static_cast<std::ptrdiff_t>(at), blocks, counter_[j]);
    }
  }

  /// Takes over the next `blocks` blocks, made elsewhere from those counters.
  void take(const PhiloxWords& words, std::size_t at, std::size_t blocks) {
    for (std::size_t j = 0; j < words.size(); ++j) {
      std::copy_n(words[j].begin() + static_cast<std::ptrdiff_t>(at), blocks, words_[j].begin());
    }
    made(blocks);
  }

 private:
  void refill() {
    if (stuck_) {
      at_ = 0;
      end_ = 2;
      return;
    }
    const std::size_t groups = refills_++ == 0 ? 1 : kPhiloxGroups;
    PhiloxCounters counters;
    put_counters(counters, 0, groups * kPhiloxLanes);
    philox_fill(key_, counters, groups, words_);
    made(groups * kPhiloxLanes);
  }

  void made(std::size_t blocks) {
    constexpr std::uint32_t kMost = 0xffffffffU - kPhiloxBlocks;
    if (counter_[0] > kMost) {
      throw LimitError(
          "one trial takes more than 2^33 random numbers of one kind; lower the horizon or gamma");
    }
    at_ = 0;
    end_ = static_cast<std::uint32_t>(2 * blocks);
    counter_[0] += static_cast<std::uint32_t>(blocks);
  }

  std::uint64_t key_;
  std::array<std::uint32_t, 4> counter_;  ///< of the next block to be made
  std::uint32_t at_ = 0;                  ///< words taken of those made
  std::uint32_t end_ = 0;
  std::uint32_t refills_ = 0;
  bool stuck_ = false;  ///< words_ holds one number, for ever
  PhiloxWords words_{};
};

}  // namespace speclab
