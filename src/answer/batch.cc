#include "answer/batch.h"

#include <algorithm>

#include "base/error.h"
#include "exact/batch.h"
#include "theory/batch_schedule.h"
#include "verifiers/contract.h"

namespace speclab {
namespace {

bool is_off(const Value& tv) {
  constexpr double kRounding = 1e-9;
  if (tv.estimate) return tv.estimate->least > 0;
  return tv.fraction ? *tv.fraction != 0 : tv.number > kRounding;
}

Plan plan_batch(const PairPointer& pair, const Verifier& verifier, const BatchSetting& setting,
                Arithmetic arithmetic, const AnswerMethod& method, Bench& bench) {
  if (const std::string why = why_no_batch(verifier, *pair); !why.empty()) throw InputError(why);
  return bench.plan({.pair = pair,
                     .verifier = verifier,
                     .lengths = {.gamma = setting.gamma, .horizon = setting.horizon},
                     .arithmetic = arithmetic},
                    method);
}

/// The expectation of BestSchedule over both requests' starts.
template <class Real>
std::optional<Value> most_first(const Rows<Real>& rows, const BatchSetting& setting) {
  BestSchedule<Real> best(rows, std::min(setting.gamma, setting.horizon));
  Real sum(0);
  for (const Start& first : rows.pair().start()) {
    for (const Start& second : rows.pair().start()) {
      const auto most = best.accepted(first.state, second.state, setting.budget);
      if (!most) return std::nullopt;
      sum +=
          from_rational<Real>(first.probability) * from_rational<Real>(second.probability) * *most;
    }
  }
  return value_of(sum);
}

template <class Real>
BatchNumbers exact_numbers(const Verifier& verifier, const Rows<Real>& rows,
                           const ExactBatchRequest& request) {
  const ExactBatch<Real> found = run_exact_batch(verifier, rows, request);
  BatchNumbers numbers{
      .tokens_per_step = value_of(Real(found.tokens / found.steps)),
      .tokens_per_request_step = value_of(Real(found.tokens / found.request_steps)),
      .steps = value_of(found.steps),
      .mean_steps = value_of(Real(found.request_steps / Real(2))),
      .verified_per_step = value_of(Real(found.verified / found.steps)),
      .undefined_mass = value_of(found.undefined),
      .accepted_first = value_of(found.accepted),
      .most_first = {},
      .law_tokens = found.law_tokens,
      .tv = {},
      .joint_tv = {}};
  for (const Real& tv : found.tv) numbers.tv.push_back(value_of(tv));
  if (found.joint_tv) numbers.joint_tv = value_of(*found.joint_tv);
  if (verifier.name == "token") numbers.most_first = most_first(rows, request.setting);
  return numbers;
}

}  // namespace

bool BatchResult::biased() const {
  return std::any_of(found.tv.begin(), found.tv.end(), is_off) ||
         (found.joint_tv && is_off(*found.joint_tv));
}

bool BatchResult::compares_enough() const { return found.law_tokens == setting.compared_tokens(); }

BatchResult simulate_batch(const PairPointer& pair, const Verifier& verifier,
                           const BatchRequest& request, Bench& bench, const Progress& progress) {
  const BySimulation method{.trials = request.trials, .threads = request.threads};
  const auto rows =
      plan_batch(pair, verifier, request.setting, Arithmetic::floating, method, bench).doubles;
  const BatchTallied tallied = with_verifier_named(
      verifier.name, [&] { return run_batches(verifier, *rows, request, progress); });
  const BatchEstimates found = estimate_batches(tallied.tally, verifier, *rows, request);
  BatchNumbers numbers{.tokens_per_step = value_of(found.tokens_per_step),
                       .tokens_per_request_step = value_of(found.tokens_per_request_step),
                       .steps = value_of(found.steps),
                       .mean_steps = value_of(found.mean_steps),
                       .verified_per_step = value_of(found.verified_per_step),
                       .undefined_mass = {},
                       .accepted_first = {},
                       .most_first = {},
                       .law_tokens = found.law_tokens,
                       .tv = {},
                       .joint_tv = {}};
  for (const Estimate& tv : found.tv) numbers.tv.push_back(value_of(tv));
  if (found.joint_tv) numbers.joint_tv = value_of(*found.joint_tv);
  const Provenance run{.trials = tallied.tally.trials,
                       .seed = request.seed,
                       .threads = tallied.threads,
                       .seconds = tallied.seconds,
                       .undefined_trials = tallied.tally.undefined_trials,
                       .interrupted = tallied.interrupted};
  return {pair, verifier.name, request.setting, Arithmetic::floating, numbers, run};
}

BatchResult enumerate_batch(const PairPointer& pair, const Verifier& verifier,
                            const BatchSetting& setting, Arithmetic arithmetic,
                            const ByEnumeration& method, Bench& bench) {
  const Plan plan = plan_batch(pair, verifier, setting, arithmetic, method, bench);
  const ExactBatchRequest request{
      .setting = setting, .max_paths = method.max_paths, .max_memory = plan.max_memory};
  const BatchNumbers numbers = with_verifier_named(verifier.name, [&] {
    return plan.fractions ? exact_numbers(verifier, *plan.fractions, request)
                          : exact_numbers(verifier, *plan.doubles, request);
  });
  return {pair, verifier.name, setting, arithmetic, numbers, {}};
}

}  // namespace speclab
