#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "base/types.h"

namespace speclab {

/// The features from which a low-complexity verifier judges a drafted token; none reads the target.
///   0  log-probability  ln d(x); the logarithm of 0 is taken as ln of the smallest double, -744.44
///   1  log-rank         ln of the rank, the rank being 1 + the number of tokens with larger d
///   2  entropy          of d in nats
///   3  largest          the largest probability of d
///   4  margin           the largest less the second largest (V = 1: less 0)
inline constexpr std::size_t kDraftFeatures = 5;
using DraftFeatures = std::array<double, kDraftFeatures>;

/// Their names, in that order, as in a rates file.
inline constexpr std::array<const char*, kDraftFeatures> kDraftFeatureNames{
    "log-probability", "log-rank", "entropy", "largest", "margin"};

/// The features that all tokens of a draft law share, in O(V); the two of a token are 0.
DraftFeatures context_features(std::span<const double> draft);

/// The features of token x under a draft law. All are finite. @param context  of that law
DraftFeatures draft_features(std::span<const double> draft, const DraftFeatures& context, Token x);

/// The features of every token under a draft law, in O(V log V).
std::vector<DraftFeatures> all_draft_features(std::span<const double> draft);

}  // namespace speclab
