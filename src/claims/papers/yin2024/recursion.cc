#include "claims/papers/yin2024/recursion.h"

#include <algorithm>

#include "claims/engine/ingredient.h"
#include "claims/papers/yin2024/decodes.h"
#include "theory/yin2024.h"

namespace speclab {

std::vector<Rational> tv_along_target(const Instance& instance) {
  Budget budget;
  return ingredient(
      "yin2024.theorem1.formula",
      token_rejections(*instance.rows, start_law(*instance.rows), instance.gamma, budget)
          .probability);
}

const NamedForm kTvSum{"sum of E TV_n", "yin2024.theorem1.sum", [](const Instance& at) {
                         return Rejections<Rational>{tv_along_target(at)}.expected();
                       }};
const NamedForm kCallsSum{
    "1 + sum over n < T of E TV_n", "yin2024.acceleration",
    [](const Instance& at) { return Rejections<Rational>{tv_along_target(at)}.target_calls(); }};

BatchStep batch_step(std::span<const Rational> draft, std::span<const Rational> target, int many) {
  BatchStep step{total_variation(target, draft), Rational(1), {target.begin(), target.end()}};
  for (int m = 1; m <= many && step.product > 0; ++m) {
    const Rational missed = total_variation<Rational>(step.last, draft);
    step.product *= missed;
    for (std::size_t x = 0; x < draft.size(); ++x) {
      step.last[x] = missed > 0
                         ? Rational(positive_part<Rational>(step.last[x] - draft[x]) / missed)
                         : Rational(0);
    }
  }
  return step;
}

std::vector<Weighed> equation22(const Instance& instance, int many) {
  const Rows<Rational>& rows = *instance.rows;
  std::vector<Weighed> paths;
  for (const Start& start : instance.pair().start()) {
    paths.push_back({start.state, {}, start.state, start.probability, start.probability});
  }
  for (std::size_t at = 0; at < paths.size(); ++at) {
    const Weighed parent = paths[at];
    if (static_cast<int>(parent.tokens.size()) == instance.gamma) break;
    const auto draft = rows.draft(parent.state);
    const auto target = rows.target(parent.state);
    const BatchStep step = batch_step(draft, target, many);
    std::vector<Rational> siblings;
    for (std::size_t x = 0; x < target.size(); ++x) {
      const Rational h = positive_part<Rational>(target[x] - draft[x]);
      siblings.push_back(h * parent.target - (h - step.product * step.last[x]) * parent.f);
    }
    siblings = ingredient("yin2024.equation22.f", std::move(siblings));
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (target[x] == 0) continue;
      const auto token = static_cast<Token>(x);
      paths.push_back({parent.start, parent.tokens, rows.next(parent.state, token),
                       parent.target * target[x], siblings[x]});
      paths.back().tokens.push_back(token);
    }
  }
  return paths;
}

Rational rest_after(const Instance& instance, int many) {
  Rational worst(0);
  for (State state = 0; state < instance.pair().states(); ++state) {
    const auto draft = instance.rows->draft(state);
    const auto target = instance.rows->target(state);
    Rational left(0);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      if (draft[x] > 0) left += target[x] * power<Rational>(1 - draft[x], many);
    }
    worst = std::max(worst, left);
  }
  return ingredient("yin2024.rest", min_one<Rational>(instance.gamma * worst));
}

}  // namespace speclab
