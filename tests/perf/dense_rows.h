#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace speclab::perf {

/// Token and block verification of a batch on dense rows, as a tensor library does it: the rows of
/// every position lie in memory, [kSize, gamma, V] of the draft and [kSize, gamma + 1, V] of the
/// target in floats, and residuals are summed over whole rows with vector instructions. What a
/// program without tables must do; nothing of the engine is used.
class DenseBatch {
 public:
  static constexpr int kSize = 64;

  /// All rows are those of zipf(draft=1.0, target=1.1). To bound the memory the rows of a few
  /// positions are shared, which favours this program.
  DenseBatch(int vocabulary, int gamma);

  /// Draws fresh drafts and uniform numbers: not part of the work.
  void draw();
  void verify_tokens();
  void verify_blocks();

  /// Sum of the accepted lengths so far, so that nothing is optimised away.
  [[nodiscard]] std::int64_t accepted() const { return accepted_; }

 private:
  [[nodiscard]] const float* draft_row(int sequence, int position) const;
  [[nodiscard]] const float* target_row(int sequence, int position) const;
  int correct(const float* draft, const float* target, float scale, float uniform);
  [[nodiscard]] float residual_mass(const float* draft, const float* target, float scale) const;
  [[nodiscard]] std::size_t at(int sequence, int position) const {
    return static_cast<std::size_t>(sequence * (gamma_ + 1) + position);
  }

  int vocabulary_;
  int gamma_;
  std::mt19937 engine_{1};
  std::vector<float> draft_, target_;  ///< [rows, V]
  std::vector<double> sums_;           ///< of the draft, to draw from
  std::vector<float> weights_;         ///< [V], scratch
  std::vector<int> tokens_;            ///< [kSize, gamma + 1]
  std::vector<float> coins_;           ///< [kSize, gamma + 1]
  std::int64_t accepted_ = 0;
};

}  // namespace speclab::perf
