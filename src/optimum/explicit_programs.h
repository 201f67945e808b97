#pragma once

#include <functional>
#include <span>
#include <vector>

#include "optimum/linear_program.h"
#include "optimum/paths.h"

namespace speclab {

// The linear programs over ALL verifiers of a class, from one start, written out from the
// definitions: a column for each pair of drafts and output. For small pairs they check the result
// of node_masses.h independently.

/// Full information (sun2024 Definition 1, sun2025 equations (40)-(42)): every coupling of a draft
/// block X ~ D^gamma and an output Y ~ T^gamma, worth the length of their common prefix.
LinearProgram coupling_program(const Rows<Rational>& rows, State start, int gamma);

/// The reward of an outcome (X^gamma = draft, tau, Y) of a verifier; `after` is the state after
/// X^tau, Y.
using Worth = std::function<Rational(const Prefix& draft, int tau, State after)>;

/// Plug-and-play verifiers (sun2025 Definition 1 by its Lemma 2): every law of (X^gamma, tau, Y)
/// with X^gamma ~ D^gamma for which X^tau, Y, continued by plain target tokens Z, has the law
/// T^{gamma+1}. Every valid verifier of Definition 1 gives such a law on every pair, so the
/// program's optimum bounds all of them.
LinearProgram valid_program(const Rows<Rational>& rows, State start, int gamma, const Worth& worth);

/// One position, k i.i.d. drafts: every coupling of (X_1, .., X_k) ~ d^k and Y ~ t, worth 1 where Y
/// is one of the X.
LinearProgram position_program(std::span<const Rational> draft, std::span<const Rational> target,
                               int k);

}  // namespace speclab
