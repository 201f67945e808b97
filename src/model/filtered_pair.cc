#include "model/filtered_pair.h"

#include <algorithm>
#include <array>
#include <vector>

#include "model/normalise.h"

namespace speclab {
namespace {

/// The laws of both models of one state.
template <class Real>
struct BothLaws {
  BothLaws(const Pair& pair, State state)
      : draft(static_cast<std::size_t>(pair.vocabulary())), target(draft.size()) {
    pair.rows(state, std::span<Real>(draft), std::span<Real>(target));
  }
  std::vector<Real> draft;
  std::vector<Real> target;
};

}  // namespace

FilteredPair::FilteredPair(PairPointer inner, const PairFilters& filters)
    : PairAround(std::move(inner)) {
  const bool fractions = dynamic_cast<const RationalPair*>(inner_.get()) != nullptr;
  const auto model = [&](const SamplingFilter& filter) -> Model {
    if (filter.idle()) return {filter, Way::none};
    return {filter, fractions && filter.exact() ? Way::fractions : Way::doubles};
  };
  draft_ = model(filters.draft);
  target_ = model(filters.target);
}

void FilteredPair::rows(State state, std::span<double> draft, std::span<double> target) const {
  inner_->rows(state, draft, target);
  if (draft_.way == Way::doubles) apply_filter(draft_.filter, draft);
  if (target_.way == Way::doubles) apply_filter(target_.filter, target);
  if (!some(Way::fractions)) return;
  BothLaws<Rational> laws(*inner_, state);
  const auto nearest = [](const Model& model, std::vector<Rational>& law, std::span<double> into) {
    if (model.way != Way::fractions) return;
    apply_filter(model.filter, std::span<Rational>(law));
    std::transform(law.begin(), law.end(), into.begin(),
                   [](const Rational& entry) { return to_double(entry); });
  };
  nearest(draft_, laws.draft, draft);
  nearest(target_, laws.target, target);
}

void FilteredPair::rows(State state, std::span<Rational> draft, std::span<Rational> target) const {
  inner_->rows(state, draft, target);
  if (draft_.way == Way::fractions) apply_filter(draft_.filter, draft);
  if (target_.way == Way::fractions) apply_filter(target_.filter, target);
  if (!some(Way::doubles)) return;
  BothLaws<double> laws(*inner_, state);
  const auto as_it_is = [](const Model& model, std::vector<double>& law, std::span<Rational> into) {
    if (model.way != Way::doubles) return;
    apply_filter(model.filter, std::span<double>(law));
    std::transform(law.begin(), law.end(), into.begin(), [](double entry) { return exact(entry); });
    normalise(into);
  };
  as_it_is(draft_, laws.draft, draft);
  as_it_is(target_, laws.target, target);
}

}  // namespace speclab
