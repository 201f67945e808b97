#pragma once

#include <functional>
#include <random>
#include <vector>

#include "prove/family.h"

namespace speclab {

/// A pair of positive probabilities at random, in every context sorted in the order of
/// AllPairs::ordered.
std::vector<Rational> random_sample(const AllPairs& family, std::mt19937_64& engine);

/// Visits every pair whose probabilities are multiples of 1 / denominator, in order, until `visit`
/// returns true; visits none where there are more than `most` points.
/// @returns whether `visit` returned true
bool search_grid(const AllPairs& family, int denominator, double most,
                 const std::function<bool(const std::vector<Rational>&)>& visit);

/// The pair nearest to a point, law by law, whose probabilities are multiples of 1 / denominator.
std::vector<Rational> rounded(const AllPairs& family, const std::vector<Rational>& point,
                              int denominator);

}  // namespace speclab
