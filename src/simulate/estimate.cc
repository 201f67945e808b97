#include <algorithm>
#include <cmath>

#include "base/sum.h"
#include "simulate/simulate.h"
#include "verifiers/window.h"

namespace speclab {
namespace {

/// The mean of tau from its counts.
Estimate accepted_estimate(const Tally& tally, Window window) {
  Moments moments;
  for (std::size_t i = 0; i < tally.accepted.size(); ++i) {
    moments.sum += static_cast<WideCount>(i) * tally.accepted[i];
    moments.squares += static_cast<WideCount>(i) * i * tally.accepted[i];
  }
  return bounded_mean_estimate(moments, tally.trials, {0, static_cast<double>(window.drafts)});
}

/// Widens the ratio of two means as far as the two say that they reach.
void reach_as(const Estimate& numerator, const Estimate& denominator, Estimate& ratio) {
  if (!(denominator.reach_below + denominator.reach_above > 0)) return;
  const double low = numerator.low / denominator.high;
  const double high = numerator.high / denominator.low;
  ratio.low = std::min(ratio.low, low);
  ratio.high = std::max(ratio.high, high);
  ratio.reach_below = ratio.mean - (numerator.mean - numerator.reach_below) /
                                       (denominator.mean + denominator.reach_above);
  ratio.reach_above =
      (numerator.mean + numerator.reach_above) / (denominator.mean - denominator.reach_below) -
      ratio.mean;
}

/// Probabilities of the target's (start, sequence) cells, cells numbered as in Trials::decode.
std::vector<double> target_cells(const Rows<double>& rows, int horizon) {
  std::vector<double> cells;
  std::vector<std::pair<State, double>> layer;
  for (const Start& start : rows.pair().start()) {
    layer.emplace_back(start.state, to_double(start.probability));
  }
  for (int n = 0; n < horizon; ++n) {
    std::vector<std::pair<State, double>> after;
    for (const auto& [state, mass] : layer) {
      for (Token x = 0; x < rows.vocabulary(); ++x) {
        // Where the mass is 0 the state does not matter.
        const double reached =
            mass > 0 ? mass * rows.target(state)[static_cast<std::size_t>(x)] : 0.0;
        after.emplace_back(reached > 0 ? rows.next(state, x) : state, reached);
      }
    }
    layer = std::move(after);
  }
  for (const auto& entry : layer) cells.push_back(entry.second);
  return cells;
}

/// Plug-in total variation. The plug-in is biased upward by at most half the sum of the cells'
/// mean absolute errors, which the interval's lower end allows for.
Estimate tv_estimate(const Tally& tally, const std::vector<double>& target) {
  const double n = static_cast<double>(tally.trials);
  const auto cell = [&](std::size_t i) {
    return i < tally.outputs.size() ? static_cast<double>(tally.outputs[i]) / n : 0.0;
  };
  Sum<double> distance;
  Sum<double> signed_mean;
  Sum<double> bias;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const double share = cell(i);
    const double sign = share > target[i] ? 1.0 : -1.0;
    distance += std::abs(share - target[i]);
    signed_mean += sign * share;
    const double likely = std::max(share, target[i]);
    bias += std::sqrt(likely * (1 - likely) / n);
  }
  Sum<double> counted;
  for (std::size_t i = 0; i < tally.outputs.size(); ++i) counted += cell(i);
  const double undefined = std::max(0.0, 1 - counted.value());
  distance += undefined;
  signed_mean += undefined;
  const double mean = distance.value() / 2;
  const double spread = std::max(0.0, 1 - signed_mean.value() * signed_mean.value()) / 4;
  Estimate estimate = student_estimate(mean, std::sqrt(spread / n), tally.trials);
  estimate.low = std::max(0.0, estimate.low - bias.value() / 2);
  estimate.high = std::min(1.0, estimate.high);
  return estimate;
}

DecodeEstimates decode_estimates(const Tally& tally, const Rows<double>& rows,
                                 const SimulateRequest& request) {
  DecodeEstimates result;
  const auto horizon_tokens = static_cast<double>(*request.lengths.horizon);
  // Only an end-of-sequence token or an undefined draw ends a decode before its horizon.
  const bool all_tokens = !rows.pair().end_token() && tally.undefined_trials == 0;
  result.tokens = bounded_mean_estimate(tally.tokens, tally.trials,
                                        {all_tokens ? horizon_tokens : 0.0, horizon_tokens});
  result.rejections = bounded_mean_estimate(tally.rejections, tally.trials, {0, horizon_tokens});
  result.target_calls =
      bounded_mean_estimate(tally.target_calls, tally.trials, {1, horizon_tokens});
  result.block_efficiency =
      ratio_estimate(tally.tokens, tally.target_calls, tally.tokens_times_calls, tally.trials);
  reach_as(result.tokens, result.target_calls, result.block_efficiency);
  result.draft_steps = mean_estimate(tally.draft_steps, tally.trials);
  result.trials = tally.trials;
  result.tokens_calls =
      mean_covariance(tally.tokens, tally.target_calls, tally.tokens_times_calls, tally.trials);
  result.tokens_steps =
      mean_covariance(tally.tokens, tally.draft_steps, tally.tokens_times_steps, tally.trials);
  result.calls_steps =
      mean_covariance(tally.target_calls, tally.draft_steps, tally.calls_times_steps, tally.trials);
  if (output_cells(rows, request) > kMaxOutputCells) return result;
  result.tv_to_target = tv_estimate(tally, target_cells(rows, *request.lengths.horizon));
  if (!request.law) return result;
  const auto vocabulary = static_cast<std::uint64_t>(rows.vocabulary());
  const auto horizon = static_cast<std::size_t>(*request.lengths.horizon);
  std::uint64_t sequences = 1;
  for (std::size_t i = 0; i < horizon; ++i) sequences *= vocabulary;
  for (std::uint64_t sequence = 0; sequence < sequences; ++sequence) {
    std::uint64_t count = 0;
    for (std::uint64_t cell = sequence; cell < tally.outputs.size(); cell += sequences) {
      count += tally.outputs[cell];
    }
    if (count == 0) continue;
    std::vector<Token> tokens(horizon);
    std::uint64_t rest = sequence;
    for (std::size_t i = horizon; i-- > 0; rest /= vocabulary) {
      tokens[i] = static_cast<Token>(rest % vocabulary);
    }
    result.law.emplace_back(std::move(tokens), proportion_estimate(count, tally.trials));
  }
  return result;
}

double variance(const Estimate& estimate) {
  return estimate.standard_error * estimate.standard_error;
}

}  // namespace

