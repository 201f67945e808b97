#pragma once

#include <span>
#include <string_view>

#include "model/named_pair.h"

namespace speclab {

// The names of the properties that every lossless verifier must have (claims/battery/properties.h).
inline constexpr std::string_view kJointLaw = "joint law of the output";
inline constexpr std::string_view kDefined = "no 0/0";
inline constexpr std::string_view kBelowOptimum = "E[tau] at most the optimum";
inline constexpr std::string_view kOneMore = "one token after the accepted ones";
inline constexpr std::string_view kLabels = "the names of the tokens";
inline constexpr std::string_view kFullAcceptance = "equal models accept everything";
inline constexpr std::string_view kBonusLaw = "law given full acceptance";
inline constexpr std::string_view kPurposes = "independence of the coins' purposes";
inline constexpr std::string_view kSupport = "support under forced coins";
inline constexpr std::string_view kKnownMean = "E[tau] as the closed forms say";

/// One thing that a check must find wrong: a verifier, and where it is rejected. Every planted
/// fault has a row, one for each of its forms; so have some rules that are sold as lossless and are
/// not.
struct ControlRow {
  std::string_view verifier;  ///< spec text
  std::string_view fault;     ///< in one line; empty: the verifier's own prose
  NamedPair at;               ///< the pair and the draft length where it must be rejected
  std::string_view property;  ///< the property that rejects it there, exactly
  /// TV of gamma + 2 tokens to the target's there, as a fraction; "" where the law is right, or is
  /// no fraction.
  std::string_view tv;
  /// Probability at least with which the simulated law rejects it there at the level of one test; 0
  /// where its law is right.
  double power;
};

std::span<const ControlRow> control_rows();

}  // namespace speclab
