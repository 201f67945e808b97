#include "prove/prover.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "prove/samples.h"
#include "system/interrupt.h"

namespace speclab {

Prover::Prover(Theorem theorem, const Limits& limits)
    : theorem_((check_provable(theorem), std::move(theorem))),
      limits_(limits),
      solver_(make_solver(theorem_.family.parameters())),
      ordered_(limits.symmetry && symmetric(theorem_)),
      engine_(limits.seed) {
  always_ = conditions_of_all(theorem_.family, ordered_, factors_);
  state_.pending.emplace_back();
  if (theorem_.family.every_gamma()) refuse_early();
}

Prover::~Prover() = default;

/// Refuses a theorem that cannot be asked of a pair, also where cells are known already.
void Prover::refuse_early() const {
  Functions functions(theorem_.family.parameters());
  std::mt19937_64 engine(limits_.seed);
  failure_at(theorem_, functions, random_sample(theorem_.family, engine));
}

void Prover::resume(ProofState state) { state_ = std::move(state); }

Conditions Cell::path() const { return joined(branch, taken); }

TheoremVerdict Prover::verdict() const {
  if (state_.counterexample) return TheoremVerdict::refuted;
  return state_.pending.empty() && state_.undecided.empty() ? TheoremVerdict::proved
                                                            : TheoremVerdict::undecided;
}

bool Prover::step() {
  if (state_.counterexample || (state_.pending.empty() && !try_again())) return false;
  check_interrupted();
  const Conditions prefix = state_.pending.back();
  Sample sample;
  const Solver::Answer answer = sample_in(prefix, sample);
  state_.pending.pop_back();
  if (answer == Solver::Answer::unknown) state_.undecided.push_back(prefix);
  if (answer == Solver::Answer::none) state_.empty.push_back(prefix);
  if (answer != Solver::Answer::found) return true;
  const std::size_t before = state_.pending.size();
  try {
    settle(prefix, sample);
  } catch (const NoSign&) {
    state_.pending.resize(before);
    state_.undecided.push_back(prefix);
  } catch (...) {
    state_.pending.resize(before);
    state_.pending.push_back(prefix);
    throw;
  }
  return true;
}

/// Retries the undecided branches.
bool Prover::try_again() {
  if (!limits_.second_try || tried_again_ || state_.undecided.empty()) return false;
  tried_again_ = true;
  std::swap(state_.pending, state_.undecided);
  return true;
}

Solver::Answer Prover::sample_in(const Conditions& prefix, Sample& sample) {
  sample.point = random_sample(theorem_.family, engine_);
  return prefix.empty() ? Solver::Answer::found : ask(prefix, sample);
}

Solver::Answer Prover::ask(const Conditions& conditions, Sample& sample) {
  ++state_.queries;
  return solver_->find(merged(theorem_.family.with_domain(conditions, always_, factors_)), factors_,
                       sample, limits_.query_seconds * (tried_again_ ? kSecondTry : 1));
}

void Prover::settle(const Conditions& prefix, const Sample& sample) {
  Branch branch(theorem_.family, ordered_, prefix, factors_);
  Functions& functions = branch.functions;
  Sample here = sample;
  if (sample.signs) {
    here.signs = [&](Factor factor) {
      return sample.signs(factors_.enter(functions.factors()[factor]));
    };
  }
  CellRun run(functions, here, branch.known);
  const CurrentRun current(run);
  std::vector<Goal> goals;
  try {
    goals = goals_of(theorem_);
  } catch (const DividedByZero&) {
    (refute(sample) ? state_.pending : state_.undecided).push_back(prefix);
    return;
  }
  Cell cell{prefix, {}, sample.rational() ? sample.point : std::vector<Rational>{}};
  for (const Record& record : run.records()) {
    const Factor factor = factors_.enter(functions.factors()[record.taken.factor]);
    state_.pending.push_back(cell.path());
    state_.pending.back().push_back({factor, record.others});
    cell.taken.push_back({factor, record.taken.signs});
  }
  judge(goals, branch, run, std::move(cell));
  state_.error_bound += functions.error_bound();
}

/// Adds the cell to those on which the theorem is proved, or to the splits.
void Prover::judge(const std::vector<Goal>& goals, Branch& branch, CellRun& run, Cell cell) {
  const Conditions local = merged(renumbered(cell.path(), factors_, branch.functions.factors()));
  Judge judge(theorem_, run, branch.always, local);
  Basis weakest = Basis::field;
  bool open = false;
  for (const Goal& goal : goals) {
    Basis basis = Basis::field;
    Truth truth = judge.check(goal, basis);
    if (truth == Truth::unknown) {
      basis = Basis::solver;
      truth = check_by_solver(goal, branch.functions, cell);
    } else if (truth == Truth::no && !refute(run.sample())) {
      truth = Truth::unknown;
    }
    if (state_.counterexample) {
      state_.pending.push_back(cell.path());
      state_.splits.push_back({std::move(cell.branch), std::move(cell.taken), {}});
      return;
    }
    open = open || truth == Truth::unknown;
    weakest = std::max(weakest, basis);
  }
  if (open) {
    state_.undecided.push_back(cell.path());
    state_.splits.push_back({std::move(cell.branch), std::move(cell.taken), {}});
    return;
  }
  ++state_.by_basis[static_cast<std::size_t>(weakest)];
  state_.cells.push_back(std::move(cell));
}

Truth Prover::check_by_solver(const Goal& goal, Functions& functions, Cell& cell) {
  Conditions failing =
      renumbered(failing_conditions(goal, functions), functions.factors(), factors_);
  if (failing.empty()) return Truth::yes;
  Sample sample{random_sample(theorem_.family, engine_)};
  switch (ask(joined(cell.path(), failing), sample)) {
    case Solver::Answer::none:
      cell.excluded.push_back(std::move(failing));
      return Truth::yes;
    case Solver::Answer::found:
      return refute(sample) ? Truth::no : Truth::unknown;
    case Solver::Answer::unknown:
      break;
  }
  return Truth::unknown;
}

/// Finds the smallest pair on which the theorem fails, beginning with simple ones; false where it
/// is known to fail only at an irrational pair.
bool Prover::refute(const Sample& sample) {
  constexpr double kMostPairs = 20'000;
  constexpr int kMostUnits = 24;
  Functions functions(theorem_.family.parameters());  // shared by all pairs: faster
  const auto fails = [&](const std::vector<Rational>& at) {
    auto failure = failure_at(theorem_, functions, at);
    if (failure) state_.counterexample = Counterexample{at, std::move(*failure)};
    return state_.counterexample.has_value();
  };
  for (int denominator = 1; denominator <= kMostUnits; ++denominator) {
    if (search_grid(theorem_.family, denominator, kMostPairs, fails)) return true;
    if (fails(rounded(theorem_.family, sample.point, denominator))) return true;
  }
  if (fails(sample.point)) return true;
  if (sample.rational()) throw std::logic_error("a counterexample that is none");
  return false;
}

}  // namespace speclab
