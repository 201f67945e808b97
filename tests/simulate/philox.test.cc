#include "simulate/philox.h"

#include "base/random.h"
#include "catch.h"

namespace speclab::philox_test {
namespace {

constexpr std::uint64_t kKey = 0x9E3779B97F4A7C15ULL;

/// Counters that differ in every word, the largest included.
PhiloxCounters counters(std::uint32_t salt) {
  PhiloxCounters result;
  for (std::uint32_t i = 0; i < kPhiloxBlocks; ++i) {
    result[0][i] = i * 0x10001U + salt;
    result[1][i] = 0xffffffffU - i;
    result[2][i] = salt ^ (i << 27U);
    result[3][i] = i;
  }
  return result;
}

}  // namespace

TEST_CASE("every Philox kernel makes the same bits, and no more than it is asked for") {
  constexpr std::uint64_t kUntouched = 0x5555555555555555ULL;
  const PhiloxKernel& reference = philox_kernels().back();
  REQUIRE(reference.supported);
  int compared = 0;
  for (const auto& kernel : philox_kernels()) {
    if (!kernel.supported || &kernel == &reference) continue;
    CAPTURE(kernel.name);
    for (std::uint32_t salt = 0; salt < 100; ++salt) {
      for (std::size_t groups = 1; groups <= kPhiloxGroups; ++groups) {
        CAPTURE(salt, groups);
        PhiloxWords expected;
        PhiloxWords words;
        for (auto* all : {&expected, &words}) {
          for (auto& column : *all) column.fill(kUntouched);
        }
        reference.fill(kKey + salt, counters(salt), groups, expected);
        kernel.fill(kKey + salt, counters(salt), groups, words);
        REQUIRE(words == expected);
        REQUIRE(words[1][groups * kPhiloxLanes - 1] != kUntouched);
      }
    }
    ++compared;
  }
  if (compared == 0) WARN("this processor has no vector unit that a kernel uses");
}

TEST_CASE("filled blocks are the streams that their counters name") {
  constexpr std::uint64_t kTrial = (std::uint64_t{1} << 33U) + 16;
  PhiloxCounters columns;
  for (std::uint32_t i = 0; i < kPhiloxBlocks; ++i) {
    const auto counter = Stream::first_counter(kTrial + i % 8, 5, Purpose::accept);
    for (std::size_t j = 0; j < counter.size(); ++j) columns[j][i] = counter[j];
    columns[0][i] = i / 8;
  }
  PhiloxWords words;
  philox_fill(kKey, columns, kPhiloxGroups, words);
  for (std::uint64_t lane = 0; lane < kPhiloxLanes; ++lane) {
    Stream stream(kKey, kTrial + lane, 5, Purpose::accept);
    for (std::size_t group = 0; group < kPhiloxGroups; ++group) {
      CHECK(words[0][group * kPhiloxLanes + lane] == stream());
      CHECK(words[1][group * kPhiloxLanes + lane] == stream());
    }
  }
}

}  // namespace speclab::philox_test
