// Verifiers of whole blocks, printed and wrong ones too: for each drafted path the law of tau by a
// formula, and the corrections, written down by hand.
#include "by_hand.h"
#include "greedy_carry.h"
#include "verifiers/wrong_block.h"

namespace speclab {
namespace {

constexpr int kHorizon = 3;

/// One drafted path with the weights of its sub-blocks.
struct Drafted {
  std::vector<Token> tokens;
  std::vector<State> states;  ///< [i]: after i tokens
  Rational mass;              ///< D(path)
  HandRow clamped, plain;     ///< [i]: w_i of block verification, r_i = T / D
};

std::vector<Drafted> drafted_paths(const Rows<Rational>& rows, State root, int drafts) {
  std::vector<Drafted> paths{{{}, {root}, 1, {1}, {1}}};
  for (int i = 0; i < drafts; ++i) {
    std::vector<Drafted> longer;
    for (const Drafted& path : paths) {
      const HandLaws laws = hand_laws(rows, path.states.back());
      for (std::size_t x = 0; x < laws.draft.size(); ++x) {
        if (!(laws.draft[x] > 0)) continue;
        Drafted next = path;
        const Rational ratio = laws.target[x] / laws.draft[x];
        const Rational w = path.clamped.back() * ratio;
        next.tokens.push_back(static_cast<Token>(x));
        next.states.push_back(rows.next(path.states.back(), static_cast<Token>(x)));
        next.mass *= laws.draft[x];
        next.clamped.push_back(w < 1 ? w : Rational(1));
        next.plain.push_back(path.plain.back() * ratio);
        longer.push_back(std::move(next));
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

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

void check_rule(const std::string& verifier, const HandRule& rule) {
  for (const std::string& pair : hand_pairs()) {
    for (const int gamma : {1, 2, 3, kUnbounded}) {
      check_by_hand(verifier, pair, rule, gamma, kHorizon);
    }
  }
}

TEST_CASE("by hand: block, the largest sub-block whose coin accepts (sun2025 Algorithm 2)") {
  check_rule("block", by_tau([](const Rows<Rational>& rows, const Drafted& path) {
               return largest(block_coins(rows, path));
             }));
}

TEST_CASE("by hand: every coin is w_i") {
  check_rule("wrong-weight-coins", by_tau([](const Rows<Rational>&, const Drafted& path) {
               return largest(path.clamped);
             }));
}

TEST_CASE("by hand: up to the first coin that fails") {
  check_rule("wrong-first-failure", by_tau([](const Rows<Rational>& rows, const Drafted& path) {
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
  check_rule("block-listing", [](const Rows<Rational>& rows, State root, Window window) {
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
  check_rule("wrong-no-carry", [](const Rows<Rational>& rows, State root, Window window) {
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
      ExactRequest request;
      request.lengths.gamma = gamma;
      request.lengths.horizon = 4;
      request.law = true;
      const auto wrong = run_named("wrong-flat-carry", pair, request);
      const auto again = run_program(Greedy<Carry::flat>{}, pair, request);
      CHECK(wrong.accepted_law == again.accepted_law);
      CHECK(wrong.decode->law == again.decode->law);
      CHECK(wrong.decode->rejections == again.decode->rejections);
      CHECK(wrong.decode->undefined_mass == again.decode->undefined_mass);
    }
  }
}

/// A slot: an accepted node and a token that leaves the trie there, or an accepted whole draft.
struct Slot {
  std::vector<Token> node;
  Token leaves;  ///< kUndefined: a whole draft
  bool operator<(const Slot& other) const {
    return std::tie(node, leaves) < std::tie(other.node, other.leaves);
  }
};
using SlotLaw = std::map<Slot, Rational>;

/// D of a sequence of tokens, and the state after it.
std::pair<Rational, State> joint_draft(const Rows<Rational>& rows, State root,
                                       const std::vector<Token>& tokens) {
  Rational mass(1);
  State state = root;
  for (const Token x : tokens) {
    mass *= rows.draft(state)[static_cast<std::size_t>(x)];
    state = rows.next(state, x);
  }
  return {mass, state};
}

/// Step 2 of slot-block: block verification of X below its first `from` tokens, starting from the
/// weight w; the new slots are added to `law`. @returns the probability of not even that node
Rational run_below(const Rows<Rational>& rows, State root, const std::vector<Token>& draft,
                   std::size_t from, Rational w, SlotLaw& law) {
  std::vector<Rational> weights{w};
  for (std::size_t i = from; i < draft.size(); ++i) {
    const State state =
        joint_draft(rows, root, {draft.begin(), draft.begin() + static_cast<std::ptrdiff_t>(i)})
            .second;
    const auto x = static_cast<std::size_t>(draft[i]);
    w *= rows.target(state)[x] / rows.draft(state)[x];
    w = w < 1 ? w : Rational(1);
    weights.push_back(w);
  }
  Rational refused(1);
  for (std::size_t i = weights.size(); i-- > 0;) {
    const std::vector<Token> node(draft.begin(),
                                  draft.begin() + static_cast<std::ptrdiff_t>(from + i));
    if (node.size() == draft.size()) {
      law[{node, kUndefined}] += refused * weights[i];
      refused *= 1 - weights[i];
      continue;
    }
    const HandLaws laws = hand_laws(rows, joint_draft(rows, root, node).second);
    const HandRow residual = excess(laws.target, laws.draft, weights[i]);
    const Rational s = sum_of(residual);
    const Rational coin = s > 0 ? Rational(s / (s + 1 - weights[i])) : Rational(0);
    for (std::size_t z = 0; z < residual.size(); ++z) {
      if (residual[z] > 0) {
        law[{node, static_cast<Token>(z)}] += refused * coin * residual[z] / s;
      }
    }
    refused *= 1 - coin;
  }
  return refused;
}

/// The law over the slots after one more draft; `seen` are the drafts before.
SlotLaw after_draft(const Rows<Rational>& rows, State root, const SlotLaw& before,
                    const std::vector<std::vector<Token>>& seen, const std::vector<Token>& draft) {
  const auto borrowed = [&](const Slot& slot, const Rational& mass) {
    if (slot.leaves == kUndefined) return Rational(0);
    std::vector<Token> node = slot.node;
    node.push_back(slot.leaves);
    return Rational(std::min(joint_draft(rows, root, node).first, mass));
  };
  std::size_t shared = 0;  // X's first so many tokens are a node of the trie
  for (const auto& other : seen) {
    const auto end = std::mismatch(draft.begin(), draft.end(), other.begin(), other.end()).first;
    shared = std::max(shared, static_cast<std::size_t>(end - draft.begin()));
  }
  SlotLaw after;
  Rational refused(1);
  if (shared < draft.size()) {
    const std::vector<Token> node(draft.begin(),
                                  draft.begin() + static_cast<std::ptrdiff_t>(shared));
    const auto left = before.find({node, draft[shared]});
    if (left != before.end() && left->second > 0) {
      std::vector<Token> first = node;
      first.push_back(draft[shared]);
      const Rational w = left->second / joint_draft(rows, root, first).first;
      refused = run_below(rows, root, draft, shared + 1, w < 1 ? w : Rational(1), after);
    }
  }
  Rational kept(1);
  for (const auto& [slot, mass] : before) kept -= borrowed(slot, mass);
  if (!(refused > 0)) return after;
  for (const auto& [slot, mass] : before) {
    const Rational left = mass - borrowed(slot, mass);
    if (left > 0) after[slot] += refused * left / kept;
  }
  return after;
}

void draw_slots(const Rows<Rational>& rows, State root, Window window, int drafts,
                const std::vector<Drafted>& paths, const SlotLaw& slots,
                const std::vector<std::vector<Token>>& seen, const Rational& mass, HandLaw& law) {
  if (drafts == 0) {
    for (const auto& [slot, share] : slots) {
      const HandRow target = hand_laws(rows, joint_draft(rows, root, slot.node).second).target;
      if (slot.leaves == kUndefined) {
        finish_with(law, slot.node, window, Rational(mass * share), target);
        continue;
      }
      std::vector<Token> tokens = slot.node;
      tokens.push_back(slot.leaves);
      law.push_back(
          {tokens, static_cast<int>(slot.node.size()), Ending::correction, Rational(mass * share)});
    }
    return;
  }
  for (const Drafted& path : paths) {
    auto more = seen;
    more.push_back(path.tokens);
    draw_slots(rows, root, window, drafts - 1, paths,
               after_draft(rows, root, slots, seen, path.tokens), more, Rational(mass * path.mass),
               law);
  }
}

HandRule slot_block(int drafts) {
  return [drafts](const Rows<Rational>& rows, State root, Window window) {
    SlotLaw start;
    const HandRow target = hand_laws(rows, root).target;
    for (std::size_t y = 0; y < target.size(); ++y) {
      if (target[y] > 0) start[{{}, static_cast<Token>(y)}] = target[y];
    }
    HandLaw law;
    draw_slots(rows, root, window, drafts, drafted_paths(rows, root, window.drafts), start, {},
               Rational(1), law);
    return law;
  };
}

TEST_CASE("by hand: slot-block, its slots kept in a map, and the same one draft early") {
  for (const std::string& pair : hand_pairs()) {
    check_by_hand("slot-block(K=3)", pair, slot_block(3), 1, 3);
    check_by_hand("slot-block(K=2)", pair, slot_block(2), 2, 3);
    check_by_hand("wrong-early-slots(K=3)", pair, slot_block(2), 2, 3);
    check_by_hand("wrong-early-slots(K=2)", pair, slot_block(1), 2, 3);
  }
  check_by_hand("slot-block(K=3)", std::string(kToy), slot_block(3), 2, 3);
  check_by_hand("slot-block(K=4)", std::string(kToy), slot_block(4), 1, 2);
  check_by_hand("slot-block(K=2)", std::string(kToy), slot_block(2), 3, 4);
}

}  // namespace
}  // namespace speclab
