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
      functions_(theorem_.family.parameters(), limits.seed),
      solver_(make_solver(theorem_.family.parameters())),
      ordered_(limits.symmetry && symmetric(theorem_)),
      engine_(limits.seed) {
  always_ = theorem_.family.domain(functions_.factors());
  if (ordered_) {
    const Conditions order = theorem_.family.ordered(functions_.factors());
    always_.insert(always_.end(), order.begin(), order.end());
  }
  always_ = merged(always_);
  state_.pending.emplace_back();
}

Prover::~Prover() = default;

void Prover::resume(ProofState state) { state_ = std::move(state); }

TheoremVerdict Prover::verdict() const {
  if (state_.counterexample) return TheoremVerdict::refuted;
  return state_.pending.empty() && state_.undecided.empty() ? TheoremVerdict::proved
                                                            : TheoremVerdict::undecided;
}

double Prover::error_bound() const {
  return std::min(1.0, state_.error_bound + functions_.error_bound());
}

bool Prover::step() {
  if (state_.counterexample || (state_.pending.empty() && !try_again())) return false;
  check_interrupted();
  const Conditions prefix = state_.pending.back();
  Sample sample;
  const Solver::Answer answer = sample_in(prefix, sample);
  state_.pending.pop_back();
  if (answer == Solver::Answer::unknown) state_.undecided.push_back(prefix);
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
  std::vector<char> spoken(theorem_.family.parameters());
  for (const Condition& condition : conditions) {
    for (std::size_t i = 0; i < spoken.size(); ++i) {
      if (functions_.factors()[condition.factor].contains(i)) spoken[i] = 1;
    }
  }
  Conditions all = theorem_.family.about(always_, functions_.factors(), spoken);
  all.insert(all.end(), conditions.begin(), conditions.end());
  ++state_.queries;
  return solver_->find(merged(all), functions_.factors(), sample,
                       limits_.query_seconds * (tried_again_ ? kSecondTry : 1));
}

void Prover::settle(const Conditions& prefix, const Sample& sample) {
  Conditions known = always_;
  known.insert(known.end(), prefix.begin(), prefix.end());
  CellRun run(functions_, sample, known);
  const CurrentRun current(run);
  std::vector<Goal> goals;
  try {
    goals = goals_of(theorem_);
  } catch (const DividedByZero&) {
    if (!refute(sample)) state_.undecided.push_back(prefix);
    return;
  }
  Conditions cell = prefix;
  for (const Record& record : run.records()) {
    state_.pending.push_back(cell);
    state_.pending.back().push_back({record.taken.factor, record.others});
    cell.push_back(record.taken);
  }
  cell = merged(cell);
  Judge judge(theorem_, run, always_, cell, engine_);
  Basis weakest = Basis::field;
  bool open = false;
  for (const Goal& goal : goals) {
    Basis basis = Basis::field;
    Truth truth = judge.check(goal, basis);
    if (truth == Truth::unknown) {
      basis = Basis::solver;
      truth = check_by_solver(goal, cell);
    } else if (truth == Truth::no && !refute(sample)) {
      truth = Truth::unknown;
    }
    if (state_.counterexample) return;
    open = open || truth == Truth::unknown;
    weakest = std::max(weakest, basis);
  }
  if (open) {
    state_.undecided.push_back(std::move(cell));
    return;
  }
  ++state_.by_basis[static_cast<std::size_t>(weakest)];
  state_.cells.push_back(
      {std::move(cell), sample.rational() ? sample.point : std::vector<Rational>{}});
}

Truth Prover::check_by_solver(const Goal& goal, const Conditions& cell) {
  // Where the goal fails, all factors of the difference are nonzero, and for an inequality those of
  // odd exponents have the wrong sign together.
  const Factored difference = functions_.factored(goal.difference);
  Conditions failing = cell;
  Polynomial odd = Polynomial::constant(Integer(difference.coefficient < 0 ? -1 : 1));
  for (const auto& [factor, exponent] : difference.powers) {
    failing.push_back({factor, kNonzero});
    if (exponent % 2 != 0) odd = odd * functions_.factors()[factor];
  }
  if (goal.wanted != kZero) {
    const Integer content = odd.content();
    if (odd.is_constant()) return content < 0 ? Truth::unknown : Truth::yes;
    odd.divide_by(content);
    failing.push_back(
        {functions_.factors().enter(odd), content < 0 ? negated(kNegative) : kNegative});
  }
  Sample sample{random_sample(theorem_.family, engine_)};
  switch (ask(merged(failing), sample)) {
    case Solver::Answer::none:
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
  const auto fails = [&](const std::vector<Rational>& at) {
    auto detail = failure_at(theorem_, functions_, at);
    if (detail) state_.counterexample = Counterexample{at, std::move(*detail)};
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
