#pragma once

#include "optimum/node_masses.h"

namespace speclab {

/// Whether the optimum has a closed form: one draft under any coupling, or plug-and-play.
bool needs_no_program(const AcceptanceProblem& problem);

/// The masses of one draft, K = 1, with their proof and without a program. f(x) = x, so that an
/// antichain's bound is that of its prefixes, B(v) <= D(v).
///
/// Under any coupling, at gains of 1, B = min(D, T) satisfies all (sun2024 Theorem 1).
///
/// Plug-and-play: q(v) = B(v) / T(v) is at most r(v) = D(v) / T(v) and does not rise along a path.
/// A gain T(v) gain(v) > 0 is bought at v or at a prefix of it, at the price r of that place, and
/// may first be taken to fill a gain below 0 on the way. From the leaves up the parts of the gains
/// are kept by the least price met so far, and a gain below 0 is filled by the dearest parts. Then
/// q(v) is the price of the dearest part left at v, or q of the prefix before, where that is less.
/// At gains of 1 this is q(v) = min r along the path: block verification.
///
/// Worked example: toy pair, gamma = 1, gains of 1: r = (2, 1/2), q = (1, 1/2), B = (1/3, 1/3).
///
/// @pre needs_no_program(problem); under a coupling no gains; tree of depth problem.gamma
NodeMasses masses_of_one_draft(const PrefixTree& tree, const AcceptanceProblem& problem);

}  // namespace speclab
