#include "prove/prover.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/interrupt.h"
#include "prove/samples.h"

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

ProofVerdict Prover::verdict() const {
  if (state_.counterexample) return ProofVerdict::refuted;
  return state_.pending.empty() && state_.undecided.empty() ? ProofVerdict::proved
                                                            : ProofVerdict::undecided;
}

bool Prover::step() {
  if (state_.pending.empty() || state_.counterexample) return false;
  check_interrupted();
  const Conditions prefix = state_.pending.back();
  bool unknown = false;
  auto sample = sample_in(prefix, unknown);
  state_.pending.pop_back();
  if (unknown) state_.undecided.push_back(prefix);
  if (!sample) return true;
  const std::size_t before = state_.pending.size();
  try {
    settle(prefix, std::move(*sample));
  } catch (...) {
    state_.pending.resize(before);
    state_.pending.push_back(prefix);
    throw;
  }
  return true;
}

std::optional<std::vector<Rational>> Prover::sample_in(const Conditions& prefix, bool& unknown) {
  std::vector<Rational> point = random_sample(theorem_.family, engine_);
  if (prefix.empty()) return point;
  const Solver::Answer answer = ask(prefix, point);
  unknown = answer == Solver::Answer::unknown;
  if (answer != Solver::Answer::found) return std::nullopt;
  return point;
}

Solver::Answer Prover::ask(const Conditions& conditions, std::vector<Rational>& point) {
  std::vector<char> spoken(theorem_.family.parameters());
  for (const Condition& condition : conditions) {
    for (std::size_t i = 0; i < spoken.size(); ++i) {
      if (functions_.factors()[condition.factor].contains(i)) spoken[i] = 1;
    }
  }
  Conditions all = theorem_.family.about(always_, functions_.factors(), spoken);
  all.insert(all.end(), conditions.begin(), conditions.end());
  std::vector<std::optional<Rational>> found(point.size());
  ++state_.queries;
  const Conditions simple = merged(all);
  const Solver::Answer answer =
      solver_->find(simple, functions_.factors(), found, limits_.query_seconds);
  if (answer == Solver::Answer::found) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (found[i]) point[i] = *found[i];
    }
  }
  return answer;
}

void Prover::settle(const Conditions& prefix, std::vector<Rational> sample) {
  Conditions known = always_;
  known.insert(known.end(), prefix.begin(), prefix.end());
  CellRun run(functions_, sample, known);
  const CurrentRun current(run);
  std::vector<Goal> goals;
  try {
    goals = goals_of(theorem_);
  } catch (const DividedByZero&) {
    return refute(std::move(sample));
  }
  Conditions cell = prefix;
  for (const Record& record : run.records()) {
    state_.pending.push_back(cell);
    state_.pending.back().push_back({record.taken.factor, record.others});
    cell.push_back(record.taken);
  }
  cell = merged(cell);
  Basis weakest = Basis::field;
  bool open = false;
  for (const Goal& goal : goals) {
    Basis basis = Basis::field;
    const Held held = hold(run, goal, cell, basis);
    if (held == Held::no) return;
    open = open || held == Held::unknown;
    weakest = std::max(weakest, basis);
  }
  if (open) {
    state_.undecided.push_back(std::move(cell));
    return;
  }
  ++state_.by_basis[static_cast<std::size_t>(weakest)];
  state_.cells.push_back({std::move(cell), std::move(sample)});
}

Held Prover::hold(CellRun& run, const Goal& goal, const Conditions& cell, Basis& basis) {
  const Held held = judge(theorem_, run, goal, always_, cell, engine_, basis);
  if (held == Held::no) refute(run.sample());
  if (held != Held::unknown) return held;
  basis = Basis::solver;
  return hold_by_solver(goal, cell);
}

Held Prover::hold_by_solver(const Goal& goal, const Conditions& cell) {
  // The factors of the difference: all are nonzero where it fails, and for an inequality those of
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
    if (odd.is_constant()) return content < 0 ? Held::unknown : Held::yes;
    odd.divide_by(content);
    failing.push_back(
        {functions_.factors().enter(odd), content < 0 ? negated(kNegative) : kNegative});
  }
  std::vector<Rational> point = random_sample(theorem_.family, engine_);
  switch (ask(merged(failing), point)) {
    case Solver::Answer::none:
      return Held::yes;
    case Solver::Answer::found:
      refute(std::move(point));
      return Held::no;
    case Solver::Answer::unknown:
      break;
  }
  return Held::unknown;
}

void Prover::refute(std::vector<Rational> point) {
  constexpr double kMostPairs = 20'000;
  constexpr int kMostUnits = 24;
  const auto fails = [&](const std::vector<Rational>& at) {
    auto detail = failure_at(theorem_, functions_, at);
    if (detail) state_.counterexample = Counterexample{at, std::move(*detail)};
    return state_.counterexample.has_value();
  };
  for (int denominator = 1; denominator <= kMostUnits; ++denominator) {
    if (search_grid(theorem_.family, denominator, kMostPairs, fails)) return;
    if (fails(rounded(theorem_.family, point, denominator))) return;
  }
  if (!fails(point)) throw std::logic_error("a counterexample that is none");
}

}  // namespace speclab
