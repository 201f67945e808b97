#include "simulate/estimate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/target_cells.h"
#include "simulate/distance.h"
#include "simulate/engine.h"
#include "simulate/lossless_decodes.h"
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
  return mean_estimate(spread_of(moments, tally.trials, {0, static_cast<double>(window.drafts)}));
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
  found.add(QuantityId::tv_to_target,
            distance_estimate(target_cells(rows, horizon), tally.outputs, tally.trials));
  if (request.law) add_output_law(tally, rows, static_cast<std::size_t>(horizon), found);
}

/// How often an iteration accepts i tokens or more, over the iterations.
void add_position_rates(const Tally& tally, const SimulateRequest& request, double effect,
                        Findings<Estimate>& found) {
  if (!tallies_positions(request.lengths)) {
    found.add_missing(
        QuantityId::position_rates,
        "a simulation counts positions where gamma is below the horizon and at most " +
            std::to_string(kMostPositions));
    return;
  }
  const double iterations =
      static_cast<double>(tally.iterations.sum) / static_cast<double>(tally.trials);
  const auto most = static_cast<double>(*request.lengths.horizon);
  for (int i = 0; i < request.lengths.gamma; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool seen = at < tally.positions.size();
    const Moments reached = seen ? tally.positions[at] : Moments{};
    const WideCount products = seen ? tally.positions_times_iterations[at] : WideCount{0};
    const double mean = static_cast<double>(reached.sum) / static_cast<double>(tally.trials);
    const double variance = covariance(reached.sum, reached.sum, reached.squares, tally.trials);
    const double joint = covariance(reached.sum, tally.iterations.sum, products, tally.trials);
    const double of_iterations = covariance(tally.iterations.sum, tally.iterations.sum,
                                            tally.iterations.squares, tally.trials);
    // Of 1 to `most` iterations any number may reach the position.
    const auto excess = [&](double rate) {
      Spread spread{mean - rate * iterations,
                    std::max(0.0, variance - 2 * rate * joint + rate * rate * of_iterations),
                    {-rate * most, (1 - rate) * most},
                    tally.trials};
      spread.range = reached_range(spread, effect);
      return spread;
    };
    found.add(QuantityId::position_rates,
              ratio_estimate(mean / iterations, iterations, {0, 1}, excess), {i + 1});
  }
}

/// The corners of what the tokens, target calls and draft steps of a decode can be. A call gives at
/// least one token, but for an undefined last one, and at most gamma + 1; it takes no draft step
/// without a draft model, and one to the tokens still to go, at most gamma, with one. Where a
/// verifier drafts by runs, nothing but the horizon bounds the calls.
std::vector<JointMeans::Numbers> decode_corners(const Lengths& lengths, Drafting drafting) {
  const double horizon = *lengths.horizon;
  const double gamma = std::min(*lengths.horizon, lengths.gamma);
  const double most_steps = gamma * horizon - gamma * (gamma - 1) / 2;
  if (drafting == Drafting::run) {
    std::vector<JointMeans::Numbers> box;
    for (const double tokens : {0.0, horizon}) {
      for (const double calls : {0.0, horizon}) {
        for (const double steps : {0.0, most_steps}) box.push_back({tokens, calls, steps});
      }
    }
    return box;
  }
  const double each = drafting == Drafting::none ? 1 : std::min(horizon, gamma + 1);
  const double fewest = horizon / each;
  std::vector<std::array<double, 2>> ends{
      {0, 1}, {each, 1}, {horizon, fewest}, {horizon, horizon}, {horizon - 1, horizon}};
  // Where gamma steps a call would be more than that.
  const double turn = most_steps / gamma;
  ends.push_back({std::min(horizon, each * turn), turn});
  ends.push_back({turn - 1, turn});
  std::vector<JointMeans::Numbers> corners;
  for (const auto& [tokens, calls] : ends) {
    const bool drafts = drafting == Drafting::window;
    corners.push_back({tokens, calls, drafts ? calls : 0.0});
    corners.push_back({tokens, calls, drafts ? std::min(gamma * calls, most_steps) : 0.0});
  }
  return corners;
}

/// The box of what the spread of each and one event reach, where that bounds the target calls:
/// tokens, as many in each decode, target calls and draft steps.
std::vector<JointMeans::Numbers> reached_corners(const JointMeans& moments, double most_steps,
                                                 double effect) {
  const Spread of_calls = moments.weighed({0, 1, 0});
  const Range calls = reached_range(of_calls, effect);
  const Range steps = reached_range(moments.weighed({0, 0, 1}), most_steps * effect);
  const bool bounds = calls.low > of_calls.range.low || calls.high < of_calls.range.high;
  if (!bounds) return moments.corners;
  std::vector<JointMeans::Numbers> corners;
  for (const double call : {calls.low, calls.high}) {
    for (const double step : {steps.low, steps.high}) {
      corners.push_back({moments.mean[0], call, step});
    }
  }
  return corners;
}

