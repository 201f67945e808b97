#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace speclab {

// Every quantity of an answer, one row each: its names in every command, experiment, prediction,
// report and page of the manual. A new quantity is one row here and the place that
// computes it.
//
//   id        the name in the program
//   group     its object in JSON, "" at the top level; `group.name` is its path
//   name      its key there
//   kept_as   a second path in JSON, which readers also accept, or ""
//   label     in tables; {} stands for the index
//   unit      "tokens", "calls", "" for a pure number
//   shape     single, list (one index), grid (two indices), sequences (of tokens) or laws (one a
//             sequence of tokens)
//   first     the first index of a list or grid
//   scope     the part of a question it belongs to
//   prose     one line for the manual
//
// An index counts what the label names: tau in P(accepted = tau), i in E[N(i)].
#define SPECLAB_QUANTITIES(X)                                                                      \
  X(expected_accepted, "iteration", "expected_accepted", "", "E[accepted]", "tokens", single, 0,   \
    iteration, "expected accepted tokens of the first iteration")                                  \
  X(accepted_variance, "iteration", "accepted_variance", "", "Var[accepted]", "tokens^2", single,  \
    0, iteration, "variance of the accepted tokens of the first iteration")                        \
  X(share_of_optimum, "iteration", "share_of_optimum", "", "share of the optimum", "", single, 0,  \
    optimum,                                                                                       \
    "E[accepted] over the most that any lossless verifier of as many i.i.d. drafts can accept")    \
  X(accepted_law, "iteration", "accepted_law", "", "P(accepted = {})", "", list, 0, iteration,     \
    "law of the accepted tokens of the first iteration")                                           \
  X(accepted_tail, "iteration", "tail", "", "P(accepted >= {})", "", list, 1, iteration,           \
    "probability that at least so many tokens of the first iteration are accepted")                \
  X(iteration_undefined, "iteration", "undefined_mass", "", "P(undefined), 1 iteration", "",       \
    single, 0, iteration, "probability that the first iteration ends in an undefined draw (0/0)")  \
  X(law_given_draft, "iteration", "law_given_draft", "", "P(accepted = {} | draft {})", "", laws,  \
    0, iteration,                                                                                  \
    "law of the accepted tokens of the first iteration given the whole drafted block, of "         \
    "verifiers of one draft: the block's tokens, then the number accepted")                        \
  X(expected_tokens, "iterations", "expected_tokens", "", "E[N({})]", "tokens", list, 1,           \
    iterations, "expected tokens after so many iterations")                                        \
  X(tokens_law, "iterations", "law", "", "P(N({}) = {})", "", grid, 1, iterations,                 \
    "law of the tokens after so many iterations; the second index counts the tokens from 0")       \
  X(tv_to_target, "output", "tv_to_target", "", "TV(output, target)", "", single, 0, output,       \
    "total variation distance of the first T tokens, with the prompt, from the target's")          \
  X(output_undefined, "output", "undefined_mass", "", "P(undefined), decode", "", single, 0,       \
    output, "probability that a decode meets an undefined draw (0/0)")                             \
  X(output_law, "output", "law", "", "P({})", "", sequences, 0, output,                            \
    "joint law of the first T tokens")                                                             \
  X(corrected_law, "output", "corrected_law", "", "P({}; the last a correction)", "", sequences,   \
    0, output,                                                                                     \
    "joint probability of the first n tokens and that the n-th is a correction, n = 1..T")         \
  X(decode_tokens, "decode", "tokens", "", "E[tokens]", "tokens", single, 0, decode,               \
    "expected tokens up to the horizon or the end-of-sequence token")                              \
  X(target_calls, "decode", "target_calls", "target_calls.expected", "E[target calls]", "calls",   \
    single, 0, decode,                                                                             \
    "expected calls of the target up to the horizon; a run calls it after the verifier's no")      \
  X(rejections, "decode", "rejections", "rejections.expected", "E[rejections]", "tokens", single,  \
    0, decode, "expected positions emitted by a correction up to the horizon")                     \
  X(draft_steps, "decode", "draft_steps", "", "E[draft steps]", "steps", single, 0, decode,        \
    "expected draft steps, one after another, up to the horizon")                                  \
  X(acceptance_length, "decode", "acceptance_length", "block_efficiency", "acceptance length",     \
    "tokens a call", single, 0, decode,                                                            \
    "expected tokens over expected target calls, correction or bonus counted")                     \
  X(position_rates, "decode", "position_rates", "", "rate of position {}", "", list, 1, decode,    \
    "share of the iterations of a decode that accept at least so many tokens")                     \
  X(long_run_length, "long_run", "acceptance_length", "", "acceptance length, long run",           \
    "tokens a call", single, 0, long_run,                                                          \
    "limit of decode.acceptance_length as the horizon goes to infinity")                           \
  X(long_run_rates, "long_run", "position_rates", "", "rate of position {}, long run", "", list,   \
    1, long_run, "limit of decode.position_rates")                                                 \
  X(long_run_acceptance, "long_run", "acceptance_rate", "", "acceptance rate, long run", "",       \
    single, 0, long_run,                                                                           \
    "limit of expected accepted tokens over expected draft steps: accepted drafts per drafted "    \
    "position")                                                                                    \
  X(long_run_rejections, "long_run", "rejection_rate", "", "rejection rate, long run", "", single, \
    0, long_run, "limit of expected rejections over expected tokens")                              \
  X(time_per_iteration, "modelled_time", "per_iteration", "", "time per iteration", "time",        \
    single, 0, cost, "time of one full iteration: gamma draft steps and a target call")            \
  X(first_time_per_token, "modelled_time", "first_iteration_per_token", "", "time per token",      \
    "time", single, 0, cost, "time of the first iteration over its expected tokens")               \
  X(first_tokens_per_call, "modelled_time", "first_iteration_tokens", "", "tokens a call's time",  \
    "tokens", single, 0, cost,                                                                     \
    "expected tokens of the first iteration in the time that one target call takes")               \
  X(time_to_stop, "modelled_time", "stop", "", "time to the verifier's no", "time", single, 0,     \
    cost, "time of drafting and verifying until the verifier's first no, or the window's end")     \
  X(time_draft_steps, "modelled_time", "draft_steps", "", "draft steps to the horizon", "steps",   \
    single, 0, cost, "expected draft steps, one after another, up to the horizon")                 \
  X(time_of_decode, "modelled_time", "decode", "", "time to the horizon", "time", single, 0, cost, \
    "expected modelled time of a decode to the horizon")                                           \
  X(decode_speedup, "modelled_time", "decode_speedup", "", "speedup to the horizon", "", single,   \
    0, cost, "tokens of a decode over its time, against one target call a token")                  \
  X(long_run_speedup, "modelled_time", "speedup", "", "speedup, long run", "", single, 0, cost,    \
    "limit of decode_speedup as the horizon goes to infinity")                                     \
  X(work_of_decode, "modelled_work", "decode", "", "work to the horizon", "work", single, 0, cost, \
    "expected modelled work of a decode, nothing saved by doing it side by side")                  \
  X(undefined_trials, "", "undefined_trials", "", "undefined trials", "trials", single, 0, run,    \
    "trials that met an undefined draw (0/0)")                                                     \
  X(token_accepted, "token", "expected_accepted", "", "E[tau], token", "tokens", single, 0,        \
    formula, "E[tau] of token verification by a printed sum")                                      \
  X(block_accepted, "block", "expected_accepted", "", "E[tau], block", "tokens", single, 0,        \
    formula, "E[tau] of block-level coupling by a printed sum")                                    \
  X(next_token_tv, "", "tv", "", "TV(draft, target)", "", single, 0, formula,                      \
    "TV of the next token, averaged over the prompt")                                              \
  X(improvement, "", "improvement", "", "improvement", "tokens", single, 0, formula,               \
    "batch improvement of one token")                                                              \
  X(passed_accepted, "", "expected_accepted", "", "E[N]", "tokens", single, 0, formula,            \
    "E[N] of SPRINTER when the first r drafted tokens are acceptable")                             \
  X(stopping_time, "", "expected_stopping_time", "", "E[T_stop]", "time", single, 0, formula,      \
    "E[T_stop] of SPRINTER when the first r drafted tokens are acceptable")                        \
  X(speculative_flops, "speculative", "flops", "", "FLOPs, speculative", "FLOPs", single, 0,       \
    formula, "FLOPs of gamma tokens by speculative decoding")                                      \
  X(sprinter_flops, "sprinter", "flops", "", "FLOPs, SPRINTER", "FLOPs", single, 0, formula,       \
    "FLOPs of gamma tokens by SPRINTER with a perfect verifier")                                   \
  X(flops_ratio, "", "flops_ratio", "", "FLOPs ratio", "", single, 0, formula,                     \
    "FLOPs of speculative decoding over those of SPRINTER")                                        \
  X(target_positions, "", "target_positions", "", "target positions", "positions", single, 0,      \
    formula, "positions that the target evaluates in one call")                                    \
  X(roc_false_positive, "roc", "false_positive", "", "false positives, point {}", "", list, 0,     \
    training, "ROC curve: share of unacceptable tokens that pass")                                 \
  X(roc_true_positive, "roc", "true_positive", "", "true positives, point {}", "", list, 0,        \
    training, "ROC curve: share of acceptable tokens that pass")                                   \
  X(roc_area, "roc", "area", "", "area under the ROC curve", "", single, 0, training,              \
    "probability that an acceptable token scores above another, ties counted half")                \
  X(false_positive_rate, "rates", "false_positive", "", "false positive rate", "", single, 0,      \
    training, "share of held-out tokens with d/t > lambda that pass at the threshold")             \
  X(true_positive_rate, "rates", "true_positive", "", "true positive rate", "", single, 0,         \
    training, "share of held-out tokens with d/t <= lambda that pass at the threshold")            \
  X(excess_weighted_rate, "rates", "excess_weighted", "", "excess-weighted rate", "", single, 0,   \
    training, "false positive rate weighted by [d - t]+")                                          \
  X(theorem_tv, "theorem3.1", "tv", "", "TV by Theorem 3.1", "", single, 0, training,              \
    "zhong2025 Theorem 3.1 with the measured P(passes | d > t)")                                   \
  X(theorem_tv_by_token, "theorem3.1-by-token", "tv", "", "TV by the weighted rate", "", single,   \
    0, training, "zhong2025 Theorem 3.1 with the rate weighted by [d - t]+")

