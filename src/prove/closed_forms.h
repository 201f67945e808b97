#pragma once

#include <span>
#include <string>
#include <string_view>

#include "prove/family.h"
#include "verifiers/registry.h"

namespace speclab {

/// A prediction of E[tau] of src/theory that can be evaluated on the prover's numbers: it makes no
/// tables of one pair, rounds nothing and finds no roots.
struct ClosedForm {
  std::string_view claim;     ///< as in the table of predictions: "sun2024.theorem2"
  std::string_view verifier;  ///< the name of its verifier
  Number (*accepted)(const Rows<Number>& rows, const Verifier& verifier, int gamma);
  /// The same of one pair, in fractions, where the table of predictions has no such row.
  Rational (*exact)(const Rows<Rational>& rows, const Verifier& verifier, int gamma) = nullptr;
};

/// All of them, in the order of their papers.
std::span<const ClosedForm> closed_forms();

/// The closed form of a claim for a verifier.
/// @throws InputError listing the closed forms
const ClosedForm& closed_form_of(const std::string& claim, const Verifier& verifier);

}  // namespace speclab
