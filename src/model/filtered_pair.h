#pragma once

#include "model/filter.h"
#include "model/pair_around.h"

namespace speclab {

/// A pair whose next-token laws are those of another pair after sampling filters (model/filter.h).
/// Its target is the filtered target, which the output of a lossless verifier follows.
///
/// A law is filtered in fractions where the inner pair is rational (RationalPair) and the filter
/// maps rational laws to rational laws; its doubles are then the nearest ones. Otherwise it is
/// filtered in doubles, and its fractions are their exact values, renormalised. So both arithmetics
/// keep the same tokens.
class FilteredPair final : public PairAround {
 public:
  FilteredPair(PairPointer inner, const PairFilters& filters);

  void rows(State state, std::span<double> draft, std::span<double> target) const override;
  void rows(State state, std::span<Rational> draft, std::span<Rational> target) const override;

 private:
  /// The arithmetic in which a model's laws are filtered.
  enum class Way { none, fractions, doubles };
  struct Model {
    SamplingFilter filter;
    Way way = Way::none;
  };
  [[nodiscard]] bool some(Way way) const { return draft_.way == way || target_.way == way; }

  Model draft_;
  Model target_;
};

}  // namespace speclab
