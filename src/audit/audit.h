#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/implementation.h"

namespace speclab {

/// How an implementation is queried.
enum class AuditMode {
  verify,    ///< rows and drafts of one iteration; it draws its own random numbers
  generate,  ///< a whole pair; it returns decodes
  uniforms,  ///< as verify, but it uses the random numbers in the request
};
/// "verify", "generate", "uniforms".
std::string_view mode_name(AuditMode mode);
/// @throws InputError for another word
AuditMode read_mode(std::string_view word);

struct AuditOptions {
  std::string rule = "lossless";  ///< a verifier's spec text, or `lossless`
  AuditMode mode = AuditMode::verify;
  int drafts = 1;             ///< of the rule `lossless`: the chains of a decision
  double false_alarm = 1e-9;  ///< largest probability of rejecting a correct implementation
  double power = 1 - 1e-6;    ///< least probability of detecting each known fault
  std::uint64_t seed = 1;     ///< of the drafts drawn here and of the seeds sent
  std::uint64_t most_trials =
      4'000'000;                ///< decisions requested; an audit that needs more is refused
  std::uint64_t decisions = 0;  ///< ask at least so many in all, of each case the same multiple
  std::vector<int> only;        ///< the numbers of the cases to ask; empty: all
  bool large = false;  ///< the battery of large vocabularies alone, of a known rule, mode verify
};

/// What a finding is about.
enum class DecisionKind {
  accepted_length,
  correction,
  bonus,
  tokens,      ///< of the output
  numbers,     ///< how random numbers are used
  dependence,  ///< of decisions on each other
};
/// "accepted length", "correction", "bonus", "tokens", "random numbers", "dependence".
std::string_view decision_name(DecisionKind kind);

/// One pair, draft length and number of drafts, and the decisions requested.
struct AuditCase {
  std::string name;  ///< "case 3"
  std::string pair;  ///< JSON text of the pair object
  Token vocabulary = 0;
  int gamma = 0;
  int drafts = 1;
  std::vector<std::vector<Token>>
      drafted;  ///< the chains; empty where they are drawn for each request
  std::uint64_t trials = 0;
  std::vector<std::string>
      shows;                    ///< the known faults that this case detects alone, with full power
  int number = 0;               ///< from 1
  std::size_t underflowed = 0;  ///< possible outcomes of the rule below the least normal double
};

/// One outcome of a decision: its probability, and how often it was seen.
struct OutcomeCount {
  std::string outcome;
  double law = 0;
  std::uint64_t seen = 0;
};

/// A decision whose law differs.
struct AuditFinding {
  std::string case_name;
  std::string decision;  ///< "accepted length after draft (0,1)", "correction at accepted length 1"
  std::string detail;    ///< in words and numbers, one line
  double tv = 0;         ///< distance of the observed frequencies from the law
  double p_value = 0;    ///< 0: impossible under the law, or below 1e-308
  std::string resembles;  ///< a known fault whose law fits all observations; "" where none does
  DecisionKind kind = DecisionKind::numbers;
  std::vector<OutcomeCount> counts{};  ///< the decision's law and what was seen
};

/// How many cases test a kind of decision, and in how many it is wrong.
struct DecisionSummary {
  DecisionKind kind{};
  std::size_t cases = 0;
  std::size_t wrong = 0;
};

/// How far a kind of decision may be from its law unseen: each law at this distance (TV, in shares
/// of all decisions of a case) or further would have been seen with the power asked for.
struct SeenDistance {
  DecisionKind kind{};
  double best = 0;   ///< in the case that sees the smallest
  double every = 0;  ///< in every case
};

/// The smallest fault of a class that these decisions would have shown with the power asked for.
struct SmallestFault {
  std::string fault;   ///< "bonus from t^a"
  std::string seen;    ///< "a = 1.2"; "" where none of the class is seen
  std::string unseen;  ///< "a = 1.1", the largest that is not; "" where all are seen
};

/// A known fault that the cases asked cannot show, and why.
struct UnseenFault {
  std::string verifier;
  std::string reason;
};

struct AuditReport {
  std::string rule;  ///< canonical
  AuditMode mode = AuditMode::verify;
  std::uint64_t seed = 0;
  std::uint64_t trials = 0;
  double false_alarm = 0;             ///< a bound, over the whole audit; 0 in mode uniforms
  std::optional<double> least_power;  ///< over the detectable faults; empty where no fault is known
  std::vector<AuditCase> cases;
  std::vector<AuditFinding> findings;  ///< in the order of the cases; empty: pass
  std::vector<std::string> shown;      ///< the known faults that it detects
  std::vector<UnseenFault> unseen;
  std::vector<DecisionSummary> summary;
  std::vector<std::string> fitting;   ///< the known faults whose laws fit all observations
  std::vector<std::string> readings;  ///< the known laws that all wrong corrections fit
  std::vector<SmallestFault> smallest;
  std::vector<SeenDistance> distances;  ///< by kind of decision, after a pass
  /// Of the rule `lossless`: expected accepted tokens over the optimum of their class, case by
  /// case, averaged.
  std::optional<double> share_of_optimum;

  [[nodiscard]] bool passed() const { return findings.empty(); }
};

/// The cases that audit() would use, with their trials.
/// @throws InputError for an unknown rule; LimitError where the power needs more trials than
/// allowed
std::vector<AuditCase> audit_cases(const AuditOptions& asked);

/// Called between requests with the decisions made so far and requested.
using AuditProgress = std::function<void(std::uint64_t done, std::uint64_t wanted)>;

/// Tests an implementation against the exact law of a rule.
/// @throws what the implementation throws; Error when interrupted
AuditReport audit(const AuditOptions& asked, Implementation& implementation,
                  const AuditProgress& progress = {});

}  // namespace speclab
