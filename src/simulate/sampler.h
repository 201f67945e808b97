#pragma once

#include <array>
#include <cstdint>

#include "base/random.h"
#include "base/types.h"
#include "model/law.h"
#include "simulate/buffered_stream.h"

namespace speclab {

/// Makes the decisions of one run of one trial from three random streams. Every decision takes
/// exactly one uniform number, also where it can go only one way.
/// @tparam Source  has uniform() in [0, 1); Stream, or a constant in tests.
template <class Source>
class Sampler {
 public:
  Sampler(Source drafts, Source coins, Source corrections)
      : drafts_(drafts), coins_(coins), corrections_(corrections) {}

  template <class Law>
  Token draft(const Law& law) {
    return pick(law, drafts_.uniform());
  }

  /// u < probability: a coin of 0 never accepts and a coin of 1 always does.
  bool accept(double probability) { return coins_.uniform() < probability; }

  template <class Law>
  Token choose(const Law& law) {
    return pick(law, coins_.uniform());
  }

  template <class Law>
  Token correct(const Law& law) {
    return pick(law, corrections_.uniform());
  }

 private:
  Source drafts_;
  Source coins_;
  Source corrections_;
};

/// The streams of one run of one trial, the first blocks of all three made in one go.
inline Sampler<BufferedStream> make_sampler(std::uint64_t key, std::uint64_t trial,
                                            std::uint32_t run) {
  constexpr std::uint32_t kDraftBlocks = 4;
  constexpr std::uint32_t kOtherBlocks = 2;
  BufferedStream drafts(key, trial, run, Purpose::draft);
  BufferedStream coins(key, trial, run, Purpose::accept);
  BufferedStream corrections(key, trial, run, Purpose::correct);
  std::array<PhiloxCounter, kPhiloxLanes> counters;
  for (std::uint32_t i = 0; i < kDraftBlocks; ++i) counters[i] = drafts.upcoming(i);
  for (std::uint32_t i = 0; i < kOtherBlocks; ++i) {
    counters[kDraftBlocks + i] = coins.upcoming(i);
    counters[kDraftBlocks + kOtherBlocks + i] = corrections.upcoming(i);
  }
  PhiloxWords words;
  philox_fill(key, counters, words);
  drafts.receive(words.data(), kDraftBlocks);
  coins.receive(words.data() + 2 * kDraftBlocks, kOtherBlocks);
  corrections.receive(words.data() + 2 * (kDraftBlocks + kOtherBlocks), kOtherBlocks);
  return {drafts, coins, corrections};
}

}  // namespace speclab
