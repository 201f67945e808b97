// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// Remark 6 and equation (27): the front of rejections and bias over several tokens.
#include <fmt/format.h>

#include <memory>

#include "claims/papers/yin2024/tables.h"
#include "model/listed_tree.h"
#include "optimum/bias_front.h"

namespace speclab {
namespace yin2024_front {
namespace {

/// The pair with a state of its own for each context of fewer than T = gamma tokens, so that tables
/// can tell them apart.
class Unrolled {
 public:
  explicit Unrolled(const Instance& instance) : vocabulary_(instance.rows->vocabulary()) {
    list(*instance.rows, instance.pair().start().front().state, {}, instance.gamma);
    instance_ = name_instance(std::make_shared<ListedTreePair>(vocabulary_, draft_, target_),
                              instance.name() + " by context", instance.gamma);
  }

  [[nodiscard]] const Instance& instance() const { return instance_; }
  [[nodiscard]] State start() const { return instance_.pair().start().front().state; }
  [[nodiscard]] const ListedLaws& contexts() const { return draft_; }

  /// Tables from b and P by context; elsewhere everything is accepted.
  template <class RuleAt>
  RuleTables tables(const RuleAt& rule_at) const {
    const auto size = static_cast<std::size_t>(vocabulary_);
    const std::vector<Rational> all(size, Rational(1)), none(size, Rational(0));
    std::vector<Design> by_state(instance_.pair().states(), Design{all, none});
    for (const auto& [context, law] : draft_) {
      State state = start();
      for (const Token x : context) state = instance_.rows->next(state, x);
      by_state[state] = rule_at(context, law);
    }
    RuleTables tables;
    for (Design& design : by_state) {
      tables.add(std::move(design.accept), std::move(design.correction));
    }
    return tables;
  }

 private:
  void list(const Rows<Rational>& rows, State state, TokenPath context, int left) {
    if (left == 0) return;
    const auto draft = rows.draft(state);
    const auto target = rows.target(state);
    draft_[context] = {draft.begin(), draft.end()};
    target_[context] = {target.begin(), target.end()};
    for (Token x = 0; x < vocabulary_; ++x) {
      TokenPath after = context;
      after.push_back(x);
      list(rows, rows.next(state, x), std::move(after), left - 1);
    }
  }

