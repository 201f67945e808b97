#pragma once

#include <Random123/philox.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace speclab {

/// Separates the random decisions of one trial: each purpose has its own stream, so that a verifier
/// that drafts more tokens sees the same coins.
enum class Purpose : std::uint32_t { prompt = 0, draft = 1, accept = 2, correct = 3, root = 4 };

/// A fixed 64-bit hash of a task's canonical text (FNV-1a), the same on every machine.
/// @param hash  hash of the preceding text
constexpr std::uint64_t task_hash(std::string_view text,
                                  std::uint64_t hash = 14695981039346656037ULL) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 1099511628211ULL;
  }
  return hash;
}

/// The key of all streams of one task under one seed (a SplitMix64 finaliser over both).
constexpr std::uint64_t stream_key(std::uint64_t seed, std::uint64_t task) {
  std::uint64_t z = seed * 0x9E3779B97F4A7C15ULL + task;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

/// The random stream of (key, trial, run, purpose): Philox4x32-10 (Salmon et al. 2011) in counter
/// mode. Any position of any stream is reached directly, so a trial's numbers do not depend on
/// threads, chunks or resumption. A stream has 2^33 words.
///
/// A uniform random bit generator of 64-bit words in the sense of the standard and of Boost.Random.
class Stream {
 public:
  using result_type = std::uint64_t;

  /// @param run  number of the run within the trial (0 .. 2^24 - 1)
  Stream(std::uint64_t key, std::uint64_t trial, std::uint32_t run, Purpose purpose)
      : key_{{static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}} {
    const auto first = first_counter(trial, run, purpose);
    for (std::size_t i = 0; i < first.size(); ++i) counter_[i] = first[i];
  }

  /// The counter of a stream's first block: block number, run and purpose, trial (low, high).
  static constexpr std::array<std::uint32_t, 4> first_counter(std::uint64_t trial,
                                                              std::uint32_t run, Purpose purpose) {
    return {0, (run << 8) | static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(trial),
            static_cast<std::uint32_t>(trial >> 32)};
  }

  /// A word as a uniform number: a multiple of 2^-53 in [0, 1).
  static constexpr double to_uniform(std::uint64_t word) {
    return static_cast<double>(word >> 11) * 0x1p-53;
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()() {
    if (left_ == 0) fill();
    return words_[2 - left_--];
  }

  /// Uniform on the multiples of 2^-53 in [0, 1).
  double uniform() { return to_uniform((*this)()); }

 private:
  void fill() {
    const auto block = r123::Philox4x32{}(counter_, key_);
    words_ = {block[0] | static_cast<std::uint64_t>(block[1]) << 32,
              block[2] | static_cast<std::uint64_t>(block[3]) << 32};
    left_ = 2;
    ++counter_[0];
  }

  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  std::array<std::uint64_t, 2> words_{};
  std::uint32_t left_ = 0;
};

}  // namespace speclab
