#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "answer/law_test.h"
#include "claims/engine/examination.h"

namespace speclab {

/// A simulated test. The sample is large enough to find, with probability `power` at kTestLevel, a
/// law with `shift` of its mass in a wrong cell.
using SimulatedTest = LawTest;

/// The mass in a wrong cell that a test finds with probability near 1.
double test_shift(const ClaimContext& context);

/// `law` with `shift` of mass (at most half of the cell) moved from its largest cell to its next
/// largest, or out of the support where there is only one cell: the direction that is hardest to
/// see.
std::vector<double> shifted_law(std::vector<double> law, double shift);

/// Simulates one iteration and tests the law of tau (cell i: tau = i) against `law`.
SimulatedTest test_accepted_law(std::string_view verifier, const Instance& instance,
                                const std::vector<Rational>& law, std::uint64_t seed, double shift,
                                int threads);

/// Simulates decodes of `horizon` tokens from the pair's one start and tests their joint law
/// against the target's. @pre the pair has one start
SimulatedTest test_output_law(std::string_view verifier, const Instance& instance, int horizon,
                              std::uint64_t seed, double shift, int threads);

/// The same with a sample chosen for `alternative`: the laws of the outputs' cells, then the mass
/// of undefined outcomes.
SimulatedTest test_output_law(std::string_view verifier, const Instance& instance, int horizon,
                              std::uint64_t seed, const std::vector<double>& alternative,
                              int threads);

/// Adds a row's simulated test to an examination.
void simulate_law(Examination& examination, const SimulatedLaw& law);

/// P(tau = i) from tail[i] = P(tau >= i).
std::vector<Rational> law_of_tail(const std::vector<Rational>& tail);

}  // namespace speclab
