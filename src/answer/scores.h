#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/advice.h"
#include "answer/answer.h"
#include "recorded/scored/observed.h"
#include "recorded/scored/score.h"

namespace speclab {

// Views of scored texts: ratios of sums over texts, with jackknife intervals over them
// (answer/clusters.h).

/// One verifier at one draft length over the texts of a group.
struct Score {
  std::string group;
  std::string verifier;  ///< canonical spec text
  int gamma = 1;
  Value acceptance_length;  ///< tokens a target call
  Value target_calls;       ///< the sum over the texts
  std::vector<Value> position_rates;
  /// Tokens a call of the iterations that the text's end cannot cut: of decodes without an end.
  std::optional<Value> long_run;
  /// Accepted tokens of an iteration that begins at any position, over the most that a verifier
  /// accepts in a first iteration there.
  std::optional<Value> share_of_optimum;
};

/// How much longer one verifier's iterations are than token verification's, on the same texts.
struct ScoreGain {
  std::string group;
  std::string verifier;
  int gamma = 1;
  Value difference;  ///< of the acceptance lengths
  Value ratio;       ///< token verification's target calls over this verifier's
};

/// One position of what an engine counted, beside what the texts predict.
struct ObservedRate {
  int position = 1;
  Value observed;                  ///< steps that accepted so many tokens, over all steps
  Value predicted;                 ///< position_rates
  std::optional<double> p_value;   ///< of no difference, on both sides; none without intervals
  std::optional<double> detected;  ///< the difference that would be found with 95% power
};

/// Observed against predicted at the engine's draft length, for one verifier.
struct ObservedComparison {
  std::string verifier;
  int gamma = 1;
  Value observed_length, predicted_length;  ///< tokens a step
  std::vector<ObservedRate> rates;
  TextCheck check;  ///< of all positions: the smallest p-value times their number
};

struct ScoredQuestion {
  std::vector<Verifier> verifiers;
  std::vector<int> gammas;
};

/// The verifiers of spec texts, each once. @throws InputError for one that texts do not score
std::vector<Verifier> scored_verifiers(const std::vector<std::string>& specs);

/// A pair that names texts which are scored elsewhere: scored(TEXTS), for questions and reports.
PairPointer scored_pair(const std::string& texts);
/// scored(FILE) or scored([FILE,FILE,...]).
PairPointer scored_pair(const std::vector<std::string>& files);

std::vector<Score> scores_of(const ScoreResult& result, const ScoredQuestion& asked);

/// Of every verifier but token verification, where that is among them.
std::vector<ScoreGain> gains_of(const ScoreResult& result, const ScoredQuestion& asked);

/// Compares over all groups together. @pre the verifier is one of those scored
ObservedComparison compare_observed(const ScoreResult& result, const ObservedRequests& observed,
                                    const Verifier& verifier, std::size_t number);

/// A cluster's counts, for advice.
std::vector<Cluster> clusters_of(const TextGroup& group, std::size_t verifier, int gamma);

}  // namespace speclab
