#pragma once

#include <memory>

#include "verifiers/faults/block_decisions.h"
#include "verifiers/faults/drafts_decisions.h"
#include "verifiers/faults/engine_decisions.h"
#include "verifiers/faults/fault.h"
#include "verifiers/faults/token_decisions.h"

namespace speclab {

/// The changed decisions of one iteration; null where the fault changes the iteration around them.
template <class Real>
std::unique_ptr<ChangedDecisions<Real>> changed_decisions(const Faulty& faulty) {
  switch (faulty.fault->change) {
    case Change::always_accept:
      return std::make_unique<AlwaysAccept<Real>>();
    case Change::greedy_draft:
      return std::make_unique<GreedyDraft<Real>>();
    case Change::shared_uniform:
      return std::make_unique<SharedUniform<Real>>();
    case Change::reseeded_coins:
      return std::make_unique<ReseededCoins<Real>>();
    case Change::closed_coin:
      return std::make_unique<ClosedCoin<Real>>();
    case Change::token_zero:
      return std::make_unique<TokenZero<Real>>();
    case Change::one_hot_residual:
      return std::make_unique<OneHotResidual<Real>>();
    case Change::no_draft_law:
      return std::make_unique<NoDraftLaw<Real>>();
    case Change::draft_bonus:
      return std::make_unique<DraftBonus<Real>>();
    case Change::late_residual:
      return std::make_unique<LateResidual<Real>>();
    case Change::drawn_draft:
      return std::make_unique<DrawnDraft<Real>>(faulty.second);
    case Change::filtered_law:
      return std::make_unique<FilteredLaw<Real>>(faulty.second);
    case Change::late_rejection:
      return std::make_unique<LateRejection<Real>>();
    case Change::late_stop:
      return std::make_unique<LateStop<Real>>(faulty.theta);
    case Change::frozen_target:
      return std::make_unique<FrozenTarget<Real>>();
    case Change::coin_product:
      return std::make_unique<CoinProduct<Real>>();
    case Change::weight_coins:
      return std::make_unique<WeightCoins<Real>>();
    case Change::block_residual:
      return std::make_unique<BlockResidual<Real>>(faulty.second);
    case Change::first_failure:
      return std::make_unique<FirstFailure<Real>>();
    case Change::without_replacement:
      return std::make_unique<WithoutReplacement<Real>>();
    case Change::sibling_draft:
      return std::make_unique<SiblingDraft<Real>>();
    case Change::swapped_rows:
      return std::make_unique<SwappedRows<Real>>();
    default:
      return nullptr;
  }
}

}  // namespace speclab
