#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "model/rows.h"

namespace speclab::perf {

/// The loop a researcher writes first: token verification of a whole decode, one trial at a time,
/// inverse-CDF search for every draw, one Mersenne Twister. The reference that the engine's time
/// per token is held against; it shares nothing with the engine but the pair.
class ScalarLoop {
 public:
  ScalarLoop(const Rows<double>& rows, int horizon)
      : horizon_(horizon), vocabulary_(static_cast<std::size_t>(rows.vocabulary())) {
    for (State state = 0; state < rows.pair().states(); ++state) {
      for (const double p : rows.draft(state)) draft_.push_back(p);
      for (const double p : rows.target(state)) target_.push_back(p);
      for (Token x = 0; x < rows.vocabulary(); ++x) next_.push_back(rows.next(state, x));
    }
  }

  /// Rejections of one decode from `state`.
  template <class Engine>  // 64 random bits a call
  int decode(State state, Engine& engine) const {
    // Faster than std::uniform_real_distribution of the same bits.
    const auto uniform = [](Engine& bits) { return static_cast<double>(bits() >> 11) * 0x1p-53; };
    int rejections = 0;
    for (int n = 0; n < horizon_; ++n) {
      const double* draft = &draft_[state * vocabulary_];
      const double* target = &target_[state * vocabulary_];
      double left = uniform(engine);
      std::size_t x = 0;
      while (x + 1 < vocabulary_ && left >= draft[x]) left -= draft[x++];
      if (uniform(engine) * draft[x] >= target[x]) {
        ++rejections;
        double mass = 0;
        for (std::size_t y = 0; y < vocabulary_; ++y) {
          if (target[y] > draft[y]) mass += target[y] - draft[y];
        }
        left = uniform(engine) * mass;
        for (std::size_t y = 0; y < vocabulary_; ++y) {
          if (!(target[y] > draft[y])) continue;
          x = y;
          if (left < target[y] - draft[y]) break;
          left -= target[y] - draft[y];
        }
      }
      state = next_[state * vocabulary_ + x];
    }
    return rejections;
  }

 private:
  int horizon_;
  std::size_t vocabulary_;
  std::vector<double> draft_;
  std::vector<double> target_;
  std::vector<State> next_;
};

}  // namespace speclab::perf
