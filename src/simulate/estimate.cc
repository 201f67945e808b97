#include <algorithm>
#include <cmath>

#include "base/sum.h"
#include "simulate/plan.h"
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

/// The law of the first T tokens, one estimate a sequence that occurred.
void add_output_law(const Tally& tally, const Rows<double>& rows, std::size_t horizon,
                    Findings<Estimate>& found) {
  const auto vocabulary = static_cast<std::uint64_t>(rows.vocabulary());
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
    found.add(QuantityId::output_law, proportion_estimate(count, tally.trials), tokens);
  }
}

void add_output(const Tally& tally, const Rows<double>& rows, const SimulateRequest& request,
                Findings<Estimate>& found) {
  if (output_cells(rows, request) > kMaxOutputCells) {
    const std::string reason = "there are more than " +
                               std::to_string(static_cast<int>(kMaxOutputCells)) +
                               " possible outputs; lower the horizon";
    found.add_missing(QuantityId::tv_to_target, reason);
    if (request.law) found.add_missing(QuantityId::output_law, reason);
    return;
  }
  const int horizon = *request.lengths.horizon;
  found.add(QuantityId::tv_to_target, tv_estimate(tally, target_cells(rows, horizon)));
  if (request.law) add_output_law(tally, rows, static_cast<std::size_t>(horizon), found);
}

/// How often an iteration accepts i tokens or more, over the iterations.
void add_position_rates(const Tally& tally, const SimulateRequest& request,
                        Findings<Estimate>& found) {
  if (!tallies_positions(request.lengths)) {
    found.add_missing(
        QuantityId::position_rates,
        "a simulation counts positions where gamma is below the horizon and at most " +
            std::to_string(kMostPositions));
    return;
  }
  for (int i = 0; i < request.lengths.gamma; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool seen = at < tally.positions.size();
    Estimate rate =
        ratio_estimate(seen ? tally.positions[at] : Moments{}, tally.iterations,
                       seen ? tally.positions_times_iterations[at] : WideCount{0}, tally.trials);
    rate.low = std::max(0.0, rate.low);
    rate.high = std::min(1.0, rate.high);
    found.add(QuantityId::position_rates, rate, {i + 1});
  }
}

/// Tokens over target calls, of which a decode of runs may have none.
void add_acceptance_length(const Tally& tally, const DecodeMoments& decode, Drafting drafting,
                           Findings<Estimate>& found) {
  const Estimate& calls = decode.target_calls;
  if (drafting == Drafting::run && (!(calls.low > 0) || !(calls.mean > calls.reach_below))) {
    return found.add_missing(QuantityId::acceptance_length,
                             "the target is called in too few trials to divide by its calls");
  }
  Estimate length =
      ratio_estimate(tally.tokens, tally.target_calls, tally.tokens_times_calls, tally.trials);
  reach_as(decode.tokens, calls, length);
  found.add(QuantityId::acceptance_length, length);
}

/// The quantities of a decode, and the moments that views need.
DecodeMoments add_decode(const Tally& tally, const Rows<double>& rows,
                         const SimulateRequest& request, Findings<Estimate>& found) {
  DecodeMoments result;
  const auto horizon_tokens = static_cast<double>(*request.lengths.horizon);
  // Only an end-of-sequence token or an undefined draw ends a decode before its horizon.
  const bool all_tokens = !rows.pair().end_token() && tally.undefined_trials == 0;
  result.tokens = bounded_mean_estimate(tally.tokens, tally.trials,
                                        {all_tokens ? horizon_tokens : 0.0, horizon_tokens});
  const double least_calls = request.drafting == Drafting::run ? 0 : 1;
  result.target_calls =
      bounded_mean_estimate(tally.target_calls, tally.trials, {least_calls, horizon_tokens});
  result.draft_steps = mean_estimate(tally.draft_steps, tally.trials);
  result.trials = tally.trials;
  result.tokens_calls =
      mean_covariance(tally.tokens, tally.target_calls, tally.tokens_times_calls, tally.trials);
  result.tokens_steps =
      mean_covariance(tally.tokens, tally.draft_steps, tally.tokens_times_steps, tally.trials);
  result.calls_steps =
      mean_covariance(tally.target_calls, tally.draft_steps, tally.calls_times_steps, tally.trials);
  found.add(QuantityId::decode_tokens, result.tokens);
  found.add(QuantityId::target_calls, result.target_calls);
  found.add(QuantityId::rejections,
            bounded_mean_estimate(tally.rejections, tally.trials, {0, horizon_tokens}));
  found.add(QuantityId::draft_steps, result.draft_steps);
  add_acceptance_length(tally, result, request.drafting, found);
  add_position_rates(tally, request, found);
  add_output(tally, rows, request, found);
  return result;
}

/// P(N(i) = n) for n = 0, 1, ... up to the most tokens that i iterations can emit.
void add_tokens_law(const Tally& tally, const SimulateRequest& request, Findings<Estimate>& found) {
  if (!tallies_tokens_law(request.lengths)) {
    found.add_missing(QuantityId::tokens_law,
                      "there are too many numbers of tokens; lower gamma or "
                      "the iterations");
    return;
  }
  for (int i = 1; i <= request.lengths.iterations; ++i) {
    for (std::size_t n = 0; n <= most_tokens(request.lengths, i); ++n) {
      const auto& counts = tally.emitted_counts[static_cast<std::size_t>(i) - 1];
      found.add(QuantityId::tokens_law,
                proportion_estimate(n < counts.size() ? counts[n] : 0, tally.trials),
                {i, static_cast<int>(n)});
    }
  }
}

double variance(const Estimate& estimate) {
  return estimate.standard_error * estimate.standard_error;
}

}  // namespace

TimeEstimates estimate_time(const DecodeMoments& decode, double step, double call) {
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
  Findings<Estimate>& found = result.found;
  const Lengths& lengths = request.lengths;
  const Window window = full_window(rows.pair(), lengths);
  const auto sizes = std::max(tally.accepted.size(), static_cast<std::size_t>(window.drafts) + 1);
  std::uint64_t beyond = tally.trials;
  for (std::size_t i = 0; i < sizes; ++i) {
    const std::uint64_t count = i < tally.accepted.size() ? tally.accepted[i] : 0;
    const int tau = static_cast<int>(i);
    found.add(QuantityId::accepted_law, proportion_estimate(count, tally.trials), {tau});
    if (i > 0) {
      found.add(QuantityId::accepted_tail, proportion_estimate(beyond, tally.trials), {tau});
    }
    beyond -= count;
  }
  const Estimate accepted = accepted_estimate(tally, window);
  found.add(QuantityId::expected_accepted, accepted);
  if (accepted.standard_error > 0) result.variance_ratio = 1;
  found.add(QuantityId::iteration_undefined,
            proportion_estimate(tally.undefined_iterations, tally.trials));
  for (std::size_t i = 0; i < tally.emitted.size(); ++i) {
    const int iterations = static_cast<int>(i) + 1;
    const double most = (lengths.gamma + 1.0) * iterations;
    found.add(QuantityId::expected_tokens,
              bounded_mean_estimate(tally.emitted[i], tally.trials, {0, most}), {iterations});
  }
  if (request.law && lengths.iterations > 0) add_tokens_law(tally, request, found);
  if (lengths.horizon) result.decode = add_decode(tally, rows, request, found);
  return result;
}

}  // namespace speclab
