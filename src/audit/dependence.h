#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audit/aspect.h"
#include "audit/plan.h"

namespace speclab {

// Decisions of the same rows must be independent of each other. Two kinds of tests:
//   - Two decisions of one case that are `lag` apart agree with probability sum p^2. Pairs without
//     a common decision, (i, i + lag) in every second block of `lag` decisions, are independent;
//     of all cases together the agreeing ones are a sum of independent yes or no, whose tails are
//     below those of the binomial law of the same mean (Hoeffding 1956, Theorem 4). Where the law
//     of a decision is unknown, half of the pairs are compared with as many that are half the
//     sequence apart: given their sum the agreeing ones are hypergeometric, a sum of
//     independent yes or no as well (Vatutin and Mikhailov 1982).
//   - A run of L decisions that comes twice without an overlap. Given how often each outcome came,
//     every order of the decisions is equally likely, and two such places agree with probability
//     at most c^L, c = sum n_x (n_x - 1) / ((n - 2L) (n - 2L - 1)); the bound is their number times
//     c^L.
// No test depends on whether the law of a decision is the right one: where decisions agree more
// often than the law says, the observed frequencies replace it.

/// The decisions of an audit in the order in which they were answered.
class DecisionOrder {
 public:
  /// @param key  distinguishes decisions of different rows within a case
  void add(std::size_t at_case, const OutcomeKey& key, const OutcomeKey& outcome);

  /// Outcomes by number, in their order.
  struct Sequence {
    std::size_t at_case = 0;
    std::vector<std::uint32_t> outcomes;
    std::vector<std::uint64_t> counts;  ///< by outcome
    std::map<OutcomeKey, std::uint32_t> numbers;
  };
  [[nodiscard]] const std::map<std::pair<std::size_t, OutcomeKey>, Sequence>& sequences() const {
    return sequences_;
  }

 private:
  std::map<std::pair<std::size_t, OutcomeKey>, Sequence> sequences_;
};

/// A run of decisions that comes again.
struct RepeatedRun {
  std::size_t length = 0;  ///< 0: none
  std::size_t first = 0;   ///< where it begins
  std::size_t again = 0;   ///< where it begins again; first + length <= again
};

/// The longest run of `least` or more that comes twice without an overlap. @pre least >= 1
RepeatedRun longest_repeat(const std::vector<std::uint32_t>& outcomes, std::size_t least);

/// A bound on the probability that a run of so many comes twice.
double repeat_bound(const DecisionOrder::Sequence& sequence, std::size_t length);

/// The tests of dependence that an audit of so many cases makes.
std::size_t dependence_tests(std::size_t cases);

/// One finding for the lag of the smallest p-value, and one for each case with a repeated run.
std::vector<AuditFinding> dependence_findings(const AuditPlan& plan, const DecisionOrder& order);

/// The least share by which decisions must agree more often than independent ones at each of the
/// lags 1 to 64, to be seen with this power: a distance (TV) of the law of two decisions from that
/// of independent ones. Nothing where there are too few decisions.
std::optional<double> smallest_dependence(const AuditPlan& plan, const DecisionOrder& order,
                                          double power);

}  // namespace speclab
