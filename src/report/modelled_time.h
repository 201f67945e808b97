#pragma once

#include <type_traits>

#include "exact/exact.h"
#include "report/report.h"
#include "simulate/simulate.h"
#include "verifiers/info.h"

namespace speclab {

// Modelled time from setting.latency, which must be there. A draft step takes t_draft, and under a
// verifier that drafts by runs (sprinter) t_draft + t_verifier; a target call takes t_target.
// Several drafts of one iteration are drafted side by side, in the steps of one.
//
// Modelled work takes the same numbers as costs, in FLOPs say, of which nothing is saved by doing
// it side by side: the target's call costs it once for every drafted token it scores, the token
// after them left out as zhong2025's equation (5) does, gamma (F_d + F_t) a run; under a verifier
// that drafts by runs it scores one token, gamma (F_d + F_v) + F_t a run (equation (6)).

/// How the setting's verifier drafts.
Drafting drafting_of(const Setting& setting);

/// The time of a draft step with what goes with it.
double step_time(const Setting& setting);

/// Appends the time of an iteration's drafts, for verifiers that draft by runs:
///   modelled_time.stop            t_draft E[tokens drafted until the verifier's first "no" or the
///                                 window's end], t_verifier left out (zhong2025, Theorem 3.4)
/// and the time of long runs, for verifiers that draft a whole window of a finite gamma:
///   modelled_time.per_iteration   gamma t_draft + t_target (autoregressive: t_target)
///   modelled_time.per_token       the same per emitted token
///   speedup                       t_target / per_token: over one target call a token
/// Otherwise a note says why not.
void add_modelled_time(Record& record, const Setting& setting);

/// The time of a decode to the horizon.
struct DecodeTime {
  Value draft_steps;  ///< expected number, one after another
  Value time;
  Value speedup;  ///< over one target call a token, of the same tokens
  Value work;     ///< expected modelled work
};

/// Work of a draft step with what goes with it, and of a target call beyond that.
struct WorkCosts {
  double step;
  double call;
};
WorkCosts work_costs(const Setting& setting);

template <class Real>
DecodeTime decode_time(const DecodeLaw<Real>& decode, const Setting& setting) {
  const double steps = to_double(decode.draft_steps);
  const double call = setting.latency->target;
  const double time = step_time(setting) * steps + call * to_double(decode.target_calls);
  DecodeTime result;
  result.draft_steps.number = steps;
  if constexpr (std::is_same_v<Real, Rational>) result.draft_steps.fraction = decode.draft_steps;
  result.time.number = time;
  result.speedup.number = to_double(decode.tokens) * call / time;
  const WorkCosts work = work_costs(setting);
  result.work.number = work.step * steps + work.call * to_double(decode.target_calls);
  return result;
}

inline DecodeTime decode_time(const DecodeEstimates& decode, const Setting& setting) {
  const TimeEstimates estimates =
      estimate_time(decode, step_time(setting), setting.latency->target);
  const auto value = [](const Estimate& e) { return Value{e.mean, std::nullopt, e}; };
  const WorkCosts work = work_costs(setting);
  return {value(decode.draft_steps), value(estimates.time), value(estimates.speedup),
          value(estimate_time(decode, work.step, work.call).time)};
}

/// Appends, for every verifier:
///   modelled_time.draft_steps, modelled_time.decode, modelled_time.decode_speedup,
///   modelled_work.decode
void add_decode_time(Record& record, const DecodeTime& decode);

}  // namespace speclab
