#pragma once

#include "model/filter.h"
#include "model/pair.h"

namespace speclab {

/// A pair whose next-token laws are those of another pair after sampling filters (model/filter.h).
/// Its target is the filtered target, which the output of a lossless verifier follows.
///
/// A law is filtered in fractions where the inner pair is rational (RationalPair) and the filter
/// maps rational laws to rational laws; its doubles are then the nearest ones. Otherwise it is
/// filtered in doubles, and its fractions are their exact values, renormalised. So both arithmetics
/// keep the same tokens.
class FilteredPair final : public Pair {
 public:
  FilteredPair(PairPointer inner, const PairFilters& filters);

  [[nodiscard]] Token vocabulary() const override { return inner_->vocabulary(); }
  [[nodiscard]] State states() const override { return inner_->states(); }
  [[nodiscard]] State next(State state, Token token) const override {
    return inner_->next(state, token);
  }
  void rows(State state, std::span<double> draft, std::span<double> target) const override;
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override;
  [[nodiscard]] State draft_state(State state) const override { return inner_->draft_state(state); }
  [[nodiscard]] std::vector<Start> start() const override { return inner_->start(); }
  [[nodiscard]] std::optional<int> length() const override { return inner_->length(); }
  [[nodiscard]] std::size_t bytes() const override { return inner_->bytes(); }
  [[nodiscard]] std::optional<Token> end_token() const override { return inner_->end_token(); }
  [[nodiscard]] bool resets() const override { return inner_->resets(); }
  [[nodiscard]] std::vector<Start> roots(State state) const override {
    return inner_->roots(state);
  }
  [[nodiscard]] std::optional<int> longest_draft() const override {
    return inner_->longest_draft();
  }

 private:
  /// The arithmetic in which a model's laws are filtered.
  enum class Way { none, fractions, doubles };
  struct Model {
    SamplingFilter filter;
    Way way = Way::none;
  };
  [[nodiscard]] bool some(Way way) const { return draft_.way == way || target_.way == way; }

  PairPointer inner_;
  Model draft_;
  Model target_;
};

}  // namespace speclab
