#include "model/end_token.h"

#include <algorithm>

namespace speclab {

EndTokenPair::EndTokenPair(PairPointer inner, Token end)
    : PairAround(std::move(inner)), end_(end), absorbed_(inner_->states()) {}

State EndTokenPair::next(State state, Token token) const {
  return state == absorbed_ || token == end_ ? absorbed_ : inner_->next(state, token);
}

template <class Real>
void EndTokenPair::fill(State state, std::span<Real> draft, std::span<Real> target) const {
  if (state != absorbed_) return inner_->rows(state, draft, target);
  for (const std::span<Real> law : {draft, target}) {
    std::fill(law.begin(), law.end(), Real(0));
    law[static_cast<std::size_t>(end_)] = Real(1);
  }
}

void EndTokenPair::rows(State state, std::span<double> draft, std::span<double> target) const {
  fill(state, draft, target);
}

void EndTokenPair::rows(State state, std::span<Rational> draft, std::span<Rational> target) const {
  fill(state, draft, target);
}

}  // namespace speclab
