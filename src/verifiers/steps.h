#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace speclab {

/// A verifier's rule in at most five steps, for people; the program itself is in the verifier's
/// header, and its source names the paper.
struct VerifierSteps {
  std::string_view verifier;  ///< its name in the registry
  std::vector<std::string_view> steps;
};

/// All rows of src/verifiers/steps.txt, in its order: one for each verifier but the planted faults.
std::span<const VerifierSteps> verifier_steps();

/// The steps of the verifier of this name; none of a planted fault.
std::vector<std::string_view> steps_of(std::string_view verifier);

}  // namespace speclab
