#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/random.h"
#include "simulate/checked_sampler.h"
#include "simulate/counted_decode.h"
#include "simulate/plan.h"
#include "simulate/simulate.h"
#include "simulate/tally.h"
#include "verifiers/contract.h"
#include "verifiers/end_of_sequence.h"
#include "verifiers/info.h"
#include "verifiers/program.h"

namespace speclab {

/// Runs trials of one verifier program.
/// @tparam C  makes the decisions of one run of one trial, made of (key, trial, run)
template <class Program, class V = ViewOf<Program, double>, class C = CheckedSampler>
class Trials {
 public:
  using View = V;
  using Choices = C;
  using Node = typename View::Node;

  /// @param rows, plan  must outlive this
  Trials(Program program, const Rows<double>& rows, const TrialPlan& plan,
         Drafting drafting = drafting_of<Program>())
      : program_(std::move(program)),
        drafting_(drafting),
        rows_(rows),
        view_(rows),
        vocabulary_(rows.vocabulary()),
        resets_(rows.resets()),
        plan_(plan) {}

  /// Adds the trials first .. last - 1 to `tally`.
  void run(std::uint64_t first, std::uint64_t last, Tally& tally) {
    Rows<double>::Reading reading(rows_);
    reading_ = &reading;
    for (std::uint64_t trial = first; trial < last; ++trial) one(trial, tally);
  }

 private:
  /// Whether the choices have control variates (simulate/controlled_sampler.h).
  static constexpr bool kControlled = requires(const Choices& choices) { choices.controls(); };

  void one(std::uint64_t trial, Tally& tally) {
    const std::size_t start = choose_start(plan_, trial);
    const Node root = view_.root(plan_.starts[start]);
    bool undefined = false;
    if (plan_.lengths.horizon) undefined |= decode(trial, start, root, tally);
    if (plan_.lengths.iterations > 0) undefined |= iterate(trial, root, tally);
    if (plan_.single) {
      Choices choices(plan_.key, trial, kOnlyRun);
      run(root, plan_.window, choices);
      undefined |= first_iteration(tally);
      if (!plan_.lengths.horizon) add_controls(choices, tally);
    }
    ++tally.trials;
    if (undefined) ++tally.undefined_trials;
  }

  /// One iteration of the program into out_, refused where it does not fit its window.
  /// Between two of them nothing of the rows is held.
  void run(const Node& node, Window window, Choices& choices) {
    reading_->pause();
    if constexpr (kControlled) {
      choices.begin(view_, node, window.drafts);
    } else {
      choices.begin();
    }
    out_.begin(node);
    program_(view_, node, window, choices, out_);
    check_fits(out_, window);
  }

  bool first_iteration(Tally& tally) const {
    add_one(tally.accepted, static_cast<std::uint64_t>(out_.accepted));
    if (out_.ending != Ending::undefined) return false;
    ++tally.undefined_iterations;
    return true;
  }

  static void add_controls(const Choices& choices, Tally& tally) {
    if constexpr (kControlled) tally.add_controls(choices.controls(), choices.companions());
  }

  /// The node at which the next iteration begins. Where several are possible, it takes the number
  /// of that iteration's own stream.
  /// @param before  iterations of the run so far, at most kLargestLength
  Node rooted(const Node& node, std::uint64_t trial, std::uint64_t before) const {
    const auto roots = view_.roots(node);
    std::size_t at = 0;
    if (roots.size() > 1) {
      Stream stream(plan_.key, trial, static_cast<std::uint32_t>(before), Purpose::root);
      double left = stream.uniform();
      while (at + 1 < roots.size() && left >= roots[at].probability) {
        left -= roots[at++].probability;
      }
    }
    return view_.rooted(node, roots[at].state);
  }

  /// Tokens up to and with the first end-of-sequence token.
  std::size_t emitted() const { return before_end(out_.tokens, plan_.end_token); }

  bool ended() const { return has_end(out_.tokens, plan_.end_token); }

