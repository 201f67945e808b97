#pragma once

#include "model/pair_around.h"

namespace speclab {

/// A pair with an absorbing token: after it, both models emit only that token. The last state is
/// added for it; its rows are one-hot.
///
/// A prompt is not output: a start state of the inner pair is never absorbing.
class EndTokenPair final : public PairAround {
 public:
  /// `end` is a token of `inner`.
  EndTokenPair(PairPointer inner, Token end);

  [[nodiscard]] State states() const override { return absorbed_ + 1; }
  [[nodiscard]] State next(State state, Token token) const override;
  [[nodiscard]] State draft_state(State state) const override {
    return state == absorbed_ ? absorbed_ : inner_->draft_state(state);
  }
  void rows(State state, std::span<double> draft, std::span<double> target) const override;
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override;
  [[nodiscard]] std::optional<Token> end_token() const override { return end_; }
  [[nodiscard]] std::vector<Start> roots(State state) const override {
    return state == absorbed_ ? Pair::roots(state) : inner_->roots(state);
  }

 private:
  template <class Real>
  void fill(State state, std::span<Real> draft, std::span<Real> target) const;

  Token end_;
  State absorbed_;
};

}  // namespace speclab
