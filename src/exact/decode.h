#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/gathered.h"
#include "exact/counts.h"
#include "exact/foreseen_growth.h"
#include "exact/output_law.h"

namespace speclab {

/// What whole decodes of `horizon` tokens add up to. All that the rest of a decode depends on is
/// its position and its node (state and carry), so decodes are merged there: the work grows with
/// the number of those, not with that of the sequences.
template <class View>
class Decode {
 public:
  using Real = typename View::Real;
  using Node = typename View::Node;

  Decode(Drafting drafting, int gamma, int horizon, Sequences<View>& sequences,
         Outcomes<View, End<Node>>& ends)
      : drafting_(drafting), gamma_(gamma), horizon_(horizon), sequences_(sequences), ends_(ends) {}

  /// Adds everything to `result`, averaged over the starts, and returns the undefined mass.
  Real run(std::span<const Started<View>> starts, ExactResult<Real>& result) const {
    const Counts<Real> counts = count(starts);
    const Real tokens = counts.tokens.value();
    const Real calls = counts.calls.value();
    result.add(QuantityId::output_undefined, counts.undefined.value());
    result.add(QuantityId::decode_tokens, tokens);
    result.add(QuantityId::target_calls, calls);
    result.add(QuantityId::rejections, counts.rejections.value());
    result.add(QuantityId::draft_steps, counts.steps.value());
    if (calls > 0) {
      result.add(QuantityId::acceptance_length, Real(tokens / calls));
    } else {
      result.add_missing(QuantityId::acceptance_length, "the target is never called");
    }
    result.add_list(QuantityId::position_rates, counts.position_rates());
    return counts.undefined.value();
  }

 private:
  using Levels = std::vector<std::map<Node, Gathered<Real>>>;

  Counts<Real> count(std::span<const Started<View>> starts) const {
    const auto steps = static_cast<std::size_t>(horizon_);
    Levels levels(steps);
    for (const Started<View>& start : starts) levels[0][start.node] += start.probability;
    Counts<Gathered<Real>> counts;
    ContextGrowth<View> growth(sequences_, ends_);
    for (std::size_t n = 0; n < steps; ++n) {
      const int left = horizon_ - static_cast<int>(n);
      const Window window = window_within(gamma_, left);
      // The last window that the horizon does not cut leaves gamma + 1 tokens.
      growth.prepare(nodes_of<Node>(levels[n], [](const Node& node) { return node; }), window,
                     static_cast<std::size_t>(std::max(0, left - 1 - gamma_)));
      if (!count_whole(n, window, levels, counts)) {
        for (const auto& [node, gathered] : levels[n]) {
          check_interrupted();
          const Real weight = reduced(gathered);
          for (const auto& [end, share] : ends_.at(node, window)) {
            const Real mass = weight * share;
            counts.add(end, drafting_, window, Gathered<Real>(mass));
            const std::size_t reached = n + static_cast<std::size_t>(end.emitted);
            if (end.goes_on && reached < steps) levels[reached][end.node] += mass;
          }
        }
      }
      levels[n].clear();
    }
    Counts<Real> all;
    all.add(Real(1), counts);
    return all;
  }

  /// In fractions: counts the iterations from position n in whole numbers over one denominator, so
  /// that none of the many products is reduced. @returns false where that is not worth it
  bool count_whole(std::size_t n, Window window, Levels& levels,
                   Counts<Gathered<Real>>& counts) const {
    if constexpr (std::is_same_v<Real, double>) {
      return false;
    } else {
      std::map<Node, Real> weights;
      OneDenominator of_weights, of_shares;
      for (const auto& [node, gathered] : levels[n]) {
        of_weights.include(weights[node] = reduced(gathered));
        for (const auto& [end, share] : ends_.at(node, window)) of_shares.include(share);
      }
      if (!of_weights.worth() || !of_shares.worth()) return false;
      Counts<Integer> here;
      std::map<std::pair<std::size_t, Node>, Integer> onward;
      for (const auto& [node, weight] : weights) {
        check_interrupted();
        const Integer top = of_weights.top(weight);
        for (const auto& [end, share] : ends_.at(node, window)) {
          const Integer mass = top * of_shares.top(share);
          here.add(end, drafting_, window, mass);
          const std::size_t reached = n + static_cast<std::size_t>(end.emitted);
          if (end.goes_on && reached < levels.size()) onward[{reached, end.node}] += mass;
        }
      }
      const Integer bottom = of_weights.bottom() * of_shares.bottom();
      counts.add(UnreducedSum(Integer(1L), bottom), here);
      for (auto& [to, mass] : onward) {
        levels[to.first][to.second] += UnreducedSum(std::move(mass), bottom);
      }
      return true;
    }
  }

  Drafting drafting_;
  int gamma_;
  int horizon_;
  Sequences<View>& sequences_;
  Outcomes<View, End<Node>>& ends_;
};

}  // namespace speclab
