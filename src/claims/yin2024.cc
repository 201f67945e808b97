// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// sections 2 and 3: rejections and their lower bound. Batches are in yin2024_batches.cc, section 4
// in yin2024_bias.cc.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "claims/optimum.h"
#include "claims/registry.h"
#include "claims/simulated.h"
#include "claims/yin2024_decodes.h"
#include "model/registry.h"
#include "simulate/simulate.h"
#include "simulate/statistics.h"

namespace speclab {
namespace {

constexpr std::string_view kToy = "iid(draft=[2/3,1/3],target=[1/3,2/3])";

ClaimResult theorem1_rejections(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40)},
                    [](const Instance& instance) -> std::vector<Compared> {
                      return {{"E[N_rej] of token, T = gamma, against sum of E TV",
                               decode_to_horizon("token", instance).rejections, Order::equal,
                               tv_along_target(instance).expected()}};
                    });
  return examination.finish();
}

ClaimResult theorem1_lossless(const ClaimContext& context) {
  Examination examination(context);
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40)},
                    emits_target([](const Instance&) -> std::string { return "token"; }));
  simulate_output_law(examination, "token", make_instance(kToy, 3), 3);
  return examination.finish();
}

/// Couplings of one draft and one output token: what the class of Algorithm 2 can do at a context.
/// b and P see the validated prefix alone, so the next token, given the prefix, has the law b d +
/// (1 - sum b d) P whatever was rejected before; unbiasedness makes it t. An accepted draft is the
/// output, so that P(accept) <= P(X = Y) of a coupling of d and t.
LinearProgram class_program(const Instance& instance, State state) {
  return position_program(instance.rows->draft(state), instance.rows->target(state), 1);
}

/// The least E[N_rej] of the class: certified at every context, averaged along the target.
Rational least_rejections(const Instance& instance) {
  const Rows<Rational>& rows = *instance.rows;
  std::map<State, Rational> least;
  Rational total(0);
  for (const Start& start : instance.pair().start()) {
    for (const PathLaws& path : paths_from(rows, start.state, instance.gamma - 1)) {
      if (path.target == 0) continue;
      if (!least.contains(path.state)) {
        least[path.state] = 1 - certify(class_program(instance, path.state)).bound;
      }
      total += start.probability * path.target * least[path.state];
    }
  }
  return total;
}

ClaimResult theorem2(const ClaimContext& context) {
  Examination examination(context);
  const Statement statement = [](const Instance& instance) -> std::vector<Compared> {
    const Rational least = least_rejections(instance);
    return {{"certified least E[N_rej] of the class against sum of E TV", least, Order::at_least,
             tv_along_target(instance).expected()},
            {"E[N_rej] of token against the certified least",
             decode_to_horizon("token", instance).rejections, Order::equal, least}};
  };
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 8, 40)}, statement);
  examination.search({.tokens = 2, .gammas = 1, .denominator = context.size(3, 5, 8)}, statement);
  return examination.finish();
}

/// Outside the class: the acceptance of a token looks at the drafts after it.
ClaimResult any_unbiased(const ClaimContext& context) {
  Examination examination(context);
  examination.search(
      {.tokens = 2, .gammas = 3, .denominator = context.size(4, 6, 8)},
      [](const Instance& instance) -> std::vector<Compared> {
        const auto block = decode_to_horizon("block", instance);
        if (block.tv_to_target != 0) return {};
        return {{"E[N_rej] of block, T = gamma, against sum of E TV", block.rejections,
                 Order::at_least, tv_along_target(instance).expected()}};
      });
  return examination.finish();
}

/// The largest b(x) d(x) of the class, token by token.
ClaimResult lemma2(const ClaimContext& context) {
  Examination examination(context);
  examination.check(
      {.tokens = 4, .gammas = 1, .random = context.size(2, 8, 20)}, [](const Instance& instance) {
        std::vector<Compared> comparisons;
        const State state = instance.pair().start().front().state;
        for (Token x = 0; x < instance.pair().vocabulary(); ++x) {
          LinearProgram program = class_program(instance, state);
          const std::size_t row = program.law_rows + static_cast<std::size_t>(x);
          for (auto& column : program.columns) {
            if (column.entries.back().first != row) column.reward = Rational(0);
          }
          const auto at = static_cast<std::size_t>(x);
          comparisons.push_back(
              {fmt::format("certified largest b d at token {} against min(d, t)", x),
               certify(program).bound, Order::equal,
               lesser(instance.rows->draft(state)[at], instance.rows->target(state)[at])});
        }
        return comparisons;
      });
  return examination.finish();
}

