#pragma once

#include "model/view.h"
#include "simulate/buffered_stream.h"
#include "simulate/plan.h"
#include "simulate/step_table.h"
#include "simulate/trial.h"

namespace speclab {

/// The words of one run of one trial, a position each.
class StepWords {
 public:
  StepWords(std::uint64_t key, std::uint64_t trial, std::uint32_t run)
      : stream_(key, trial, run, Purpose::draft) {}
  void begin() { check_interrupted(); }
  std::uint64_t word() { return stream_.word(); }

 private:
  BufferedStream stream_;
};

/// An iteration drawn step by step from a table, for Trials.
struct StepProgram {
  const StepTable* table;

  void operator()(const PairView<double>& view, State, Window window, StepWords& words,
                  Iteration<PairView<double>>& out) const {
    while (out.accepted < window.drafts) {
      const StepTable::Outcome step = table->draw(out.node, false, words.word());
      if (step.ends) return out.add(view, step.token, Ending::correction);
      out.accept(step.token, view.next(out.node, step.token));
    }
    if (window.bonus) {
      out.add(view, table->draw(out.node, true, words.word()).token, Ending::bonus);
    }
  }
};

/// Trials of steps, one after another: what the kernels are compared with.
using StepTrials = Trials<StepProgram, PairView<double>, StepWords>;

}  // namespace speclab
