// mtp(target=[[..],..], next=[[..],..], start=0, heads=L, sees=root|last): heads trained to the
// end.
//
// Head j = 0, 1, .. of an iteration that begins in the target's state r draws from
//   sees=root  P(X_j | r), the target's own law j tokens ahead: Medusa's parallel heads
//   sees=last  P(X_j | r, X_{j-1}), also given the token drafted last: a module that reads r's
//              features and one embedding, as DeepSeek-V3's MTP and Hydra's heads
// with X_0, X_1, .. drawn from the target. A head of its kind cannot have a smaller cross entropy.
#include "model/families/families.h"
#include "model/families/resetting.h"
#include "model/normalise.h"

namespace speclab {
namespace {

constexpr int kMostHeads = 32;
constexpr int kNoLast = -1;

/// The states after `tokens` tokens from `root` of which the last is `last`; sums to 1. Where the
/// target cannot draw that token there (it followed drafts that the target cannot draw): whatever
/// the last token.
std::vector<Rational> ahead_after(const TargetAutomaton& target, StatesAhead& ahead, State root,
                                  int tokens, int last) {
  if (last == kNoLast) return ahead.of(root, tokens);
  const auto& before = ahead.of(root, tokens - 1);
  const auto x = static_cast<std::size_t>(last);
  std::vector<Rational> now(target.states(), Rational(0));
  Rational total(0);
  for (std::size_t s = 0; s < now.size(); ++s) {
    const Rational mass = before[s] * target.laws[s][x];
    now[target.next[s][x]] += mass;
    total += mass;
  }
  if (total == 0) return ahead.of(root, tokens);
  normalise(now);
  return now;
}

}  // namespace

PairPointer make_mtp(SpecReader& spec) {
  const TargetAutomaton target = read_target(spec);
  const int heads = static_cast<int>(spec.integer("heads", 1, kMostHeads));
  const bool sees_last = spec.word("sees", {"root", "last"}, "root") == "last";
  StatesAhead ahead(target);
  // A key is the root, the offset and the last token, where it is seen.
  return make_resetting(spec, target,
                        {.longest = heads,
                         .begin = [](State context) -> std::vector<std::pair<DraftKey, Rational>> {
                           return {{{static_cast<int>(context), 0, kNoLast}, Rational(1)}};
                         },
                         .law =
                             [&](const DraftKey& key) {
                               return target.mixed(ahead_after(
                                   target, ahead, static_cast<State>(key[0]), key[1], key[2]));
                             },
                         .next = [sees_last](const DraftKey& key, Token x, State) -> DraftKey {
                           return {key[0], key[1] + 1, sees_last ? x : kNoLast};
                         }});
}

}  // namespace speclab
