#pragma once

#include <array>
#include <cstdint>

namespace speclab {

// The chains of yin2024's Figure 2 drawn anew: 7 states, horizon 50, uniform prompt, "random seed
// 10". The paper leaves the order of drawing open. Rows come from the standard library's MT19937,
// seeded as NumPy's legacy generator is, and share nothing with model/families/markov.cc.

inline constexpr int kFigureHorizon = 50;

/// In which order the uniforms are drawn. Each row is normalised.
enum class Drawing {
  draft_first,   ///< all of the draft's rows, then the target's: markov(...) of this program
  target_first,  ///< the target's, then the draft's
  by_position,   ///< at each position the draft's 7 rows, then the target's
  by_row,        ///< a row of the draft, the same row of the target, the next row
  by_entry,      ///< the two models take turns at every entry
  after_prompt,  ///< 7 uniforms for a prompt first, then as draft_first
};
inline constexpr std::array kDrawings{Drawing::draft_first, Drawing::target_first,
                                      Drawing::by_position, Drawing::by_row,
                                      Drawing::by_entry,    Drawing::after_prompt};

/// E[N_rej] of speculative decoding on these chains: Theorem 1 by recursion backwards from the
/// horizon.
double reading_rejections(std::uint32_t seed, Drawing order);

/// Mean and standard deviation (n - 1) of it over seeds 1 .. n, draft first.
struct SeedSpread {
  double mean;
  double deviation;
};
SeedSpread reading_spread(std::uint32_t seeds);

}  // namespace speclab
