#pragma once

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/pair.h"

namespace speclab {

/// Two Markov chains over the tokens, homogeneous or nonstationary, with rows known in `Real`.
///
/// Tables are [V][V] (row = previous token) for a homogeneous chain, [T][V][V] with a length T.
/// A state is the previous token, or position * V + previous token, position = 0..T. States with
/// position T come after the last position; they repeat the rows of position T - 1.
template <class Real>
class ChainPair final
    : public std::conditional_t<std::is_same_v<Real, Rational>, RationalPair, DoublePair> {
 public:
  using Base = std::conditional_t<std::is_same_v<Real, Rational>, RationalPair, DoublePair>;

  /// `prompt` is the law of the token before position 1, summing to exactly 1.
  ChainPair(std::vector<Real> draft, std::vector<Real> target, std::vector<Rational> prompt,
            std::optional<int> length)
      : draft_(std::move(draft)),
        target_(std::move(target)),
        prompt_(std::move(prompt)),
        length_(length) {}

  using Base::rows;
  [[nodiscard]] Token vocabulary() const override { return static_cast<Token>(prompt_.size()); }
  [[nodiscard]] State states() const override {
    return length_ ? (static_cast<State>(*length_) + 1) * width() : width();
  }
  [[nodiscard]] State next(State state, Token token) const override {
    const auto x = static_cast<State>(token);
    if (!length_) return x;
    return std::min(state / width() + 1, static_cast<State>(*length_)) * width() + x;
  }
  void rows(State state, std::span<Real> draft, std::span<Real> target) const override {
    const State row =
        length_ && state / width() == static_cast<State>(*length_) ? state - width() : state;
    const auto at = static_cast<std::ptrdiff_t>(row) * vocabulary();
    std::copy_n(draft_.begin() + at, vocabulary(), draft.begin());
    std::copy_n(target_.begin() + at, vocabulary(), target.begin());
  }
  [[nodiscard]] std::vector<Start> start() const override {
    std::vector<Start> result;
    for (State x = 0; x < width(); ++x) {
      if (prompt_[x] > 0) result.push_back({x, prompt_[x]});
    }
    return result;
  }
  [[nodiscard]] std::optional<int> length() const override { return length_; }

 private:
  [[nodiscard]] State width() const { return static_cast<State>(prompt_.size()); }

  std::vector<Real> draft_;
  std::vector<Real> target_;
  std::vector<Rational> prompt_;
  std::optional<int> length_;
};

/// The uniform law over V tokens, exactly.
inline std::vector<Rational> uniform_prompt(Token vocabulary) {
  return std::vector<Rational>(static_cast<std::size_t>(vocabulary), Rational(1, vocabulary));
}

}  // namespace speclab
