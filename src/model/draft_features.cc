#include "model/draft_features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/sum.h"

namespace speclab {
namespace {

DraftFeatures of_token(DraftFeatures context, double probability, std::size_t rank) {
  context[0] = std::log(std::max(probability, std::numeric_limits<double>::denorm_min()));
  context[1] = std::log(static_cast<double>(rank));
  return context;
}

}  // namespace

DraftFeatures context_features(std::span<const double> draft) {
  double first = 0;
  double second = 0;
  Sum<double> entropy;
  for (const double d : draft) {
    if (d > 0) entropy += -d * std::log(d);
    second = std::max(second, std::min(first, d));
    first = std::max(first, d);
  }
  return {0, 0, entropy.value(), first, first - second};
}

DraftFeatures draft_features(std::span<const double> draft, const DraftFeatures& context, Token x) {
  const double own = draft[static_cast<std::size_t>(x)];
  const auto above = std::count_if(draft.begin(), draft.end(), [&](double d) { return d > own; });
  return of_token(context, own, static_cast<std::size_t>(above) + 1);
}

std::vector<DraftFeatures> all_draft_features(std::span<const double> draft) {
  const DraftFeatures context = context_features(draft);
  std::vector<std::size_t> order(draft.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return draft[a] > draft[b]; });
  std::vector<DraftFeatures> features(draft.size());
  std::size_t rank = 1;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && draft[order[i]] < draft[order[i - 1]]) rank = i + 1;
    features[order[i]] = of_token(context, draft[order[i]], rank);
  }
  return features;
}

}  // namespace speclab
