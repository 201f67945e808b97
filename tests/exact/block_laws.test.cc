// Verifiers of whole blocks, printed and wrong ones too: for each drafted path the law of tau by a
// formula, and the corrections, written down by hand.
#include "blocks_by_hand.h"
#include "greedy_carry.h"

namespace speclab::block_laws_test {
namespace {

/// Ends a path with tau = i of probability `share`, from [weight t - d]+ or as a whole draft.
void accept_prefix(const Rows<Rational>& rows, const Drafted& path, std::size_t i,
                   const Rational& share, const Rational& weight, Window window, HandLaw& law) {
  const HandLaws laws = hand_laws(rows, path.states[i]);
  const std::vector<Token> tokens(path.tokens.begin(),
                                  path.tokens.begin() + static_cast<std::ptrdiff_t>(i));
  const Rational mass = path.mass * share;
  if (i == path.tokens.size()) return finish_with(law, tokens, window, mass, laws.target);
  end_with(law, tokens, static_cast<int>(i), Ending::correction, mass,
           excess(laws.target, laws.draft, weight));
}

/// h_i of sun2025 equation (5), with h_gamma = w_gamma; 0/0 is 0.
HandRow block_coins(const Rows<Rational>& rows, const Drafted& path) {
  HandRow coins;
  for (std::size_t i = 0; i < path.clamped.size(); ++i) {
    const Rational& w = path.clamped[i];
    if (i + 1 == path.clamped.size()) {
      coins.push_back(w);
      break;
    }
    const HandLaws laws = hand_laws(rows, path.states[i]);
    const Rational s = sum_of(excess(laws.target, laws.draft, w));
    coins.push_back(s > 0 ? Rational(s / (s + 1 - w)) : Rational(0));
  }
  return coins;
}

/// P(tau = i | path), i = 0..gamma.
using TauLaw = std::function<HandRow(const Rows<Rational>&, const Drafted&)>;

/// The largest i whose coin accepts, 0 if there is none.
HandRow largest(const HandRow& coins) {
  HandRow law(coins.size(), Rational(0));
  Rational none(1);
  for (std::size_t i = coins.size(); i-- > 1;) {
    law[i] = none * coins[i];
    none *= 1 - coins[i];
  }
  law[0] = none;
  return law;
}

HandRule by_tau(TauLaw tau_law) {
  return [tau_law](const Rows<Rational>& rows, State root, Window window) {
    HandLaw law;
    for (const Drafted& path : drafted_paths(rows, root, window.drafts)) {
      const HandRow taus = tau_law(rows, path);
      for (std::size_t i = 0; i < taus.size(); ++i) {
        if (taus[i] > 0) {
          accept_prefix(rows, path, i, taus[i], path.clamped[i], window, law);
        }
      }
    }
    return law;
  };
}

void check_long(const std::string& verifier, const HandRule& rule) {
  check_rule(verifier, rule, {1, 2, 3, kUnbounded});
}

TEST_CASE("by hand: block, the largest sub-block whose coin accepts (sun2025 Algorithm 2)") {
  check_long("block", by_tau([](const Rows<Rational>& rows, const Drafted& path) {
               return largest(block_coins(rows, path));
             }));
}

TEST_CASE("by hand: every coin is w_i") {
  check_long("wrong-weight-coins", by_tau([](const Rows<Rational>&, const Drafted& path) {
               return largest(path.clamped);
             }));
}

TEST_CASE("by hand: up to the first coin that fails") {
  check_long("wrong-first-failure", by_tau([](const Rows<Rational>& rows, const Drafted& path) {
               const HandRow coins = block_coins(rows, path);
               HandRow law;
               Rational reached(1);
               for (std::size_t i = 0; i < coins.size(); ++i) {
                 const Rational next = i + 1 < coins.size() ? coins[i + 1] : Rational(0);
                 law.push_back(reached * (1 - next));
                 reached *= next;
               }
               return law;
             }));
}

TEST_CASE("by hand: the listing of sun2025 appendix A, which ends one sub-block early") {
  check_long("block-listing", [](const Rows<Rational>& rows, State root, Window window) {
    HandLaw law;
    for (const Drafted& path : drafted_paths(rows, root, window.drafts)) {
      // Coins of lengths 0..gamma-1; 0/0 (w = 1 and d = t) stops the program.
      HandRow coins = block_coins(rows, path);
      bool stops = false;
      for (std::size_t i = 0; i + 1 < coins.size(); ++i) {
        stops = stops || (path.clamped[i] == 1 && coins[i] == 0);
      }
      if (stops) {
        law.push_back({{}, 0, Ending::undefined, path.mass});
        continue;
      }
      coins.back() = 0;
      const HandRow taus = largest(coins);
      for (std::size_t i = 0; i + 1 < coins.size(); ++i) {
        if (taus[i] > 0) accept_prefix(rows, path, i, taus[i], path.clamped[i], window, law);
      }
    }
    return law;
  });
}

TEST_CASE("by hand: greedy block verification without its carry") {
  check_long("wrong-no-carry", [](const Rows<Rational>& rows, State root, Window window) {
    HandLaw law;
    for (const Drafted& path : drafted_paths(rows, root, window.drafts)) {
      HandRow coins;
      for (std::size_t i = 0; i < path.plain.size(); ++i) {
        const Rational& r = path.plain[i];
        const HandLaws laws = hand_laws(rows, path.states[i]);
        const Rational more = sum_of(excess(laws.target, laws.draft, r));
        HandRow scaled = laws.target;
        for (Rational& entry : scaled) entry *= r;
        const Rational less = sum_of(excess(laws.draft, scaled));
        Rational coin = i + 1 == path.plain.size() ? r : more;
        if (i + 1 < path.plain.size() && less > 0) coin = more / less;
        if (i + 1 < path.plain.size() && !(less > 0)) coin = more > 0 ? 1 : 0;
        coins.push_back(coin < 1 ? coin : Rational(1));
      }
      const HandRow taus = largest(coins);
      for (std::size_t i = 0; i < taus.size(); ++i) {
        if (taus[i] > 0) accept_prefix(rows, path, i, taus[i], path.plain[i], window, law);
      }
    }
    return law;
  });
}

TEST_CASE("the flat carry is that of a second program, on contexts and over three iterations") {
  for (int seed = 1; seed <= 12; ++seed) {
    const std::string pair = "tree(vocabulary=" + std::to_string(2 + seed % 2) +
                             ",depth=4,seed=" + std::to_string(40 + seed) + ")";
    for (const int gamma : {2, 3}) {
      CAPTURE(pair, gamma);
      const ExactRequest request{.lengths = {.gamma = gamma, .horizon = 4}, .law = true};
      const auto wrong = run_named("wrong-flat-carry", pair, request);
      const auto again = run_program(Greedy<Carry::flat>{}, pair, request);
      CHECK(wrong.accepted_law == again.accepted_law);
      CHECK(wrong.decode->law == again.decode->law);
      CHECK(wrong.decode->rejections == again.decode->rejections);
      CHECK(wrong.decode->undefined_mass == again.decode->undefined_mass);
    }
  }
}

TEST_CASE("the second program with a nested carry is greedy-block") {
  const ExactRequest request{.lengths = {.gamma = 3, .horizon = 5, .iterations = 2}};
  for (const char* pair :
       {"iid(draft=[2/3,1/3],target=[1/3,2/3])", "tree(vocabulary=2,depth=4,seed=3)",
        "tree(vocabulary=2,depth=4,seed=4)"}) {
    const auto here = run_program(Greedy<Carry::nested>{}, pair, request);
    const auto there = run_named("greedy-block", pair, request);
    CHECK(here.accepted_law == there.accepted_law);
    CHECK(here.expected_tokens == there.expected_tokens);
    CHECK(here.decode->rejections == there.decode->rejections);
    CHECK(here.decode->target_calls == there.decode->target_calls);
  }
}

}  // namespace
}  // namespace speclab::block_laws_test
