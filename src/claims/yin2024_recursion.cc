#include "claims/yin2024_recursion.h"

#include "theory/yin2024.h"

namespace speclab {
BatchStep batch_step(std::span<const Rational> draft, std::span<const Rational> target, int many) {
  BatchStep step{total_variation(target, draft), Rational(1), {target.begin(), target.end()}};
  if (many == kManyBatches) {
    // What the drafts can hit is used up.
    step.last = remaining_target(draft, target, kManyBatches);
    step.product = 0;
    for (const Rational& mass : step.last) step.product += mass;
    if (step.product > 0) {
      for (Rational& mass : step.last) mass /= step.product;
    }
    return step;
  }
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

std::vector<Weighed> equation22(const Instance& instance, int many, const Rational& first) {
  const Rows<Rational>& rows = *instance.rows;
  std::vector<Weighed> paths;
  for (const Start& start : instance.pair().start()) {
    paths.push_back({{}, start.state, start.probability, start.probability * first, Rational(0)});
  }
  for (std::size_t at = 0; at < paths.size(); ++at) {
    const Weighed parent = paths[at];
    if (static_cast<int>(parent.tokens.size()) == instance.gamma) break;
    const auto draft = rows.draft(parent.state);
    const auto target = rows.target(parent.state);
    const BatchStep step = batch_step(draft, target, many);
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (target[x] == 0) continue;
      const Rational h = positive_part<Rational>(target[x] - draft[x]);
      const auto token = static_cast<Token>(x);
      paths.push_back({parent.tokens, rows.next(parent.state, token), parent.target * target[x],
                       h * parent.target - (h - step.product * step.last[x]) * parent.f,
                       h * (parent.target - parent.f)});
      paths.back().tokens.push_back(token);
    }
  }
  return paths;
}

Rational theorem3_sum(const Instance& instance, int many, const Rational& first) {
  Rational sum(0);
  for (const Weighed& path : equation22(instance, many, first)) {
    if (static_cast<int>(path.tokens.size()) == instance.gamma) continue;
    const BatchStep step =
        batch_step(instance.rows->draft(path.state), instance.rows->target(path.state), many);
    sum += path.target * step.tv - path.f * (step.tv - step.product);
  }
  return sum;
}

bool covered(const Instance& instance) {
  for (State state = 0; state < instance.pair().states(); ++state) {
    const auto target = instance.rows->target(state);
    for (std::size_t x = 0; x < target.size(); ++x) {
      if (target[x] > 0 && instance.rows->draft(state)[x] == 0) return false;
    }
  }
  return true;
}

}  // namespace speclab
