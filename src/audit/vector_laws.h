#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/law.h"
#include "audit/uniform_numbers.h"
#include "audit/vector_cases.h"
#include "base/rational.h"

namespace speclab {

using OutcomeLaw = std::map<AuditOutcome, Rational>;

/// A case with the law that a rule has there, and the probability of each accepted length. Outcomes
/// end with the end-of-sequence token where they have it.
struct JudgedCase {
  VectorCase made;
  AuditPlace place;
  OutcomeLaw law;
  std::map<int, double> lengths;
  std::uint64_t samples = 0;  ///< iterations that an implementation makes
  bool exact = true;          ///< otherwise probabilities are irrational, and here doubles

  /// The counts that are tested.
  [[nodiscard]] std::size_t tests() const { return law.size() + lengths.size(); }
};

/// What is emitted up to the end of the sequence; accepted are the tokens before it.
AuditOutcome until_end(AuditOutcome outcome, std::optional<Token> eos);

/// The drafts that a rule takes.
GivenShape given_shape(const Verifier& rule);

/// Empty where the rule does not draft such a set.
std::optional<JudgedCase> judged(const Verifier& rule, VectorCase made);

/// The law of any verifier at a case, outcomes up to the end of the sequence.
/// @throws ContractError where it does not draft such a set
AuditLaw ended_law(const Verifier& verifier, const JudgedCase& each);

/// The probability with which one count rejects a law: a checker sees tokens, and takes the
/// accepted length from them. @param level  of each count
double power_on(const JudgedCase& each, const AuditLaw& wrong, double level);

/// Numbers that decide a case, at both ends of every range that leads to an outcome, and the tokens
/// that come of each.
struct NumberedCase {
  std::vector<Numbers> grid;
  std::vector<std::vector<Token>> tokens;
};
/// Empty where there are too many.
NumberedCase numbered(const Verifier& rule, const JudgedCase& each);

/// What a verifier makes of these numbers; empty where it does not draft such a set, or needs more
/// numbers.
std::vector<std::vector<Token>> decisions_on(const std::vector<Numbers>& grid,
                                             const Verifier& verifier, const JudgedCase& each);

/// What shows a fault best.
struct Shown {
  double power = 0;
  std::size_t at = 0;  ///< the case
  AuditLaw law;        ///< the fault's there
};
/// @param reason  receives why no case shows it
Shown shown_best(const Verifier& fault, const std::vector<JudgedCase>& cases, double level,
                 std::string& reason);

/// A fault that any rule's kernel may have over a large vocabulary.
struct KernelFault {
  std::string_view name;
  std::string_view prose;
  Token tokens = 0;  ///< of a row; it sums to 1 again
};
const std::vector<KernelFault>& kernel_faults();
Shown shown_best(const KernelFault& fault, const Verifier& rule,
                 const std::vector<JudgedCase>& cases, double level);

}  // namespace speclab
