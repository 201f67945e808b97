#pragma once

#include <cstdint>
#include <vector>

#include "model/view.h"
#include "run/runs.h"
#include "simulate/buffered_stream.h"
#include "simulate/trial.h"
#include "system/interrupt.h"
#include "verifiers/output_step.h"
#include "verifiers/registry.h"

namespace speclab {

/// The numbers of one run of one trial: at each position of the output one for its token and one
/// for whether it is accepted, whatever verifier decodes.
class OutputNumbers {
 public:
  OutputNumbers(std::uint64_t key, std::uint64_t trial, std::uint32_t run)
      : tokens_(key, trial, run, Purpose::draft), coins_(key, trial, run, Purpose::accept) {}
  void begin() { check_interrupted(); }
  double token() { return tokens_.uniform(); }
  double coin() { return coins_.uniform(); }

 private:
  BufferedStream tokens_;
  BufferedStream coins_;
};

/// An iteration drawn from its output form (verifiers/output_step.h), for Trials. Verifiers emit
/// the same tokens in a trial, and the same coin decides at a position: the ways in which a token
/// was accepted come in their order, so that a token that is likelier accepted is accepted wherever
/// the other is.
class OutputProgram {
 public:
  /// @param verifier  has an output form; its program must outlive this
  explicit OutputProgram(const Verifier& verifier)
      : program_(verifier.program.get()),
        add_steps_(verifier.runs->output_steps),
        start_(verifier.drafts) {}

  /// @tparam Numbers  OutputNumbers, or others in tests
  template <class Numbers>
  void operator()(const PairView<double>& view, State, Window window, Numbers& numbers,
                  Iteration<PairView<double>>& out) const {
    double memory = start_;
    while (out.accepted < window.drafts) {
      const auto laws = view.at(out.node);
      const Token y = pick(laws.target(), numbers.token());
      steps_.clear();
      add_steps_(program_, laws, y, memory, steps_);
      double left = numbers.coin();
      auto step = steps_.begin();
      while (step != steps_.end() && left >= step->probability) left -= (step++)->probability;
      if (step == steps_.end()) return out.add(view, y, Ending::correction);
      out.accept(y, view.next(out.node, y));
      memory = step->memory;
    }
    if (!window.bonus) return;
    out.add(view, pick(view.at(out.node).target(), numbers.token()), Ending::bonus);
    numbers.coin();
  }

 private:
  const void* program_;
  AddOutputSteps add_steps_;
  double start_;
  mutable std::vector<OutputStep<double>> steps_;  ///< scratch
};

using OutputTrials = Trials<OutputProgram, PairView<double>, OutputNumbers>;

}  // namespace speclab
