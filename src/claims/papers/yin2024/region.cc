#include "claims/papers/yin2024/region.h"

#include <algorithm>
#include <cmath>

#include "claims/engine/ingredient.h"
#include "claims/engine/work.h"

namespace speclab {
TradeRegion::TradeRegion(const Instance& instance)
    : draft_(instance.draft()), target_(instance.target()), between_(distance(instance)) {}

Rational TradeRegion::lowest(const Rational& rejected) const {
  return positive_part<Rational>(between_ - rejected);
}

Rational TradeRegion::highest(const Rational& rejected) const {
  return ingredient("yin2024.figure4.top", best_set(rejected).second);
}

std::pair<std::vector<bool>, Rational> TradeRegion::best_set(const Rational& rejected) const {
  const auto tokens = static_cast<double>(draft_.size());
  limit_work(tokens * std::exp2(tokens), "tokens in sets of tokens");
  std::pair<std::vector<bool>, Rational> best{{}, -1};
  for (std::size_t set = 1; set < (std::size_t{1} << draft_.size()); ++set) {
    std::vector<bool> inside;
    Rational draft = rejected, target(0);
    for (std::size_t x = 0; x < draft_.size(); ++x) {
      inside.push_back((set >> x & 1) == 1);
      if (!inside.back()) continue;
      draft += draft_[x];
      target += target_[x];
    }
    const Rational value = min_one<Rational>(draft) - target;
    if (value > best.second) best = {std::move(inside), value};
  }
  return best;
}

/// Towards the target as far as r goes; beyond TV(d, t) less is kept of what the laws share.
TradeRegion::Masses TradeRegion::low(const Rational& rejected) const {
  Masses kept, corrected;
  for (std::size_t x = 0; x < draft_.size(); ++x) {
    const Rational& d = draft_[x];
    const Rational& t = target_[x];
    if (rejected <= between_) {
      const Rational share = between_ > 0 ? Rational(rejected / between_) : Rational(0);
      kept.push_back(d - share * positive_part<Rational>(d - t));
      corrected.push_back(share * positive_part<Rational>(t - d));
    } else {
      kept.push_back((1 - rejected) / (1 - between_) * lesser<Rational>(d, t));
      corrected.push_back(t - kept.back());
    }
  }
  kept.insert(kept.end(), corrected.begin(), corrected.end());
  return kept;
}

/// All that may be kept is kept on S, and what is rejected becomes its first token.
TradeRegion::Masses TradeRegion::high(const Rational& rejected) const {
  const std::vector<bool> inside = best_set(rejected).first;
  Rational drafted(0);
  for (std::size_t x = 0; x < inside.size(); ++x) drafted += inside[x] ? draft_[x] : Rational(0);
  const Rational kept = 1 - rejected;
  const bool all_inside = drafted >= kept;
  Masses masses;
  for (std::size_t x = 0; x < inside.size(); ++x) {
    Rational share(inside[x] ? 1 : 0);
    if (all_inside && inside[x]) share = drafted > 0 ? Rational(kept / drafted) : Rational(0);
    if (!all_inside && !inside[x]) share = (kept - drafted) / (1 - drafted);
    masses.push_back(share * draft_[x]);
  }
  masses.resize(2 * inside.size());
  masses[inside.size() + static_cast<std::size_t>(std::find(inside.begin(), inside.end(), true) -
                                                  inside.begin())] = rejected;
  return masses;
}

Design TradeRegion::rule_at(const Rational& rejected, const Rational& share) const {
  const Masses from = low(rejected), to = high(rejected);
  const auto mass = [&](std::size_t i) { return Rational(from[i] + share * (to[i] - from[i])); };
  Design design;
  for (std::size_t x = 0; x < draft_.size(); ++x) {
    design.accept.push_back(draft_[x] > 0 ? Rational(mass(x) / draft_[x]) : Rational(1));
    design.correction.push_back(mass(x + draft_.size()));
  }
  return design;
}

}  // namespace speclab
