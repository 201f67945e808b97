#pragma once

#include <utility>

#include "model/pair.h"

namespace speclab {

/// A pair that is another one but for its rows and for what else it overrides.
class PairAround : public Pair {
 public:
  [[nodiscard]] Token vocabulary() const override { return inner_->vocabulary(); }
  [[nodiscard]] State states() const override { return inner_->states(); }
  [[nodiscard]] State next(State state, Token token) const override {
    return inner_->next(state, token);
  }
  [[nodiscard]] bool resets() const override { return inner_->resets(); }
  [[nodiscard]] std::vector<Start> roots(State state) const override {
    return inner_->roots(state);
  }
  [[nodiscard]] std::optional<int> longest_draft() const override {
    return inner_->longest_draft();
  }
  [[nodiscard]] State draft_state(State state) const override { return inner_->draft_state(state); }
  [[nodiscard]] std::vector<Start> start() const override { return inner_->start(); }
  [[nodiscard]] std::optional<int> length() const override { return inner_->length(); }
  [[nodiscard]] std::optional<Token> end_token() const override { return inner_->end_token(); }
  [[nodiscard]] std::size_t bytes() const override { return inner_->bytes(); }

 protected:
  explicit PairAround(PairPointer inner) : inner_(std::move(inner)) {
    set_inputs(inner_->inputs());
  }

  PairPointer inner_;
};

}  // namespace speclab
