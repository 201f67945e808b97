#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace speclab {

/// What the evidence says of a printed statement.
enum class ClaimVerdict {
  holds,                  ///< no instance violates it
  refuted,                ///< an instance violates it
  holds_with_correction,  ///< an instance violates it as printed; a hypothesis or a constant that
                          ///< the row states makes it true on all
  not_decidable,          ///< the paper leaves open on which instance it is said
};

/// "holds", "refuted", "holds-with-correction", "not-decidable".
std::string_view claim_verdict_name(ClaimVerdict verdict);

/// How a piece of evidence was found.
enum class Method {
  exact,        ///< every decision of the verifier in rational arithmetic, or an exact certificate
  simulation,   ///< a test of a stated false-alarm probability
  closed_form,  ///< two closed forms against each other, where the instance is too large for exact
  proof,        ///< for all pairs of a size, by cells of pairs that decide every comparison alike
};

/// "exact", "simulation", "closed-form", "proof".
std::string_view method_name(Method method);

/// One finding on one pair, or by a proof on all of a size.
struct Evidence {
  /// Canonical spec text; of a proof what it speaks of, or the pair that fails; empty where the
  /// numbers that a paper prints are compared, which are of no pair.
  std::string pair;
  Method method = Method::exact;
  std::string detail;                    ///< one line: the setting, the quantity, both values
  std::optional<std::uint64_t> cells{};  ///< of a proof: cells on which the statement holds
};

/// How much work the checks may do.
enum class Effort { quick, standard, thorough };

/// A size that grows with the effort: {4, 12, 60}, or one number for all three.
struct Sized {
  // Implicit, so that a row says `.gammas = 3` and `.random = {4, 12, 60}`.
  constexpr Sized(int all) : quick(all), standard(all), thorough(all) {}
  constexpr Sized(int least, int usual, int most) : quick(least), standard(usual), thorough(most) {}

  [[nodiscard]] constexpr int at(Effort effort) const {
    return effort == Effort::quick ? quick : effort == Effort::standard ? standard : thorough;
  }
  /// "3", or where they differ "4/12/60".
  [[nodiscard]] std::string text() const;

  int quick;
  int standard;
  int thorough;
};

/// The false-alarm probability of a whole run, over all simulated tests together.
inline constexpr double kFalseAlarm = 1e-9;

/// A run makes at most this many simulated tests (run_claims checks it), each at kTestLevel.
inline constexpr int kMostTests = 10000;
inline constexpr double kTestLevel = kFalseAlarm / kMostTests;

/// What a check is given. The same context gives the same result, bit for bit.
struct ClaimContext {
  std::uint64_t seed = 1;
  Effort effort = Effort::standard;
  int threads = 0;  ///< of one simulation; 0: as many as the machine gives
};

/// What a check found.
struct ClaimResult {
  ClaimVerdict verdict = ClaimVerdict::refuted;
  /// Whether an instance violates what the row says in the place of the printed statement.
  bool amended_violated = false;
  std::vector<Evidence> evidence;
  std::uint64_t instances = 0;    ///< settings (pair, gamma, K) on which the statement was checked
  std::uint64_t comparisons = 0;  ///< numbers compared
  int tests = 0;                  ///< simulated tests made, each at kTestLevel
  double least_power = 1;         ///< the smallest power of those tests
};

}  // namespace speclab
