#include "base/philox.h"

#include "base/random.h"
#include "catch.h"

using namespace speclab;

namespace {

constexpr std::uint64_t kKey = 0x9E3779B97F4A7C15ULL;

/// Counters that differ in every word, the largest included.
std::array<PhiloxCounter, kPhiloxLanes> counters(std::uint32_t salt) {
  std::array<PhiloxCounter, kPhiloxLanes> result;
  for (std::uint32_t lane = 0; lane < kPhiloxLanes; ++lane) {
    result[lane] = {lane * 0x10001U + salt, 0xffffffffU - lane, salt ^ (lane << 28U), lane};
  }
  return result;
}

}  // namespace

TEST_CASE("every Philox kernel makes the same bits") {
  const auto& reference = detail::philox_kernels().back();
  REQUIRE(reference.supported);
  int compared = 0;
  for (const auto& kernel : detail::philox_kernels()) {
    if (!kernel.supported) continue;
    CAPTURE(kernel.name);
    for (std::uint32_t salt = 0; salt < 100; ++salt) {
      PhiloxWords expected;
      PhiloxWords words;
      reference.fill(kKey + salt, counters(salt), expected);
      kernel.fill(kKey + salt, counters(salt), words);
      REQUIRE(words == expected);
      PhiloxGroup expected_group;
      PhiloxGroup group;
      const std::uint64_t trial = (std::uint64_t{salt} << 30U) + 8 * salt;
      reference.fill_trials(kKey, salt, 7, trial, expected_group);
      kernel.fill_trials(kKey, salt, 7, trial, group);
      REQUIRE(group == expected_group);
    }
    ++compared;
  }
  CHECK(compared >= 1);
}

TEST_CASE("a filled group holds the streams of its eight trials") {
  constexpr std::uint64_t kTrial = (std::uint64_t{1} << 33U) + 16;
  PhiloxGroup group;
  philox_fill_trials(kKey, 0, Stream::first_counter(0, 5, Purpose::accept)[1], kTrial, group);
  for (std::uint64_t lane = 0; lane < kPhiloxLanes; ++lane) {
    Stream stream(kKey, kTrial + lane, 5, Purpose::accept);
    for (const auto& words : group) CHECK(words[lane] == stream());
  }
}
