#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace speclab {

/// Control variates of a trial: sums whose mean is known to be 0 and that go with the number of its
/// iterations, so that what goes with them is taken out of what is measured (answer/clusters.h).
/// Each term has the mean 0 given all that was drawn before it. A decode with high ones takes fewer
/// calls.
enum class ControlVariate {
  /// Of the tokens x drafted along the first chain of each iteration,
  /// min(1, w t(x) / d(x)) - sum_z min(w t(z), d(z)), with the weight w that block verification
  /// (sun2025 Algorithm 2) has there.
  first_drafts,
  /// Of what is drafted after it, by how much it raises the largest such weight b of its depth, 0
  /// before any: max(b, min(1, w t(x) / d(x))) less its mean.
  other_drafts,
  /// Of coins, 1 or 0 less the probability; of a choice among a few candidates, the number of the
  /// chosen one less its mean.
  coins,
  /// Of the tokens y of a decode that follows the target's law,
  /// min(1, d(y) / t(y)) - sum_z min(d(z), t(z)).
  output,
  /// Of the states after those tokens but the last, the overlap sum_z min(d(z), t(z)) there, less
  /// its mean over the tokens. Of small vocabularies only.
  states,
};
inline constexpr std::size_t kControlVariates = 5;
using ControlVariates = std::array<double, kControlVariates>;

inline double& control(ControlVariates& controls, ControlVariate of) {
  return controls[static_cast<std::size_t>(of)];
}

/// Subtracts from each value `above` b_1 control_1 + b_2 control_2 + .., the b being those of least
/// squares over the controls of how far values are from their ratio to `below`. Each value takes
/// the slopes of others alone (15 of 16 parts, or so): a control has the mean 0 whatever these are,
/// so that values keep their mean, and spread as much as they do around new slopes. A control is
/// left out where it is a combination of those before it, or rounding, or where its mean is far
/// from 0: what makes it 0 is rare, and has not been seen.
/// @return how many slopes there are: as many degrees of freedom less
/// @pre as many of all; below >= 0
std::size_t subtract_controls(std::span<const ControlVariates> controls,
                              std::span<const double> below, std::span<double> above);

}  // namespace speclab
