#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/rows.h"

namespace speclab {

/// The most steps of acceptance_by_rank and of sequoia_paths, a token or a comparison each.
inline constexpr double kMostSequoiaSteps = 2e8;

/// P(child j is accepted), j = 0, 1, .., at a context whose children are drawn without replacement
/// and verified one after another by recursive rejection sampling: Sequoia's acceptance vector. It
/// enumerates the sequences of refused tokens.
/// Worked example: d = (2/3, 1/3), t = (1/3, 2/3): 2/3, 1/3.
template <class Real>
class AcceptanceByRank {
 public:
  /// @param most  children
  AcceptanceByRank(const Rows<Real>& rows, State state, int most) {
    const auto draft = rows.draft(state);
    const auto target = rows.target(state);
    accepted_.assign(static_cast<std::size_t>(std::min(most, int{rows.vocabulary()})), Real(0));
    check_least_steps(draft, target);
    follow(0, Real(1), {draft.begin(), draft.end()}, {target.begin(), target.end()});
  }

  [[nodiscard]] const std::vector<Real>& accepted() const { return accepted_; }

 private:
  /// A token with t < d has no mass in any residual: whichever of them are refused first, the
  /// others can be refused next. With R of them at least R (R - 1) .. (R - j + 1) sequences are
  /// followed to child j, V steps each.
  void check_least_steps(std::span<const Real> draft, std::span<const Real> target) const {
    double refusable = 0;
    for (std::size_t x = 0; x < draft.size(); ++x) refusable += target[x] < draft[x] ? 1 : 0;
    double steps = static_cast<double>(draft.size());
    for (std::size_t j = 1; j < accepted_.size() && refusable > 0; ++j, --refusable) {
      steps *= refusable;
      check(steps, draft.size());
    }
  }

  void check(double steps, std::size_t tokens) const {
    if (steps <= kMostSequoiaSteps) return;
    throw LimitError("grow=sequoia: the acceptance of " + std::to_string(accepted_.size()) +
                     " children takes too many steps at " + std::to_string(tokens) +
                     " tokens; give fewer children, such as width=2");
  }

  /// Child j is drawn from `draft`, not normalised, and tested against `target`; this happens with
  /// probability `reached`.
  void follow(std::size_t j, const Real& reached, std::vector<Real> draft,
              const std::vector<Real>& target) {
    if (j == accepted_.size() || !(reached > 0)) return;
    steps_ += static_cast<double>(draft.size());
    check(steps_, draft.size());
    Real mass(0);
    for (const Real& each : draft) mass += each;
    if (!(mass > 0)) return;
    Real excess(0);
    std::vector<Real> rest(target.size(), Real(0));
    for (std::size_t x = 0; x < target.size(); ++x) {
      const Real law = draft[x] / mass;
      if (target[x] > law) rest[x] = target[x] - law;
      excess += rest[x];
    }
    for (Real& each : rest) {
      if (excess > 0) each /= excess;
    }
    for (std::size_t x = 0; x < target.size(); ++x) {
      const Real law = draft[x] / mass;
      if (!(law > 0)) continue;
      const Real kept = target[x] < law ? target[x] : law;
      accepted_[j] += reached * kept;
      if (!(kept < law)) continue;
      std::vector<Real> left = draft;
      left[x] = Real(0);
      follow(j + 1, reached * (law - kept), std::move(left), rest);
    }
  }

  std::vector<Real> accepted_;
  double steps_ = 0;
};

/// The same, averaged over the starts of the rows' pair. @throws LimitError
std::vector<double> acceptance_by_rank(const Rows<double>& rows, int most);

/// The shape of at most `nodes` nodes, none deeper than `depth`, with the largest
/// sum over nodes of the product of acceptance[rank] along the path: E[tau] where the acceptance of
/// a child depends on its rank alone (Chen et al. 2024, Sequoia, section 4.1: the dynamic program
/// over the number of nodes, here over siblings one by one). Equal ones: the fewer nodes below the
/// earlier sibling; nodes that are never accepted are left out.
/// Worked example: acceptance 2/3, 1/3, two nodes, depth 2: ranks 0 (2/3) and 0 0 (4/9).
/// @returns paths of ranks, sorted  @throws LimitError
std::vector<std::vector<int>> sequoia_paths(const std::vector<double>& acceptance, int nodes,
                                            int depth);

}  // namespace speclab
