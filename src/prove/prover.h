#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "prove/branch.h"
#include "prove/judge.h"
#include "prove/solver.h"
#include "prove/theorem.h"

namespace speclab {

/// A set of pairs for which every comparison of the verifiers' programs has the same result. Its
/// conditions, besides those of all pairs, are those of its branch and those taken in its run.
struct Cell {
  Conditions branch;
  Conditions taken;              ///< by the run's comparisons that depended on the pair, in order
  std::vector<Rational> sample;  ///< a pair of it; empty where only irrational ones are known
  /// The failing_conditions() of its goals for which the solver found no pair.
  std::vector<Conditions> excluded{};

  /// The conditions of its branch, then those taken.
  [[nodiscard]] Conditions path() const;
};

struct Counterexample {
  std::vector<Rational> point;
  TheoremFailure failure;
};

/// The results so far. The branches form a tree: the root has no conditions. A cell or split
/// that takes c_1, .., c_n has under it, for each k, the branch with c_1, .., c_{k-1} and the other
/// signs that c_k's polynomial could have had.
struct ProofState {
  std::vector<Cell> cells;            ///< on which the property is proved
  std::vector<Cell> splits;           ///< not proved: under a split is also its own cell
  std::vector<Conditions> empty;      ///< branches in which the solver found no pair
  std::vector<Conditions> pending;    ///< pending branches, the next one last
  std::vector<Conditions> undecided;  ///< branches that the solver did not decide
  std::optional<Counterexample> counterexample;
  std::array<std::uint64_t, kBases> by_basis{};  ///< cells, by the weakest Basis among their goals
  std::uint64_t queries = 0;                     ///< of the solver
  /// The probability that the provers of these cells identified two different functions.
  double error_bound = 0;
};

enum class TheoremVerdict { proved, refuted, undecided };

/// Explores the cells of a theorem, depth first. After the run at a sample every record is negated
/// under the ones before it, and the solver finds a pair there or shows that there is none: so the
/// cells cover the family except for those counted as undecided.
///
/// Worked example: token verification, V = 2, gamma = 1, with t(0) >= d(0): the run at d = 1/3,
/// t = 1/2 (of token 0) records d(0) > 0, d(1) > 0, t(1) < d(1) and t(1) > 0; negated they
/// give a cell each with d = 0, d = 1, t = d and t = 1.
class Prover {
 public:
  struct Limits {
    /// Time limit of one query to the solver. Unanswered queries are repeated once at the end, with
    /// kSecondTry times as long.
    double query_seconds = 5;
    std::uint64_t seed = 1;  ///< of samples
    bool symmetry = true;  ///< whether to assume an order of the tokens where that is without loss
                           ///< of generality
    bool second_try = true;  ///< whether to repeat unanswered queries
  };

  static constexpr double kSecondTry = 4;

  /// @throws what check_provable throws, and make_solver
  Prover(Theorem theorem, const Limits& limits);
  ~Prover();
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  /// Processes one branch: a cell, or the solver's answer that there is none. False where none is
  /// pending. If interrupted, it leaves the branch pending.
  bool step();
  /// Continues from a state in the numbers of factors() (see resume in prove/certificate.h).
  void resume(ProofState state);

  [[nodiscard]] const ProofState& state() const { return state_; }
  [[nodiscard]] TheoremVerdict verdict() const;
  /// The probability that any two different functions were identified is below this.
  [[nodiscard]] double error_bound() const { return std::min(1.0, state_.error_bound); }
  [[nodiscard]] const Theorem& theorem() const { return theorem_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  [[nodiscard]] bool ordered() const { return ordered_; }
  /// The polynomials of the state's conditions.
  [[nodiscard]] Factors& factors() { return factors_; }
  [[nodiscard]] const Factors& factors() const { return factors_; }

 private:
  void refuse_early() const;
  bool try_again();
  Solver::Answer sample_in(const Conditions& prefix, Sample& sample);
  Solver::Answer ask(const Conditions& conditions, Sample& sample);
  void settle(const Conditions& prefix, const Sample& sample);
  void judge(const std::vector<Goal>& goals, Branch& branch, CellRun& run, Cell cell);
  Truth check_by_solver(const Goal& goal, Functions& functions, Cell& cell);
  bool refute(const Sample& sample);

  Theorem theorem_;
  Limits limits_;
  Factors factors_;
  std::unique_ptr<Solver> solver_;
  bool ordered_;
  Conditions always_;  ///< conditions_of_all
  std::mt19937_64 engine_;
  ProofState state_;
  bool tried_again_ = false;
};

}  // namespace speclab
