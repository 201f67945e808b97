#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prove/closed_forms.h"
#include "prove/family.h"
#include "prove/iteration.h"
#include "verifiers/registry.h"

namespace speclab {

/// A property of a verifier for every pair of a family.
enum class TheoremProperty {
  lossless,  ///< the output of one iteration, continued by the target, has the target's law
  equals,    ///< E[tau] equals that of another verifier
  at_least,  ///< E[tau] is at least that of another verifier
  predicts,  ///< E[tau] equals a closed form
};

/// A statement about all pairs of a family.
struct Theorem {
  Verifier verifier;
  TheoremProperty property = TheoremProperty::lossless;
  std::optional<Verifier> other;  ///< of equals and at_least
  AllPairs family;
  std::optional<ProofProgram> program = {};  ///< of a verifier that is not in the registry; of both
  const ClosedForm* form = nullptr;          ///< of predicts

  /// "block: lossless, for all iid pairs of 2 tokens, draft length 2"
  [[nodiscard]] std::string text() const;
  /// "lossless", "equals:token", "at-least:block", "predicts:sun2024.theorem2".
  [[nodiscard]] std::string property_text() const;
};

/// Reads a property's text into the theorem: lossless, equals:V, at-least:V or predicts:CLAIM.
/// @throws InputError naming the text and the properties
void read_property(const std::string& text, Theorem& theorem);

/// Whether tokens may be renumbered, context by context, without loss of generality: no verifier of
/// the theorem depends on the numbers (Lacks::token_names), and none has a planted fault.
bool symmetric(const Theorem& theorem);

/// @throws InputError where a verifier cannot be run on the prover's numbers, or the theorem of its
///         family not be asked, with the reason
void check_provable(const Theorem& theorem);

/// One equality or inequality to which the theorem reduces in a cell.
struct Goal {
  Function difference;
  Signs wanted;      ///< that the difference must have
  std::string what;  ///< "the law of (0,1)"
  ProofRun run;      ///< in which it is to hold
};

/// Evaluates the theorem in the current run.
/// @throws DividedByZero  @throws InputError where a verifier is not piecewise rational
std::vector<Goal> goals_of(const Theorem& theorem);

}  // namespace speclab
