#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "model/carries/carried_view.h"
#include "model/law_ref.h"
#include "model/view.h"
#include "simulate/checked_sampler.h"
#include "simulate/control_variates.h"
#include "simulate/plan.h"

namespace speclab {

/// The decisions of a CheckedSampler, bit for bit, with their control variates. Each iteration
/// takes a stream of its own, by its state and by how many iterations began there before: those of
/// two verifiers that begin in a state for the same time share drafts and coins, wherever in their
/// decodes they are.
template <class View>
class ControlledSampler {
 public:
  using Node = typename View::Node;

  ControlledSampler(std::uint64_t key, std::uint64_t trial, std::uint32_t /*run*/)
      : key_(key), trial_(trial) {}

  /// Before each iteration. @param view  outlives it  @param drafts  of its window
  void begin(const View& view, const Node& root, int drafts);
  Token draft(const LawRef<double>& law);
  bool accept(double probability);
  Token choose(const LawRef<double>& law);
  Token correct(const LawRef<double>& law) { return sampler_->correct(law); }

  /// After an iteration of a decode that follows the target's law: what it emitted.
  /// @param left  tokens that the decode might have had before it
  void emitted(const Rows<double>& rows, const TrialPlan& plan, std::span<const Token> tokens,
               std::uint64_t left);
  /// After all of its iterations. @param calls  of the target
  void ended(const TrialPlan& plan, std::uint64_t calls);

  [[nodiscard]] const ControlVariates& controls() const { return controls_; }
  [[nodiscard]] const Companions& companions() const { return companions_; }

 private:
  /// A context that may be drafted from.
  struct Context {
    Node node;
    std::size_t depth;
    double weight;
  };

  /// The context whose draft row this is; null where it is none's. Of several the last drafted one,
  /// else the first: which one it is changes how well a control goes with the calls, and no mean.
  const Context* context_of(const LawRef<double>& law) const;
  double& sum(ControlVariate of) { return control(controls_, of); }

  std::uint64_t key_;
  std::uint64_t trial_;
  std::unordered_map<State, std::uint32_t> begun_;  ///< iterations of the trial, by their state
  std::optional<CheckedSampler> sampler_;           ///< of the iteration
  const View* view_ = nullptr;
  std::vector<Context> contexts_;  ///< of the iteration, the root first
  std::vector<double> raised_;     ///< by depth in the window, the largest weight of the drafts
  bool branched_ = false;          ///< whether a draft went on from another than the last context
  std::vector<TextMeans> texts_;   ///< of the plan's forms
  ControlVariates controls_{};
  Companions companions_{};
};

extern template class ControlledSampler<PairView<double>>;
extern template class ControlledSampler<CarriedView<double>>;

}  // namespace speclab
