#pragma once

#include <cstdint>

#include "base/random.h"
#include "base/types.h"
#include "model/law.h"
#include "simulate/buffered_stream.h"

namespace speclab {

/// Makes the decisions of one run of one trial from three random streams. Every decision takes
/// exactly one uniform number, also where it can go only one way.
class Sampler {
 public:
  Sampler(const BufferedStream& drafts, const BufferedStream& coins,
          const BufferedStream& corrections)
      : drafts_(drafts), coins_(coins), corrections_(corrections) {}

  /// The streams of one run of one trial, the first blocks of all three made in one go.
  Sampler(std::uint64_t key, std::uint64_t trial, std::uint32_t run)
      : drafts_(key, trial, run, Purpose::draft),
        coins_(key, trial, run, Purpose::accept),
        corrections_(key, trial, run, Purpose::correct) {
    constexpr std::size_t kDraftBlocks = 4;
    constexpr std::size_t kOtherBlocks = 2;
    static_assert(kDraftBlocks + 2 * kOtherBlocks == kPhiloxLanes);
    PhiloxCounters counters;
    PhiloxWords words;
    drafts_.put_counters(counters, 0, kDraftBlocks);
    coins_.put_counters(counters, kDraftBlocks, kOtherBlocks);
    corrections_.put_counters(counters, kDraftBlocks + kOtherBlocks, kOtherBlocks);
    philox_fill(key, counters, 1, words);
    drafts_.take(words, 0, kDraftBlocks);
    coins_.take(words, kDraftBlocks, kOtherBlocks);
    corrections_.take(words, kDraftBlocks + kOtherBlocks, kOtherBlocks);
  }

  template <class Law>
  [[gnu::always_inline]] Token draft(const Law& law) {
    const Token x = pick(law, draft_number());
    if constexpr (requires { law.prefetch(drafts_.hint(0)); }) law.prefetch(drafts_.hint(kAhead));
    return x;
  }

  /// u < probability: a coin of 0 never accepts and a coin of 1 always does.
  [[gnu::always_inline]] bool accept(double probability) { return coin_number() < probability; }

  template <class Law>
  [[gnu::always_inline]] Token choose(const Law& law) {
    return pick(law, coin_number());
  }

  template <class Law>
  [[gnu::always_inline]] Token correct(const Law& law) {
    return pick(law, correction_number());
  }

  /// The number of the next decision of a kind, for who makes that decision on its own.
  [[gnu::always_inline]] double draft_number() { return drafts_.uniform(); }
  [[gnu::always_inline]] double coin_number() { return coins_.uniform(); }
  [[gnu::always_inline]] double correction_number() { return corrections_.uniform(); }

 private:
  /// Draws between asking for a table's entry and using it: about the time a far cache takes.
  static constexpr std::uint32_t kAhead = 4;

  BufferedStream drafts_;
  BufferedStream coins_;
  BufferedStream corrections_;
};

}  // namespace speclab