  bool decode(std::uint64_t trial, std::size_t start, const Node& root, Tally& tally) {
    Choices choices(plan_.key, trial, kOnlyRun);
    Node node = root;
    counts_.begin(plan_.lengths);
    std::uint64_t cell = start;
    const auto horizon = static_cast<std::uint64_t>(*plan_.lengths.horizon);
    const bool first_here = !plan_.single && plan_.lengths.iterations == 0;
    bool undefined = false;
    bool over = false;
    while (counts_.tokens < horizon && !over) {
      const Window window =
          window_within(plan_.lengths.gamma, static_cast<int>(horizon - counts_.tokens));
      run(node, window, choices);
      if (counts_.iterations == 0 && first_here) first_iteration(tally);
      ++counts_.iterations;
      const std::size_t added = emitted();
      if constexpr (kControlled) {
        if (plan_.follows_target)
          choices.emitted(rows_, plan_, std::span(out_.tokens).first(added),
                          horizon - counts_.tokens);
      }
      const bool whole = added == out_.tokens.size();
      if (calls_target(drafting_, out_.ending, whole)) ++counts_.calls;
      const int last = static_cast<int>(added) + (out_.ending == Ending::undefined ? 1 : 0);
      counts_.steps += static_cast<std::uint64_t>(draft_steps(drafting_, window.drafts, last));
      if (!counts_.reached.empty()) {
        ++counts_.reached[std::min(static_cast<std::size_t>(out_.accepted), added)];
      }
      if (plan_.tally_outputs) cell = append(cell, added);
      counts_.tokens += added;
      over = ended();
      if (out_.ending == Ending::undefined) {
        undefined = true;
        break;
      }
      check_progress(added, out_.ending);
      if (out_.ending == Ending::correction && whole) ++counts_.rejections;
      node = out_.node;
      if (resets_) node = rooted(node, trial, counts_.iterations);
    }
    counts_.add_to(tally);
    if constexpr (kControlled) choices.ended(plan_, counts_.calls);
    add_controls(choices, tally);
    if (plan_.tally_decodes) tally.count_decode(counts_.tokens, counts_.calls, counts_.steps);
    if (plan_.tally_outputs && !undefined) {
      for (std::uint64_t i = counts_.tokens; i < horizon; ++i) {
        cell = append_token(cell, *plan_.end_token);
      }
      add_one(tally.outputs, cell);
    }
    return undefined;
  }

  std::uint64_t append_token(std::uint64_t cell, Token token) const {
    return cell * static_cast<std::uint64_t>(vocabulary_) + static_cast<std::uint64_t>(token);
  }

  std::uint64_t append(std::uint64_t cell, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) cell = append_token(cell, out_.tokens[i]);
    return cell;
  }

  static void count_tokens(int i, std::uint64_t tokens, Tally& tally) {
    const auto at = static_cast<std::size_t>(i);
    if (tally.emitted_counts.size() <= at) tally.emitted_counts.resize(at + 1);
    add_one(tally.emitted_counts[at], tokens);
  }

  bool iterate(std::uint64_t trial, const Node& root, Tally& tally) {
    Choices choices(plan_.key, trial, kOnlyRun);
    Node node = root;
    std::uint64_t tokens = 0;
    bool undefined = false;
    bool over = false;
    if (tally.emitted.size() < static_cast<std::size_t>(plan_.lengths.iterations)) {
      tally.emitted.resize(static_cast<std::size_t>(plan_.lengths.iterations));
    }
    for (int i = 0; i < plan_.lengths.iterations; ++i) {
      if (!over) {
        run(node, {.drafts = plan_.lengths.gamma, .bonus = true}, choices);
        if (i == 0 && !plan_.single) first_iteration(tally);
        tokens += emitted();
        undefined = out_.ending == Ending::undefined;
        over = undefined || ended();
        node = out_.node;
        if (resets_) node = rooted(node, trial, static_cast<std::uint64_t>(i) + 1);
      }
      tally.emitted[static_cast<std::size_t>(i)].add(tokens);
      if (plan_.tally_tokens) count_tokens(i, tokens, tally);
    }
    return undefined;
  }

  Program program_;
  Drafting drafting_;
  const Rows<double>& rows_;
  View view_;
  Rows<double>::Reading* reading_ = nullptr;  ///< of the trials that run
  Token vocabulary_;
  bool resets_;
  const TrialPlan& plan_;
  Iteration<View> out_;
  CountedDecode counts_;
};

}  // namespace speclab
