#include "claims/papers/yin2024/tables.h"

#include <algorithm>
#include <memory>

#include "claims/engine/ingredient.h"
#include "verifiers/biased/rule.h"

namespace speclab {

void RuleTables::add(std::vector<Rational> b, std::vector<Rational> law) {
  accept.push_back(ingredient("yin2024.rule.b", std::move(b)));
  correct.push_back(ingredient("yin2024.rule.P", std::move(law)));
}

RuleTables tables_of(const Rule& rule, std::vector<Rational> law) {
  RuleTables tables;
  tables.add(rule.accept, std::move(law));
  return tables;
}

Answer run_tables(const RuleTables& tables, const Instance& instance) {
  Verifier verifier = make_verifier("rule(share=1)");
  TableRule program;
  program.tables = make_acceptance_rule(tables.accept, tables.correct);
  verifier.program = std::make_shared<const TableRule>(std::move(program));
  verifier.name = "rule";
  return instance.bench->answer({.pair = instance.pair_pointer(),
                                 .verifier = std::move(verifier),
                                 .lengths = {instance.gamma, instance.gamma, 0},
                                 .law = true,
                                 .arithmetic = Arithmetic::rational},
                                ByEnumeration{.predictions = false});
}

RunPoint point_of(const Answer& run) {
  return {run.fraction(QuantityId::rejections), run.fraction(QuantityId::tv_to_target)};
}

Rational output_share(const Answer& run, const TokenPath& tokens) {
  const Value* share = run.find(QuantityId::output_law, tokens);
  return share == nullptr ? Rational(0) : share->fraction.value();
}

TradeRegion::TradeRegion(const Instance& instance)
    : draft_(instance.rows->draft(0)),
      target_(instance.rows->target(0)),
      between_(distance(instance)) {}

Rational TradeRegion::lowest(const Rational& rejected) const {
  return positive_part<Rational>(between_ - rejected);
}

std::vector<bool> TradeRegion::best_set(const Rational& rejected) const {
  const std::size_t size = draft_.size();
  std::vector<bool> best;
  Rational most(-1);
  for (std::size_t set = 1; set < (std::size_t{1} << size); ++set) {
    std::vector<bool> inside;
    Rational draft(0), target(0);
    for (std::size_t x = 0; x < size; ++x) {
      inside.push_back((set >> x & 1) == 1);
      if (!inside.back()) continue;
      draft += draft_[x];
      target += target_[x];
    }
    const Rational value = min_one<Rational>(draft + rejected) - target;
    if (value <= most) continue;
    most = value;
    best = std::move(inside);
  }
  return best;
}

Rational TradeRegion::highest(const Rational& rejected) const {
  const std::vector<bool> inside = best_set(rejected);
  Rational draft(0), target(0);
  for (std::size_t x = 0; x < inside.size(); ++x) {
    if (!inside[x]) continue;
    draft += draft_[x];
    target += target_[x];
  }
  return ingredient("yin2024.figure4.top", Rational(min_one<Rational>(draft + rejected) - target));
}

/// Towards the target as far as r goes; beyond TV(d, t) less is kept of what the laws share.
TradeRegion::Split TradeRegion::low(const Rational& rejected) const {
  Split split;
  for (std::size_t x = 0; x < draft_.size(); ++x) {
    const Rational& d = draft_[x];
    const Rational& t = target_[x];
    if (rejected <= between_) {
      const Rational share = between_ > 0 ? Rational(rejected / between_) : Rational(0);
      split.kept.push_back(d - share * positive_part<Rational>(d - t));
      split.corrected.push_back(share * positive_part<Rational>(t - d));
    } else {
      split.kept.push_back((1 - rejected) / (1 - between_) * lesser<Rational>(d, t));
      split.corrected.push_back(t - split.kept.back());
    }
  }
  return split;
}

/// All that may be kept is kept on S, and what is rejected becomes its first token.
TradeRegion::Split TradeRegion::high(const Rational& rejected) const {
  const std::vector<bool> inside = best_set(rejected);
  Rational drafted(0);
  for (std::size_t x = 0; x < inside.size(); ++x) drafted += inside[x] ? draft_[x] : Rational(0);
  const Rational kept = 1 - rejected;
  const bool all_inside = drafted >= kept;
  Split split{{}, Masses(inside.size(), Rational(0))};
  for (std::size_t x = 0; x < inside.size(); ++x) {
    Rational share(inside[x] ? 1 : 0);
    if (all_inside && inside[x]) share = drafted > 0 ? Rational(kept / drafted) : Rational(0);
    if (!all_inside && !inside[x]) share = (kept - drafted) / (1 - drafted);
    split.kept.push_back(share * draft_[x]);
  }
  split.corrected[static_cast<std::size_t>(std::find(inside.begin(), inside.end(), true) -
                                           inside.begin())] = rejected;
  return split;
}

Rational TradeRegion::distance_at(const Split& from, const Split& to, const Rational& share) const {
  Rational sum(0);
  for (std::size_t x = 0; x < target_.size(); ++x) {
    const Rational a = from.kept[x] + from.corrected[x];
    const Rational b = to.kept[x] + to.corrected[x];
    sum += abs(Rational(a + share * (b - a) - target_[x]));
  }
  return sum / 2;
}

/// Where between two splits the TV is `distance`: it is convex along the way, and least at its
/// beginning, so that it rises from kink to kink.
Rational TradeRegion::share_of(const Split& from, const Split& to, const Rational& distance) const {
  Masses kinks{Rational(0), Rational(1)};
  for (std::size_t x = 0; x < target_.size(); ++x) {
    const Rational a = from.kept[x] + from.corrected[x];
    const Rational b = to.kept[x] + to.corrected[x];
    if (a == b) continue;
    const Rational at = (target_[x] - a) / (b - a);
    if (at > 0 && at < 1) kinks.push_back(at);
  }
  std::sort(kinks.begin(), kinks.end());
  for (std::size_t i = 1; i < kinks.size(); ++i) {
    const Rational before = distance_at(from, to, kinks[i - 1]);
    const Rational after = distance_at(from, to, kinks[i]);
    if (distance > after) continue;
    if (after == before) return kinks[i - 1];
    return kinks[i - 1] + (distance - before) * (kinks[i] - kinks[i - 1]) / (after - before);
  }
  return Rational(1);
}

RuleTables TradeRegion::rule_at(const Rational& rejected, const Rational& distance) const {
  const Split from = low(rejected);
  const Split to = high(rejected);
  const Rational share = share_of(from, to, distance);
  Masses accept, law;
  for (std::size_t x = 0; x < draft_.size(); ++x) {
    const Rational kept = from.kept[x] + share * (to.kept[x] - from.kept[x]);
    const Rational corrected = from.corrected[x] + share * (to.corrected[x] - from.corrected[x]);
    accept.push_back(draft_[x] > 0 ? Rational(kept / draft_[x]) : Rational(1));
    law.push_back(rejected > 0 ? Rational(corrected / rejected) : Rational(0));
  }
  RuleTables tables;
  tables.add(std::move(accept), std::move(law));
  return tables;
}

}  // namespace speclab