enum class QuantityId : std::uint8_t {
#define SPECLAB_QUANTITY_ID(id, ...) id,
  SPECLAB_QUANTITIES(SPECLAB_QUANTITY_ID)
#undef SPECLAB_QUANTITY_ID
};

/// The shape of a quantity's numbers.
enum class QuantityShape : std::uint8_t {
  single,
  list,       ///< indexed from `first`
  grid,       ///< indexed from `first`, then from 0
  sequences,  ///< one per sequence of tokens, which is its index
  laws,       ///< a list per sequence of tokens; indexed by the tokens, then from 0
};

/// The part of a question that a quantity belongs to.
enum class QuantityScope : std::uint8_t {
  iteration,   ///< the first iteration from the prompt
  optimum,     ///< a view: the first iteration compared with the optimum of its class
  iterations,  ///< the first n iterations
  output,      ///< the law of the first T tokens
  decode,      ///< a decode to the horizon T
  long_run,    ///< decodes as T goes to infinity
  cost,        ///< a view: the cost of a decode at given latencies
  run,         ///< properties of a simulation run
  formula,     ///< a formula of numbers alone
  training,    ///< a trained low-complexity verifier
};

struct QuantityInfo {
  QuantityId id;
  std::string_view group, name, kept_as, label, unit;
  QuantityShape shape;
  int first;
  QuantityScope scope;
  std::string_view prose;

  /// "decode.target_calls".
  [[nodiscard]] std::string path() const;
};

/// All rows, in the order in which answers show them.
std::span<const QuantityInfo> quantities();

const QuantityInfo& quantity(QuantityId id);

/// The quantity of a path, in either form.
std::optional<QuantityId> find_quantity(std::string_view path);

/// "iteration", "decode", ...
std::string_view scope_name(QuantityScope scope);

}  // namespace speclab
