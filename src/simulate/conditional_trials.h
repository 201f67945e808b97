#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"
#include "model/rows.h"
#include "run/enumerator.h"
#include "simulate/buffered_stream.h"
#include "simulate/plan.h"
#include "simulate/tally.h"
#include "system/interrupt.h"
#include "verifiers/contract.h"
#include "verifiers/program.h"

namespace speclab {

/// Runs trials of the conditional estimator, one full iteration each: drafts are sampled,
/// everything else is enumerated. Run over every sequence of the coins the verifier gives the law
/// of an iteration conditional on the drafts.
///
/// Draft number i is made from the same uniform on every sequence of coins that asks for it: given
/// the drafts' uniforms the coins' weights are exact, so averages over trials have the same
/// expectation as plain sampling, and a smaller variance (Rao-Blackwell).
template <class Program, class V = ViewOf<Program, double>>
class ConditionalTrials {
 public:
  using View = V;

  /// @param rows, plan  must outlive this
  ConditionalTrials(Program program, const Rows<double>& rows, const TrialPlan& plan)
      : program_(std::move(program)), rows_(rows), view_(rows), plan_(plan) {}

  void run(std::uint64_t first, std::uint64_t last, Tally& tally) {
    Rows<double>::Reading reading(rows_);
    for (std::uint64_t trial = first; trial < last; ++trial) {
      reading.pause();
      one(trial, tally);
    }
  }

 private:
  void one(std::uint64_t trial, Tally& tally) {
    const auto root = view_.root(plan_.starts[choose_start(plan_, trial)]);
    BufferedStream drafts(plan_.key, trial, kOnlyRun, Purpose::draft);
    DraftNumbers numbers([&] { return drafts.uniform(); });
    Enumerator<double> choices(/*corrections=*/false);
    choices.follow({.numbers = &numbers});
    law_.assign(static_cast<std::size_t>(plan_.window.drafts) + 1, 0.0);
    double undefined = 0;
    std::uint64_t sequences = 0;
    do {
      if (sequences++ % kStride == 0) look(sequences);
      choices.restart();
      out_.begin(root);
      program_(view_, root, plan_.window, choices, out_);
      check_fits(out_, plan_.window);
      law_[static_cast<std::size_t>(out_.accepted)] += choices.weight();
      if (out_.ending == Ending::undefined) undefined += choices.weight();
    } while (choices.advance());
    if (tally.conditional_law.size() < law_.size()) tally.conditional_law.resize(law_.size());
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < law_.size(); ++i) {
      const std::uint64_t share = to_units(law_[i]);
      tally.conditional_law[i].add(share);
      expected += i * share;
    }
    tally.conditional_accepted.add(expected);
    tally.conditional_undefined.add(to_units(undefined));
    ++tally.trials;
    if (undefined > 0) ++tally.undefined_trials;
  }

  /// Sequences between looks at the limit and for an interruption.
  static constexpr std::uint64_t kStride = 256;
  static constexpr std::uint64_t kMostSequences = 10'000'000;

  static void look(std::uint64_t sequences) {
    check_interrupted();
    if (sequences > kMostSequences) {
      throw LimitError(
          fmt::format("one trial has more than {} sequences of coins; lower gamma or the number of "
                      "drafts, or use the plain estimator",
                      kMostSequences));
    }
  }

  static std::uint64_t to_units(double probability) {
    return static_cast<std::uint64_t>(std::llround(probability * kConditionalUnit));
  }

  Program program_;
  const Rows<double>& rows_;
  View view_;
  const TrialPlan& plan_;
  Iteration<View> out_;
  std::vector<double> law_;
};

}  // namespace speclab
