// Verifiers that decide token by token, by hand: what happens to one drafted position.
#pragma once

#include <algorithm>

#include "by_hand.h"

namespace speclab {

/// One drafted position. All entries and `undefined` sum to 1.
struct HandStep {
  HandRow accepted;   ///< [x] = P(x is drafted and accepted)
  HandRow corrected;  ///< [y] = P(the draft is rejected and y emitted in its place)
  HandRow kept = {};  ///< [y] = P(y ends the iteration, not accepted and no correction)
  Rational undefined{0};
};

/// The step at a state; `late` says that no position follows in the window.
using HandStepRule = std::function<HandStep(const Rows<Rational>&, State, bool late)>;
using HandBonus = std::function<HandRow(const HandLaws&)>;

inline HandRow target_bonus(const HandLaws& laws) { return laws.target; }

/// `accepted` as given, the rest of the probability corrected from the law of `weights`.
inline HandStep correct_from(HandRow accepted, const HandRow& weights) {
  const Rational rest = 1 - sum_of(accepted);
  const Rational total = sum_of(weights);
  HandStep step{std::move(accepted), HandRow(weights.size(), Rational(0))};
  if (!(total > 0)) {
    step.undefined = rest;
    return step;
  }
  for (std::size_t y = 0; y < weights.size(); ++y) step.corrected[y] = rest * weights[y] / total;
  return step;
}

inline void follow_steps(const Rows<Rational>& rows, State state, Window window,
                         const HandStepRule& rule, const HandBonus& bonus,
                         const std::vector<Token>& tokens, const Rational& mass, HandLaw& law) {
  const auto j = static_cast<int>(tokens.size());
  if (j == window.drafts) {
    return finish_with(law, tokens, window, mass, bonus(hand_laws(rows, state)));
  }
  const HandStep step = rule(rows, state, !window.bonus && j + 1 == window.drafts);
  end_with(law, tokens, j, Ending::correction, Rational(mass * sum_of(step.corrected)),
           step.corrected);
  end_with(law, tokens, j, Ending::bonus, Rational(mass * sum_of(step.kept)), step.kept);
  end_with(law, tokens, j, Ending::correction, Rational(mass * step.undefined), {});
  for (std::size_t x = 0; x < step.accepted.size(); ++x) {
    if (!(step.accepted[x] > 0)) continue;
    follow_steps(rows, rows.next(state, static_cast<Token>(x)), window, rule, bonus,
                 followed_by(tokens, x), Rational(mass * step.accepted[x]), law);
  }
}

/// A rule whose positions all follow one step law.
inline HandRule stepwise_by_hand(HandStepRule rule, HandBonus bonus = target_bonus) {
  return [rule = std::move(rule), bonus = std::move(bonus)](const Rows<Rational>& rows, State state,
                                                            Window window) {
    HandLaw law;
    follow_steps(rows, state, window, rule, bonus, {}, Rational(1), law);
    return law;
  };
}

/// A step law of the two laws alone.
template <class Step>
HandStepRule of_laws(Step step) {
  return [step](const Rows<Rational>& rows, State state, bool) {
    return step(hand_laws(rows, state));
  };
}

/// min(d, t) and [t - d]+ (Leviathan et al. 2023).
inline HandStep token_by_hand(const HandLaws& laws) {
  HandRow accepted;
  for (std::size_t x = 0; x < laws.draft.size(); ++x) {
    accepted.push_back(std::min(laws.draft[x], laws.target[x]));
  }
  return correct_from(accepted, excess(laws.target, laws.draft));
}

/// d b for an acceptance b(x), corrected from `weights(laws, accepted)`.
template <class Acceptance, class Weights>
HandStepRule acceptance_by_hand(Acceptance b, Weights weights) {
  return of_laws([b, weights](const HandLaws& laws) {
    HandRow accepted;
    for (std::size_t x = 0; x < laws.draft.size(); ++x) {
      accepted.push_back(laws.draft[x] > 0 ? Rational(laws.draft[x] * b(laws, x)) : Rational(0));
    }
    const HandRow from = weights(laws, accepted);
    return correct_from(std::move(accepted), from);
  });
}

/// The standard residual, for acceptance_by_hand.
inline HandRow standard(const HandLaws& laws, const HandRow&) {
  return excess(laws.target, laws.draft);
}

}  // namespace speclab
