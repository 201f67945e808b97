#pragma once

#include "run/runs.h"
#include "simulate/checked_sampler.h"

namespace speclab {

extern template class DraftTree<PairView<double>, CheckedSampler>;

/// A program of any type for the sampler: what Trials run where a verifier has none of its own.
template <class View>
class SampledProgram {
 public:
  using Node = typename View::Node;
  using Choices = CheckedSampler;

  /// @param program  must outlive this; of the type that `runs` was made for
  template <class RunsOnView>
  SampledProgram(const void* program, const RunsOnView& runs)
      : program_(program), sampled_(runs.sampled), erased_(program, runs.doubles) {}

  void operator()(const View& view, const Node& root, Window window, Choices& choices,
                  Iteration<View>& out) const {
    if (sampled_ != nullptr) return sampled_(program_, view, root, window, choices, out);
    erased_(view, root, window, choices, out);
  }

 private:
  const void* program_;
  SampledRunOf<View> sampled_;
  AnyProgram<View> erased_;
};

/// The SampledRunOf a program's type.
template <class Program, class View>
void run_sampled(const void* program, const View& view, const typename View::Node& root,
                 Window window, CheckedSampler& choices, Iteration<View>& out) {
  (*static_cast<const Program*>(program))(view, root, window, choices, out);
}

}  // namespace speclab
