#include "base/random.h"

#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <set>

#include "catch.h"

namespace speclab::random_test {
namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

TEST_CASE("Philox4x32-10 gives Random123's known answers") {
  using Words = r123::Philox4x32::ctr_type;
  const r123::Philox4x32 philox;
  CHECK(philox(Words{{0, 0, 0, 0}}, {{0, 0}}) ==
        Words{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
  const std::uint32_t ff = 0xffffffff;
  CHECK(philox(Words{{ff, ff, ff, ff}}, {{ff, ff}}) ==
        Words{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
  CHECK(
      philox(Words{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}}) ==
      Words{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST_CASE("a stream is Philox in counter mode, low word first") {
  // Block 0 of key 0, trial 0, run 0, prompt is the all-zero counter.
  Stream zero(0, 0, 0, Purpose::prompt);
  CHECK(zero() == 0xe169c58d6627e8d5);
  CHECK(zero() == 0x9b00dbd8bc57ac4c);
  // Words 2 b and 2 b + 1 are those of block b, of every purpose, however far it is run.
  const std::uint64_t key = 0x0123456789abcdef;
  const std::uint64_t trial = 0xfedcba9876543210;
  for (const std::uint32_t purpose : {0U, 1U, 2U, 3U}) {
    Stream stream(key, trial, 2, static_cast<Purpose>(purpose));
    for (std::uint32_t block = 0; block < 40; ++block) {
      const auto words = r123::Philox4x32{}({{block, (2U << 8) | purpose, 0x76543210, 0xfedcba98}},
                                            {{0x89abcdef, 0x01234567}});
      CHECK(stream() == (words[0] | static_cast<std::uint64_t>(words[1]) << 32));
      CHECK(stream() == (words[2] | static_cast<std::uint64_t>(words[3]) << 32));
    }
  }
}

TEST_CASE("streams of different keys, trials, runs and purposes differ from their first word on") {
  std::set<std::uint64_t> words;
  std::size_t streams = 0;
  for (const std::uint64_t key : {std::uint64_t{0}, std::uint64_t{1}, kOnes}) {
    for (const std::uint64_t trial : {std::uint64_t{0}, std::uint64_t{1}, kOnes >> 32, kOnes}) {
      for (const std::uint32_t run : {0U, 1U, 2U, (1U << 24) - 1}) {
        for (const Purpose purpose :
             {Purpose::prompt, Purpose::draft, Purpose::accept, Purpose::correct}) {
          Stream stream(key, trial, run, purpose);
          for (int i = 0; i < 8; ++i) words.insert(stream());
          ++streams;
        }
      }
    }
  }
  CHECK(streams == 3 * 4 * 4 * 4);
  CHECK(words.size() == 8 * streams);
}

TEST_CASE("uniform numbers are multiples of 2^-53 below 1 with the moments of a uniform law") {
  Stream stream(stream_key(1, task_hash("moments")), 0, 0, Purpose::draft);
  constexpr int kNumbers = 100000;
  double sum = 0;
  double squares = 0;
  double least = 1;
  double most = 0;
  for (int i = 0; i < kNumbers; ++i) {
    const double u = stream.uniform();
    REQUIRE(std::ldexp(u, 53) == std::floor(std::ldexp(u, 53)));
    sum += u;
    squares += u * u;
    least = std::min(least, u);
    most = std::max(most, u);
  }
  CHECK(least >= 0);
  CHECK(most < 1);
  // Seven standard errors: 1/sqrt(12 n) and sqrt(4 / 45 n).
  CHECK(std::abs(sum / kNumbers - 0.5) < 7 / std::sqrt(12.0 * kNumbers));
  CHECK(std::abs(squares / kNumbers - 1.0 / 3) < 7 * std::sqrt(4.0 / 45 / kNumbers));
}

TEST_CASE("a uniform number is the word's 53 highest bits") {
  CHECK(Stream::to_uniform(0) == 0);
  CHECK(Stream::to_uniform((std::uint64_t{1} << 11) - 1) == 0);
  CHECK(Stream::to_uniform(std::uint64_t{1} << 11) == 0x1p-53);
  CHECK(Stream::to_uniform(kOnes) == 1 - 0x1p-53);
  for (int bit = 11; bit < 64; ++bit) {
    CHECK(Stream::to_uniform(std::uint64_t{1} << bit) == std::ldexp(1.0, bit - 64));
  }
  Stream words(3, 4, 0, Purpose::correct);
  Stream numbers(3, 4, 0, Purpose::correct);
  for (int i = 0; i < 100; ++i) {
    CHECK(std::ldexp(numbers.uniform(), 53) == static_cast<double>(words() >> 11));
  }
}

TEST_CASE("a stream is a uniform random bit generator") {
  Stream stream(5, 6, 0, Purpose::draft);
  STATIC_REQUIRE(Stream::min() == 0);
  STATIC_REQUIRE(Stream::max() == kOnes);
  boost::random::uniform_int_distribution<int> die(1, 6);
  std::set<int> faces;
  for (int i = 0; i < 200; ++i) faces.insert(die(stream));
  CHECK(faces == std::set<int>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("a task's hash is FNV-1a, and keys depend on seed and task") {
  // Reference values of the 64-bit FNV-1a hash.
  CHECK(task_hash("") == 0xcbf29ce484222325);
  CHECK(task_hash("a") == 0xaf63dc4c8601ec8c);
  CHECK(task_hash("foobar") == 0x85944171f73967e8);
  std::set<std::uint64_t> keys;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (std::uint64_t task = 0; task < 100; ++task) keys.insert(stream_key(seed, task));
  }
  CHECK(keys.size() == 10000);
}

TEST_CASE("the keys of seeds 1, 2, .. are SplitMix64's numbers, and all 64 bits of a seed count") {
  // The first outputs of SplitMix64 from 0 (Steele, Lea, Flood 2014; reference code by Vigna).
  CHECK(stream_key(1, 0) == 0xe220a8397b1dcdaf);
  CHECK(stream_key(2, 0) == 0x6e789e6aa1b965f4);
  CHECK(stream_key(3, 0) == 0x06c45d188009454f);
  CHECK(stream_key(4, 0) == 0xf88bb8a8724c81ec);
  // The seed 2^63 moves the state by 2^63, as the task does.
  CHECK(stream_key(std::uint64_t{1} << 63, 0) == stream_key(0, std::uint64_t{1} << 63));
  std::set<std::uint64_t> keys;
  for (int bit = 0; bit < 64; ++bit) {
    keys.insert(stream_key(std::uint64_t{1} << bit, 7));
    keys.insert(stream_key(7, std::uint64_t{1} << bit));
  }
  CHECK(keys.size() == 128);
}

}  // namespace
}  // namespace speclab::random_test
