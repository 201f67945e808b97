#pragma once

#include <cstdint>
#include <span>

#include "answer/bench.h"
#include "simulate/statistics.h"

namespace speclab {

/// A law that trials count.
enum class CountedLaw {
  accepted,  ///< cell i: i tokens of the first iteration are accepted
  output,    ///< the first T tokens, in the cells of Tally::outputs
};

/// A test of trials against a law, with its power (simulate/statistics.h).
struct LawTest {
  FitTest fit;       ///< undefined and unlisted outcomes are counts outside of the law
  double power = 0;  ///< the probability of rejecting a sample of the alternative
};

/// Runs as many trials as reject `alternative` at `level` with probability `power`, at most
/// `most_trials`, and tests their counts against `law`.
/// @param law          of the cells, at least two; its counterpart in the alternative may be zero
/// @param alternative  a wrong law that the test must find; of the same cells
LawTest test_law(Bench& bench, const Question& question, BySimulation method, CountedLaw counted,
                 std::span<const double> law, std::span<const double> alternative, double level,
                 double power, std::uint64_t most_trials);

/// Samples single iterations of gamma drafts with every coin stuck at `coin`, such as 0 or the
/// largest number below 1, while the numbers that make drafts and corrections sweep over `sweeps`
/// values of [0, 1) each, and counts the emitted tokens to which the target gives probability 0.
std::uint64_t tokens_outside_support(const Verifier& verifier, const Rows<double>& rows, int gamma,
                                     double coin, int sweeps);

}  // namespace speclab
