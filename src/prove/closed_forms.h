#pragma once

#include <span>
#include <string>
#include <string_view>

#include "prove/family.h"
#include "verifiers/registry.h"

namespace speclab {

/// A prediction of E[tau] of the rooms above (theory) that can be worked out on the prover's
/// numbers: it makes no tables of one pair, rounds nothing and looks for no root.
struct ClosedForm {
  std::string_view claim;     ///< as in the table of predictions: "sun2024.theorem2"
  std::string_view verifier;  ///< the name of the one that it speaks of
  Number (*accepted)(const Rows<Number>& rows, const Verifier& verifier, int gamma);
};

/// All of them, in the order of their papers.
std::span<const ClosedForm> closed_forms();

/// The one that a claim has for a verifier.
/// @throws InputError naming those that there are
const ClosedForm& closed_form_of(const std::string& claim, const Verifier& verifier);

}  // namespace speclab
