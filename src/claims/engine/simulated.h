#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "answer/law_test.h"
#include "claims/engine/examination.h"

namespace speclab {

/// The mass in a wrong cell that a test finds with probability near 1.
double test_shift(const ClaimContext& context);

// The sample of each test is large enough to find, with the test's power at kTestLevel, a law with
// `shift` of its mass in a wrong cell.

/// Simulates one iteration and tests the law of tau (cell i: tau = i, 0 .. gamma) against
/// `law`.
LawTest test_accepted_law(std::string_view verifier, const Instance& instance,
                          const std::vector<Rational>& law, std::uint64_t seed, double shift,
                          int threads);

/// Simulates decodes of `horizon` tokens from the pair's one start and tests their joint law
/// against the target's. @pre the pair has one start
LawTest test_output_law(std::string_view verifier, const Instance& instance, int horizon,
                        std::uint64_t seed, double shift, int threads);

/// The same with a sample chosen for `alternative`: the laws of the outputs' cells, then the mass
/// of undefined outcomes.
LawTest test_output_law(std::string_view verifier, const Instance& instance, int horizon,
                        std::uint64_t seed, const std::vector<double>& alternative, int threads);

/// Adds a row's simulated test to an examination.
void simulate_law(Examination& examination, const SimulatedLaw& law);

}  // namespace speclab