  Token vocabulary_;
  ListedLaws draft_, target_;
  Instance instance_;
};

/// b = m / (a d) and P ~ r of the masses between two points of the front.
Design between(const FrontPoint& left, const FrontPoint& right, const Rational& share, State start,
               const TokenPath& context, const std::vector<Rational>& draft) {
  const FrontPoint::Step& from = left.steps.at({start, context});
  const FrontPoint::Step& to = right.steps.at({start, context});
  std::vector<Rational> kept, corrected;
  Rational mass(0), rejected(0);
  for (std::size_t x = 0; x < draft.size(); ++x) {
    kept.push_back(from.accepted[x] + share * (to.accepted[x] - from.accepted[x]));
    corrected.push_back(from.corrected[x] + share * (to.corrected[x] - from.corrected[x]));
    rejected += corrected[x];
    mass += kept[x] + corrected[x];
  }
  Design design;
  for (std::size_t x = 0; x < draft.size(); ++x) {
    const Rational drafted = mass * draft[x];
    design.accept.push_back(drafted > 0 ? Rational(kept[x] / drafted) : Rational(1));
    design.correction.push_back(rejected > 0 ? Rational(corrected[x] / rejected) : Rational(0));
  }
  return design;
}

std::vector<FrontPoint> front_of(const Unrolled& pair) {
  std::vector<FrontPoint> front = bias_front(*pair.instance().rows, pair.instance().gamma);
  for (FrontPoint& point : front) {
    point.distance = ingredient("yin2024.front.distance", point.distance);
  }
  return front;
}

/// The front's TV at so many rejections.
Rational least_distance(const std::vector<FrontPoint>& front, const Rational& rejections) {
  for (std::size_t i = 1; i < front.size(); ++i) {
    const FrontPoint& a = front[i - 1];
    const FrontPoint& b = front[i];
    if (b.rejections < rejections) continue;
    return a.distance +
           (b.distance - a.distance) * (rejections - a.rejections) / (b.rejections - a.rejections);
  }
  return Rational(0);
}

/// The rule of each corner and of the middle of each edge, run.
Comparisons attained(const Instance& instance) {
  const Unrolled pair(instance);
  const std::vector<FrontPoint> front = front_of(pair);
  Comparisons comparisons;
  const auto look = [&](const FrontPoint& a, const FrontPoint& b, const Rational& share) {
    const RunPoint found = point_of(
        run_tables(pair.tables([&](const TokenPath& context, const std::vector<Rational>& draft) {
          return between(a, b, share, pair.start(), context, draft);
        }),
                   pair.instance()));
    const Rational rejections = a.rejections + share * (b.rejections - a.rejections);
    comparisons.push_back({fmt::format("E[N_rej] of the rule of a point of the front, T = gamma"),
                           found.rejections, Order::equal, rejections});
    comparisons.push_back(
        {fmt::format("TV of the rule at E[N_rej] = {} against the front", to_text(rejections)),
         found.distance, Order::equal, least_distance(front, rejections)});
  };
  for (std::size_t i = 0; i < front.size(); ++i) {
    look(front[i], front[i], Rational(0));
    if (i > 0) look(front[i - 1], front[i], Rational(1, 2));
  }
  return comparisons;
}

/// A number from 0 on that differs between rules, contexts and tokens.
std::size_t mixed(std::size_t rule, const TokenPath& context, std::size_t x) {
  std::size_t sum = (2 * rule + 1) * (x + 3);
  for (const Token token : context)
    sum = 5 * sum + (rule + 2) * static_cast<std::size_t>(token) + 1;
  return sum / 2 + sum / 7;
}

/// Rules of a grid, run: none is below.
Comparisons none_below(const Instance& instance) {
  constexpr std::size_t kRules = 24;
  const Unrolled pair(instance);
  const std::vector<FrontPoint> front = front_of(pair);
  Comparisons comparisons;
  for (std::size_t rule = 0; rule < kRules; ++rule) {
    const RunPoint found = point_of(
        run_tables(pair.tables([&](const TokenPath& context, const std::vector<Rational>& draft) {
          Design design;
          for (std::size_t x = 0; x < draft.size(); ++x) {
            design.accept.emplace_back(static_cast<int>(mixed(rule, context, x) % 3), 2);
          }
          design.correction.assign(draft.size(), Rational(0));
          design.correction[mixed(rule, context, 1) % draft.size()] = 1;
          return design;
        }),
                   pair.instance()));
    comparisons.push_back({fmt::format("TV of a rule with E[N_rej] = {} against the front",
                                       to_text(found.rejections)),
                           found.distance, Order::at_least,
                           least_distance(front, found.rejections)});
  }
  return comparisons;
}

constexpr Filter kOneStart{"of one prompt", [](const Instance& instance) {
                             return instance.pair().start().size() == 1 &&
                                    !instance.pair().end_token();
                           }};
/// Whether laws that differ do so by a thousandth or more: to the third power of less the solver's
/// doubles are blind, and its corners are not certified.
bool apart(const Instance& instance) {
  for (State state = 0; state < instance.pair().states(); ++state) {
    const auto draft = instance.rows->draft(state);
    const auto target = instance.rows->target(state);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      const Rational gap = abs(Rational(draft[x] - target[x]));
      if (gap > 0 && gap < Rational(1, 1000)) return false;
    }
  }
  return true;
}

constexpr Filter kThreeTokens{"of one prompt, two tokens, T = 3, not nearly equal",
                              [](const Instance& instance) {
                                return kOneStart.keeps(instance) && instance.gamma == 3 &&
                                       instance.rows->vocabulary() <= 2 && apart(instance);
                              }};
constexpr BatteryShape kShort{.tokens = 3, .gammas = 2, .random = {2, 6, 20}};
constexpr BatteryShape kLong{.tokens = 2, .gammas = 3, .random = {2, 6, 20}};

constexpr ClaimRow kFront{
    .id = "yin2024.remark6.front",
    .source = "yin2024 Remark 6, equation (27), over b_1 .. b_T and P_1 .. P_T together",
    .statement =
        "the least TV of T tokens by E[N_rej] is convex and piecewise linear; a rule attains each "
        "of its corners and the middle of each edge, and no rule is below",
    .hypotheses = "b and P by context; the corners are a linear program's",
    .check = attained,
    .places = {Place(kShort).only(kOneStart), Place(kLong).only(kThreeTokens),
               Place(kShort).only(kOneStart).with(none_below),
               Place(kLong).only(kThreeTokens).with(none_below)},
    .bites = {{{"yin2024.front.distance", Fault::raised},
               {"yin2024.front.distance", Fault::halved},
               {"yin2024.rule.b", Fault::levelled},
               {"yin2024.rule.P", Fault::levelled}}},
};

constexpr ClaimRow kClaims[] = {kFront};

}  // namespace
}  // namespace yin2024_front

Claims yin2024_front_claims() { return yin2024_front::kClaims; }

}  // namespace speclab
