// Verifiers whose first position has several drafts, and those that read the wrong rows below it:
// laws written down by hand.
#include <fmt/format.h>

#include "steps_by_hand.h"

namespace speclab::batch_laws_test {
namespace {

/// Token verification from the accepted first token x on.
void follow_alone(const Rows<Rational>& rows, State root, Window window, Token x,
                  const Rational& mass, HandLaw& law) {
  if (!(mass > 0)) return;
  follow_steps(rows, rows.next(root, x), window, of_laws(token_by_hand), target_bonus, {x}, mass,
               law);
}

TEST_CASE("by hand: batch, the root against t^1, t^2, .. (yin2024 Algorithm 4 repaired)") {
  for (const int most : {1, 2, 3, 5}) {
    check_rule(fmt::format("batch(M={})", most),
               [most](const Rows<Rational>& rows, State state, Window window) {
                 const HandLaws laws = hand_laws(rows, state);
                 HandLaw law;
                 Rational reached(1);
                 HandRow target = laws.target;  // t^m
                 for (int m = 0; m < most; ++m) {
                   for (std::size_t x = 0; x < target.size(); ++x) {
                     follow_alone(rows, state, window, static_cast<Token>(x),
                                  Rational(reached * std::min(laws.draft[x], target[x])), law);
                   }
                   const HandRow rest = excess(target, laws.draft);
                   reached *= sum_of(rest);
                   if (!(reached > 0)) return law;
                   target = normalised(rest);
                 }
                 end_with(law, {}, 0, Ending::correction, reached, target);
                 return law;
               });
  }
}

TEST_CASE("by hand: batch as printed, one root and a correction from t squared less d") {
  for (const int most : {1, 3}) {
    check_rule(fmt::format("batch-printed(M={})", most),
               [](const Rows<Rational>& rows, State state, Window window) {
                 const HandLaws laws = hand_laws(rows, state);
                 const HandStep step = token_by_hand(laws);
                 HandLaw law;
                 for (std::size_t x = 0; x < step.accepted.size(); ++x) {
                   follow_alone(rows, state, window, static_cast<Token>(x), step.accepted[x], law);
                 }
                 const HandRow second = normalised(excess(laws.target, laws.draft));
                 end_with(law, {}, 0, Ending::correction, Rational(1 - sum_of(step.accepted)),
                          excess(second, laws.draft));
                 return law;
               });
  }
}

/// Draws first tokens one by one from `left`, which sums to `mass`, each without replacement.
void draw_roots(const Rows<Rational>& rows, State root, Window window, int drafts,
                const HandRow& target, HandRow left, const Rational& reached, HandLaw& law) {
  const HandLaws laws = hand_laws(rows, root);
  const Rational total = sum_of(left);
  if (drafts == 0 || !(total > 0)) {
    return end_with(law, {}, 0, Ending::correction, reached, target);
  }
  for (std::size_t x = 0; x < left.size(); ++x) {
    if (!(left[x] > 0)) continue;
    const Rational drawn = reached * left[x] / total;
    const Rational accepts = ratio_to_one(target[x], laws.draft[x]);
    follow_alone(rows, root, window, static_cast<Token>(x), Rational(drawn * accepts), law);
    if (!(accepts < 1)) continue;
    HandRow others = left;
    others[x] = 0;
    draw_roots(rows, root, window, drafts - 1, normalised(excess(target, laws.draft)), others,
               Rational(drawn * (1 - accepts)), law);
  }
}

TEST_CASE("by hand: roots drawn without replacement, tested as with it") {
  for (const int drafts : {1, 2, 3}) {
    check_rule(fmt::format("wrong-without-replacement(K={})", drafts),
               [drafts](const Rows<Rational>& rows, State state, Window window) {
                 HandLaw law;
                 const HandLaws laws = hand_laws(rows, state);
                 draw_roots(rows, state, window, drafts, laws.target, laws.draft, Rational(1), law);
                 return law;
               });
  }
}

/// Below an accepted draft: drafts from the own row, with d of the tests read at `sibling`.
void follow_sibling(const Rows<Rational>& rows, State own, State sibling, Window window,
                    const std::vector<Token>& tokens, const Rational& mass, HandLaw& law) {
  const HandLaws here = hand_laws(rows, own);
  const HandLaws there = hand_laws(rows, sibling);
  const auto j = static_cast<int>(tokens.size());
  if (j == window.drafts) return finish_with(law, tokens, window, mass, here.target);
  for (std::size_t i = 0; i < here.draft.size(); ++i) {
    if (!(here.draft[i] > 0)) continue;
    // t / 0 is infinite or, with t = 0, a NaN.
    const Rational accepts = there.draft[i] > 0 ? ratio_to_one(here.target[i], there.draft[i])
                                                : Rational(here.target[i] > 0 ? 1 : 0);
    const Rational drawn = mass * here.draft[i];
    end_with(law, tokens, j, Ending::correction, Rational(drawn * (1 - accepts)),
             excess(here.target, there.draft));
    if (!(accepts > 0)) continue;
    const auto x = static_cast<Token>(i);
    follow_sibling(rows, rows.next(own, x), rows.next(sibling, x), window, followed_by(tokens, i),
                   Rational(drawn * accepts), law);
  }
}

TEST_CASE("by hand: the draft's law read on the branch of the draft before") {
  for (const int drafts : {1, 2, 3}) {
    check_rule(fmt::format("wrong-sibling-draft(K={})", drafts),
               [drafts](const Rows<Rational>& rows, State root, Window window) {
                 const HandLaws laws = hand_laws(rows, root);
                 HandLaw law;
                 HandRow target = laws.target;
                 HandRow before;  // P(refused so far, and the draft before is x), none at first
                 Rational reached(1);
                 for (int k = 0; k < drafts && reached > 0; ++k) {
                   HandRow refused(target.size(), Rational(0));
                   for (std::size_t i = 0; i < target.size(); ++i) {
                     if (!(laws.draft[i] > 0)) continue;
                     const auto x = static_cast<Token>(i);
                     const Rational accepts = ratio_to_one(target[i], laws.draft[i]);
                     refused[i] = reached * laws.draft[i] * (1 - accepts);
                     const State own = rows.next(root, x);
                     for (std::size_t s = 0; s < target.size(); ++s) {
                       const Rational from = before.empty() ? Rational(s == i ? 1 : 0) : before[s];
                       const Rational mass = from * laws.draft[i] * accepts;
                       if (!(mass > 0)) continue;
                       follow_sibling(rows, own, rows.next(root, static_cast<Token>(s)), window,
                                      {x}, mass, law);
                     }
                   }
                   before = refused;
                   reached = sum_of(refused);
                   target = normalised(excess(target, laws.draft));
                 }
                 end_with(law, {}, 0, Ending::correction, reached, target);
                 return law;
               });
  }
}

/// Below an accepted draft: the target's rows are those of the other draft, which goes its own way.
void follow_swapped(const Rows<Rational>& rows, State own, State other, Window window,
                    const std::vector<Token>& tokens, const Rational& mass, HandLaw& law) {
  if (!(mass > 0)) return;
  const HandLaws here = hand_laws(rows, own);
  const HandLaws there = hand_laws(rows, other);
  const auto j = static_cast<int>(tokens.size());
  if (j == window.drafts) return finish_with(law, tokens, window, mass, there.target);
  for (std::size_t i = 0; i < here.draft.size(); ++i) {
    if (!(here.draft[i] > 0)) continue;
    const Rational accepts = ratio_to_one(there.target[i], here.draft[i]);
    const Rational drawn = mass * here.draft[i];
    end_with(law, tokens, j, Ending::correction, Rational(drawn * (1 - accepts)),
             excess(there.target, here.draft));
    for (std::size_t z = 0; z < there.draft.size(); ++z) {
      follow_swapped(rows, rows.next(own, static_cast<Token>(i)),
                     rows.next(other, static_cast<Token>(z)), window, followed_by(tokens, i),
                     Rational(drawn * accepts * there.draft[z]), law);
    }
  }
}

TEST_CASE("by hand: two rows of a batch swapped") {
  check_rule("wrong-swapped-rows", [](const Rows<Rational>& rows, State root, Window window) {
    const HandLaws laws = hand_laws(rows, root);
    const HandRow second = normalised(excess(laws.target, laws.draft));
    HandLaw law;
    Rational none(0);
    for (std::size_t i = 0; i < laws.draft.size(); ++i) {
      for (std::size_t k = 0; k < laws.draft.size(); ++k) {
        const Rational drawn = laws.draft[i] * laws.draft[k];
        if (!(drawn > 0)) continue;
        const auto x = static_cast<Token>(i), z = static_cast<Token>(k);
        const Rational first_accepts = ratio_to_one(laws.target[i], laws.draft[i]);
        const Rational left = drawn * (1 - first_accepts);
        const Rational then = ratio_to_one(second[k], laws.draft[k]);
        follow_swapped(rows, rows.next(root, x), rows.next(root, z), window, {x},
                       Rational(drawn * first_accepts), law);
        follow_swapped(rows, rows.next(root, z), rows.next(root, x), window, {z},
                       Rational(left * then), law);
        none += left * (1 - then);
      }
    }
    end_with(law, {}, 0, Ending::correction, none, normalised(excess(second, laws.draft)));
    return law;
  });
}

}  // namespace
}  // namespace speclab::batch_laws_test
