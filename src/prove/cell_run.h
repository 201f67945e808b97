#pragma once

#include <compare>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "base/rational.h"
#include "prove/functions.h"
#include "prove/signs.h"

namespace speclab {

/// The condition that a polynomial has one of these signs.
struct Condition {
  Factor factor;
  Signs signs;
  auto operator<=>(const Condition&) const = default;
};
using Conditions = std::vector<Condition>;

/// A comparison that depended on the pair: its result here, and the signs for which it would have
/// the other result.
struct Record {
  Condition taken;
  Signs others;
};

/// Thrown on a division by a number that is 0 here.
struct DividedByZero {};

/// A pair at which comparisons are decided.
struct Sample {
  std::vector<Rational> point;  ///< by parameter; near the pair where that is irrational
  /// The signs of polynomials of the table at an irrational pair: kAnySign where they are not
  /// known. Empty for a rational pair.
  std::function<Signs(Factor)> signs{};

  [[nodiscard]] bool rational() const { return !signs; }
};

/// Thrown where a comparison cannot be decided at the sample: a sign is not known there.
struct NoSign {};

/// Thrown where no sign of a number is possible: no pair meets the conditions.
struct Contradiction : std::logic_error {
  Contradiction() : std::logic_error("conditions that contradict each other") {}
};

/// The results of the comparisons of a run, in order: conditions of the table `factors`.
struct Replay {
  const Factors& factors;
  std::span<const Condition> taken;
};

/// Thrown where a run compares what a replay does not have next; the factor of the run's table.
struct OffReplay {
  Factor factor;
};

/// One run of a program at one pair, the sample. Its numbers are functions of the family's
/// parameters; a comparison has its result at the sample, and is recorded where the
/// conditions known so far do not decide it. All pairs that meet `known` and what is recorded
/// decide every comparison alike.
///
/// A comparison is of the sign of a product of factors. With one factor undecided the record is of
/// its signs for which the comparison has the same result (x < 1: {-}, else {0, +}); with
/// more, the first ones are fixed to their sign at the sample.
class CellRun {
 public:
  using Points = std::vector<Functions::Values>;  ///< by parameter

  /// @param known  conditions that the sample meets
  CellRun(Functions& functions, Sample sample, std::span<const Condition> known);

  /// From now on numbers have values at these points of the fields as well (see residues()).
  void follow(Points points);
  /// From now on comparisons that depend on the pair have the results of a replay, which the sample
  /// need not decide.
  void follow(const Replay& replay) { replay_.emplace(replay); }

  [[nodiscard]] Function parameter(std::size_t index);
  [[nodiscard]] Function constant(const Rational& value);
  /// @throws DividedByZero, NoSign
  [[nodiscard]] Function combine(Operation operation, Function a, Function b);

  /// Whether the function's sign is one of `yes`; recorded where that is not known.
  /// @throws NoSign, OffReplay, Contradiction
  bool decide(Function function, Signs yes);
  /// The signs that the conditions known and recorded so far allow.
  [[nodiscard]] Signs signs(Function function);
  [[nodiscard]] Signs signs(const Factored& fraction) const;
  /// The function's sign at the sample; kAnySign where it is not known.
  [[nodiscard]] Signs sign_here(Function function);

  /// @pre the sample is rational
  [[nodiscard]] const Rational& value(Function function) const {
    return values_[static_cast<std::size_t>(function)];
  }
  /// The values at the points of follow(); empty where a denominator was 0 there.
  [[nodiscard]] const std::optional<Functions::Values>& residues(Function function) const {
    return residues_[static_cast<std::size_t>(function)];
  }
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  [[nodiscard]] const Sample& sample() const { return sample_; }
  [[nodiscard]] Functions& functions() { return functions_; }

 private:
  [[nodiscard]] Signs known(Factor factor) const;
  [[nodiscard]] Signs structural_signs(Function function);
  void refine(const Factored& fraction, Signs yes);
  [[nodiscard]] Signs replayed(Factor factor) const;
  void learn(const Condition& condition);
  bool has(Function function) const;
  [[nodiscard]] Signs factor_sign(Factor factor) const;
  /// Allocates the entries of a function that the run has reached.
  std::size_t enter(Function function);
  void keep(Function function, const Rational& value);

  Functions& functions_;
  Sample sample_;
  std::vector<Signs> known_;  ///< by factor
  std::vector<Record> records_;
  std::optional<Replay> replay_;
  std::vector<Rational> values_;
  std::vector<char> has_;
  std::optional<Points> points_;
  std::vector<std::optional<Functions::Values>> residues_;
  std::vector<Signs> signs_;
  std::vector<int> signs_at_;  ///< the version for which signs_ was computed
  int version_ = 1;
};

}  // namespace speclab
