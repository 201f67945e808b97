#pragma once

namespace speclab {

/// The coin of a sub-block X^i, i < gamma, in block verification: sun2025 equation (5),
///   h_i = S_i / (S_i + 1 - w_i),
/// the probability with which X^i is accepted where no longer sub-block is. 0/0 is 0 (S_i = 0 and
/// w_i = 1, that is t = d at X^i): block verification never tosses such a coin.
///
/// The denominator is computed as S_i + (1 - w_i), so that in doubles too the coin is
/// exactly 1 at w_i = 1. Worked example: S_i = 1/3, w_i = 1/2: 2/5.
/// @param excess  S_i = sum over x of [w_i t(x) - d(x)]+ at X^i
/// @param weight  w_i in [0, 1]
template <class Real>
Real block_coin(const Real& excess, const Real& weight) {
  return excess > 0 ? Real(excess / (excess + (1 - weight))) : Real(0);
}

}  // namespace speclab
