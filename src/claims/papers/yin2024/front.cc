// Yin, Chen, Huang, Wang: "A Theoretical Perspective for Speculative Decoding Algorithm" (2024),
// Remark 6 and equation (27): the front of rejections and bias over several tokens.
#include "answer/optima.h"
#include "claims/papers/yin2024/fates.h"

namespace speclab {
namespace yin2024_front {
namespace {

std::vector<FrontPoint> front_of(const Instance& at) {
  std::vector<FrontPoint> front = bias_front(*at.rows, at.gamma);
  for (FrontPoint& point : front) {
    point.distance = ingredient("yin2024.front.distance", point.distance);
  }
  return front;
}

/// b = m / (a d) and P ~ r of the masses between two points of the front.
Design between(const FrontPoint& left, const FrontPoint& right, const Rational& share, State start,
               const RuleContext& at) {
  const FrontPoint::Step& from = left.steps.at({start, at.before});
  const FrontPoint::Step& to = right.steps.at({start, at.before});
  Rule::Law kept, corrected;
  Rational mass(0);
  for (std::size_t x = 0; x < at.draft.size(); ++x) {
    kept.push_back(from.accepted[x] + share * (to.accepted[x] - from.accepted[x]));
    corrected.push_back(from.corrected[x] + share * (to.corrected[x] - from.corrected[x]));
    mass += kept[x] + corrected[x];
  }
  for (std::size_t x = 0; x < kept.size(); ++x) {
    const Rational drafted = mass * at.draft[x];
    kept[x] = drafted > 0 ? Rational(kept[x] / drafted) : Rational(1);
  }
  return {kept, corrected};
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
Comparisons attained(const Instance& at) {
  const std::vector<FrontPoint> front = front_of(at);
  const RuleRuns runs(at);
  const State start = at.start();
  Comparisons says;
  const auto look = [&](const FrontPoint& a, const FrontPoint& b, const Rational& share) {
    const Fates found =
        runs.run([&](const RuleContext& context) { return between(a, b, share, start, context); });
    const Rational rejections = a.rejections + share * (b.rejections - a.rejections);
    says.equal(found.rejections(), rejections,
               "E[N_rej] of the rule of a point of the front, T = gamma");
    says.equal(found.bias(), least_distance(front, rejections),
               "TV of the rule at E[N_rej] = {} against the front", to_text(rejections));
  };
  for (std::size_t i = 0; i < front.size(); ++i) {
    look(front[i], front[i], Rational(0));
    if (i > 0) look(front[i - 1], front[i], Rational(1, 2));
  }
  return says;
}

/// A number from 0 on that differs between rules, contexts and tokens.
std::size_t mixed_rule(std::size_t rule, const TokenPath& context, std::size_t x) {
  std::size_t sum = (2 * rule + 1) * (x + 3);
  for (const Token token : context)
    sum = 5 * sum + (rule + 2) * static_cast<std::size_t>(token) + 1;
  return sum / 2 + sum / 7;
}

/// Rules of a grid, run: none is below.
Comparisons none_below(const Instance& at) {
  constexpr std::size_t kRules = 24;
  const std::vector<FrontPoint> front = front_of(at);
  const RuleRuns runs(at);
  Comparisons says;
  for (std::size_t rule = 0; rule < kRules; ++rule) {
    const Fates found = runs.run([&](const RuleContext& context) {
      const std::size_t size = context.draft.size();
      Design design{{}, Rule::Law(size)};
      for (std::size_t x = 0; x < size; ++x) {
        design.accept.emplace_back(static_cast<int>(mixed_rule(rule, context.before, x) % 3), 2);
      }
      design.correction[mixed_rule(rule, context.before, 1) % size] = 1;
      return design;
    });
    says.at_least(found.bias(), least_distance(front, found.rejections()),
                  "TV of a rule with E[N_rej] = {} against the front", to_text(found.rejections()));
  }
  return says;
}

constexpr Filter kOneStart{"of one prompt", [](const Instance& at) {
                             return at.pair().start().size() == 1 && !at.pair().end_token();
                           }};

/// Whether laws that differ do so by a thousandth or more: to the third power of less the solver's
/// doubles are blind, and its corners are not certified.
bool apart(const Instance& at) {
  for (State state = 0; state < at.pair().states(); ++state) {
    const auto draft = at.rows->draft(state);
    const auto target = at.rows->target(state);
    for (std::size_t x = 0; x < draft.size(); ++x) {
      const Rational gap = abs(Rational(draft[x] - target[x]));
      if (gap > 0 && gap < Rational(1, 1000)) return false;
    }
  }
  return true;
}

constexpr Filter kThreeTokens{
    "of one prompt, two tokens, T = 3, not nearly equal", [](const Instance& at) {
      return kOneStart.keeps(at) && at.gamma == 3 && at.rows->vocabulary() <= 2 && apart(at);
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
    .bites = {{raised("yin2024.front.distance"), halved("yin2024.front.distance"),
               levelled("yin2024.rule.b"), levelled("yin2024.rule.P")}},
};

constexpr ClaimRow kClaims[] = {kFront};

}  // namespace
}  // namespace yin2024_front

Claims yin2024_front_claims() { return yin2024_front::kClaims; }

}  // namespace speclab
