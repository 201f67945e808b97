#include "optimum/optimum.h"

#include <algorithm>

#include "base/error.h"
#include "model/lengths.h"
#include "optimum/independent_drafts.h"
#include "optimum/one_draft.h"
#include "system/interrupt.h"
#include "system/stopwatch.h"

namespace speclab {
namespace {

constexpr std::size_t kMostPrefixes = 20'000;
constexpr std::size_t kMostPrefixesOfOneDraft = 200'000;  // no program is solved
constexpr std::size_t kMostPlanPairs = 400'000;
constexpr std::size_t kMostBlockPairs = 10'000;

void check(const Rows<Rational>& rows, const OptimumRequest& request) {
  const AcceptanceProblem& problem = request.problem;
  check_sizes(rows.pair(), problem.gamma, problem.drafts, 0);
  if (problem.verifiers == VerifierClass::algorithm2 && problem.drafts != 1) {
    throw UsageError("the class algorithm2 verifies one draft; give one draft");
  }
  const bool open = problem.verifiers == VerifierClass::conditionally_independent;
  if (open && (!request.exact || request.plan)) {
    throw UsageError(
        "the class conditionally-independent is solved in fractions only and has no plan to print");
  }
}

/// Whether B(vx) <= t(x|v) B(v) in the classes without a carry.
bool keep_steps(const PrefixTree& tree, const std::vector<Rational>& masses,
                VerifierClass verifiers) {
  for (std::size_t v = 1; verifiers != VerifierClass::coupling && v < tree.size(); ++v) {
    const std::size_t u = tree[v].parent;
    if (masses[v] * tree[u].target > tree[v].target * masses[u]) return false;
  }
  return true;
}

/// Masses, proof and plan from one start, each checked from the rows alone.
StartOptimum by_masses(const Rows<Rational>& rows, const Start& start,
                       const OptimumRequest& request, ProgramSize& size) {
  const PrefixTree tree(
      rows, start.state, request.problem.gamma,
      needs_no_program(request.problem) ? kMostPrefixesOfOneDraft : kMostPrefixes);
  NodeMasses found = solve_masses(tree, rows, request.problem, request.exact);
  if (found.size.rows >= size.rows) size = found.size;
  StartOptimum optimum{start, found.worth, found.worth, std::nullopt, std::nullopt, false};
  if (!request.exact) return optimum;
  const ProofVerdict verdict = check_proof(found.proof, request.problem, rows, start.state);
  optimum.bound = verdict.bound.value_or(Rational(request.problem.gamma));
  optimum.proof = std::move(found.proof);
  optimum.certified = verdict.bound == found.worth &&
                      keep_steps(tree, found.masses, request.problem.verifiers) &&
                      (request.problem.verifiers == VerifierClass::algorithm2 ||
                       worst_antichain(tree, found.masses, request.problem.drafts) == 0);
  if (!request.plan) return optimum;
  optimum.plan = make_plan(tree, rows, request.problem, found.masses, kMostPlanPairs);
  const PlanVerdict played = check_plan(*optimum.plan, request.problem, rows, start.state);
  optimum.certified = optimum.certified && played.expected == found.worth;
  return optimum;
}

StartOptimum independent(const Rows<Rational>& rows, const Start& start,
                         const OptimumRequest& request, ProgramSize& size) {
  const AcceptanceProblem& problem = request.problem;
  const IndependentOptimum found =
      independent_optimum(rows, start.state, problem.gamma, problem.drafts, kMostBlockPairs);
  ProgramSize other;
  const OptimumRequest coupling{
      {VerifierClass::coupling, problem.gamma, problem.drafts}, true, false};
  const StartOptimum all = by_masses(rows, start, coupling, other);
  const Rational bound = std::min(found.bound, all.bound);
  if (found.rows >= size.rows) size = {0, found.rows, found.columns, 0, 0};
  return {start, found.attained, bound, std::nullopt, std::nullopt, found.attained == bound};
}

}  // namespace

void check_sizes(const Pair& pair, int gamma, int drafts, int iterations) {
  if (gamma == kUnbounded) {
    throw UsageError("an optimum needs a finite draft length; give gamma as a number");
  }
  check_lengths(pair, {.gamma = gamma, .horizon = std::nullopt, .iterations = iterations});
  if (drafts < 1) throw UsageError("an optimum needs at least one draft");
}

StartOptimum find_optimum_from(const Rows<Rational>& rows, const Start& start,
                               const OptimumRequest& request) {
  ProgramSize size;
  return request.problem.verifiers == VerifierClass::conditionally_independent
             ? independent(rows, start, request, size)
             : by_masses(rows, start, request, size);
}

Optimum find_optimum(const Rows<Rational>& rows, const OptimumRequest& request) {
  check(rows, request);
  const Stopwatch watch;
  Optimum optimum;
  optimum.request = request;
  optimum.certified = true;
  const bool open = request.problem.verifiers == VerifierClass::conditionally_independent;
  for (const Start& start : rows.pair().start()) {
    check_interrupted();
    const auto known =
        std::find_if(optimum.starts.begin(), optimum.starts.end(),
                     [&](const StartOptimum& other) { return other.start.state == start.state; });
    StartOptimum found = known != optimum.starts.end() ? *known
                         : open ? independent(rows, start, request, optimum.size)
                                : by_masses(rows, start, request, optimum.size);
    found.start = start;
    optimum.worth += start.probability * found.worth;
    optimum.bound += start.probability * found.bound;
    optimum.certified = optimum.certified && found.certified;
    optimum.starts.push_back(std::move(found));
  }
  if (open && !optimum.certified) {
    optimum.notes.emplace_back(
        "the class is not convex: a member attains at_least, and no member exceeds at_most; values "
        "in between are undecided");
  }
  optimum.seconds = watch.seconds();
  return optimum;
}

}  // namespace speclab
