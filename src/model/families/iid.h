#pragma once

#include <utility>
#include <vector>

#include "model/pair.h"

namespace speclab {

/// The same two exact laws at every position: one state.
class IidPair final : public RationalPair {
 public:
  /// Both V >= 1 long, each summing to exactly 1.
  IidPair(std::vector<Rational> draft, std::vector<Rational> target)
      : draft_(std::move(draft)), target_(std::move(target)) {}

  using RationalPair::rows;
  [[nodiscard]] Token vocabulary() const override { return static_cast<Token>(draft_.size()); }
  [[nodiscard]] State states() const override { return 1; }
  [[nodiscard]] State next(State, Token) const override { return 0; }
  void rows(State, std::span<Rational> draft, std::span<Rational> target) const override;

 private:
  std::vector<Rational> draft_;
  std::vector<Rational> target_;
};

}  // namespace speclab
