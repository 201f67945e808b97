#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "claims/engine/row.h"

namespace speclab {

/// A check, or a function object in its place.
using Statement = std::function<Comparisons(const Instance&)>;

/// Which form of a claim a comparison speaks of.
enum class Reading { printed, corrected };

/// Checks a claim on instances, keeps the evidence and decides the verdict:
/// - `holds` when the printed statement was compared and never violated,
/// - that of words(amends) when it was violated and the amended statement, compared too, never,
/// - `refuted` otherwise.
class Examination {
 public:
  explicit Examination(const ClaimContext& context, Amends amends = Amends::by_correction)
      : context_(context), amends_(amends) {}

  [[nodiscard]] const ClaimContext& context() const { return context_; }

  /// Checks the statement on every instance, in order. Evidence: one line a pair for what was true,
  /// one line for each pair's first violation of each reading.
  void check(const std::vector<Instance>& instances, const Statement& statement,
             Reading reading = Reading::printed, Method method = Method::exact);

  /// Looks for the smallest pair that violates the statement; true when there is one in the space.
  /// Counts for the printed reading by default.
  /// @param among  ends the line of evidence of a search that finds nothing: ", where u >= v"
  bool search(const SearchSpace& space, const Statement& statement,
              Reading reading = Reading::printed, std::string_view among = "");

  /// Either, as the place says, with its own check where it has one.
  /// @param depth  given to every instance
  void check_at(const Place& place, const Check& check, int depth, Reading reading);

  /// Adds the result of one simulated test on an instance.
  /// @param p_bound  an upper bound on the probability of so large a deviation under the statement
  /// @param power    probability with which the stated alternative would be rejected
  void test(const Instance& instance, std::string_view what, double p_bound, double power,
            Reading reading = Reading::printed);

  /// Proves the printed statement for all pairs of a size or refutes it. Where that cannot be done,
  /// as without the solver, the evidence says why and decides nothing.
  void prove(const ForAllPairs& what);

  /// Adds evidence that decides nothing.
  void note(const Instance& instance, Method method, std::string detail);

  /// @throws std::logic_error when nothing was compared: such a check could not fail
  ClaimResult finish();

 private:
  struct Tally {
    std::uint64_t passed = 0;
    std::uint64_t violated = 0;
  };
  /// Evidence for one pair, one reading and one method, gathered until finish().
  struct Passed {
    std::string pair;
    Method method;
    Reading reading;
    std::uint64_t count;
    std::string example;
  };

  /// True when a comparison is violated.
  bool compare(const Instance& instance, const Comparisons& comparisons, Reading reading,
               Method method, bool quietly);
  /// The search among instances that come smallest first.
  /// @param space  what they are, for the evidence
  void search(const std::vector<Instance>& instances, const Statement& statement, Reading reading,
              std::string_view space);
  /// Puts the violation found last, in a search, before those met on the way.
  void rank_found();
  [[nodiscard]] std::string prefix(Reading reading) const;
  Tally& tally(Reading reading) { return reading == Reading::printed ? printed_ : corrected_; }

  ClaimContext context_;
  Amends amends_;
  ClaimResult result_;
  Tally printed_;
  Tally corrected_;
  std::vector<Evidence> violations_;
  std::set<std::tuple<std::string, Method, Reading>> violated_;  ///< pairs that are listed
  std::size_t searched_ = 0;  ///< how many of them, at the front, came of a search
  std::vector<Evidence> findings_;
  std::vector<Passed> passed_;
};

/// Runs a row: its check at its places, then the amended one at the correction's, the simulated
/// tests, at the full effort the proofs, and what is extra.
ClaimResult run_claim(const ClaimRow& row, const ClaimContext& context);

}  // namespace speclab
