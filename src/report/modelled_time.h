#pragma once

#include <type_traits>

#include "exact/exact.h"
#include "report/report.h"
#include "simulate/simulate.h"
#include "verify/info.h"

namespace speclab {

// Modelled time from setting.latency, which must be there. A draft step takes t_draft, and under a
// verifier that drafts by runs (sprinter) t_draft + t_verifier; a target call takes t_target.
// Several drafts of one iteration are drafted side by side, in the steps of one.

/// How the setting's verifier drafts.
Drafting drafting_of(const Setting& setting);

/// The time of a draft step with what goes with it.
double step_time(const Setting& setting);

/// Appends the time of long runs, for verifiers that draft a whole window of a finite gamma:
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
};

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
  return result;
}

inline DecodeTime decode_time(const DecodeEstimates& decode, const Setting& setting) {
  const TimeEstimates estimates =
      estimate_time(decode, step_time(setting), setting.latency->target);
  const auto value = [](const Estimate& e) { return Value{e.mean, std::nullopt, e}; };
  return {value(decode.draft_steps), value(estimates.time), value(estimates.speedup)};
}

/// Appends, for every verifier:
///   modelled_time.draft_steps, modelled_time.decode, modelled_time.decode_speedup
void add_decode_time(Record& record, const DecodeTime& decode);

}  // namespace speclab
