#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "prove/closed_forms.h"
#include "prove/entry.h"
#include "prove/family.h"
#include "verifiers/registry.h"

namespace speclab {

/// What is stated of a verifier for every pair of a family.
enum class TheoremProperty {
  lossless,  ///< what one iteration emits, continued by the target, has the target's law
  equals,    ///< E[tau] is that of another verifier
  at_least,  ///< E[tau] is at least that of another verifier
  predicts,  ///< E[tau] is what a closed form says
};

/// A statement about all pairs of a family.
struct Theorem {
  Verifier verifier;
  TheoremProperty property = TheoremProperty::lossless;
  std::optional<Verifier> other;  ///< of equals and at_least
  AllPairs family;
  const ProofEntry* entry = nullptr;  ///< of a verifier that is not of the list; of both
  const ClosedForm* form = nullptr;   ///< of predicts

  /// "lossless", "equals:token", "at-least:block", "predicts:sun2024.theorem2".
  [[nodiscard]] std::string property_text() const;
};

/// Reads a property's text into the theorem: lossless, equals:V, at-least:V or predicts:CLAIM.
/// @throws InputError naming the text and what there is
void read_property(const std::string& text, Theorem& theorem);

/// Whether names of tokens may be exchanged, context by context, without loss: all verifiers of the
/// theorem say that theirs is a law that does not change with them (Lacks::token_names), and are
/// not wrong on purpose.
bool symmetric(const Theorem& theorem);

/// @throws InputError where a verifier cannot be run on the prover's numbers, with the reason
void check_provable(const Theorem& theorem);

/// One equality or inequality that the theorem comes to in a cell.
struct Goal {
  Function difference;
  Signs wanted;      ///< that the difference must have
  std::string what;  ///< "the law of (0,1)"
};

/// Runs the verifiers in the current run.
/// @throws DividedByZero  @throws InputError where a verifier is not piecewise rational
std::vector<Goal> goals_of(const Theorem& theorem);

}  // namespace speclab
