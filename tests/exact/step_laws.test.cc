// Verifiers that decide token by token, biased, printed and wrong ones: the laws of tau and of
// whole decodes against step laws written down by hand.
#include <fmt/format.h>

#include "steps_by_hand.h"

namespace speclab::step_laws_test {
namespace {

Rational token_ratio(const HandLaws& laws, std::size_t x) {
  return ratio_to_one(laws.target[x], laws.draft[x]);
}

TEST_CASE("by hand: token, and the coin that is closed at 0, which no exact law sees") {
  check_rule("token", stepwise_by_hand(of_laws(token_by_hand)));
  check_rule("wrong-closed-coin", stepwise_by_hand(of_laws(token_by_hand)));
}

TEST_CASE("by hand: biased, four residuals (yin2024 section 4)") {
  for (const char* text : {"0", "1/20", "1/6", "1/2"}) {
    const Rational eps = parse_rational(text);
    const auto b = [eps](const HandLaws& laws, std::size_t x) {
      return ratio_to_one(Rational(laws.target[x] + eps), laws.draft[x]);
    };
    // A = t - b d, where b d is what is accepted.
    const auto optimal = [](const HandLaws& laws, const HandRow& accepted) {
      return excess(laws.target, accepted);
    };
    const auto target = [](const HandLaws& laws, const HandRow&) { return laws.target; };
    const auto draft = [](const HandLaws& laws, const HandRow&) { return laws.draft; };
    const auto check = [&](const char* residual, const auto& weights) {
      check_rule(fmt::format("biased(eps={},residual={})", text, residual),
                 stepwise_by_hand(acceptance_by_hand(b, weights)));
    };
    check("optimal", optimal);
    check("target", target);
    check("draft", draft);
    check("standard", standard);
  }
}

TEST_CASE("by hand: biased on numbers") {
  // d = (1/2, 1/4, 1/4), t = (1/5, 1/2, 3/10), eps = 1/10: b d = (3/10, 1/4, 1/4), rejected 1/5,
  // A = (-1/10, 1/4, 1/20). Emitted: 1/4 + 1/5 5/6 = 5/12 and 1/4 + 1/5 1/6 = 17/60.
  const Rows<Rational> rows(make_pair(hand_pairs()[1]));
  const auto law = [&](const char* verifier) {
    const ExactNumbers<Rational> found =
        run_exact(make_verifier(verifier), rows, {.lengths = {.horizon = 1}, .law = true});
    HandRow row;
    for (const auto& [tokens, probability] : found.decode->law) row.push_back(probability);
    CHECK(found.expected_accepted == Rational(4, 5));
    return row;
  };
  CHECK(law("biased(eps=1/10)") == HandRow{Rational(3, 10), Rational(5, 12), Rational(17, 60)});
  CHECK(law("biased(eps=1/10,residual=target)") ==
        HandRow{Rational(17, 50), Rational(7, 20), Rational(31, 100)});
  CHECK(law("biased(eps=1/10,residual=draft)") ==
        HandRow{Rational(2, 5), Rational(3, 10), Rational(3, 10)});
  // min(d, t / l) at l = 2/3 is (3/10, 1/4, 1/4) too.
  CHECK(law("lenient(l=2/3)") == HandRow{Rational(3, 10), Rational(5, 12), Rational(17, 60)});
}

TEST_CASE("by hand: lenient keeps the residual of t less d (Leviathan et al. 2023, A.5)") {
  for (const char* text : {"1", "9/10", "2/3", "1/4"}) {
    const Rational l = parse_rational(text);
    const auto b = [l](const HandLaws& laws, std::size_t x) {
      return ratio_to_one(laws.target[x], Rational(l * laws.draft[x]));
    };
    check_rule(fmt::format("lenient(l={})", text),
               stepwise_by_hand(acceptance_by_hand(b, standard)));
  }
}

/// What the low-complexity verifier lets pass, and what the target makes of the token that it does
/// not let pass: kept where it passes the target's check, or redrawn from t (Algorithm 2).
HandStep sprinter_by_hand(const HandLaws& laws, const Rational& fp, const Rational& tp,
                          bool redraws) {
  HandStep step;
  Rational refused(0);
  for (std::size_t x = 0; x < laws.draft.size(); ++x) {
    const Rational passes = laws.draft[x] > laws.target[x] ? fp : tp;
    step.accepted.push_back(laws.draft[x] * passes);
    const Rational called = laws.draft[x] * (1 - passes);
    step.kept.push_back(called > 0 ? Rational(called * token_ratio(laws, x)) : Rational(0));
    refused += called - step.kept.back();
  }
  if (redraws) {
    const Rational passed = sum_of(step.kept);
    for (std::size_t y = 0; y < laws.target.size(); ++y) step.kept[y] = passed * laws.target[y];
  }
  step.corrected = normalised(excess(laws.target, laws.draft));
  for (Rational& share : step.corrected) share *= refused;
  return step;
}

TEST_CASE("by hand: SPRINTER and SPRINTER as printed, drafts to the horizon (zhong2025)") {
  for (const auto& [fp_text, tp_text] :
       {std::pair{"0", "1"}, {"1/10", "9/10"}, {"2/3", "1/5"}, {"1", "1"}, {"1", "0"}}) {
    const Rational fp = parse_rational(fp_text), tp = parse_rational(tp_text);
    for (const bool redraws : {false, true}) {
      const auto step =
          of_laws([=](const HandLaws& laws) { return sprinter_by_hand(laws, fp, tp, redraws); });
      check_rule(fmt::format("{}(fp={},tp={})", redraws ? "sprinter-printed" : "sprinter", fp_text,
                             tp_text),
                 stepwise_by_hand(step), {kUnbounded});
    }
  }
}

TEST_CASE("by hand: wrong tests and wrong residuals of one token") {
  const auto always = [](const HandLaws&, std::size_t) { return Rational(1); };
  check_rule("wrong-always-accept", stepwise_by_hand(acceptance_by_hand(always, standard)));
  const auto zero = [](const HandLaws& laws, std::size_t x) {
    return x == 0 ? Rational(1) : token_ratio(laws, x);
  };
  check_rule("wrong-token-zero", stepwise_by_hand(acceptance_by_hand(zero, standard)));
  const auto target = [](const HandLaws& laws, std::size_t x) { return laws.target[x]; };
  check_rule("wrong-no-draft-law", stepwise_by_hand(acceptance_by_hand(target, standard)));
  // The one token that is drafted, the first of the likeliest.
  check_rule("wrong-greedy-draft", stepwise_by_hand(of_laws([](const HandLaws& laws) {
               const auto most = static_cast<std::size_t>(
                   std::max_element(laws.draft.begin(), laws.draft.end()) - laws.draft.begin());
               HandRow accepted(laws.draft.size(), Rational(0));
               accepted[most] = token_ratio(laws, most);
               return correct_from(accepted, excess(laws.target, laws.draft));
             })));
  // A rejected x is corrected from t without x.
  check_rule("wrong-one-hot-residual", stepwise_by_hand(of_laws([](const HandLaws& laws) {
               HandStep step = token_by_hand(laws);
               for (std::size_t y = 0; y < laws.draft.size(); ++y) {
                 step.corrected[y] = 0;
                 for (std::size_t x = 0; x < laws.draft.size(); ++x) {
                   if (x == y || !(laws.draft[x] > laws.target[x])) continue;
                   step.corrected[y] +=
                       (laws.draft[x] - laws.target[x]) * laws.target[y] / (1 - laws.target[x]);
                 }
               }
               return step;
             })));
}

/// The length of [a, b) that lies in [c, d).
Rational overlap(const Rational& a, const Rational& b, const Rational& c, const Rational& d) {
  const Rational low = std::max(a, c), high = std::min(b, d);
  return low < high ? Rational(high - low) : Rational(0);
}

TEST_CASE("by hand: one uniform for the draft and its correction") {
  check_rule("wrong-shared-uniform", stepwise_by_hand(of_laws([](const HandLaws& laws) {
               HandStep step = token_by_hand(laws);
               const HandRow residual = excess(laws.target, laws.draft);
               const Rational total = sum_of(residual);
               if (!(total > 0)) return step;
               std::fill(step.corrected.begin(), step.corrected.end(), Rational(0));
               Rational from_x(0);
               for (std::size_t x = 0; x < laws.draft.size(); ++x) {
                 const Rational to_x = from_x + laws.draft[x];
                 Rational from_y(0);
                 for (std::size_t y = 0; y < laws.draft.size(); ++y) {
                   const Rational to_y = from_y + residual[y] / total;
                   if (laws.draft[x] > 0) {
                     step.corrected[y] +=
                         overlap(from_x, to_x, from_y, to_y) * (1 - token_ratio(laws, x));
                   }
                   from_y = to_y;
                 }
                 from_x = to_x;
               }
               return step;
             })));
}

TEST_CASE("by hand: the bonus dropped, or drawn from the draft") {
  const HandStepRule token = of_laws(token_by_hand);
  check_rule("wrong-draft-bonus",
             stepwise_by_hand(token, [](const HandLaws& laws) { return laws.draft; }));
  check_rule("wrong-no-bonus", [token](const Rows<Rational>& rows, State state, Window window) {
    window.bonus = false;
    return stepwise_by_hand(token)(rows, state, window);
  });
}

TEST_CASE("by hand: the correction counted as accepted") {
  check_rule("wrong-correction-accepted",
             [](const Rows<Rational>& rows, State state, Window window) {
               HandLaw law = stepwise_by_hand(of_laws(token_by_hand))(rows, state, window);
               for (HandOutcome& out : law) out.accepted += out.ending == Ending::correction;
               return law;
             });
}

TEST_CASE("by hand: the residual one position late, where there is one") {
  const HandStepRule late = [](const Rows<Rational>& rows, State state, bool last) {
    const HandLaws laws = hand_laws(rows, state);
    HandStep step = token_by_hand(laws);
    std::fill(step.corrected.begin(), step.corrected.end(), Rational(0));
    for (std::size_t x = 0; x < laws.draft.size(); ++x) {
      if (!(laws.draft[x] > laws.target[x])) continue;
      const Rational rejected = laws.draft[x] - laws.target[x];
      const HandLaws after = last ? laws : hand_laws(rows, rows.next(state, static_cast<Token>(x)));
      const HandStep from =
          correct_from(HandRow(laws.draft.size(), Rational(0)), excess(after.target, after.draft));
      for (std::size_t y = 0; y < laws.draft.size(); ++y) {
        step.corrected[y] += rejected * from.corrected[y];
      }
      step.undefined += rejected * from.undefined;
    }
    return step;
  };
  check_rule("wrong-late-residual", stepwise_by_hand(late));
}

/// One uniform u for all coins: a path of ratios r_1..r_j is accepted where u is below the least.
void follow_one_coin(const Rows<Rational>& rows, State state, Window window,
                     const std::vector<Token>& tokens, const Rational& drafted,
                     const Rational& least, HandLaw& law) {
  const HandLaws laws = hand_laws(rows, state);
  const auto j = static_cast<int>(tokens.size());
  if (j == window.drafts) {
    return finish_with(law, tokens, window, Rational(drafted * least), laws.target);
  }
  for (std::size_t x = 0; x < laws.draft.size(); ++x) {
    if (!(laws.draft[x] > 0)) continue;
    const Rational path = drafted * laws.draft[x];
    const Rational below = std::min(least, token_ratio(laws, x));
    end_with(law, tokens, j, Ending::correction, Rational(path * (least - below)),
             excess(laws.target, laws.draft));
    if (!(below > 0)) continue;
    follow_one_coin(rows, rows.next(state, static_cast<Token>(x)), window, followed_by(tokens, x),
                    path, below, law);
  }
}

TEST_CASE("by hand: one number for all coins of an iteration") {
  check_rule("wrong-reseeded-coins", [](const Rows<Rational>& rows, State state, Window window) {
    HandLaw law;
    follow_one_coin(rows, state, window, {}, Rational(1), Rational(1), law);
    return law;
  });
}

TEST_CASE("by hand: nothing drafted") {
  check_rule("autoregressive", [](const Rows<Rational>& rows, State state, Window) {
    HandLaw law;
    end_with(law, {}, 0, Ending::bonus, Rational(1), hand_laws(rows, state).target);
    return law;
  });
}

}  // namespace
}  // namespace speclab::step_laws_test
