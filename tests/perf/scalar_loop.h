#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/rows.h"

namespace speclab::perf {

/// The loop a careful researcher writes: token verification of a whole decode, one trial at a time,
/// inverse-CDF search in rows summed up beforehand, one Mersenne Twister. The reference that the
/// engine's time per token is compared with; it shares nothing with the engine but the pair.
class ScalarLoop {
 public:
  ScalarLoop(const Rows<double>& rows, int horizon)
      : horizon_(horizon), vocabulary_(static_cast<std::size_t>(rows.vocabulary())) {
    for (State state = 0; state < rows.pair().states(); ++state) {
      const auto draft = rows.draft(state);
      const auto target = rows.target(state);
      std::vector<double> residual;
      double mass = 0;
      for (std::size_t x = 0; x < vocabulary_; ++x) {
        residual.push_back(std::max(0.0, target[x] - draft[x]));
        mass += residual.back();
      }
      double drafted = 0;
      double corrected = 0;
      double bonus = 0;
      for (std::size_t x = 0; x < vocabulary_; ++x) {
        draft_sums_.push_back(drafted += draft[x]);
        residual_sums_.push_back(corrected += residual[x] / mass);
        target_sums_.push_back(bonus += target[x]);
        ratio_.push_back(target[x] / draft[x]);
        next_.push_back(rows.next(state, static_cast<Token>(x)));
      }
    }
  }

  /// Rejections and bonus tokens of one decode from `state`.
  template <class Engine>  // 64 random bits a call
  int decode(State state, int gamma, Engine& engine) const {
    // Faster than std::uniform_real_distribution of the same bits.
    const auto uniform = [](Engine& bits) { return static_cast<double>(bits() >> 11) * 0x1p-53; };
    int ends = 0;
    int accepted = 0;
    for (int n = 0; n < horizon_; ++n) {
      const std::size_t row = state * vocabulary_;
      if (accepted == gamma) {
        ++ends;
        accepted = 0;
        state = next_[row + search(&target_sums_[row], uniform(engine))];
        continue;
      }
      std::size_t x = search(&draft_sums_[row], uniform(engine));
      if (uniform(engine) >= ratio_[row + x]) {
        ++ends;
        accepted = -1;
        x = search(&residual_sums_[row], uniform(engine));
      }
      ++accepted;
      state = next_[row + x];
    }
    return ends;
  }

 private:
  /// The first token whose sum exceeds u, the last one where rounding leaves none. For few tokens a
  /// count is faster than a loop that stops.
  [[nodiscard]] std::size_t search(const double* sums, double u) const {
    std::size_t x = 0;
    for (std::size_t y = 0; y + 1 < vocabulary_; ++y) x += u >= sums[y] ? 1 : 0;
    return x;
  }

  int horizon_;
  std::size_t vocabulary_;
  std::vector<double> draft_sums_;
  std::vector<double> residual_sums_;
  std::vector<double> target_sums_;
  std::vector<double> ratio_;
  std::vector<State> next_;
};

}  // namespace speclab::perf
