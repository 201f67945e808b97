#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

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
  /// Of a decode by a verifier with an output form (verifiers/output_step.h), its calls less their
  /// mean given its tokens.
  decisions,
};
inline constexpr std::size_t kControlVariates = 6;
using ControlVariates = std::array<double, kControlVariates>;

inline double& control(ControlVariates& controls, ControlVariate of) {
  return controls[static_cast<std::size_t>(of)];
}

/// The target calls that token and block verification would need in expectation for the tokens of
/// a decode (simulate/text_means.h), of one that follows the target's law: as all such decodes have
/// the same mean of it, the difference of two has the mean 0.
inline constexpr std::size_t kCompanions = 2;
using Companions = std::array<double, kCompanions>;

/// Subtracts from each value b_1 control_1 + b_2 control_2 + .., the b being those of least squares
/// of `of` over the controls. Each value takes the slopes of others alone (15 of 16 parts, or so):
/// a control has the mean 0 whatever these are, so that values keep their mean, and spread as much
/// as they do around new slopes. A control is left out where it is a combination of those before
/// it, or rounding, or where its mean is far from 0: what makes it 0 is rare, and has not been
/// seen.
/// @param controls  of each the numbers of all values
/// @return how many slopes there are: as many degrees of freedom less
/// @pre as many of all
std::size_t subtract_controls(std::span<const std::vector<double>> controls,
                              std::span<const double> of, std::span<double> values);

}  // namespace speclab
