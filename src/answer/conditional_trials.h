#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "base/interrupt.h"
#include "exact/enumerator.h"
#include "model/rows.h"
#include "simulate/plan.h"
#include "simulate/sampler.h"
#include "simulate/tally.h"
#include "verifiers/contract.h"
#include "verifiers/program.h"

namespace speclab {

/// The two interpreters composed: drafts are sampled, everything else is enumerated. Run over every
/// sequence of the coins it gives the law of an iteration conditional on the drafts.
///
/// Draft number i is made from the same uniform on every sequence of coins that asks for it: given
/// the drafts' uniforms the coins' weights are exact, so averages over trials have the same
/// expectation as plain sampling, and a smaller variance (Rao-Blackwell).
template <class Source>
class ConditionalChoices {
 public:
  explicit ConditionalChoices(Source drafts) : drafts_(drafts), coins_(/*corrections=*/false) {}

  void restart() {
    coins_.restart();
    at_ = 0;
  }
  bool advance() { return coins_.advance(); }
  /// The probability of the sequence of coins just run, given the drafts.
  [[nodiscard]] double weight() const { return coins_.weight(); }

  template <class Law>
  Token draft(const Law& law) {
    coins_.check_not_over();
    if (at_ == uniforms_.size()) uniforms_.push_back(drafts_.uniform());
    return pick(law, uniforms_[at_++]);
  }
  bool accept(double probability) { return coins_.accept(probability); }
  template <class Law>
  Token choose(const Law& law) {
    return coins_.choose(law);
  }
  template <class Law>
  Token correct(const Law& law) {
    return coins_.correct(law);
  }

 private:
  Source drafts_;
  Enumerator<double> coins_;
  std::vector<double> uniforms_;
  std::size_t at_ = 0;
};

/// Runs trials of the conditional estimator: one full iteration each.
template <class Program>
class ConditionalTrials {
 public:
  using View = ViewOf<Program, double>;

  ConditionalTrials(const Program& program, const Rows<double>& rows, const TrialPlan& plan)
      : program_(program), view_(rows), plan_(plan) {}

  void run(std::uint64_t first, std::uint64_t last, Tally& tally) {
    for (std::uint64_t trial = first; trial < last; ++trial) one(trial, tally);
  }

 private:
  void one(std::uint64_t trial, Tally& tally) {
    const auto root = view_.root(plan_.starts[choose_start(plan_, trial)]);
    ConditionalChoices choices(BufferedStream(plan_.key, trial, kOnlyRun, Purpose::draft));
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

  const Program& program_;
  View view_;
  const TrialPlan& plan_;
  Iteration<View> out_;
  std::vector<double> law_;
};

}  // namespace speclab
