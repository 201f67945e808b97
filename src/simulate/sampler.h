#pragma once

#include "base/random.h"
#include "base/types.h"
#include "model/law.h"

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

inline Sampler<Stream> make_sampler(std::uint64_t key, std::uint64_t trial, std::uint32_t run) {
  return {Stream(key, trial, run, Purpose::draft), Stream(key, trial, run, Purpose::accept),
          Stream(key, trial, run, Purpose::correct)};
}

}  // namespace speclab
