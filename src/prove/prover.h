#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "prove/functions.h"
#include "prove/judge.h"
#include "prove/solver.h"
#include "prove/theorem.h"

namespace speclab {

/// All pairs that decide every comparison of the verifiers' programs alike.
struct Cell {
  std::vector<Condition> conditions;  ///< one a polynomial; besides those always known
  std::vector<Rational> sample;       ///< a pair of it; empty where only irrational ones are known
};

struct Counterexample {
  std::vector<Rational> point;
  std::string detail;  ///< what fails, and by how much
};

/// What has been found so far.
struct ProofState {
  std::vector<Cell> cells;                        ///< on which the property holds
  std::vector<std::vector<Condition>> pending;    ///< still to be looked into, the next one last
  std::vector<std::vector<Condition>> undecided;  ///< the solver says neither
  std::optional<Counterexample> counterexample;
  std::array<std::uint64_t, kBases> by_basis{};  ///< cells, by the weakest Basis among their goals
  std::uint64_t queries = 0;                     ///< of the solver
  /// The probability that other provers, whose cells these are, took two functions for one.
  double error_bound = 0;
};

enum class TheoremVerdict { proved, refuted, undecided };

/// Explores the cells of a theorem, depth first. After the run at a sample every record is turned
/// round under the ones before it, and the solver finds a pair there or shows that there is none:
/// so the cells cover the family but for those counted as undecided.
///
/// Worked example: token verification, V = 2, gamma = 1, with t(0) >= d(0): the run at d = 1/3,
/// t = 1/2 (of token 0) records d(0) > 0, d(1) > 0, t(1) < d(1) and t(1) > 0; turned round they
/// give a cell each with d = 0, d = 1, t = d and t = 1.
class Prover {
 public:
  struct Limits {
    /// For one question to the solver. What it does not answer is asked once more at the end, with
    /// kSecondTry times as long.
    double query_seconds = 5;
    std::uint64_t seed = 1;  ///< of the points of the field, and of samples
    bool symmetry = true;    ///< whether the names of tokens are put in order where that is allowed
    bool second_try = true;  ///< whether to ask once more
  };

  static constexpr double kSecondTry = 4;

  /// @throws what check_provable throws, and make_solver
  Prover(Theorem theorem, const Limits& limits);
  ~Prover();
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  /// One more branch: a cell, or the solver's word that there is none. False where nothing is left
  /// to do. Interrupted, it leaves the branch to be taken again.
  bool step();
  /// Goes on from a state in the numbers of functions() (see resume in prove/certificate.h).
  void resume(ProofState state);

  [[nodiscard]] const ProofState& state() const { return state_; }
  [[nodiscard]] TheoremVerdict verdict() const;
  /// The probability that any two different functions were taken for one is below this.
  [[nodiscard]] double error_bound() const;
  [[nodiscard]] const Theorem& theorem() const { return theorem_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] bool ordered() const { return ordered_; }
  [[nodiscard]] Functions& functions() { return functions_; }
  [[nodiscard]] const Functions& functions() const { return functions_; }
  /// Conditions that hold throughout: the laws' and, where the names are in order, the order's.
  [[nodiscard]] const std::vector<Condition>& always() const { return always_; }

 private:
  using Conditions = std::vector<Condition>;

  bool try_again();
  Solver::Answer sample_in(const Conditions& prefix, Sample& sample);
  Solver::Answer ask(const Conditions& conditions, Sample& sample);
  void settle(const Conditions& prefix, const Sample& sample);
  Held hold_by_solver(const Goal& goal, const Conditions& cell);
  bool refute(const Sample& sample);

  Theorem theorem_;
  Limits limits_;
  Functions functions_;
  std::unique_ptr<Solver> solver_;
  bool ordered_;
  std::vector<Condition> always_;
  std::mt19937_64 engine_;
  ProofState state_;
  bool tried_again_ = false;
};

}  // namespace speclab
