// slot-block by hand: its law over the slots kept in a map, draft after draft.
#include <algorithm>
#include <tuple>

#include "blocks_by_hand.h"

namespace speclab::slot_laws_test {
namespace {

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
    const auto node = followed_by(slot.node, static_cast<std::size_t>(slot.leaves));
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
}  // namespace speclab::slot_laws_test