std::vector<Compared> calls_are_rejections(const Instance& instance) {
  const auto run = decode_to_horizon("token", instance);
  return {{"E[target calls] of token, T = gamma, against E[N_rej]", run.target_calls, Order::equal,
           run.rejections}};
}

std::vector<Compared> calls_follow_rejections(const Instance& instance) {
  // A run that ends at an end-of-sequence token makes no further call.
  if (instance.pair().end_token()) return {};
  std::vector<Compared> comparisons{
      {"E[target calls] of token, T = gamma, against 1 + E[sum over n < T of R_n]",
       decode_to_horizon("token", instance).target_calls, Order::equal,
       tv_along_target(instance).target_calls()}};
  if (instance.gamma > 1) {
    Instance shorter = instance;
    --shorter.gamma;
    comparisons.push_back({"the same against 1 + E[N_rej] of T - 1 tokens of batch(M=2)",
                           decode_to_horizon("batch(M=2)", instance).target_calls, Order::equal,
                           1 + decode_to_horizon("batch(M=2)", shorter).rejections});
  }
  return comparisons;
}

ClaimResult inference_time(const ClaimContext& context) {
  Examination examination(context);
  for (const int horizon : {1, 2}) {
    examination.search({.tokens = 2, .least_gamma = horizon, .gammas = 2, .denominator = 3},
                       calls_are_rejections);
  }
  return examination.finish();
}

ClaimResult inference_time_corrected(const ClaimContext& context) {
  Examination examination(context);
  examination.search({.tokens = 2, .gammas = 2, .denominator = 3}, calls_are_rejections);
  examination.check({.tokens = 3, .gammas = 3, .random = context.size(4, 12, 40)},
                    calls_follow_rejections, Reading::corrected);
  return examination.finish();
}

