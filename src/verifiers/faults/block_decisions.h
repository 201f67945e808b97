#pragma once

#include <utility>
#include <vector>

#include "verifiers/chain/block_coin.h"
#include "verifiers/chain/coin_product.h"
#include "verifiers/faults/scene.h"

namespace speclab {

/// Block verification with another rule in the place of its coins: the rule chooses tau from what
/// was drafted, and the iteration ends as block verification ends at that tau, the target of the
/// correction scaled by `scale(tau)`.
template <class Real>
class BlockDecisions : public ChangedDecisions<Real> {
 public:
  [[nodiscard]] bool follows_block() const final { return true; }
  void drafted(Scene<Real>& on, int length, std::size_t at, const Real& weight) final {
    weights_.push_back(weight);
    const bool whole = length == on.window.drafts;
    coins_.push_back(whole ? weight : block_coin<Real>(on.excess(at, weight), weight));
  }
  bool accept(Scene<Real>& on, const Real&) final {
    tau_ = rule(on);
    return tau_ == on.window.drafts;
  }
  bool before(Scene<Real>& on, int) final {
    on.settle(tau_, scale(tau_));
    return true;
  }

 protected:
  /// @returns tau
  virtual int rule(Scene<Real>& on) = 0;
  /// w_tau: block verification corrects from [w_tau t - d]+.
  [[nodiscard]] virtual Real scale(int tau) const {
    return tau == 0 ? Real(1) : weights_[static_cast<std::size_t>(tau) - 1];
  }

  /// The longest sub-block whose coin accepts: the right rule, with the right coins.
  static int longest(Scene<Real>& on, const std::vector<Real>& coins) {
    auto tau = coins.size();
    while (tau > 0 && !on.accept(coins[tau - 1])) --tau;
    return static_cast<int>(tau);
  }

  std::vector<Real> weights_;  ///< w_1 .. w_gamma
  /// h_1 .. h_gamma, where 0/0 (t = d and w_i = 1) is 0: it is never decisive in block
  /// verification, and a comparison with a NaN accepts nothing.
  std::vector<Real> coins_;

 private:
  int tau_ = 0;
};

/// The sub-block of length i is tested as u_1 u_2 ... u_i < h_i. The law of tau is drawn from
/// directly.
template <class Real>
class CoinProduct : public BlockDecisions<Real> {
  int rule(Scene<Real>& on) override { return on.choose(coin_product_law<Real>(this->coins_)); }
};

/// h_i = w_i at every i.
template <class Real>
class WeightCoins : public BlockDecisions<Real> {
  int rule(Scene<Real>& on) override { return this->longest(on, this->weights_); }
};

/// The correction is drawn from [s t - d]+ with a wrong s: 1, or w_1 whatever tau >= 1 is. The
/// coins are right.
template <class Real>
class BlockResidual : public BlockDecisions<Real> {
 public:
  explicit BlockResidual(bool first) : first_(first) {}

 private:
  int rule(Scene<Real>& on) override { return this->longest(on, this->coins_); }
  [[nodiscard]] Real scale(int tau) const override {
    return first_ && tau > 0 ? this->weights_.front() : Real(1);
  }

  bool first_;
};

/// The coins are tossed from i = 1 up, to the first that fails.
template <class Real>
class FirstFailure : public BlockDecisions<Real> {
  int rule(Scene<Real>& on) override {
    std::size_t tau = 0;
    while (tau < this->coins_.size() && on.accept(this->coins_[tau])) ++tau;
    return static_cast<int>(tau);
  }
};

}  // namespace speclab
