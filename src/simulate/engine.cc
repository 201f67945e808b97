#include "simulate/engine.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "simulate/controlled_sampler.h"
#include "simulate/output_means.h"
#include "simulate/ranges.h"
#include "simulate/rounds.h"
#include "simulate/sampled_program.h"
#include "simulate/steps.h"

namespace speclab {

template class DraftTree<PairView<double>, CheckedSampler>;

namespace {

TrialRange controlled_trials(const Verifier& verifier, const Rows<double>& rows,
                             const TrialPlan& plan) {
  return with_runs(*verifier.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using View = V<double>;
    return range_of(std::make_shared<Trials<AnyProgram<View>, View, ControlledSampler<View>>>(
        AnyProgram<View>(verifier.program.get(), runs.doubles), rows, plan,
        verifier.info->drafting));
  });
}

void add_forms(const Verifier& verifier, const Pair& pair, TrialPlan& plan) {
  if (!averages_drafts(plan.lengths)) return;
  if (plan.companions) plan.forms = {token_form(), block_form()};
  if (!averages_output(verifier, pair, plan.lengths)) return;
  const OutputForm own = own_form(verifier);
  // Those of token and of block verification have no parameters.
  const auto is_own = [&](const OutputForm& form) { return form.add_steps == own.add_steps; };
  const auto at = std::find_if(plan.forms.begin(), plan.forms.end(), is_own);
  plan.own_form = static_cast<std::size_t>(at - plan.forms.begin());
  if (at == plan.forms.end()) plan.forms.push_back(own);
}

TrialRange plain_trials(const Verifier& verifier, const Rows<double>& rows, const TrialPlan& plan) {
  if (plan.steps) return step_trials(rows, plan);
  if (plan.controlled) return controlled_trials(verifier, rows, plan);
  return with_runs(*verifier.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using Program = SampledProgram<V<double>>;
    const void* program = verifier.program.get();
    if (runs.inlined != nullptr) return runs.inlined->trials(program, rows, plan);
    return range_of(std::make_shared<Trials<Program, V<double>>>(Program(program, runs), rows, plan,
                                                                 verifier.info->drafting));
  });
}

TrialRange conditional_trials(const Verifier& verifier, const Rows<double>& rows,
                              const TrialPlan& plan) {
  return with_runs(*verifier.runs, [&]<template <class> class V>(const RunsOn<V>& runs) {
    using Program = AnyProgram<V<double>>;
    const void* program = verifier.program.get();
    if (runs.inlined != nullptr) return runs.inlined->conditional(program, rows, plan);
    return range_of(std::make_shared<ConditionalTrials<Program, V<double>>>(
        Program(program, runs.doubles), rows, plan));
  });
}

void check_one_iteration(const Lengths& lengths) {
  if (lengths.iterations > 0 || (lengths.horizon && lengths.gamma != kUnbounded)) {
    throw UsageError(
        "the conditional estimator speaks of one iteration; leave out the iterations and, unless "
        "gamma is inf, the horizon");
  }
}

}  // namespace

bool follows_target(const Verifier& verifier, const Pair& pair) {
  const bool listed =
      with_runs(*verifier.runs, [](const auto& runs) { return runs.sampled != nullptr; });
  return listed && verifier.info->kind == VerifierKind::lossless && !pair.resets();
}

TrialPlan make_plan(const Rows<double>& rows, const SimulateRequest& request) {
  const Pair& pair = rows.pair();
  const Lengths& lengths = request.lengths;
  check_lengths(pair, lengths);
  TrialPlan plan;
  plan.key = stream_key(request.seed, rows.content());
  plan.lengths = lengths;
  plan.end_token = pair.end_token();
  for (const Start& start : pair.start()) {
    plan.starts.push_back(start.state);
    plan.start_law.push_back(to_double(start.probability));
  }
  plan.window = full_window(pair, lengths);
  const bool decode_has_it =
      lengths.horizon && (lengths.gamma == kUnbounded || *lengths.horizon >= plan.window.drafts);
  plan.single = !decode_has_it && lengths.iterations == 0;
  plan.controlled = request.draws == Draws::controlled;
  // Clusters of trials, which are controlled, are shorter than it takes to make tables.
  plan.batched = request.batched && request.draws == Draws::steps;
  plan.tally_tokens = request.law && tallies_tokens_law(request.lengths);
  plan.tally_decodes = request.decode_counts;
  plan.companions = request.companions;
  plan.tally_outputs = output_cells(rows, request) <= kMaxOutputCells;
  return plan;
}

double output_cells(const Rows<double>& rows, const SimulateRequest& request) {
  if (!request.lengths.horizon) return HUGE_VAL;
  return static_cast<double>(rows.pair().start().size()) *
         std::pow(static_cast<double>(rows.vocabulary()), *request.lengths.horizon);
}

Tallied run_trials(const Verifier& verifier, const Rows<double>& rows,
                   const SimulateRequest& request, const Progress& progress) {
  const bool plain = request.estimator == Estimator::plain;
  if (!plain) check_one_iteration(request.lengths);
  TrialPlan plan = make_plan(rows, request);
  const Verifier ready = prepare(verifier, rows.pair_pointer());
  if (plain && request.draws == Draws::steps) plan.steps = StepTable::make(ready, rows);
  plan.follows_target = follows_target(ready, rows.pair());
  if (plan.controlled && plan.follows_target) add_forms(ready, rows.pair(), plan);
  const auto make = plain ? plain_trials : conditional_trials;
  return run_rounds<Tallied>([&] { return make(ready, rows, plan); }, rows, request, progress);
}

}  // namespace speclab
