#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "model/carries/carried_view.h"
#include "model/view.h"
#include "run/runs.h"
#include "simulate/buffered_stream.h"
#include "simulate/trial.h"
#include "system/interrupt.h"
#include "verifiers/output_block.h"
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

/// Ends an iteration of which all drafts were accepted. The coin of its position is passed over.
template <class View, class Numbers>
void add_output_bonus(const View& view, Numbers& numbers, Iteration<View>& out) {
  out.add(view, pick(view.at(out.node).target(), numbers.token()), Ending::bonus);
  numbers.coin();
}

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
    if (window.bonus) add_output_bonus(view, numbers, out);
  }

 private:
  const void* program_;
  AddOutputSteps add_steps_;
  double start_;
  mutable std::vector<OutputStep<double>> steps_;  ///< scratch
};

/// OutputNumbers of which those of the next tokens may be seen before they are taken.
class OutputNumbersAhead {
 public:
  OutputNumbersAhead(std::uint64_t key, std::uint64_t trial, std::uint32_t run)
      : numbers_(key, trial, run) {}
  void begin() { numbers_.begin(); }
  /// What token() will return after `count` more calls.
  double ahead(std::size_t count) {
    while (tokens_.size() <= count) tokens_.push_back(numbers_.token());
    return tokens_[count];
  }
  double token() {
    const double number = ahead(0);
    tokens_.pop_front();
    return number;
  }
  double coin() { return numbers_.coin(); }

 private:
  OutputNumbers numbers_;
  std::deque<double> tokens_;
};

/// An iteration drawn from an output form with a carry (verifiers/output_block.h), for Trials: the
/// same tokens as those of OutputProgram, and the coin at a position decides likewise.
class OutputBlockProgram {
 public:
  using View = CarriedView<double>;

  /// @param verifier  has such a form; its program must outlive this
  explicit OutputBlockProgram(const Verifier& verifier)
      : program_(verifier.program.get()), cut_output_(verifier.runs->output_cuts) {}

  /// @tparam Numbers  OutputNumbersAhead, or others in tests
  template <class Numbers>
  void operator()(const View& view, const View::Node& root, Window window, Numbers& numbers,
                  Iteration<View>& out) const {
    look_ahead(view, view.state(root), window.drafts, numbers);
    cut_output_(program_, view, root, output_, cuts_);
    double fewer = 0;
    while (out.accepted < window.drafts) {
      const auto& cut = cuts_[static_cast<std::size_t>(out.accepted)];
      const Token y = output_[static_cast<std::size_t>(out.accepted)];
      numbers.token();
      if (numbers.coin() * (1 - fewer) >= 1 - cut.fewer) {
        out.add(view, y, Ending::correction);
        out.node = view.modified(std::move(out.node), cut.share, window.drafts - out.accepted - 1);
        return;
      }
      fewer = cut.fewer;
      out.accept(y, view.next(out.node, y));
    }
    if (window.bonus) add_output_bonus(view, numbers, out);
  }

 private:
  /// Draws the next tokens from the pair's own target.
  template <class Numbers>
  void look_ahead(const View& view, State state, int tokens, Numbers& numbers) const {
    output_.clear();
    for (int i = 0; i < tokens; ++i) {
      const auto node = view.root(state);
      output_.push_back(pick(view.at(node).target(), numbers.ahead(output_.size())));
      state = view.state(view.next(node, output_.back()));
    }
  }

  const void* program_;
  CutOutput cut_output_;
  mutable std::vector<Token> output_;            ///< scratch
  mutable std::vector<OutputCut<double>> cuts_;  ///< scratch
};

using OutputTrials = Trials<OutputProgram, PairView<double>, OutputNumbers>;
using OutputBlockTrials = Trials<OutputBlockProgram, CarriedView<double>, OutputNumbersAhead>;

}  // namespace speclab
