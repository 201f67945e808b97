#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>

#include "base/rational.h"
#include "model/carries/carried_view.h"
#include "run/any_program.h"
#include "run/draft_trees.h"
#include "run/remembering_view.h"
#include "verifiers/output_step.h"

namespace speclab {

// What the interpreters compile for a verifier's type. The sampler and the programs of the prover
// and of recordings stand in the rooms of their interpreters, which this room need not know.
struct ProofProgram;  ///< see prove/iteration.h
struct PathProgram;   ///< see recorded/given_law.h
class CheckedSampler;
struct Tally;
struct TrialPlan;
template <class View>
class Runner;

/// Adds the trials first .. last - 1 to a tally; one object a thread.
using TrialRange = std::function<void(std::uint64_t first, std::uint64_t last, Tally& tally)>;

/// One iteration of a program that draws its decisions from random streams.
template <class View>
using SampledRunOf = void (*)(const void* program, const View& view,
                              const typename View::Node& root, Window window,
                              CheckedSampler& choices, Iteration<View>& out);

/// The interpreters in doubles with a program of known type, for the few verifiers that most runs
/// are of. The program must outlive what is made.
template <class View>
struct InlinedRuns {
  std::unique_ptr<Runner<View>> (*runner)(const void* program);
  TrialRange (*trials)(const void* program, const Rows<double>& rows, const TrialPlan& plan);
  TrialRange (*conditional)(const void* program, const Rows<double>& rows, const TrialPlan& plan);
};

/// Of a program whose views are View<Real>.
template <template <class> class View>
struct RunsOn {
  RunOf<View<double>> doubles;
  RunOf<RememberingView<View<Rational>>> fractions;
  SampledRunOf<View<double>> sampled;        ///< null of what is wrong, printed or a plugin's:
                                             ///< `doubles` serves the sampler too
  const InlinedRuns<View<double>>* inlined;  ///< null of most

  /// The run in an arithmetic.
  template <class Real>
  [[nodiscard]] RunOf<RunView<View<Real>>> in() const {
    if constexpr (std::is_same_v<Real, double>) {
      return doubles;
    } else {
      return fractions;
    }
  }
};

/// Of any program: one of `plain` and `carried` is null.
struct Runs {
  const RunsOn<PairView>* plain;
  const RunsOn<CarriedView>* carried;  ///< of a program that modifies the target of later tokens
  const ProofProgram* proof;
  const PathProgram* paths;
  bool merges;                         ///< whether it pauses (verifiers/pauses.h)
  bool (*steps)(const void* program);  ///< is_made_of_steps (verifiers/program.h)
  AddOutputSteps output_steps;         ///< null where it has no output form
};

/// visit(runs) with whichever of the two a program has.
template <class Visit>
auto with_runs(const Runs& runs, const Visit& visit) {
  return runs.carried != nullptr ? visit(*runs.carried) : visit(*runs.plain);
}

}  // namespace speclab