TimeEstimates estimate_time(const DecodeEstimates& decode, double step, double call) {
  const auto with_error = [&](double mean, double spread) {
    return student_estimate(mean, std::sqrt(std::max(0.0, spread)), decode.trials);
  };
  const double mean = step * decode.draft_steps.mean + call * decode.target_calls.mean;
  const double spread = step * step * variance(decode.draft_steps) +
                        call * call * variance(decode.target_calls) +
                        2 * step * call * decode.calls_steps;
  const double baseline = decode.tokens.mean * call;
  const double ratio = baseline / mean;
  const double joint = call * (step * decode.tokens_steps + call * decode.tokens_calls);
  const double ratio_spread =
      (call * call * variance(decode.tokens) - 2 * ratio * joint + ratio * ratio * spread) /
      (mean * mean);
  return {with_error(mean, spread), with_error(ratio, ratio_spread)};
}

Estimates estimate(const Tally& tally, const Rows<double>& rows, const SimulateRequest& request) {
  Estimates result;
  const Window window = full_window(rows.pair(), request.lengths);
  const auto lengths = std::max(tally.accepted.size(), static_cast<std::size_t>(window.drafts) + 1);
  for (std::size_t i = 0; i < lengths; ++i) {
    const std::uint64_t count = i < tally.accepted.size() ? tally.accepted[i] : 0;
    result.accepted_law.push_back(proportion_estimate(count, tally.trials));
  }
  result.expected_accepted = accepted_estimate(tally, window);
  if (result.expected_accepted.standard_error > 0) result.variance_ratio = 1;
  result.undefined_mass = proportion_estimate(tally.undefined_iterations, tally.trials);
  for (const Moments& emitted : tally.emitted) {
    const double most =
        (request.lengths.gamma + 1.0) * (static_cast<double>(result.expected_tokens.size()) + 1);
    result.expected_tokens.push_back(bounded_mean_estimate(emitted, tally.trials, {0, most}));
  }
  if (request.lengths.horizon) result.decode = decode_estimates(tally, rows, request);
  return result;
}

}  // namespace speclab