JointMeans decode_moments(const Tally& tally, const Lengths& lengths, Drafting drafting,
                          double effect) {
  const std::array<WideCount, 3> sums{tally.tokens.sum, tally.target_calls.sum,
                                      tally.draft_steps.sum};
  const std::array<std::array<WideCount, 3>, 3> products{
      {{tally.tokens.squares, tally.tokens_times_calls, tally.tokens_times_steps},
       {tally.tokens_times_calls, tally.target_calls.squares, tally.calls_times_steps},
       {tally.tokens_times_steps, tally.calls_times_steps, tally.draft_steps.squares}}};
  JointMeans result = joint_means(tally.trials, sums, products, decode_corners(lengths, drafting));
  if (std::isfinite(effect)) {
    result.corners = reached_corners(result, std::min(*lengths.horizon, lengths.gamma), effect);
  }
  return result;
}

/// Tokens over target calls, of which a decode of runs may have none.
void add_acceptance_length(const JointMeans& moments, Drafting drafting,
                           Findings<Estimate>& found) {
  if (drafting == Drafting::run && !(mean_estimate(moments.weighed({0, 1, 0})).least > 0)) {
    return found.add_missing(QuantityId::acceptance_length,
                             "the target is called in too few trials to divide by its calls");
  }
  found.add(QuantityId::acceptance_length, moments.ratio({1, 0, 0}, {0, 1, 0}));
}

/// The quantities of a decode, and the moments that views need.
JointMeans add_decode(const Tally& tally, const Rows<double>& rows, const SimulateRequest& request,
                      double effect, Findings<Estimate>& found) {
  const JointMeans moments = decode_moments(tally, request.lengths, request.drafting, effect);
  const auto horizon = static_cast<double>(*request.lengths.horizon);
  found.add(QuantityId::decode_tokens, mean_estimate(moments.weighed({1, 0, 0})));
  found.add(QuantityId::target_calls, mean_estimate(moments.weighed({0, 1, 0})));
  Spread rejections = spread_of(tally.rejections, tally.trials, {0, horizon});
  rejections.range = reached_range(rejections, effect);
  found.add(QuantityId::rejections, mean_estimate(rejections));
  found.add(QuantityId::draft_steps, mean_estimate(moments.weighed({0, 0, 1})));
  add_acceptance_length(moments, request.drafting, found);
  add_position_rates(tally, request, effect, found);
  add_output(tally, rows, request, found);
  return moments;
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

/// @param effect  the most target calls by which one event moves a decode
Estimates estimates_of(const Tally& tally, const Rows<double>& rows, const SimulateRequest& request,
                       double effect) {
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
  if (request.variance) {
    found.add(QuantityId::accepted_variance, variance_estimate(tally.accepted, window.drafts));
  }
  found.add(QuantityId::iteration_undefined,
            proportion_estimate(tally.undefined_iterations, tally.trials));
  for (std::size_t i = 0; i < tally.emitted.size(); ++i) {
    const int iterations = static_cast<int>(i) + 1;
    const double most = (lengths.gamma + 1.0) * iterations;
    found.add(QuantityId::expected_tokens,
              mean_estimate(spread_of(tally.emitted[i], tally.trials, {0, most})), {iterations});
  }
  if (request.law && lengths.iterations > 0) add_tokens_law(tally, request, found);
  if (lengths.horizon) {
    result.decode = add_decode(tally, rows, request, effect, found);
  }
  return result;
}

}  // namespace

TimeEstimates estimate_time(const JointMeans& decode, double step, double call, double alone) {
  const JointMeans::Numbers time{0, call, step};
  TimeEstimates result{mean_estimate(decode.weighed(time)), {}};
  if (alone > 0) result.speedup = decode.ratio({alone, 0, 0}, time);
  return result;
}

Estimates estimate(const Tally& tally, const Rows<double>& rows, const SimulateRequest& request) {
  if (request.estimator == Estimator::conditional) return conditional_estimates(tally, request);
  return estimates_of(tally, rows, request, HUGE_VAL);
}

Estimates estimate_lossless(const Tally& tally, const Rows<double>& rows,
                            const SimulateRequest& request) {
  const bool known = request.estimator == Estimator::plain && request.lengths.horizon &&
                     request.drafting != Drafting::run && tally.undefined_trials == 0 &&
                     !rows.pair().end_token() && tally.trials >= kSpreadTrials;
  if (!known) return estimate(tally, rows, request);
  return estimates_of(tally, rows, request, 1 + tokens_to_meet(rows, *request.lengths.horizon));
}

}  // namespace speclab