/// Simulated rejections against their mean: by Hoeffding's bound a mean that is off by twice the
/// distance at which the test rejects is found with probability 1 - kTestLevel / 2 or more.
void simulate_rejections(Examination& examination, const Instance& instance, int horizon,
                         double expected) {
  const ClaimContext& context = examination.context();
  SimulateRequest request;
  request.lengths.gamma = kUnbounded;
  request.lengths.horizon = horizon;
  request.trials = static_cast<std::uint64_t>(context.size(100'000, 1'000'000, 20'000'000));
  request.seed = context.seed;
  request.threads = context.threads;
  const Rows<double> rows(make_pair(instance.name()));
  const Tally tally = run_trials(make_verifier("token"), rows, request).tally;
  const auto trials = static_cast<double>(tally.trials);
  const double mean = static_cast<double>(tally.rejections.sum) / trials;
  const double shift = 2 * horizon * std::sqrt(std::log(2 / kTestLevel) / (2 * trials));
  examination.test(instance,
                   fmt::format("mean rejections of token {:.6f} against {:.6f}, {} trials, against "
                               "a mean off by {:.3g}",
                               mean, expected, tally.trials, shift),
                   mean_p_bound(mean, expected, horizon, tally.trials), 1 - kTestLevel / 2,
                   Reading::corrected);
}

ClaimResult figure2(const ClaimContext& context) {
  constexpr int kHorizon = 50;
  Examination examination(context);
  const Instance figure = make_instance("markov(vocabulary=7,horizon=50,seed=10)", kUnbounded);
  const Rows<double> rows(make_pair(figure.name()));
  Budget budget;
  const auto start = start_law(rows);
  const double expected = token_rejections(rows, start, kHorizon, budget).expected();
  const double stepwise =
      stepwise_counts<double>(rows, start, token_step<double>, kUnbounded, kHorizon, budget)
          .rejections;
  const double batch = batch_rejections(rows, start, 1, kHorizon, budget).expected();
  const auto off = [](double value, const Rational& from) { return abs(exact(value) - from); };
  const Rational rounding = exact(1e-9);
  examination.check(
      {figure},
      [&](const Instance&) -> std::vector<Compared> {
        return {{"|E[N_rej] by Theorem 1 - 16.41|, T = 50", off(expected, Rational(1641, 100)),
                 Order::at_most, Rational(1, 200)}};
      },
      Reading::printed, Method::closed_form);
  examination.check(
      {figure},
      [&](const Instance&) -> std::vector<Compared> {
        return {{"|E[N_rej] by Theorem 1 - a decode's recursion over step laws|, T = 50",
                 off(stepwise, exact(expected)), Order::at_most, rounding},
                {"|E[N_rej] by Theorem 1 - Theorem 3 with M = 1|, T = 50",
                 off(batch, exact(expected)), Order::at_most, rounding},
                {"|E[N_rej] by Theorem 1 - 16.404890|, T = 50",
                 off(expected, Rational(16404890, 1000000)), Order::at_most, Rational(1, 2000000)}};
      },
      Reading::corrected, Method::closed_form);
  simulate_rejections(examination, figure, kHorizon, expected);
  return examination.finish();
}

constexpr auto kHolds = ClaimVerdict::holds;
constexpr auto kRefuted = ClaimVerdict::refuted;
constexpr auto kCorrected = ClaimVerdict::holds_with_correction;

constexpr std::array kClaims{
    ClaimRow{"yin2024.theorem1.rejections", "yin2024 Theorem 1, first part",
             "E[N_rej] of token = sum_{n=1..T} E_{x ~ t}[TV(d_n, t_n)(. | x_{1:n-1})]",
             "gamma = inf, any pair, any T", kHolds, "", theorem1_rejections},
    ClaimRow{"yin2024.theorem1.lossless", "yin2024 Theorem 1, second part",
             "the output of speculative decoding (token) has the target's law",
             "gamma = inf, any pair, any T", kHolds, "", theorem1_lossless},
    ClaimRow{"yin2024.theorem2", "yin2024 Theorem 2",
             "inf over the class of E[N_rej] >= sum_{n=1..T} E_{x ~ t}[TV(d_n, t_n)]",
             "unbiased instances of Algorithm 2: b_n, P_n see x_{1:n-1} and the token, not later "
             "drafts",
             kHolds, "", theorem2},
    ClaimRow{"yin2024.theorem2.any-unbiased", "yin2024 section 1, contributions",
             "any unbiased algorithm has E[N_rej] >= sum_{n=1..T} E_{x ~ t}[TV(d_n, t_n)]",
             "without Algorithm 2's restriction of b_n to the past", kRefuted, "", any_unbiased},
    ClaimRow{"yin2024.lemma2", "yin2024 Lemma 2, Corollary 1",
             "b_n(x) <= min(1, t_n(x) / d_n(x)) for every unbiased algorithm of the class",
             "Algorithm 2 without bias", kHolds, "", lemma2},
    ClaimRow{"yin2024.inference-time", "yin2024 sections 2.1 and 3.2",
             "inference time = # oracle calls = # rejections: E[target calls] = E[N_rej]",
             "gamma = inf", kRefuted, "", inference_time},
    ClaimRow{"yin2024.inference-time-corrected", "yin2024 sections 2.1 and 3.2, corrected",
             "inference time = # oracle calls = # rejections: E[target calls] = E[N_rej]",
             "gamma = inf, no end-of-sequence token", kCorrected,
             "E[target calls] = 1 + E[sum_{n<T} R_n]: the first call follows no rejection, and no "
             "call follows one at the horizon",
             inference_time_corrected},
    ClaimRow{"yin2024.figure2", "yin2024 Figure 2 (a), (c)",
             "E[N_rej] of speculative decoding on the two nonstationary chains is 16.41",
             "NumPy's legacy generator, seed 10: the draft's rows first, then the target's; T = 50",
             kCorrected, "this reading of the seed gives 16.404890, which rounds to 16.40",
             figure2},
};

}  // namespace

std::span<const ClaimRow> yin2024_claims() { return kClaims; }

}  // namespace speclab
